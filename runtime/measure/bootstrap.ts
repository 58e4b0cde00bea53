/**
 * The cluster bootstrap: items are drawn with replacement, all trials of an item together, and the ends of the interval are percentiles of the
 * estimate over the draws (Efron & Tibshirani 1993, chapter 13; Davison & Hinkley 1997, section 3.8, for clusters).
 *
 * A mean over resampled trials needs only each item's sum and count, so a draw costs one addition per item however many trials it has.
 * Items that contribute no trial are not clusters.
 */
import type { Stream } from "../../compiler/draw.ts"
import type { Interval } from "./proportion.ts"

export const DRAWS = 2000

/** What an item contributes to a mean. */
export interface Share {
  readonly sum: number
  readonly count: number
}

export type Bootstrapped =
  /** `draws`: those in which the estimate had a value; the interval is over these. */
  | (Interval & { readonly draws: number })
  /** Draws that are all equal say nothing about how far the estimate may be off: two equal ends would look like certainty. */
  | { readonly none: "one item" | "equal draws" | "no draws" }

/** Interval of a mean over trials. */
export function bootstrapMean(items: readonly Share[], level: number, stream: Stream): Bootstrapped {
  const n = items.length
  if (n < 2) return { none: "one item" }
  return percentiles(level, () => {
    let sum = 0
    let count = 0
    for (let i = 0; i < n; i++) {
      const share = items[stream.below(n)]!
      sum += share.sum
      count += share.count
    }
    return sum / count
  })
}

/** Interval of a sum over trials. */
export function bootstrapSum(items: readonly Share[], level: number, stream: Stream): Bootstrapped {
  const n = items.length
  if (n < 2) return { none: "one item" }
  return percentiles(level, () => {
    let sum = 0
    for (let i = 0; i < n; i++) sum += items[stream.below(n)]!.sum
    return sum
  })
}

/**
 * Interval of a sum of signed means over the same resampled items, such as a difference; or, with `sums`, of signed sums. Each item has a
 * share of every term. A draw in which a term has no trial has no value.
 */
export function bootstrapTerms(
  items: readonly (readonly Share[])[],
  signs: readonly number[],
  level: number,
  stream: Stream,
  of: "means" | "sums" = "means",
): Bootstrapped {
  const n = items.length
  const terms = signs.length
  if (n < 2) return { none: "one item" }
  const itemSums = Float64Array.from(items.flatMap((shares) => shares.map(({ sum }) => sum)))
  const itemCounts = Float64Array.from(items.flatMap((shares) => shares.map(({ count }) => count)))
  const sums = new Float64Array(terms)
  const counts = new Float64Array(terms)
  return percentiles(level, () => {
    sums.fill(0)
    counts.fill(0)
    for (let i = 0; i < n; i++) {
      const from = stream.below(n) * terms
      for (let term = 0; term < terms; term++) {
        sums[term]! += itemSums[from + term]!
        counts[term]! += itemCounts[from + term]!
      }
    }
    let value = 0
    for (let term = 0; term < terms; term++) {
      if (counts[term] === 0) return undefined
      value += signs[term]! * (of === "sums" ? sums[term]! : sums[term]! / counts[term]!)
    }
    return value
  })
}

/** Values of a term in ascending order, and the item that each is of. */
export interface Ordered {
  readonly values: readonly number[]
  readonly items: readonly number[]
}

/** Interval of a sum of signed quantiles over the same resampled items, which are numbered from 0; of one quantile with one term. */
export function bootstrapQuantiles(
  terms: readonly Ordered[],
  signs: readonly number[],
  probability: number,
  items: number,
  level: number,
  stream: Stream,
): Bootstrapped {
  if (items < 2) return { none: "one item" }
  const weights = new Int32Array(items)
  return percentiles(level, () => {
    weights.fill(0)
    for (let i = 0; i < items; i++) weights[stream.below(items)]!++
    let value = 0
    for (const [at, term] of terms.entries()) {
      const one = weightedQuantile(term, weights, probability)
      if (one === undefined) return undefined
      value += signs[at]! * one
    }
    return value
  })
}

/** The same quantile as `quantile`, of values each of which counts as often as its item was drawn. */
export function weightedQuantile(
  { values, items }: Ordered,
  weights: Int32Array,
  probability: number,
): number | undefined {
  let total = 0
  for (const item of items) total += weights[item]!
  if (total === 0) return undefined
  const at = (total - 1) * probability
  const below = Math.floor(at)
  const above = Math.min(below + 1, total - 1)
  let passed = 0
  let low: number | undefined
  for (const [place, value] of values.entries()) {
    passed += weights[items[place]!]!
    if (low === undefined && passed > below) low = value
    if (low !== undefined && passed > above) return low + (value - low) * (at - below)
  }
  return low
}

/** Sums of the same numbers in another order differ by as much, relative to their size; no real difference is as small. */
const ROUNDING = 1e-12

/** The ends of the interval of an estimate over so many draws of it; a draw may have no value. */
export function percentiles(level: number, draw: () => number | undefined): Bootstrapped {
  const drawn = new Float64Array(DRAWS)
  let count = 0
  for (let i = 0; i < DRAWS; i++) {
    const value = draw()
    if (value !== undefined) drawn[count++] = value
  }
  if (count === 0) return { none: "no draws" }
  const values = drawn.subarray(0, count).sort()
  const [first, last] = [values[0]!, values[count - 1]!]
  if (last - first <= ROUNDING * Math.max(1, Math.abs(first), Math.abs(last))) return { none: "equal draws" }
  const tail = (1 - level / 100) / 2
  return { low: quantile(values, tail), high: quantile(values, 1 - tail), draws: values.length }
}

/** The quantile of sorted values by linear interpolation: Hyndman & Fan (1996), definition 7, the default of R. */
export function quantile(sorted: ArrayLike<number>, probability: number): number {
  const at = (sorted.length - 1) * probability
  const below = Math.floor(at)
  const low = sorted[below]!
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!
  return low + (high - low) * (at - below)
}
