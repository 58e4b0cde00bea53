/** What a run is going to do, in full: `plan.json` and `items.jsonl`, from which it can be resumed and reported without its spec. */

import { itemsOf } from "../../compiler/expand.ts"
import { canonicalJson, meaningHash, sha256 } from "../../compiler/hash.ts"
import type { Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"

export type Engine = "llama" | "simulated"
export type Mode = "exact" | "fast"

export interface Plan {
  /** Of the files of a run directory. */
  readonly format: 1
  /** sha256 of all that decides what is asked and measured: two runs of one hash may continue each other. */
  readonly hash: string
  /** Hash of the spec's meaning, as `cfx check` gives it. */
  readonly spec: string
  /** Name of the spec under `spec/`. */
  readonly entry: string
  readonly engine: Engine
  readonly mode: Mode
  readonly limit?: number
  readonly counts: readonly PlanCount[]
  /** Hashes of what went into `hash`, to say what differs. */
  readonly parts: { readonly program: string; readonly items: string }
  /** Portable, and with the chosen experiments only. */
  readonly program: Program
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
  readonly program: Program
  readonly items: ReadonlyMap<string, readonly Item[]>
  readonly spec: string
  readonly entry: string
  readonly engine: Engine
  readonly mode: Mode
  readonly limit?: number
}

/** The plan of a portable program. */
export function planOf(request: PlanRequest): Plan {
  const { program, items, spec, entry, engine, mode, limit } = request
  const parts = { program: meaningHash(program), items: sha256(writeItemLines(items)) }
  const cut = limit === undefined ? {} : { limit }
  return {
    format: 1,
    hash: sha256(canonicalJson({ format: 1, engine, mode, ...parts, ...cut })),
    spec,
    entry,
    engine,
    mode,
    ...cut,
    counts: countsOf(program, items, limit),
    parts,
    program,
  }
}

function countsOf(
  program: Program,
  items: ReadonlyMap<string, readonly Item[]>,
  limit: number | undefined,
): readonly PlanCount[] {
  return program.experiments.map((experiment) => {
    const used = itemsOf(experiment, items, limit === undefined ? {} : { limit })
    const total = used.reduce((sum, pool) => sum + pool.items.length, 0)
    const trials = experiment.models.length * total * experiment.cells.length
    return {
      experiment: experiment.name,
      models: experiment.models.length,
      items: Object.fromEntries(used.map(({ pool, items }) => [pool, items.length])),
      cells: experiment.cells.length,
      trials,
      reads: trials * experiment.protocol.holes.length,
    }
  })
}

/** The program with one experiment only, and what that one needs. */
export function selectExperiment(program: Program, name: string | undefined): Program {
  if (name === undefined) return program
  const experiments = program.experiments.filter((experiment) => experiment.name === name)
  const models = new Set(experiments.flatMap((experiment) => experiment.models))
  const pools = new Set(experiments.flatMap((experiment) => experiment.pools.map(({ pool }) => pool)))
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
  const pools = new Set(program.experiments.flatMap(({ pools }) => pools.map(({ pool }) => pool)))
  return new Map([...items].filter(([pool]) => pools.has(pool)))
}

/** `items.jsonl`: one item a line, with its pool; pools and items in order. */
export const writeItemLines = (items: ReadonlyMap<string, readonly Item[]>): string =>
  [...items]
    .flatMap(([pool, all]) =>
      all.map(({ id, question, options, labels, gold }) =>
        JSON.stringify({ pool, id, question, options, labels, gold }),
      ),
    )
    .map((line) => `${line}\n`)
    .join("")

export function readItemLines(text: string): ReadonlyMap<string, readonly Item[]> {
  const items = new Map<string, Item[]>()
  for (const line of text.split("\n")) {
    if (line === "") continue
    const { pool, ...item } = JSON.parse(line) as Item & { readonly pool: string }
    const all = items.get(pool)
    if (all === undefined) items.set(pool, [item])
    else all.push(item)
  }
  return items
}

/** In words, what makes two plans different runs; empty when they are one. */
export function differences(before: Plan, now: Plan): readonly string[] {
  if (before.hash === now.hash) return []
  const names = (plan: Plan): string => plan.program.experiments.map(({ name }) => name).join(", ")
  const found: string[] = []
  const note = (what: string, one: unknown, other: unknown): void => {
    if (one !== other) found.push(`${what} (${one ?? "none"} before, ${other ?? "none"} now)`)
  }
  note("the engine", before.engine, now.engine)
  note("the mode", before.mode, now.mode)
  note("--limit", before.limit, now.limit)
  note("the experiments", names(before), names(now))
  if (before.parts.program !== now.parts.program) found.push("what the spec means")
  if (before.parts.items !== now.parts.items) found.push("the items")
  return found
}
