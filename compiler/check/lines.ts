/** Whether the doses of an assertion have as many lines and speakers as its structures, orders and rosters are made for. */
import type { Assertion, Expression } from "../../grammar/ast.ts"
import type { OrderIR, StructureIR } from "../ir.ts"
import { type AssertionFactor, argumentOf, print } from "../lower/columns.ts"
import { doseOf } from "../lower/dose.ts"
import { dosesIn } from "../lower/doseList.ts"
import { holdsPlace } from "../lower/grid.ts"
import type { WholeFraming } from "../lower/inherit.ts"
import { linesOf, lowerOrder, lowerStructure } from "../lower/structure.ts"
import type { Names } from "../resolve.ts"
import { declaredAt, type Scene } from "./scene.ts"

const levelsOf = (assertion: Assertion, factor: AssertionFactor): readonly Expression[] =>
  argumentOf(assertion, factor)?.levels ?? []

/** The doses of an assertion one by one, also those of a list. */
const dosesOf = (assertion: Assertion): readonly Expression[] => levelsOf(assertion, "dose").flatMap(dosesIn)

const mixedOf = (assertion: Assertion, names: Names): Expression | undefined =>
  levelsOf(assertion, "structure").find((level) => lowerStructure(level, names) === "mixed")

/** The doses of an assertion that `mixed` would halve and that have no half. */
export const unhalved = (assertion: Assertion, names: Names): readonly Expression[] =>
  mixedOf(assertion, names) === undefined
    ? []
    : dosesOf(assertion).filter((level) => (doseOf(level, names)?.lines ?? 0) % 2 === 1)

/** Reports rosters that are too short for a dose, odd counts that must be halved, and lists that are made for other counts of lines. */
export const checkLines = (assertion: Assertion, framings: readonly WholeFraming[], scene: Scene): void => {
  const { names } = scene
  const mixed = mixedOf(assertion, names)
  const odd = unhalved(assertion, names)
  const made = [
    ...levelsOf(assertion, "structure").map((level) => ({ level, value: lowerStructure(level, names) })),
    ...levelsOf(assertion, "order").map((level) => ({ level, value: lowerOrder(level, names) })),
  ]
  for (const level of dosesOf(assertion)) {
    const dose = doseOf(level, names)
    if (dose === undefined) continue
    const written = print(level)
    if (mixed !== undefined && odd.includes(level)) {
      const related = [{ source: scene.module.source, span: mixed.span, label: "halves the lines" }]
      scene.say("CFX2210", { lines: dose.lines, dose: written }, level, related)
    }
    for (const { level: other, value } of made) {
      const needed = value === undefined ? undefined : madeFor(value, dose.lines)
      if (needed === undefined) continue
      const related = [{ source: scene.module.source, span: other.span, label: needed }]
      const parameters = { what: print(other), made: needed, dose: written, lines: dose.lines }
      scene.say("CFX2456", parameters, level, related)
    }
    if (dose.speakers <= dose.lines) checkRosters(level, dose.speakers, framings, scene)
  }
}

/** For which counts of lines a structure or an order is made, in words; none where this one is among them. */
const madeFor = (value: StructureIR | OrderIR, lines: number): string | undefined => {
  const exact = linesOf(value)
  if (exact !== undefined) return exact === lines ? undefined : `${exact} line${exact === 1 ? "" : "s"}`
  const place = typeof value === "object" && value.kind === "except" ? value.place : 0
  return place > lines ? `at least ${place} lines` : undefined
}

const checkRosters = (
  dose: Expression,
  needed: number,
  framings: readonly WholeFraming[],
  scene: Scene,
): void => {
  const met = new Set<string>()
  for (const whole of framings) {
    if (whole.speakers === undefined || !holdsPlace(whole, "speaker")) continue
    const roster = scene.names.find(whole.speakers.node, "roster")
    if (roster === undefined || met.has(roster.declaration.name.text)) continue
    const speakers = roster.declaration.speakers.length
    if (speakers >= needed || speakers === 0) continue
    met.add(roster.declaration.name.text)
    const parameters = { roster: roster.declaration.name.text, speakers, needed, dose: print(dose) }
    scene.say("CFX2209", parameters, dose, [declaredAt(roster, `has ${speakers}`)])
  }
}
