/**
 * How far items, models and pools are apart, in logits, by the method of moments: two trials that have an item, a model or a pool in common come out alike
 * more often than others, and how much more says how far those are spread.
 *
 * Of true and false outcomes, less the mean of their cell, products are averaged over pairs of trials that share one thing and nothing else; items are nested
 * in pools, so that of pairs of one item what the pool adds is taken off. Taking off means hides a share 1/J of the variance of J models or
 * pools, which is put back. A covariance becomes a standard deviation in logits by what a logistic model with normal intercepts would have.
 */
import { expected, interceptFor, logistic } from "./logits.ts"

/** Outcomes of one measure, each 1 or 0, one for each observation. */
export type Seen = readonly {
  readonly model: string
  readonly pool: string
  readonly item: string
  readonly cell: string
  readonly value: number
}[]

/** `pairs`: of trials, that were looked at. */
export type Spread = Readonly<Record<string, { readonly deviation: number; readonly pairs: number }>>

/** Columns of which there is one level alone are left out. */
export function spreadIn(all: readonly Seen[]): Spread {
  const found = all.map(momentsOf).filter((moments) => moments !== undefined)
  const columns = ["item", "model", "pool"].filter((column) => found.some(({ shared }) => column in shared))
  return Object.fromEntries(
    columns.map((column) => {
      const own = found.flatMap((moments) => {
        const pairs = moments.shared[column]?.pairs ?? 0
        return pairs > 0 ? [{ pairs, variance: variancesOf(moments)[column]! }] : []
      })
      const pairs = own.reduce((sum, one) => sum + one.pairs, 0)
      const variance = own.reduce((sum, one) => sum + one.variance * one.pairs, 0) / pairs
      return [column, { deviation: Math.sqrt(variance), pairs }]
    }),
  )
}

interface Moments {
  readonly rate: number
  readonly shared: Readonly<Record<string, { readonly covariance: number; readonly pairs: number }>>
}

function momentsOf(seen: Seen): Moments | undefined {
  if (seen.length < 2) return undefined
  const means = new Map<string, { sum: number; count: number }>()
  for (const { cell, value } of seen) {
    const mean = means.get(cell) ?? { sum: 0, count: 0 }
    mean.sum += value
    mean.count += 1
    means.set(cell, mean)
  }
  const rows = seen.map((one) => {
    const { sum, count } = means.get(one.cell)!
    return { ...one, rest: one.value - sum / count }
  })
  /** Products over pairs of trials within groups, and how many pairs. */
  const within = (...columns: readonly ("model" | "pool" | "item")[]): Products => {
    const groups = new Map<string, { sum: number; count: number }>()
    for (const row of rows) {
      const key = JSON.stringify(columns.map((column) => row[column]))
      const group = groups.get(key) ?? { sum: 0, count: 0 }
      group.sum += row.rest
      group.count += 1
      groups.set(key, group)
    }
    let products = -rows.reduce((sum, { rest }) => sum + rest * rest, 0)
    let pairs = -rows.length
    for (const { sum, count } of groups.values()) {
      products += sum * sum
      pairs += count * count
    }
    return { products: products / 2, pairs: pairs / 2 }
  }
  const count = (column: "model" | "pool"): number => new Set(rows.map((row) => row[column])).size
  const [models, pools] = [count("model"), count("pool")]
  const [item, own, modelPool] = [
    within("pool", "item"),
    within("pool", "item", "model"),
    within("model", "pool"),
  ]
  const shared: Record<string, { covariance: number; pairs: number }> = {}
  const add = (column: string, { products, pairs }: Products, hidden: number, less = 0): void => {
    if (pairs > 0) shared[column] = { covariance: (products / pairs - less) / (1 - hidden), pairs }
  }
  const ofPool = minus(minus(within("pool"), item), minus(modelPool, own))
  if (pools > 1) {
    if (models > 1) add("pool", ofPool, 1 / pools)
    else add("pool", minus(modelPool, own), 1 / pools)
  }
  if (models > 1)
    add("model", pools > 1 ? minus(within("model"), modelPool) : minus(modelPool, own), 1 / models)
  const pool = shared.pool === undefined ? 0 : shared.pool.covariance * (1 - 1 / pools)
  add("item", models > 1 ? minus(item, own) : own, 0, pool)
  return { rate: seen.reduce((sum, { value }) => sum + value, 0) / seen.length, shared }
}

interface Products {
  readonly products: number
  readonly pairs: number
}

const minus = (one: Products, other: Products): Products => ({
  products: one.products - other.products,
  pairs: one.pairs - other.pairs,
})

/** The variances in logits under which a logistic model has these covariances; each hangs on the sum of all, so that they are found in rounds. */
function variancesOf({ rate, shared }: Moments): Readonly<Record<string, number>> {
  let variances = Object.fromEntries(Object.keys(shared).map((column) => [column, 0.5]))
  if (rate <= 0 || rate >= 1) return Object.fromEntries(Object.keys(shared).map((column) => [column, 0]))
  for (let round = 0; round < 12; round++) {
    const total = Object.values(variances).reduce((sum, variance) => sum + variance, 0)
    variances = Object.fromEntries(
      Object.entries(shared).map(([column, { covariance }]) => {
        const others = total - variances[column]!
        return [column, varianceFor(covariance, rate, others)]
      }),
    )
  }
  return variances
}

/** The most that is found: beyond it, outcomes are all but settled. */
const MOST = 16

function varianceFor(covariance: number, rate: number, others: number): number {
  if (covariance <= 0) return 0
  let [low, high] = [0, MOST]
  for (let step = 0; step < 30; step++) {
    const middle = (low + high) / 2
    if (covarianceOf(middle, rate, others) < covariance) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Of two outcomes that share an intercept of this variance, besides others of their own. */
function covarianceOf(variance: number, rate: number, others: number): number {
  const intercept = interceptFor(rate, Math.sqrt(variance + others))
  const [deviation, rest] = [Math.sqrt(variance), Math.sqrt(others)]
  const products = expected((z) => expected((e) => logistic(intercept + deviation * z + rest * e)) ** 2)
  return products - rate * rate
}
