/** Doses: whether the number of lines and the number of voices can be told apart, and whether containers are dosed as framings are. */
import type { AssertionIR, CellIR, DoseIR } from "../../ir.ts"
import { argumentOf, armsOf, levelName } from "../../lower/columns.ts"
import { assertions, type Check, framingNamed, framingOf, type Review } from "./review.ts"

/** Whether lines say whose they are: else one voice and several come to the same text. */
const showsVoices = ({ lines }: AssertionIR): boolean =>
  lines.some((line) =>
    line.some((piece) => piece.kind === "line" && (piece.field === "i" || piece.field === "speaker")),
  )

/**
 * Where doses are compared, each number of lines should be there said by one voice and by as many voices: else more lines and more voices
 * are one and the same. The twin may stand under another framing, as one line repeated by nobody does beside several speakers.
 */
export const checkTwins: Check = ({ experiment, declaration, scene }) => {
  const shown = new Map<string, DoseIR>()
  const all: DoseIR[] = []
  for (const { cell, stimulus } of assertions(experiment.cells)) {
    if (stimulus.doses !== undefined) continue
    all.push(stimulus.dose)
    if (showsVoices(stimulus)) shown.set(cell.levels.dose ?? "", stimulus.dose)
  }
  if (new Set([...shown.values()].map(({ lines }) => lines)).size < 2) return
  const isAlone = ({ speakers }: DoseIR): boolean => speakers === 1
  const without = [...shown].flatMap(([level, dose]) => {
    if (dose.lines === 1) return []
    const others = all.filter(({ lines }) => lines === dose.lines)
    const hasTwin = others.some((one) => isAlone(one) !== isAlone(dose))
    return hasTwin ? [] : [{ level, lines: dose.lines, alone: isAlone(dose) }]
  })
  if (without.length === 0) return
  const at = armsOf(declaration).flatMap(({ stimulus }) =>
    stimulus.kind === "assertion" ? (argumentOf(stimulus, "dose") ?? []) : [],
  )
  const places = at.filter(({ levels }) =>
    levels.some((level) => without.some((one) => one.level === levelName(level))),
  )
  const place = (places.find(({ levels }) => levels.length > 1) ?? places[0])?.factor
  scene.say("CFX4010", { doses: without }, place ?? declaration.name)
}

/** The numbers of lines of some cells, in order. */
export const linesOf = (cells: readonly CellIR[]): readonly number[] =>
  [...new Set(assertions(cells).map(({ stimulus }) => stimulus.dose.lines))].sort((a, b) => a - b)

/** Whether a level of `framing` is declared as a container. */
export const isContainer = (framing: string, review: Review): boolean =>
  framingNamed(framing, review)?.declaration.keyword === "container"

/** Containers beside framings whose lines are never as many. Where a contrast compares the two, it is said there. */
export const checkContainers: Check = (review) => {
  const { experiment, declaration, scene } = review
  const asserted = assertions(experiment.cells).map(({ cell }) => cell)
  const contained = asserted.filter((cell) => isContainer(framingOf(cell), review))
  const framed = asserted.filter((cell) => !contained.includes(cell))
  if (contained.length === 0 || framed.length === 0) return
  const [left, right] = [linesOf(contained), linesOf(framed)]
  if (left.some((lines) => right.includes(lines))) return
  const compared = experiment.contrasts.some(({ terms }) =>
    terms.some(({ levels }) => levels.framing !== undefined && isContainer(levels.framing, review)),
  )
  if (compared) return
  const names = (cells: readonly CellIR[]) => [...new Set(cells.map(framingOf))]
  const sides = { left: names(contained), right: names(framed), lines: [...left, ...right] }
  scene.say("CFX4016", { what: experiment.name, ...sides }, declaration.name)
}
