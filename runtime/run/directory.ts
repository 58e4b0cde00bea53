/** The files of a run directory. `run.json` alone holds times, paths and the machine; all others depend on the spec and the answers only. */
import { join } from "node:path"
import type { Item } from "../../compiler/item.ts"
import { EnvironmentFailure } from "../failure.ts"
import type { PromptSample } from "../report/input.ts"
import { entries, isUnfinished, readIfThere, writeFileAtomic } from "./disk.ts"
import { LOCK } from "./lock.ts"
import { type Engine, type Mode, type Plan, readItemLines, writeItemLines } from "./plan.ts"
import type { Copies } from "./portable.ts"

export const FORMAT = 1

export const files = {
  state: "run.json",
  plan: "plan.json",
  items: "items.jsonl",
  ledger: "ledger.jsonl",
  prompts: "prompts.json",
  sources: "spec",
} as const

/** `run.json`. */
export interface RunState {
  readonly format: typeof FORMAT
  readonly state: "running" | "interrupted" | "finished"
  /** Version of the cfx that wrote this last. */
  readonly cfx: string
  readonly spec: string
  readonly plan: string
  readonly engine: Engine
  readonly mode: Mode
  /** By the model's name. */
  readonly models: Readonly<Record<string, ModelState>>
  /** Where the files under `spec/` came from, by name. */
  readonly sources: Readonly<Record<string, string>>
  readonly counts: RunCounts
  /** One entry for each time that the run was started or continued. */
  readonly sessions: readonly SessionState[]
}

export interface ModelState {
  /** Absolute path. */
  readonly file: string
  readonly bytes?: number
  readonly sha256?: string
  /** Absent until the model was opened. */
  readonly fingerprint?: string
  readonly facts?: Readonly<Record<string, string | number | boolean>>
}

export interface RunCounts {
  readonly trials: number
  /** Reads over all trials, and the different ones among them that were answered. */
  readonly reads: number
  readonly answered: number
  /** Invalid reads, counted as the report names them: by experiment, model, item, hole and reason. */
  readonly failed: number
}

export interface SessionState {
  readonly started: string
  readonly ended?: string
  readonly host: string
  readonly platform: string
  readonly node: string
  /** Reads that were put to an engine, the tokens that it evaluated for them, and for how long. */
  readonly asked: number
  readonly evaluated: number
  readonly seconds: number
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

export const writeState = (directory: string, state: RunState): void =>
  writeFileAtomic(join(directory, files.state), json(state))

/** `run.json`, or undefined where there is none. Throws `EnvironmentFailure` when it is not of this version's format. */
export function readState(directory: string): RunState | undefined {
  const state = readJson(join(directory, files.state)) as RunState | undefined
  if (state === undefined || state.format === FORMAT) return state
  throw new EnvironmentFailure({
    what: `the run was written in format ${state.format}; this cfx knows format ${FORMAT}`,
    where: join(directory, files.state),
    todo: "use the version of cfx that made it, or start over in another folder with -o",
  })
}

/** Writes what the run is about: `spec/`, `items.jsonl` and last, as a sign that the others are there, `plan.json`. */
export function writePlan(
  directory: string,
  plan: Plan,
  items: ReadonlyMap<string, readonly Item[]>,
  copies: Copies,
): void {
  for (const [name, text] of copies.texts) writeChanged(join(directory, files.sources, name), text)
  writeChanged(join(directory, files.items), writeItemLines(items))
  writeChanged(join(directory, files.plan), json(plan))
}

/** What a run directory keeps of its spec. */
export interface Kept {
  readonly plan: Plan
  readonly items: ReadonlyMap<string, readonly Item[]>
  readonly state: RunState
  /** The spec's text. */
  readonly text: string
}

/** Reads back what `writePlan` wrote. Throws `EnvironmentFailure` where the folder holds no run that came as far as its plan. */
export function readKept(directory: string): Kept {
  const state = readState(directory)
  if (state === undefined) throw noRun(directory, `there is no ${files.state}`)
  const plan = readPlan(directory)
  const items = readIfThere(join(directory, files.items))
  const text = plan && readIfThere(join(directory, files.sources, plan.entry))
  if (plan === undefined || items === undefined || text === undefined) {
    throw noRun(directory, "it was stopped before its plan was written")
  }
  return { plan, items: readItemLines(items), state, text }
}

export const readPlan = (directory: string): Plan | undefined =>
  readJson(join(directory, files.plan)) as Plan | undefined

/** Whether the plan that is kept is this one to the last letter, docs and places among them. */
export const keepsPlan = (directory: string, plan: Plan): boolean =>
  readIfThere(join(directory, files.plan)) === json(plan)

export const writePrompts = (directory: string, prompts: readonly PromptSample[]): void =>
  writeChanged(join(directory, files.prompts), json(prompts))

/** The prompts as they were sent; undefined before the run came to its end. */
export const readPrompts = (directory: string): readonly PromptSample[] | undefined =>
  readJson(join(directory, files.prompts)) as readonly PromptSample[] | undefined

/** Writes the files of a report, by name below the directory. */
export function writeReport(directory: string, report: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(report)) writeChanged(join(directory, name), text)
}

/** Whether a folder is a run's, or may become one: it is missing, empty, or holds a run that was killed before it wrote anything. */
export function isUsable(directory: string): boolean {
  const names = entries(directory).filter((name) => !isUnfinished(name) && !name.startsWith(LOCK))
  return names.length === 0 || names.includes(files.state)
}

function writeChanged(path: string, text: string): void {
  if (readIfThere(path) !== text) writeFileAtomic(path, text)
}

function readJson(path: string): unknown {
  const text = readIfThere(path)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new EnvironmentFailure({
      what: "the file is damaged: it is not JSON",
      where: path,
      todo: "restore it from a copy, or start over in another folder with -o",
    })
  }
}

const noRun = (directory: string, why: string): EnvironmentFailure =>
  new EnvironmentFailure({
    what: `the folder holds no run that can be read: ${why}`,
    where: directory,
    todo: "give the folder of a run, or start one with cfx run SPEC -o DIR",
  })
