/** Items that a plan need not tell apart: one of them stands for all. */
import { isMade } from "../expand.ts"
import type { ExperimentIR, ModelIR, PoolUseIR } from "../ir.ts"
import type { Item } from "../item.ts"
import type { PoolCount } from "../items/count.ts"
import { columnsIn, looksAtTarget } from "../looks.ts"
import { itemsOf } from "../sampled.ts"
import { placeboOf } from "../target.ts"

export interface Group {
  readonly pool: string
  readonly count: number
  /** One of them, for conditions to look at: with the columns that they ask for, and no more. */
  readonly item: Item
  /** Whether conditions may look at its columns, and targets at where its gold option stands: not where the data are not at hand. */
  readonly isKnown: boolean
}

export interface GroupOptions {
  /** At most so many items of each pool. */
  readonly limit?: number
}

/** The groups of an experiment's items: of pools that are at hand exactly, of others as their counts say. */
export const groupsOf = (
  experiment: ExperimentIR,
  items: ReadonlyMap<string, readonly Item[]>,
  pools: ReadonlyMap<string, PoolCount>,
  attributes: Attributes,
  options: GroupOptions,
): readonly Group[] => {
  const atHand = new Map(itemsOf(experiment, items, options).map(({ pool, items }) => [pool, items]))
  const look = lookOf(experiment)
  return experiment.pools.flatMap((use) => {
    if (items.has(use.pool)) {
      return merged(alike(use.pool, atHand.get(use.pool) ?? [], look), look, experiment, attributes)
    }
    const count = pools.get(use.pool)
    return count === undefined ? [] : published(use, count, experiment, options)
  })
}

/** Attributes of models, by name. */
export type Attributes = ReadonlyMap<string, ModelIR["attributes"]>

/** What decides about an item in a plan. */
interface Look {
  /** Columns that decide which trials there are, and those that gates look at. */
  readonly columns: ReadonlySet<string>
  readonly gated: ReadonlySet<string>
  /** Whether it matters which option is gold, and whether the labels go on. */
  readonly gold: boolean
  readonly placebo: boolean
}

const lookOf = ({ only, protocol, cells }: ExperimentIR): Look => {
  const gates = protocol.turns.flatMap(({ when }) => when ?? [])
  const conditions = [...gates, ...(only === undefined ? [] : [only])]
  return {
    columns: new Set(conditions.flatMap(columnsIn)),
    gated: new Set(gates.flatMap(columnsIn)),
    gold:
      new Set(cells.map(({ options }) => JSON.stringify(options))).size > 1 ||
      cells.some(({ target, options }) => target.kind === "option" || options.kind === "gold_first") ||
      conditions.some(looksAtTarget),
    placebo: cells.some(({ target }) => target.kind === "placebo_label"),
  }
}

const alike = (pool: string, items: readonly Item[], look: Look): readonly Group[] => {
  const groups = new Map<string, { readonly item: Item; count: number }>()
  for (const item of items) {
    const key = keyOf(item, look.columns, look)
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { item, count: 1 })
    else known.count += 1
  }
  return [...groups.values()].map((group) => ({ pool, ...group, isKnown: true }))
}

const keyOf = (item: Item, columns: ReadonlySet<string>, { gold, placebo }: Look): string =>
  JSON.stringify([
    item.options.length,
    item.only ?? null,
    gold ? item.gold : null,
    placebo ? placeboOf(item.labels) !== undefined : null,
    [...columns].map((name) => item.columns[name] ?? null),
  ])

/** Groups with the same trials are one, whatever they have in the columns that decide about them. */
const merged = (
  groups: readonly Group[],
  look: Look,
  experiment: ExperimentIR,
  attributes: Attributes,
): readonly Group[] => {
  if (groups.length === 1 || look.columns.size === look.gated.size) return groups
  const kept = new Map<string, Group>()
  for (const group of groups) {
    const { item, pool, count } = group
    const made = experiment.models
      .map((model) => {
        const own = attributes.get(model) ?? {}
        return experiment.cells
          .map((cell) => (isMade(experiment, { model, pool, cell, attributes: own }, item) ? "1" : "0"))
          .join("")
      })
      .join(" ")
    const key = `${keyOf(item, look.gated, look)} ${made}`
    const known = kept.get(key)
    kept.set(key, known === undefined ? group : { ...known, count: known.count + count })
  }
  return [...kept.values()]
}

/** As many as are said to be there and as the use takes of them; conditions on items are taken to let all through. */
const published = (
  { pool, sample, per }: PoolUseIR,
  { items, choices, strata, unknown }: PoolCount,
  experiment: ExperimentIR,
  { limit = Number.POSITIVE_INFINITY }: GroupOptions,
): readonly Group[] => {
  const all = unknown.includes("size") ? Number.POSITIVE_INFINITY : items
  // A column of which nothing says how many values it has counts as one of one value: plans say so (`unsaidStrata`).
  const asked = sample === undefined ? items : sample * (per === undefined ? 1 : (strata[per] ?? 1))
  const count = Math.min(asked, all, limit)
  const options = typeof choices === "number" ? choices : (choices[0] ?? 0)
  return count === 0
    ? []
    : [{ pool, count, item: unseen(options, goldOf(experiment, options)), isKnown: false }]
}

/** A place of the gold option that no target names: what hangs on it is taken to go on. */
const goldOf = ({ cells }: ExperimentIR, options: number): number => {
  const named = new Set(
    cells.flatMap(({ target }) => (target.kind === "option" ? [target.position - 1] : [])),
  )
  const free = Array.from({ length: options }, (_, index) => index).find((index) => !named.has(index))
  return free ?? 0
}

const unseen = (options: number, gold: number): Item => ({
  id: "",
  question: "",
  options: Array.from({ length: options }, () => ""),
  labels: Array.from({ length: options }, (_, index) => String.fromCharCode(65 + index)),
  gold,
  columns: {},
})
