/** A run as its directory keeps it, opened to be read: for exports, comparisons and coding sheets, which measure nothing. */
import { join } from "node:path"
import type { Effect } from "effect"
import { diskWork } from "../disk/disk.ts"
import type { EnvironmentFailure } from "../failure.ts"
import { emptyTables, type Tables, takeRecord } from "../measure/table.ts"
import type { TrialRecord } from "../record.ts"
import type { EngineFloor } from "../report/input.ts"
import type { Answers } from "./answers.ts"
import { cut } from "./conclude.ts"
import { files, type Kept, readKept } from "./directory.ts"
import { floorsOf } from "./floor.ts"
import { readLedger } from "./readLedger.ts"
import { openIn, recordsOf } from "./records.ts"

export interface KeptRun extends Kept {
  readonly directory: string
  readonly answers: Answers
  /** Of all trials, made anew each time that they are gone through. */
  readonly records: Iterable<TrialRecord>
}

export const keptRun = (directory: string): Effect.Effect<KeptRun, EnvironmentFailure> =>
  diskWork(
    () => {
      const kept = readKept(directory)
      const answers = readLedger(join(directory, files.ledger))
      const { plan, items } = kept
      const records = { [Symbol.iterator]: () => recordsOf(plan.program, items, answers, cut(plan)) }
      return { ...kept, directory, answers, records }
    },
    "use the run directory",
    directory,
  )

export interface KeptTables {
  readonly tables: Tables
  readonly floors: readonly EngineFloor[]
  /** Trials that have reads left to ask. */
  readonly open: number
}

/** The trial table of each experiment. */
export function tablesOfRun({ plan, answers, records }: KeptRun): KeptTables {
  const tables = emptyTables(plan.program)
  const floors = floorsOf(plan, answers)
  let open = 0
  for (const record of records) {
    takeRecord(tables, record)
    floors.take(record)
    if (openIn(record).length > 0) open += 1
  }
  return { tables, floors: floors.found(), open }
}
