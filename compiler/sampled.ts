/** Which items of its pools an experiment asks about. */
import { sample } from "./draw.ts"
import type { ExperimentIR, PoolUseIR } from "./ir.ts"
import type { Item } from "./item.ts"
import { holds } from "./items/holds.ts"

/** The items of a pool that a use of it lets through, before any sample: what draws of other items draw from. */
export const eligible = ({ where }: PoolUseIR, items: readonly Item[]): readonly Item[] =>
  where === undefined ? items : items.filter((item) => holds(where, item))

/** By the value of a column; all in one where there is none. */
const strataOf = (items: readonly Item[], per: string | undefined): readonly (readonly Item[])[] => {
  if (per === undefined) return [items]
  const strata = new Map<string, Item[]>()
  for (const item of items) {
    const value = JSON.stringify(item.columns[per] ?? null)
    const known = strata.get(value)
    if (known === undefined) strata.set(value, [item])
    else known.push(item)
  }
  return [...strata.values()]
}

/**
 * The items that a use of a pool asks about, in the order of their file. Items of one name, each for a model of its own, are drawn together. The
 * sample depends on the seed and the pool alone, so experiments of one seed share it; in each stratum items are ranked alike.
 */
export const sampled = (use: PoolUseIR, items: readonly Item[], seed: number): readonly Item[] => {
  const known = drawn.get(items) ?? new Map<string, readonly Item[]>()
  drawn.set(items, known)
  const key = JSON.stringify([use, seed])
  const found = known.get(key) ?? drawnFrom(use, items, seed)
  known.set(key, found)
  return found
}

// Plans, runs and reports ask for the same sample many times, and ranking a benchmark's items takes a while.
const drawn = new WeakMap<readonly Item[], Map<string, readonly Item[]>>()

const drawnFrom = (use: PoolUseIR, items: readonly Item[], seed: number): readonly Item[] => {
  const all = eligible(use, items)
  const { pool, sample: size, per } = use
  if (size === undefined) return all
  const key = { seed, declaration: `sample ${pool}` }
  const chosen = new Set(
    strataOf(all, per).flatMap((stratum) =>
      sample([...new Set(stratum.map(({ id }) => id))], size, (id) => id, key),
    ),
  )
  return all.filter(({ id }) => chosen.has(id))
}

export interface ItemsOptions {
  /** At most so many items of each pool: the first of those that its sample has. */
  readonly limit?: number
}

const first = (items: readonly Item[], limit: number | undefined): readonly Item[] => {
  if (limit === undefined) return items
  const kept = new Set([...new Set(items.map(({ id }) => id))].slice(0, limit))
  return items.filter(({ id }) => kept.has(id))
}

/** The items of each pool that an experiment asks about, in the order of their file. Empty for a pool that has none. */
export const itemsOf = (
  experiment: ExperimentIR,
  items: ReadonlyMap<string, readonly Item[]>,
  options: ItemsOptions = {},
): readonly { readonly pool: string; readonly items: readonly Item[] }[] =>
  experiment.pools.map((use) => ({
    pool: use.pool,
    items: first(sampled(use, items.get(use.pool) ?? [], experiment.seed), options.limit),
  }))
