/** A run as its directory keeps it, opened to be read: for exports, comparisons and coding sheets, which take its trials and no measures. */
import { join } from "node:path"
import type { Effect } from "effect"
import { diskWork } from "../disk/disk.ts"
import type { EnvironmentFailure } from "../failure.ts"
import type { TrialRecord } from "../record.ts"
import type { Answers } from "./answers.ts"
import { files, type Kept, readKept } from "./directory.ts"
import { gathered, type RunFindings } from "./gathered.ts"
import { keyOf, readGathered } from "./gatheredFile.ts"
import { readLedger } from "./readLedger.ts"
import { cut, recordsOf } from "./records.ts"
import { unwatched, type Watch, watched } from "./watch.ts"

export interface KeptRun extends Kept {
  readonly directory: string
  readonly answers: Answers
  /** Of all trials, made anew each time that they are gone through. */
  readonly records: Iterable<TrialRecord>
  /** Of these trials alone, by name. */
  readonly among: (trials: ReadonlySet<string>) => Iterable<TrialRecord>
  /** What these come to: read where it is kept, and else gathered, each time that it is asked for. */
  readonly gathered: () => RunFindings
}

/** `progress` is told of what is gone through. */
export const keptRun = (
  directory: string,
  progress: Watch = unwatched,
): Effect.Effect<KeptRun, EnvironmentFailure> =>
  diskWork(
    () => {
      const kept = readKept(directory)
      const { plan, items } = kept
      const key = keyOf(directory, plan)
      const answers = readLedger(join(directory, files.ledger), progress)
      const made = (options = {}) => recordsOf(plan.program, items, answers, { ...cut(plan), ...options })
      const records = { [Symbol.iterator]: () => watched(made(), "going through trials:", progress) }
      const found = (): RunFindings =>
        readGathered(directory, plan, key) ?? gathered(plan, items, answers, progress)
      return { ...kept, directory, answers, records, among: (among) => made({ among }), gathered: found }
    },
    "use the run directory",
    directory,
  )
