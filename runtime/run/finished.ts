/** A run as its directory keeps it, opened to be read: for exports, comparisons and coding sheets, which measure nothing. */
import { join } from "node:path"
import type { Effect } from "effect"
import { diskWork } from "../disk/disk.ts"
import type { EnvironmentFailure } from "../failure.ts"
import type { TrialRecord } from "../record.ts"
import type { Answers } from "./answers.ts"
import { files, type Kept, readKept } from "./directory.ts"
import { type Gathered, gathered } from "./gathered.ts"
import { readGathered } from "./gatheredFile.ts"
import { readLedger } from "./readLedger.ts"
import { cut, recordsOf } from "./records.ts"

export interface KeptRun extends Kept {
  readonly directory: string
  readonly answers: Answers
  /** Of all trials, made anew each time that they are gone through. */
  readonly records: Iterable<TrialRecord>
  /** What these come to: read where it is kept, and else gathered, each time that it is asked for. */
  readonly gathered: () => Gathered
}

export const keptRun = (directory: string): Effect.Effect<KeptRun, EnvironmentFailure> =>
  diskWork(
    () => {
      const kept = readKept(directory)
      const answers = readLedger(join(directory, files.ledger))
      const { plan, items } = kept
      const records = { [Symbol.iterator]: () => recordsOf(plan.program, items, answers, cut(plan)) }
      const found = (): Gathered => readGathered(directory, plan) ?? gathered(plan, items, answers)
      return { ...kept, directory, answers, records, gathered: found }
    },
    "use the run directory",
    directory,
  )
