/** How many items a pool has, for plans: as read where its data are at hand, as published where they are not. */
import type { ExperimentIR, PoolIR } from "../ir.ts"
import type { Item } from "../item.ts"

export interface PoolCount {
  readonly atHand: boolean
  /** Items of the pool, before any sample or condition of an experiment. */
  readonly items: number
  /** How many options: of each item in the order of the pool where they are at hand, else of all of them as published. */
  readonly choices: number | readonly number[]
  /** How many different values each column has. */
  readonly strata: Readonly<Record<string, number>>
  /**
   * What nothing says, so that it is assumed: `size` (0 items), `choices` (4), or how many rows the pool's own `where` lets through (all).
   */
  readonly unknown: readonly ("size" | "choices" | "where")[]
}

/** Options of an item whose number nothing says. */
export const USUAL_CHOICES = 4

/** The count of each pool of a program; `items` has those that are at hand. */
export const countPools = (
  pools: readonly PoolIR[],
  items: ReadonlyMap<string, readonly Item[]>,
): ReadonlyMap<string, PoolCount> =>
  new Map(
    pools.map((pool) => {
      const own = items.get(pool.name)
      return [pool.name, own === undefined ? published(pool) : counted(own)]
    }),
  )

/** Items that differ by studied model are one item for each of them. */
const counted = (all: readonly Item[]): PoolCount => {
  const items = [...new Map(all.map((item) => [item.id, item])).values()]
  const values = new Map<string, Set<string | number>>()
  for (const { columns } of items) {
    for (const [name, value] of Object.entries(columns)) {
      const known = values.get(name)
      if (known === undefined) values.set(name, new Set([value]))
      else known.add(value)
    }
  }
  return {
    atHand: true,
    items: items.length,
    choices: items.map(({ options }) => options.length),
    strata: Object.fromEntries([...values].map(([name, { size }]) => [name, size])),
    unknown: [],
  }
}

const published = ({ published: { size, choices, strata }, where }: PoolIR): PoolCount => ({
  atHand: false,
  items: size ?? 0,
  choices: choices ?? USUAL_CHOICES,
  strata: strata ?? {},
  unknown: [
    ...(size === undefined ? (["size"] as const) : []),
    ...(choices === undefined ? (["choices"] as const) : []),
    ...(where === undefined ? [] : (["where"] as const)),
  ],
})

/** The columns whose values a pool is sampled by and of which nothing says how many values there are: one is assumed. */
export const unsaidStrata = (
  pool: string,
  count: PoolCount | undefined,
  experiments: readonly Pick<ExperimentIR, "pools">[],
): readonly string[] => {
  if (count === undefined || count.atHand) return []
  const sampledBy = experiments.flatMap(({ pools }) =>
    pools.flatMap((use) => (use.pool === pool && use.per !== undefined ? [use.per] : [])),
  )
  return [...new Set(sampledBy)].filter((column) => count.strata[column] === undefined)
}
