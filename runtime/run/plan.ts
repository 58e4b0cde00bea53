/** What a run is going to do, in full: `plan.json` and `items.jsonl`, from which it can be resumed and reported without its spec. */

import { itemsOf } from "../../compiler/expand.ts"
import { canonicalJson, meaningHash, sha256 } from "../../compiler/hash.ts"
import type { Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { once } from "../../compiler/memo.ts"
import { isAsked } from "./asked.ts"
import { modelsAsked } from "./openings.ts"
import type { Copies } from "./portable.ts"
import { contentSum } from "./sealed.ts"
import { trialCount } from "./trialCount.ts"
import type { KeptWarning } from "./warnings.ts"

export type Engine = "llama" | "simulated"
export type Mode = "exact" | "fast"

/**
 * Tokens are no part of it: to count them, each prompt must be tokenised, by an open model and once more when it is asked. That forecast is
 * what `cfx plan` makes. Trials and reads follow from the spec.
 */
export interface Plan {
  /** Of the files of a run directory. */
  readonly format: 1
  /** sha256 of all that decides what is asked and measured. */
  readonly hash: string
  /**
   * sha256 of what the runs in one directory have in common: the whole spec, its items, engine and mode. Answers are kept by prompt, so
   * that runs that differ in their limit or in the experiments that they take go on with each other's.
   */
  readonly basis: string
  /** Hash of the spec's meaning, as `cfx check` gives it. */
  readonly spec: string
  /** Name of the spec under `spec/`. */
  readonly entry: string
  readonly engine: Engine
  readonly mode: Mode
  readonly limit?: number
  /** Pools whose items were made up, since their data were not at hand. */
  readonly invented?: readonly string[]
  /** The experiment that alone was chosen of several, by `--experiment`. Not part of `hash`: `program` is. */
  readonly experiment?: string
  /** Models and pools that read other files than the spec names; where those are is said in `run.json` alone. Not part of `hash`. */
  readonly replaced?: Replaced
  readonly counts: readonly PlanCount[]
  readonly sums: {
    /** Of the meaning of `program`. */
    readonly program: string
    /** Of `items.jsonl`. */
    readonly items: string
    /** Of the items of all pools that the whole spec asks about. */
    readonly pools: string
  }
  /** Sums of the files under `spec/`, by name. Not part of `hash`: comments change them. */
  readonly sources: Readonly<Record<string, string>>
  /** Portable, and with the chosen experiments only. */
  readonly program: Program
  /** Warnings about its design that the spec does not allow. Absent in plans of before. Not part of `hash`: another cfx may warn of more. */
  readonly warnings?: readonly KeptWarning[]
}

/** Names that `--model` and `--items` gave other files, in the order of the spec; one list at least is not empty. */
export interface Replaced {
  readonly models: readonly string[]
  readonly items: readonly string[]
}

export interface PlanCount {
  readonly experiment: string
  readonly models: number
  /** Items that are used, by pool. */
  readonly items: Readonly<Record<string, number>>
  readonly cells: number
  readonly trials: number
  /** Reads of all trials, before equal ones are put together. */
  readonly reads: number
}

export interface PlanRequest {
  /** Portable, with all experiments of the spec. */
  readonly program: Program
  /** Of all pools. */
  readonly items: ReadonlyMap<string, readonly Item[]>
  readonly spec: string
  readonly copies: Copies
  /** One experiment of the spec; all where it is absent. */
  readonly experiment?: string
  readonly engine: Engine
  readonly mode: Mode
  readonly limit?: number
  readonly invented?: readonly string[]
  readonly replaced?: Replaced
  /** Those of the chosen experiments. */
  readonly warnings?: readonly KeptWarning[]
}

export function planOf(request: PlanRequest): Plan {
  const { spec, copies, experiment, engine, mode, limit, invented = [] } = request
  const program = selectExperiment(request.program, experiment)
  const items = itemsUsed(program, request.items)
  const sums = {
    program: meaningHash(program),
    items: contentSum(writeItemLines(items)),
    pools: contentSum(writeItemLines(itemsUsed(request.program, request.items))),
  }
  const used = invented.filter((pool) => items.has(pool))
  const cut = limit === undefined ? {} : { limit }
  const basis = sha256(canonicalJson({ format: 1, engine, mode, spec, pools: sums.pools }))
  return {
    format: 1,
    hash: sha256(canonicalJson({ basis, program: sums.program, items: sums.items, ...cut })),
    basis,
    spec,
    entry: copies.entry,
    engine,
    mode,
    ...cut,
    ...(used.length === 0 ? {} : { invented: used }),
    ...(experiment === undefined || request.program.experiments.length === 1 ? {} : { experiment }),
    ...replacedIn(program, request.replaced),
    counts: countsOf(program, items, limit),
    sums,
    sources: Object.fromEntries([...copies.texts].map(([name, text]) => [name, contentSum(text)])),
    program,
    ...(request.warnings === undefined ? {} : { warnings: request.warnings }),
  }
}

/** Of what was replaced, what the program has. */
export function replacedIn(
  { models, pools }: Pick<Program, "models" | "pools">,
  replaced: Replaced = { models: [], items: [] },
): Pick<Plan, "replaced"> {
  const among = (all: readonly { readonly name: string }[], given: readonly string[]): readonly string[] =>
    all.flatMap(({ name }) => (given.includes(name) ? [name] : []))
  const found = { models: among(models, replaced.models), items: among(pools, replaced.items) }
  return found.models.length + found.items.length === 0 ? {} : { replaced: found }
}

function countsOf(
  program: Program,
  items: ReadonlyMap<string, readonly Item[]>,
  limit: number | undefined,
): readonly PlanCount[] {
  return program.experiments.map((experiment) => {
    const cut = limit === undefined ? {} : { limit }
    const used = itemsOf(experiment, items, cut)
    const trials = trialCount(experiment, program, items, cut)
    return {
      experiment: experiment.name,
      models: experiment.models.length,
      items: Object.fromEntries(used.map(({ pool, items }) => [pool, items.length])),
      cells: experiment.cells.length,
      trials,
      reads: trials * experiment.protocol.holes.filter(isAsked).length,
    }
  })
}

/** The program with one experiment only, and what that one needs. */
export function selectExperiment(program: Program, name: string | undefined): Program {
  if (name === undefined) return program
  const experiments = program.experiments.filter((experiment) => experiment.name === name)
  const models = new Set(experiments.flatMap(modelsAsked))
  const pools = new Set(experiments.flatMap(poolsUsed))
  return {
    ...program,
    experiments,
    models: program.models.filter((model) => models.has(model.name)),
    pools: program.pools.filter((pool) => pools.has(pool.name)),
  }
}

/** The items of the pools that the experiments ask about. */
export function itemsUsed(
  program: Program,
  items: ReadonlyMap<string, readonly Item[]>,
): ReadonlyMap<string, readonly Item[]> {
  const pools = new Set(program.experiments.flatMap(poolsUsed))
  return new Map([...items].filter(([pool]) => pools.has(pool)))
}

/** The pools that an experiment asks about, and those that it draws other items from. */
const poolsUsed = ({ pools, protocol }: Program["experiments"][number]): readonly string[] => [
  ...pools.map(({ pool }) => pool),
  ...protocol.draws.flatMap(({ pool }) => pool ?? []),
]

/** `items.jsonl`: one item a line, with its pool; pools and items in order. */
export const writeItemLines = (items: ReadonlyMap<string, readonly Item[]>): string =>
  [...items].map(([pool, all]) => linesOf(pool, all)).join("")

/** A run writes the same items for its plan, for the sums of it and for its report. */
const written = once((_: readonly Item[]) => new Map<string, string>())

const linesOf = (pool: string, all: readonly Item[]): string => {
  const known = written(all)
  const text = known.get(pool) ?? all.map((item) => `${lineOf(pool, item)}\n`).join("")
  known.set(pool, text)
  return text
}

const lineOf = (pool: string, item: Item): string => {
  const { id, question, options, labels, gold, columns, original, only } = item
  return JSON.stringify({
    pool,
    id,
    question,
    options,
    labels,
    gold,
    ...(Object.keys(columns).length === 0 ? {} : { columns }),
    original,
    only,
  })
}

/** Columns are left out where an item has none. */
type KeptItem = Omit<Item, "columns"> & Partial<Pick<Item, "columns">> & { readonly pool: string }

export function readItemLines(text: string): ReadonlyMap<string, readonly Item[]> {
  const items = new Map<string, Item[]>()
  for (const line of text.split("\n")) {
    if (line === "") continue
    const { pool, columns = {}, ...rest } = JSON.parse(line) as KeptItem
    const item: Item = { ...rest, columns }
    const all = items.get(pool)
    if (all === undefined) items.set(pool, [item])
    else all.push(item)
  }
  return items
}

/** In words, what keeps the runs of two plans from going on with each other; empty when nothing does. */
export function differences(before: Plan, now: Plan): readonly string[] {
  const found: string[] = []
  const note = (what: string, one: string, other: string): void => {
    if (one !== other) found.push(`${what} (${one} before, ${other} now)`)
  }
  note("the engine", before.engine, now.engine)
  note("the mode", before.mode, now.mode)
  if (before.spec !== now.spec) found.push("what the spec means")
  if (!before.invented !== !now.invented) found.push("whether its items are made up")
  if (before.sums.pools !== now.sums.pools) found.push("the items")
  return found
}
