/** A finished run as a run directory keeps it: its plan, its items, and `trials.csv` with a row for each trial. */
import { posix } from "node:path"
import type { Files } from "../files.ts"
import { sha256 } from "../hash.ts"
import type { ExperimentIR, Program } from "../ir.ts"
import type { Item } from "../item.ts"

export interface RunFolder {
  readonly program: Program
  readonly items: ReadonlyMap<string, readonly Item[]>
  /** The text of `trials.csv`. */
  readonly trials: string
  /** How many rows it has; nothing where `run.json` does not say. */
  readonly rows?: number
}

/** `why` and `absent` are clauses: "there is no run in it", "plan.json is damaged". */
export type OpenedRun =
  | { readonly run: RunFolder }
  | { readonly absent: string }
  | { readonly problem: string }

/** Opens the run in a folder. A run that is not there, or has not come to its end, is absent; a damaged one is a problem. */
export const openRun = (folder: string, files: Files): OpenedRun => {
  const read = (name: string): string | undefined => {
    const file = files.read(posix.join(folder, name))
    return "text" in file ? file.text : undefined
  }
  const plan = read("plan.json")
  if (plan === undefined) return { absent: `there is no run in ${files.show(folder)}` }
  const kept = planIn(plan)
  if (kept === undefined) return { problem: "plan.json is damaged, or of another version of cfx" }
  const lines = read("items.jsonl")
  if (lines === undefined) return { problem: "there is no items.jsonl" }
  if (sha256(lines.replaceAll("\r\n", "\n")) !== kept.items)
    return { problem: "items.jsonl is not what the plan was made from" }
  const trials = read("trials.csv")
  if (trials === undefined) return { absent: `the run in ${files.show(folder)} has not come to its end` }
  const rows = rowsIn(read("run.json"))
  const run = { program: kept.program, items: itemsIn(lines), trials }
  return { run: rows === undefined ? run : { ...run, rows } }
}

const rowsIn = (text: string | undefined): number | undefined => {
  const { counts } = (text === undefined ? {} : (recordIn(text) ?? {})) as {
    readonly counts?: { readonly trials?: unknown }
  }
  return typeof counts?.trials === "number" ? counts.trials : undefined
}

export const experimentOf = ({ program }: RunFolder, name: string): ExperimentIR | undefined =>
  program.experiments.find((experiment) => experiment.name === name)

interface KeptPlan {
  readonly program: Program
  /** Sum of `items.jsonl`. */
  readonly items: string
}

/** The plan ends in a sum of itself, so what has the right sum is what cfx wrote. */
const planIn = (text: string): KeptPlan | undefined => {
  const { sum, ...plan } = (recordIn(text) ?? {}) as Readonly<Record<string, unknown>>
  if (sum !== sha256(`plan.json\n${JSON.stringify(plan)}`) || plan.format !== FORMAT) return undefined
  const { program, sums } = plan as unknown as {
    readonly program: Program
    readonly sums: { readonly items: string }
  }
  return { program, items: sums.items }
}

/** The format of run directories that this reads. */
const FORMAT = 1

const recordIn = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

type KeptItem = Omit<Item, "columns"> & Partial<Pick<Item, "columns">> & { readonly pool: string }

const itemsIn = (lines: string): ReadonlyMap<string, readonly Item[]> => {
  const items = new Map<string, Item[]>()
  for (const line of lines.split(/\r?\n/)) {
    const record = recordIn(line)
    if (record === undefined) continue
    const { pool, columns = {}, ...item } = record as KeptItem
    const all = items.get(pool)
    if (all === undefined) items.set(pool, [{ ...item, columns }])
    else all.push({ ...item, columns })
  }
  return items
}
