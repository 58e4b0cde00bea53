/**
 * How far items, models and pools are apart, in logits, by the method of moments: two trials that have an item, a model or a pool in common come out alike
 * more often than others, and how much more says how far those are spread.
 *
 * Of true and false outcomes, less the mean of their cell, products are averaged over pairs of trials that share one thing and nothing else; items are nested
 * in pools, so that of pairs of one item what the pool adds is taken off. Taking off means hides a share 1/J of the variance of J models,
 * pools or items, which is put back. The variances in logits are those under which a logistic model with normal intercepts has these products: each pair
 * at the rates of its own two cells, since cells in which nearly all is true or nearly nothing is covary hardly at all, however far items are apart.
 */
import { interceptFor, logistic, NODES } from "./logits.ts"

/** Outcomes of one measure, each 1 or 0, one for each observation. */
export type Seen = readonly {
  readonly model: string
  readonly pool: string
  readonly item: string
  readonly cell: string
  readonly value: number
}[]

export interface Deviation {
  /** In logits; where `beyond`, the least that it may be. */
  readonly deviation: number
  /** Pairs of trials that were looked at. */
  readonly pairs: number
  /** Outcomes are all but settled by the column, so that moments cannot tell how far its levels are apart. */
  readonly beyond: boolean
}

export type Spread = Readonly<Record<string, Deviation>>

/**
 * The most that is told, in logits. Beyond it a covariance rises by less than a twentieth for twice the deviation, and the rule that means are taken by
 * (`logits.ts`) is off by as much.
 */
export const MOST = 10

/** Columns of which there is one level alone are left out, and those that no pair of trials shares. */
export function spreadIn(all: readonly Seen[]): Spread {
  const found = all.map(momentsOf).filter((moments) => moments !== undefined)
  const columns = ["item", "model", "pool"].filter((column) => found.some(({ shared }) => column in shared))
  const variances = variancesOf(found, columns)
  return Object.fromEntries(
    columns.map((column) => {
      const pairs = found.reduce((sum, { shared }) => sum + (shared[column]?.pairs ?? 0), 0)
      const variance = variances[column]!
      return [column, { deviation: Math.sqrt(variance), pairs, beyond: variance >= MOST ** 2 }]
    }),
  )
}

/** Pairs of trials that share a column: the mean product of what they are off their cells' means, and how many pairs there are of each two classes of cells. */
interface Shared {
  readonly covariance: number
  readonly pairs: number
  readonly byClass: Float64Array
}

interface Moments {
  /** Of each class of cells. */
  readonly rates: readonly number[]
  readonly shared: Readonly<Record<string, Shared>>
}

type Column = "model" | "pool" | "item"

function momentsOf(seen: Seen): Moments | undefined {
  if (seen.length < 2) return undefined
  const { classOf, meanOf, rates } = classesOf(seen)
  const size = rates.length
  const rows = seen.map((one) => ({
    ...one,
    rest: one.value - meanOf.get(one.cell)!,
    class: classOf.get(one.cell)!,
  }))
  /** Over pairs of trials within groups. */
  const within = (...columns: readonly Column[]): Products => {
    const groups = new Map<string, { sum: number; counts: Map<number, number> }>()
    const made = { products: 0, byClass: new Float64Array(size * size) }
    for (const row of rows) {
      const key = JSON.stringify(columns.map((column) => row[column]))
      const group = groups.get(key) ?? { sum: 0, counts: new Map() }
      group.sum += row.rest
      group.counts.set(row.class, (group.counts.get(row.class) ?? 0) + 1)
      groups.set(key, group)
      made.products -= (row.rest * row.rest) / 2
      made.byClass[row.class * (size + 1)]! -= 1 / 2
    }
    for (const { sum, counts } of groups.values()) {
      made.products += (sum * sum) / 2
      for (const [one, count] of counts)
        for (const [other, more] of counts) made.byClass[one * size + other]! += (count * more) / 2
    }
    return made
  }
  const count = (...columns: readonly Column[]): number =>
    new Set(rows.map((row) => JSON.stringify(columns.map((column) => row[column])))).size
  const [models, pools, items] = [count("model"), count("pool"), count("pool", "item")]
  const [item, own, modelPool] = [
    within("pool", "item"),
    within("pool", "item", "model"),
    within("model", "pool"),
  ]
  const shared: Record<string, Shared> = {}
  const add = (column: Column, { products, byClass }: Products, levels: number, less = 0): void => {
    const pairs = byClass.reduce((sum, some) => sum + some, 0)
    if (pairs > 0 && levels > 1)
      shared[column] = { covariance: (products / pairs - less) / (1 - 1 / levels), pairs, byClass }
  }
  if (pools > 1) {
    const ofPool = minus(minus(within("pool"), item), minus(modelPool, own))
    add("pool", models > 1 ? ofPool : minus(modelPool, own), pools)
  }
  if (models > 1) add("model", pools > 1 ? minus(within("model"), modelPool) : minus(modelPool, own), models)
  const pool = shared.pool === undefined ? 0 : shared.pool.covariance * (1 - 1 / pools)
  add("item", models > 1 ? minus(item, own) : own, items, pool)
  return { rates, shared }
}

