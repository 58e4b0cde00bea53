/** The files of a run directory. `run.json` alone holds times, paths and the machine; all others depend on the spec and the answers only. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import type { Item } from "../../compiler/item.ts"
import { readIfThere, saysSame, writeFileAtomic } from "../disk/disk.ts"
import { EnvironmentFailure } from "../failure.ts"
import type { PromptSample } from "../report/input.ts"
import { figureFile } from "../report/summary.ts"
import type { Pieces } from "../report/write.ts"
import { type Plan, readItemLines, writeItemLines } from "./plan.ts"
import type { Copies } from "./portable.ts"
import { contentSum, type Found, sealed, unsealed } from "./sealed.ts"
import { FORMAT, type RunState, readState } from "./state.ts"

export const files = {
  state: "run.json",
  plan: "plan.json",
  items: "items.jsonl",
  ledger: "ledger.jsonl",
  prompts: "prompts.json",
  gathered: "gathered.bin",
  sources: "spec",
} as const

/** Writes what the run is about: `spec/`, `items.jsonl` and last, as a sign that the others are there, `plan.json`. */
export function writePlan(
  directory: string,
  plan: Plan,
  items: ReadonlyMap<string, readonly Item[]>,
  copies: Copies,
): void {
  const kept = readPlan(directory)
  const own = new Set(filesOf(plan))
  for (const name of "value" in kept ? filesOf(kept.value) : []) {
    if (!own.has(name)) rmSync(join(directory, name), { force: true })
  }
  for (const [name, text] of copies.texts) writeChanged(join(directory, files.sources, name), text)
  writeChanged(join(directory, files.items), writeItemLines(items))
  writeChanged(join(directory, files.plan), sealed(files.plan, plan))
}

/** The files that a plan has and another may lack: its copies, and the figures of its report. */
const filesOf = ({ sources, program }: Plan): readonly string[] => [
  ...Object.keys(sources).map((name) => join(files.sources, name)),
  ...program.experiments.flatMap(({ name, figures, forests }) =>
    [...figures, ...forests].map((figure) => figureFile({ program }, name, figure.name)),
  ),
]

/** What a run directory keeps of its spec. */
export interface Kept {
  readonly plan: Plan
  readonly items: ReadonlyMap<string, readonly Item[]>
  readonly state: RunState
  /** The spec's text. */
  readonly text: string
}

/**
 * Reads back what `writePlan` wrote, and holds it to its sums. Throws `EnvironmentFailure` where the folder holds no run that came as
 * far as its plan, or where a file is lost, damaged or edited.
 */
export function readKept(directory: string): Kept {
  const state = readState(directory)
  const plan = readPlan(directory)
  if ("problem" in state) {
    throw state.missing && "problem" in plan
      ? noRun(directory)
      : unusable(directory, files.state, state.problem)
  }
  if ("problem" in plan) throw unusable(directory, files.plan, plan.problem)
  const { sums, entry, sources, program, hash } = plan.value
  if (state.value.plan !== hash) {
    throw unusable(directory, files.plan, `${files.plan} is not the plan that ${files.state} speaks of`)
  }
  const lacking = program.models.find(({ name }) => state.value.models[name] === undefined)
  if (lacking !== undefined) {
    throw unusable(directory, files.state, `${files.state} is damaged: it lacks the model ${lacking.name}`)
  }
  const items = keptText(directory, files.items, sums.items)
  const texts = Object.entries(sources).map(
    ([name, sum]) => [name, keptText(directory, join(files.sources, name), sum)] as const,
  )
  const text = new Map(texts).get(entry) ?? ""
  return { plan: plan.value, items: readItemLines(items), state: state.value, text }
}

/** Throws `EnvironmentFailure` where the file is not what the plan was made from. */
function keptText(directory: string, name: string, sum: string): string {
  const text = readIfThere(join(directory, name))
  if (text === undefined) throw unusable(directory, name, `there is no ${name}`)
  if (contentSum(text) === sum) return text
  throw unusable(directory, name, `${name} is not what the plan was made from`)
}

export function readPlan(directory: string): Found<Plan> {
  const kept = unsealed<Omit<Plan, "format"> & { readonly format: number }>(
    files.plan,
    readIfThere(join(directory, files.plan)),
  )
  if ("problem" in kept) return kept
  const { format } = kept.value
  if (format === FORMAT) return { value: { ...kept.value, format } }
  return {
    problem: `${files.plan} is of format ${format}, and this cfx knows format ${FORMAT}`,
    missing: false,
  }
}

/** Whether the plan that is kept is this one with all docs and places in it, whatever else its sources say and whatever was warned of. */
export function keepsPlan(directory: string, plan: Plan): boolean {
  const kept = readPlan(directory)
  const text = (one: Plan): string => JSON.stringify({ ...one, sources: {}, warnings: undefined })
  return "value" in kept && text(kept.value) === text(plan)
}

interface KeptPrompts {
  /** Hash of the plan whose run sent them. */
  readonly plan: string
  readonly prompts: readonly PromptSample[]
}

export const writePrompts = (directory: string, { hash }: Plan, prompts: readonly PromptSample[]): void =>
  writeChanged(
    join(directory, files.prompts),
    sealed(files.prompts, { plan: hash, prompts } satisfies KeptPrompts),
  )

/** The prompts of this plan as they were sent. They are not there before the run came to its end. */
export function readPrompts(directory: string, plan: Plan): Found<readonly PromptSample[]> {
  const kept = unsealed<KeptPrompts>(files.prompts, readIfThere(join(directory, files.prompts)))
  if ("problem" in kept) return kept
  if (kept.value.plan === plan.hash) return { value: kept.value.prompts }
  return { problem: `${files.prompts} is of another plan`, missing: true }
}

/** The prompts that the directory's last finished run sent, whatever its plan was. */
export function readSentPrompts(directory: string): Found<readonly PromptSample[]> {
  const kept = unsealed<KeptPrompts>(files.prompts, readIfThere(join(directory, files.prompts)))
  return "problem" in kept ? kept : { value: kept.value.prompts }
}

/** Writes the files of a report, by name below the directory. */
export function writeReport(directory: string, report: Readonly<Record<string, Pieces>>): void {
  for (const [name, pieces] of Object.entries(report)) {
    const path = join(directory, name)
    if (!saysSame(path, pieces)) writeFileAtomic(path, pieces)
  }
}

/** Takes away what a run wrote before its first answer. */
export function removeUnanswered(directory: string): void {
  for (const name of Object.values(files)) rmSync(join(directory, name), { recursive: true, force: true })
}

function writeChanged(path: string, text: string): void {
  if (readIfThere(path) !== text) writeFileAtomic(path, text)
}

const unusable = (directory: string, name: string, what: string): EnvironmentFailure =>
  new EnvironmentFailure({
    what,
    where: join(directory, name),
    todo: "run the spec into this folder again with the options of before (cfx run SPEC -o DIR): that restores the file and keeps what was answered",
  })

const noRun = (directory: string): EnvironmentFailure =>
  new EnvironmentFailure({
    what: `the folder holds no run: there is no ${files.state}`,
    where: directory,
    todo: "give the folder of a run, or start one with cfx run SPEC -o DIR",
  })
