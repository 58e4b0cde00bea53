/** Records that are at hand, as tables and what is made from those. */
import type { ExperimentIR, Program } from "../../compiler/ir.ts"
import type { Cell } from "../../runtime/measure/column.ts"
import { measure as measureTables } from "../../runtime/measure/measure.ts"
import { type Trials, trialsOf as trialsOfTable } from "../../runtime/measure/outcome.ts"
import type { Result } from "../../runtime/measure/result.ts"
import { type TrialTable, tablesOf } from "../../runtime/measure/table.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import type { ReportInput } from "../../runtime/report/input.ts"
import { trialsCsv } from "../../runtime/report/trialsCsv.ts"
import { programOf } from "./sample.ts"

/** The numbers of records that are at hand. */
export const measure = (program: Program, records: readonly TrialRecord[]): readonly Result[] =>
  measureTables(program, tablesOf(program, records))

const tableOf = (records: readonly TrialRecord[], experiment: ExperimentIR): TrialTable =>
  tablesOf(programOf(experiment), records).get(experiment.name) as TrialTable

export const trialsOf = (experiment: ExperimentIR, records: readonly TrialRecord[]): Trials =>
  trialsOfTable(tableOf(records, experiment))

/** The cells of the trial table, by column. */
export const columnsOf = (
  records: readonly TrialRecord[],
  experiment: ExperimentIR,
): ReadonlyMap<string, readonly Cell[]> =>
  new Map(
    [...tableOf(records, experiment).columns()].map(([name, column]) => [
      name,
      records.map((_, row) => column.at(row)),
    ]),
  )

export const csvOf = (
  program: Program,
  records: readonly TrialRecord[],
  floors: ReportInput["floors"] = [],
): string => [...trialsCsv(program, tablesOf(program, records), floors)].join("")
