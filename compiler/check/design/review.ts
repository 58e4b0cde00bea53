/** What a check of a design that runs looks at. */
import type { Experiment, Framing, Name } from "../../../grammar/ast.ts"
import type { AssertionIR, CellIR, ExperimentIR, MeasureIR, Program } from "../../ir.ts"
import type { Item } from "../../item.ts"
import { argumentOf, armsOf, fieldsOf } from "../../lower/columns.ts"
import { measureName } from "../../lower/measures.ts"
import { once } from "../../memo.ts"
import type { Bound, Names } from "../../resolve.ts"
import type { Scene } from "../scene.ts"

export interface Review {
  readonly experiment: ExperimentIR
  /** As written: where a warning stands. */
  readonly declaration: Experiment
  readonly program: Program
  readonly names: Names
  /** By pool; nothing for a pool whose data are not at hand. */
  readonly items: ReadonlyMap<string, readonly Item[]>
  readonly scene: Scene
}

/** One family of checks. */
export type Check = (review: Review) => void

/** Where an experiment asks for a measure. */
export const placeOfMeasure = (measure: MeasureIR, { declaration }: Review): Name => {
  const field = fieldsOf(declaration, "measure").find((one) => measureName(one).text === measure.name)
  return field === undefined ? declaration.name : measureName(field)
}

/** A cell that asserts something. */
export interface AssertingCell {
  readonly cell: CellIR
  readonly stimulus: AssertionIR
}

/** The cells that assert something. */
export const assertions = once((cells: readonly CellIR[]): readonly AssertingCell[] =>
  cells.flatMap((cell) => (cell.stimulus.kind === "assertion" ? [{ cell, stimulus: cell.stimulus }] : [])),
)

/** The framing that a cell is shown in, by its level. */
export const framingOf = ({ levels }: CellIR): string => levels.framing ?? ""

/** A framing that the experiment names, by its level; none where the level is no declared framing. */
export const framingNamed = (level: string, { declaration, names }: Review): Bound<Framing> | undefined => {
  const written = framingsOf(declaration).get(level)
  return written === undefined ? undefined : names.find(written, "framing")
}

/** By the level, where an experiment first names each. */
const framingsOf = once((experiment: Experiment): ReadonlyMap<string, Name> => {
  const framings = new Map<string, Name>()
  for (const { stimulus } of armsOf(experiment)) {
    const levels = stimulus.kind === "assertion" ? argumentOf(stimulus, "framing")?.levels : undefined
    for (const level of levels ?? [])
      if (level.kind === "name" && !framings.has(level.text)) framings.set(level.text, level)
  }
  return framings
})

/** Whether every line is the assertion and nothing else: nobody says it. */
export const isBare = ({ lines }: AssertionIR): boolean =>
  lines.every(([piece, ...rest]) => {
    return rest.length === 0 && piece?.kind === "line" && piece.field === "assertion"
  })
