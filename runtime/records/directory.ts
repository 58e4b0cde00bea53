/** The folder of scored records: `run.json`, the spec, and the report's files, as a run has them. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { writeFileAtomic } from "../disk/disk.ts"
import { parsed } from "../disk/json.ts"
import { EnvironmentFailure } from "../failure.ts"
import type { ReportInput } from "../report/input.ts"
import { reportFiles } from "../report/write.ts"
import { writeReport } from "../run/directory.ts"
import type { Copies } from "../run/portable.ts"

const STATE = "run.json"

export interface ScoredState {
  readonly format: 1
  readonly state: "scored"
  readonly cfx: string
  /** Hash of the spec's meaning. */
  readonly spec: string
  /** Where the files under `spec/` came from, by name. */
  readonly sources: Readonly<Record<string, string>>
  readonly records: readonly {
    readonly experiment: string
    /** Absolute. */
    readonly file: string
    readonly sha256: string
    readonly rows: number
    readonly trials: number
  }[]
  readonly sessions: readonly { readonly started: string; readonly ended: string }[]
}

/** @throws EnvironmentFailure where the folder holds a run, which scored records would overwrite */
export function checkFolder(directory: string): void {
  const path = join(directory, STATE)
  if (!existsSync(path)) return
  const state = (parsed(readFileSync(path, "utf8")) as { readonly state?: unknown } | undefined)?.state
  if (state === "scored") return
  throw new EnvironmentFailure({
    what: "the folder holds a run, and scored records would take its place",
    where: directory,
    todo: "choose another folder with -o",
  })
}

export function writeScored(directory: string, input: ReportInput, state: ScoredState, copies: Copies): void {
  for (const [name, text] of copies.texts) writeFileAtomic(join(directory, "spec", name), text)
  writeReport(directory, reportFiles(input))
  writeFileAtomic(join(directory, STATE), `${JSON.stringify(state, null, 2)}\n`)
}
