/** The numbers of one experiment over records that are at hand. */
import type { ExperimentIR } from "../../compiler/ir.ts"
import type { Result } from "../../runtime/measure/result.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { experimentOf, programOf } from "./sample.ts"
import { measure } from "./tables.ts"

export const resultOf = (parts: Partial<ExperimentIR>, records: readonly TrialRecord[]): readonly Result[] =>
  measure(programOf(experimentOf(parts)), records)
