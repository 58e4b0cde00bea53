/** Reads that gave no usable answer, as a person wants them named. */
import type { Program } from "../../compiler/ir.ts"
import type { TrialRecord } from "../record.ts"
import { isAsked } from "./asked.ts"

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

/**
 * The invalid reads, in the order of the records; one line where several trials share a read. That nothing was found in a text is a result and no
 * failure, unless the experiment has a measure for which every read must have a value.
 */
export function failedReads(program: Program, records: readonly TrialRecord[]): readonly FailedRead[] {
  const found = new Map<string, FailedRead>()
  const results = new Map(program.experiments.map((experiment) => [experiment.name, foundIn(experiment)]))
  for (const { experiment, model, pool, item, readings } of records) {
    for (const [hole, reading] of Object.entries(readings)) {
      if (reading.status !== "invalid" || results.get(experiment)?.has(hole)) continue
      const key = JSON.stringify([experiment, model, pool, item, hole, reading.why])
      const trials = (found.get(key)?.trials ?? 0) + 1
      found.set(key, { experiment, model, pool, item, hole, why: reading.why, trials })
    }
  }
  return [...found.values()]
}

/** How many of an experiment's reads failed, trial by trial. */
export interface FailedShare {
  readonly experiment: string
  readonly failed: number
  /** Reads that were taken: not those that were skipped. */
  readonly of: number
  /** The share that the experiment tolerates. */
  readonly tolerate: number
}

/** Of experiments with failed reads. */
export function failedShares(program: Program, records: readonly TrialRecord[]): readonly FailedShare[] {
  return program.experiments.flatMap((experiment) => {
    const { name, protocol, tolerate = 0 } = experiment
    const results = foundIn(experiment)
    const holes = protocol.holes.filter((hole) => !results.has(hole.name))
    let [failed, of] = [0, 0]
    for (const record of records) {
      if (record.experiment !== name) continue
      for (const hole of holes) {
        const status = record.readings[hole.name]?.status
        if (status === undefined || status === "skipped") continue
        of += 1
        if (status === "invalid") failed += 1
      }
    }
    return failed === 0 ? [] : [{ experiment: name, failed, of, tolerate }]
  })
}

/** Whether more reads failed than the experiment tolerates. */
export const isTooMany = ({ failed, of, tolerate }: FailedShare): boolean => failed > tolerate * of

/** Holes of an experiment that may come to nothing: those that are looked for in texts. */
function foundIn({ protocol, measures }: Program["experiments"][number]): ReadonlySet<string> {
  if (measures.some(({ invalid }) => invalid === "error")) return new Set()
  return new Set(protocol.holes.flatMap((hole) => (isAsked(hole) ? [] : [hole.name])))
}

/** `item robin-1 of pool kinds, read a0, model respondent: why (6 trials)`. */
export const describeFailedRead = ({ model, pool, item, hole, why, trials }: FailedRead): string =>
  `item ${item} of pool ${pool}, read ${hole}, model ${model}: ${why} (${trials} trial${trials === 1 ? "" : "s"})`
