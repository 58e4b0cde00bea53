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

/** What an item contributes to the two sides of a difference. */
export interface Shares {
  readonly left: Share
  readonly right: Share
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

/** Interval of a difference of two means over the same resampled items. A draw in which a side has no trial has no value. */
export function bootstrapDifference(items: readonly Shares[], level: number, stream: Stream): Bootstrapped {
  const n = items.length
  if (n < 2) return { none: "one item" }
  return percentiles(level, () => {
    let leftSum = 0
    let leftCount = 0
    let rightSum = 0
    let rightCount = 0
    for (let i = 0; i < n; i++) {
      const { left, right } = items[stream.below(n)]!
      leftSum += left.sum
      leftCount += left.count
      rightSum += right.sum
      rightCount += right.count
    }
    return leftCount === 0 || rightCount === 0 ? undefined : leftSum / leftCount - rightSum / rightCount
  })
}

/** Sums of the same numbers in another order differ by as much, relative to their size; no real difference is as small. */
const ROUNDING = 1e-12

function percentiles(level: number, draw: () => number | undefined): Bootstrapped {
  const values: number[] = []
  for (let i = 0; i < DRAWS; i++) {
    const value = draw()
    if (value !== undefined) values.push(value)
  }
  if (values.length === 0) return { none: "no draws" }
  values.sort((a, b) => a - b)
  const [first, last] = [values[0]!, values.at(-1)!]
  if (last - first <= ROUNDING * Math.max(1, Math.abs(first), Math.abs(last))) return { none: "equal draws" }
  const tail = (1 - level / 100) / 2
  return { low: quantile(values, tail), high: quantile(values, 1 - tail), draws: values.length }
}

/** The quantile of sorted values by linear interpolation: Hyndman & Fan (1996), definition 7, the default of R. */
export function quantile(sorted: readonly number[], probability: number): number {
  const at = (sorted.length - 1) * probability
  const below = Math.floor(at)
  const low = sorted[below]!
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!
  return low + (high - low) * (at - below)
}
