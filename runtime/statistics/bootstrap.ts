/** Intervals of an estimate from its values over the draws of a bootstrap, and these values for sums over items. */
import { DRAWS, type Draws } from "./draws.ts"
import type { Interval } from "./interval.ts"
import { normalQuantile, normalTail } from "./normal.ts"
import { quantile } from "./quantile.ts"

export type Bootstrapped =
  /** `draws`: those in which the estimate had a value; the interval is over these. */
  | (Interval & { readonly draws: number })
  /** Draws that are all equal say nothing about how far the estimate may be off: two equal ends would look like certainty. */
  | { readonly none: "equal draws" | "no draws" | "one side" | "wrapped" }

/**
 * Of each draw the sum of numbers of items, each as often as its item is in it. `items`: their places among all items, each at most once.
 *
 * A stratum has as many items in every draw: what most of its items have in common is counted at once, and only what others have more or less goes
 * through the draws. In a balanced design that is nothing at all of counts, and at most half of the items of truth values.
 */
export function sumsOver(draws: Draws, items: ArrayLike<number>, numbers: ArrayLike<number>): Float64Array {
  const all = new Float64Array(draws.items)
  for (let at = 0; at < items.length; at++) all[items[at]!] = numbers[at]!
  let fixed = 0
  const starts: number[] = []
  const beyond: number[] = []
  for (const stratum of draws.strata) {
    const usual = mostCommon(stratum, all)
    fixed += usual * stratum.length
    for (const item of stratum) {
      if (all[item] === usual) continue
      starts.push(item)
      beyond.push(all[item]! - usual)
    }
  }
  const sums = new Float64Array(DRAWS).fill(fixed)
  draws.each((weights, from, size) => {
    const part = sums.subarray(from, from + size)
    let at = 0
    // Four items at a time: sums are read and written a quarter as often.
    for (; at + 4 <= starts.length; at += 4) {
      const [ofA, ofB, ofC, ofD] = [beyond[at]!, beyond[at + 1]!, beyond[at + 2]!, beyond[at + 3]!]
      const [a, b] = [starts[at]! * size, starts[at + 1]! * size]
      const [c, d] = [starts[at + 2]! * size, starts[at + 3]! * size]
      for (let draw = 0; draw < size; draw++) {
        part[draw]! +=
          ofA * weights[a + draw]! +
          ofB * weights[b + draw]! +
          ofC * weights[c + draw]! +
          ofD * weights[d + draw]!
      }
    }
    for (; at < starts.length; at++) {
      const [number, start] = [beyond[at]!, starts[at]! * size]
      for (let draw = 0; draw < size; draw++) part[draw]! += number * weights[start + draw]!
    }
  })
  return sums
}

/**
 * The whole number that most items of a stratum have, if more than half do; else 0. Whole, so that a sum of nothing stays 0 and not a rounding off it.
 * Boyer & Moore (1991): one pass for the candidate, one to count it.
 */
function mostCommon(items: Int32Array, numbers: Float64Array): number {
  let [candidate, lead] = [0, 0]
  for (const item of items) {
    if (lead === 0) candidate = numbers[item]!
    lead += numbers[item] === candidate ? 1 : -1
  }
  if (!Number.isInteger(candidate)) return 0
  let count = 0
  for (const item of items) if (numbers[item] === candidate) count += 1
  return 2 * count > items.length ? candidate : 0
}

/** Of each draw any estimate by how often some of the items are in it, in their order; NaN where it has none. */
export function valuesOver(
  draws: Draws,
  items: ArrayLike<number>,
  estimate: (weights: Int32Array) => number | undefined,
): Float64Array {
  const values = new Float64Array(DRAWS)
  const own = new Int32Array(items.length)
  draws.each((weights, from, size) => {
    for (let draw = 0; draw < size; draw++) {
      for (let at = 0; at < own.length; at++) own[at] = weights[items[at]! * size + draw]!
      values[from + draw] = estimate(own) ?? Number.NaN
    }
  })
  return values
}

/** Sums of the same numbers in another order differ by as much, relative to their size; no real difference is as small. */
const ROUNDING = 1e-12

/** The draws that have a value, in ascending order; or why no interval can be made of them. */
function sorted(values: Float64Array): Float64Array | Extract<Bootstrapped, { none: string }> {
  const drawn = values.filter((value) => !Number.isNaN(value)).sort()
  if (drawn.length === 0) return { none: "no draws" }
  const [first, last] = [drawn[0]!, drawn.at(-1)!]
  if (last - first <= ROUNDING * Math.max(1, Math.abs(first), Math.abs(last))) return { none: "equal draws" }
  return drawn
}

/** Percentiles of the draws: Efron (1979); Efron & Tibshirani (1993), chapter 13. `level` in percent. */
export function percentile(values: Float64Array, level: number): Bootstrapped {
  const drawn = sorted(values)
  if ("none" in drawn) return drawn
  const tail = (1 - level / 100) / 2
  return { low: quantile(drawn, tail), high: quantile(drawn, 1 - tail), draws: drawn.length }
}

/**
 * The same percentiles moved for bias (z0: how far the estimate is from the median of the draws, ties at one half) and for a standard error that changes
 * with what is estimated (a, the acceleration); none where that correction has no order any more (`wrapped`): Efron (1987), JASA 82, 171-185; Efron & Tibshirani (1993), section 14.3.
 */
export function bca(
  values: Float64Array,
  estimate: number,
  acceleration: number,
  level: number,
): Bootstrapped {
  const drawn = sorted(values)
  if ("none" in drawn) return drawn
  // A draw may come to the same as the estimate by other sums: 0.7 - 0.5 is not 0.6 - 0.4.
  const tie = ROUNDING * Math.max(1, Math.abs(estimate))
  let below = 0
  for (const value of drawn) below += Math.abs(value - estimate) <= tie ? 0.5 : value < estimate ? 1 : 0
  if (below === 0 || below === drawn.length) return { none: "one side" }
  const z0 = normalQuantile(below / drawn.length)
  const z = normalQuantile(0.5 + level / 200)
  // Beyond 1 / a the correction changes its sign: a percentile from out there comes from the wrong end.
  if ([-z, z].some((end) => 1 - acceleration * (z0 + end) <= 0)) return { none: "wrapped" }
  const moved = (z: number) => normalTail(-(z0 + (z0 + z) / (1 - acceleration * (z0 + z))))
  return { low: quantile(drawn, moved(-z)), high: quantile(drawn, moved(z)), draws: drawn.length }
}

/**
 * The acceleration, from what the estimate is without each item: a sixth of the skewness of these by Efron's formula; with strata, each item's
 * influence is against the mean of its stratum (Davison & Hinkley 1997, sections 3.2 and 5.3). `without`: in the order of items; NaN where there is none.
 */
export function accelerationOf(draws: Draws, without: ArrayLike<number>): number {
  let [squares, cubes] = [0, 0]
  for (const items of draws.strata) {
    let [sum, count] = [0, 0]
    for (const item of items) {
      if (Number.isNaN(without[item]!)) continue
      sum += without[item]!
      count += 1
    }
    for (const item of items) {
      if (Number.isNaN(without[item]!)) continue
      const influence = ((count - 1) * (sum / count - without[item]!)) / count
      squares += influence ** 2
      cubes += influence ** 3
    }
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5)
}
