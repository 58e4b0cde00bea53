/** Reads that gave no usable answer, as a person wants them named. */
import type { Program } from "../../compiler/ir.ts"
import { isAsked } from "./asked.ts"
import type { Gathering } from "./gather.ts"

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
export function failedReads(program: Program): Gathering<readonly FailedRead[]> {
  const found = new Map<string, FailedRead>()
  const results = new Map(program.experiments.map((experiment) => [experiment.name, foundIn(experiment)]))
  return {
    take: ({ experiment, model, pool, item, readings }) => {
      for (const [hole, reading] of Object.entries(readings)) {
        if (reading.status !== "invalid" || results.get(experiment)?.has(hole)) continue
        const key = JSON.stringify([experiment, model, pool, item, hole, reading.why])
        const trials = (found.get(key)?.trials ?? 0) + 1
        found.set(key, { experiment, model, pool, item, hole, why: reading.why, trials })
      }
    },
    found: () => [...found.values()],
  }
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
export function failedShares(program: Program): Gathering<readonly FailedShare[]> {
  const counts = program.experiments.map((experiment) => {
    const { name, protocol, tolerate = 0 } = experiment
    const results = foundIn(experiment)
    const holes = protocol.holes.flatMap((hole) => (results.has(hole.name) ? [] : [hole.name]))
    return { holes, share: { experiment: name, failed: 0, of: 0, tolerate } }
  })
  const byName = new Map(counts.map((count) => [count.share.experiment, count]))
  return {
    take: ({ experiment, readings }) => {
      const { holes = [], share } = byName.get(experiment) ?? {}
      for (const hole of holes) {
        const status = readings[hole]?.status
        if (share === undefined || status === undefined || status === "skipped") continue
        share.of += 1
        if (status === "invalid") share.failed += 1
      }
    },
    found: () => counts.flatMap(({ share }) => (share.failed === 0 ? [] : [share])),
  }
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
