/** Reads that gave no usable answer, as a person wants them named. */
import type { TrialRecord } from "../record.ts"

export interface FailedRead {
  readonly experiment: string
  readonly model: string
  readonly pool: string
  readonly item: string
  readonly hole: string
  readonly why: string
  /** How many trials it leaves without this value. */
  readonly trials: number
}

/** The invalid reads, in the order of the records; one line where several trials share a read. */
export function failedReads(records: readonly TrialRecord[]): readonly FailedRead[] {
  const found = new Map<string, FailedRead>()
  for (const { experiment, model, pool, item, readings } of records) {
    for (const [hole, reading] of Object.entries(readings)) {
      if (reading.status !== "invalid") continue
      const key = JSON.stringify([experiment, model, pool, item, hole, reading.why])
      const trials = (found.get(key)?.trials ?? 0) + 1
      found.set(key, { experiment, model, pool, item, hole, why: reading.why, trials })
    }
  }
  return [...found.values()]
}

/** `item robin-1 of pool kinds, read a0, model respondent: why (6 trials)`. */
export const describeFailedRead = ({ model, pool, item, hole, why, trials }: FailedRead): string =>
  `item ${item} of pool ${pool}, read ${hole}, model ${model}: ${why} (${trials} trial${trials === 1 ? "" : "s"})`
