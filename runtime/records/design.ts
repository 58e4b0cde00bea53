/** What the rows of records are trials of. */
import type { ExperimentIR } from "../../compiler/ir.ts"
import type { TrialRecord } from "../record.ts"
import type { Say } from "./reading.ts"
import type { MappedRow } from "./values.ts"

export interface RecordedDesign {
  /** With the models, pools, levels and cells that there are. */
  readonly experiment: ExperimentIR
  /** Of which trial a row is; undefined where it is of none, which was told. */
  readonly trialOf: (row: MappedRow, say: Say) => PlacedTrial | undefined
  /** The trials that the design has, by cell, in its order: what is missing of them is what no row was of. */
  readonly expected: () => readonly ExpectedCell[]
}

export interface PlacedTrial {
  readonly id: string
  /** What tells it from other trials of its item. */
  readonly unit: string
  readonly item: string
  /** Key of its cell: that of an `ExpectedCell`. */
  readonly cell: string
  /** Reads the rest of the row; undefined where the row is none of the trials, which was told. */
  readonly record: () => TrialRecord | undefined
}

export interface ExpectedCell {
  readonly key: string
  readonly model: string
  readonly pool: string
  readonly levels: Readonly<Record<string, string>>
  readonly count: number
}

export const cellKey = (model: string, pool: string, levels: Readonly<Record<string, string>>): string =>
  JSON.stringify([model, pool, Object.entries(levels).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))])