/** Classes of cells on the scale of the arc sine, on which rates are about as far apart as they can be told apart. */
const CLASSES = 40

/** Cells whose rates are close are one class, at their common rate: designs have hundreds of cells, and pairs are counted by two of them. */
function classesOf(seen: Seen) {
  const cells = new Map<string, { sum: number; count: number }>()
  for (const { cell, value } of seen) {
    const known = cells.get(cell) ?? { sum: 0, count: 0 }
    known.sum += value
    known.count += 1
    cells.set(cell, known)
  }
  const places = new Map<number, { at: number; sum: number; count: number }>()
  const classOf = new Map<string, number>()
  for (const [cell, { sum, count }] of cells) {
    const place = Math.round((CLASSES * Math.asin(Math.sqrt(sum / count))) / (Math.PI / 2))
    const one = places.get(place) ?? { at: places.size, sum: 0, count: 0 }
    one.sum += sum
    one.count += count
    places.set(place, one)
    classOf.set(cell, one.at)
  }
  return {
    classOf,
    meanOf: new Map([...cells].map(([cell, { sum, count }]) => [cell, sum / count])),
    rates: [...places.values()].map(({ sum, count }) => sum / count),
  }
}

interface Products {
  readonly products: number
  readonly byClass: Float64Array
}

const minus = (one: Products, other: Products): Products => ({
  products: one.products - other.products,
  byClass: one.byClass.map((pairs, at) => pairs - other.byClass[at]!),
})

/** Logits squared below which a round changes nothing. */
const STILL = 1e-4

/** The variances in logits under which all measures together have these products; each hangs on the sum of all, so that they are found in rounds. */
function variancesOf(
  found: readonly Moments[],
  columns: readonly string[],
): Readonly<Record<string, number>> {
  const variances = Object.fromEntries(columns.map((column) => [column, 0.5]))
  for (let round = 0; round < 12; round++) {
    let moved = 0
    for (const column of columns) {
      const others = columns.reduce((sum, one) => sum + (one === column ? 0 : variances[one]!), 0)
      const variance = varianceFor(found, column, others)
      moved = Math.max(moved, Math.abs(variance - variances[column]!))
      variances[column] = variance
    }
    if (moved < STILL || columns.length === 1) break
  }
  return variances
}

function varianceFor(found: readonly Moments[], column: string, others: number): number {
  const own = found.flatMap(({ rates, shared }) => (column in shared ? [{ rates, ...shared[column]! }] : []))
  const seen = own.reduce((sum, { covariance, pairs }) => sum + covariance * pairs, 0)
  const at = (variance: number): number =>
    own.reduce((sum, { rates, byClass }) => sum + productsOf(rates, byClass, variance, others), 0)
  if (seen <= 0) return 0
  if (seen >= at(MOST ** 2)) return MOST ** 2
  let [low, high] = [0, MOST ** 2]
  while (high - low > STILL / 10) {
    const middle = (low + high) / 2
    if (at(middle) < seen) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The sum over pairs of the covariance of two outcomes that share an intercept of this variance, besides others of their own. */
function productsOf(
  rates: readonly number[],
  byClass: Float64Array,
  variance: number,
  others: number,
): number {
  const [deviation, rest] = [Math.sqrt(variance), Math.sqrt(others)]
  const size = rates.length
  const chances = rates.map((rate) => {
    const intercept = interceptFor(rate, Math.sqrt(variance + others))
    return NODES.map(({ z }) => meanAt(intercept + deviation * z, rest))
  })
  let sum = 0
  for (let one = 0; one < size; one++) {
    for (let other = 0; other < size; other++) {
      const pairs = byClass[one * size + other]!
      if (pairs === 0) continue
      let both = 0
      for (const [at, { weight }] of NODES.entries())
        both += weight * chances[one]![at]! * chances[other]![at]!
      sum += pairs * (both - rates[one]! * rates[other]!)
    }
  }
  return sum
}

function meanAt(logit: number, deviation: number): number {
  if (deviation === 0) return logistic(logit)
  let sum = 0
  for (const { z, weight } of NODES) sum += weight * logistic(logit + deviation * z)
  return sum
}
