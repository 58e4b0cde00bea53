/** The folder of scored records: `run.json`, the spec, and the report's files, as a run has them. */
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { diskFailure, makeFolder, removeIfEmpty, saysSame, writeFileAtomic } from "../disk/disk.ts"
import { parsed } from "../disk/json.ts"
import { EnvironmentFailure } from "../failure.ts"
import type { ReportInput } from "../report/input.ts"
import { reportFiles } from "../report/write.ts"
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

/** Where files are written before they stand in their places; what is left there was never finished. */
const STAGED = "scored.unfinished"

/**
 * Puts everything into the folder at once: it is written aside, which takes its time, and then moved file by file. A process that is killed while it writes
 * leaves what was there before; `run.json` goes first and comes last, so that no state stands beside files of another. @throws EnvironmentFailure
 */
export function writeScored(directory: string, input: ReportInput, state: ScoredState, copies: Copies): void {
  const staged = join(directory, STAGED)
  const isNew = makeFolder(directory)
  const written: string[] = []
  const put = (name: string, pieces: Iterable<string>): void => {
    if (saysSame(join(directory, name), pieces)) return
    writeFileAtomic(join(staged, name), pieces)
    written.push(name)
  }
  try {
    rmSync(staged, { recursive: true, force: true })
    for (const [name, text] of copies.texts) put(join("spec", name), [text])
    for (const [name, pieces] of Object.entries(reportFiles(input))) put(name, pieces)
    put(STATE, [`${JSON.stringify(state, null, 2)}\n`])
    rmSync(join(directory, STATE), { force: true })
    for (const name of written) {
      makeFolder(dirname(join(directory, name)))
      renameSync(join(staged, name), join(directory, name))
    }
  } catch (cause) {
    throw diskFailure(cause, "write the scored records", directory)
  } finally {
    rmSync(staged, { recursive: true, force: true })
    if (isNew) removeIfEmpty(directory)
  }
}
