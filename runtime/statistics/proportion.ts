/** Intervals of proportions, and of the differences of two of them. Levels are in percent, ends fractions of 1. */
import type { Interval } from "./interval.ts"
import { normalQuantile } from "./normal.ts"

/**
 * The score interval of Wilson (1927), JASA 22, 209-212, for k true out of n, without continuity correction. The lower end is exactly 0 at k = 0, the
 * upper exactly 1 at k = n. None has no interval: n is above 0, and may be a fraction (of effective trials).
 */
export function wilson(k: number, n: number, level: number): Interval {
  if (!(n > 0 && k >= 0 && k <= n)) throw new RangeError(`no Wilson interval of ${k} out of ${n}`)
  const z = normalQuantile(0.5 + level / 200)
  const p = k / n
  const centre = p + (z * z) / (2 * n)
  const half = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))
  const scale = 1 + (z * z) / n
  return {
    low: k === 0 ? 0 : Math.max(0, (centre - half) / scale),
    high: k === n ? 1 : Math.min(1, (centre + half) / scale),
  }
}

/** Pairs by what is true of them. */
export interface Pairs {
  readonly both: number
  readonly left: number
  readonly right: number
  readonly neither: number
}

/**
 * The score interval of Newcombe (1998), Statistics in Medicine 17, 2635-2650, method 10, for the difference of two paired proportions, left minus
 * right. At least one pair.
 *
 * Distances of each proportion to the ends of its Wilson interval are squared and added, less what the sides have in common: their
 * correlation phi, whose numerator is moved towards 0 by half the number of pairs where it is positive, and which is 0 where a margin is.
 */
export function newcombePaired({ both, left, right, neither }: Pairs, level: number): Interval {
  const n = both + left + right + neither
  const margins = (both + left) * (right + neither) * (both + right) * (left + neither)
  const cross = both * neither - left * right
  const phi = margins === 0 ? 0 : (cross > 0 ? Math.max(cross - n / 2, 0) : cross) / Math.sqrt(margins)
  return newcombe({ k: both + left, n }, { k: both + right, n }, phi, level)
}

/** So many true of so many. */
export interface Count {
  readonly k: number
  readonly n: number
}

/** The same of two independent proportions, first minus second: Newcombe (1998), Statistics in Medicine 17, 873-890, method 10. */
export function newcombeIndependent(first: Count, second: Count, level: number): Interval {
  return newcombe(first, second, 0, level)
}

function newcombe(left: Count, right: Count, phi: number, level: number): Interval {
  const [first, second] = [left.k / left.n, right.k / right.n]
  const [one, two] = [wilson(left.k, left.n, level), wilson(right.k, right.n, level)]
  const length = (a: number, b: number) => Math.sqrt(a * a - 2 * phi * a * b + b * b)
  return {
    low: Math.max(-1, first - second - length(first - one.low, two.high - second)),
    high: Math.min(1, first - second + length(one.high - first, second - two.low)),
  }
}
