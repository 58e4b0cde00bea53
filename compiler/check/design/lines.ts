/** Lines of framings that are twins: whether the answer stands at the same word in both (Hu & Qu 2026, Table 4). */
import type { CellIR } from "../../ir.ts"
import { fieldsOf } from "../../lower/columns.ts"
import { ancestry } from "../../lower/inherit.ts"
import { holdsAnswer, writtenLines } from "../written.ts"
import { assertions, type Check, framingNamed, framingOf, isBare, type Review } from "./review.ts"
import { cellsWith, pairsOf } from "./sides.ts"

/** Of one line: its words, and the place of the word that holds the answer, from 0. */
interface Profile {
  readonly words: number
  readonly answer: number
}

/**
 * Contrasts of two framings of which one extends the other, or which extend the same one: whoever declares them so means them to differ in
 * their source alone. The bare assertion has no source to show, and is no twin.
 */
export const checkLines: Check = (review) => {
  const { experiment, declaration, scene } = review
  const told = new Set<string>()
  for (const contrast of experiment.contrasts) {
    for (const { left, right } of pairsOf(contrast)) {
      const [one, other] = [left, right].map((side) => labelledIn(cellsWith(side, experiment)))
      if (one === undefined || other === undefined) continue
      const framings = [framingOf(one), framingOf(other)] as const
      const key = [...framings].sort().join(" ")
      if (framings[0] === framings[1] || told.has(key) || !areTwins(...framings, review)) continue
      const differing = differingLine(profilesOf(one, review), profilesOf(other, review))
      if (differing === undefined) continue
      told.add(key)
      const at = fieldsOf(declaration, "contrast").find(({ name }) => name.text === contrast.name)?.value
      scene.say("CFX4015", { framings, ...differing }, at ?? declaration.name)
    }
  }
}

/** A cell of the one framing with a source that some cells are shown in; none where there are several, or none. */
const labelledIn = (cells: readonly CellIR[]): CellIR | undefined => {
  const labelled = assertions(cells).filter(({ stimulus }) => !isBare(stimulus))
  const framings = new Set(labelled.map(({ cell }) => framingOf(cell)))
  return framings.size === 1 && labelled.length === assertions(cells).length ? labelled[0]?.cell : undefined
}

const areTwins = (one: string, other: string, review: Review): boolean => {
  const chainOf = (framing: string) => {
    const bound = framingNamed(framing, review)
    return bound === undefined ? [] : ancestry(bound, review.names).chain.map((part) => part.declaration)
  }
  const chain = chainOf(other)
  return chainOf(one).some((part) => chain.includes(part))
}

const profilesOf = (cell: CellIR, { experiment }: Review): readonly Profile[] =>
  cell.stimulus.kind === "assertion"
    ? writtenLines(cell.stimulus, { experiment, cell }).map((line) => {
        const words = line.match(/\S+/gu) ?? []
        return { words: words.length, answer: words.findIndex((word) => holdsAnswer(word)) }
      })
    : []

/** The first line in which two framings differ, from 1, with what it is like in each. */
const differingLine = (one: readonly Profile[], other: readonly Profile[]) => {
  for (const [index, left] of one.entries()) {
    const right = other[index]
    if (right === undefined) return undefined
    if (left.words !== right.words || left.answer !== right.answer) return { line: index + 1, left, right }
  }
  return undefined
}
