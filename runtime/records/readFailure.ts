/** Records that cannot be read. */
import { EnvironmentFailure } from "../failure.ts"

const todo =
  "give a file with --records FILE: a table (csv, parquet), records of JSON (jsonl, json), samples of lm-eval or a log of Inspect"

/** `where`: the file as a person wrote it, with its line where that is known; `why`: a clause. */
export const readFailure = (where: string, why: string): EnvironmentFailure =>
  new EnvironmentFailure({ what: `the records cannot be read: ${why}`, where, todo })
