/** Inference about counts: an interval for one proportion, an interval and a test for the difference of a paired pair of them. */
import { normalQuantile } from "./normal.ts"

export interface Interval {
  readonly low: number
  readonly high: number
}

/**
 * The score interval of Wilson (1927) for k true out of n, without continuity correction; `level` in percent.
 * Ends are fractions of 1; the lower end is exactly 0 at k = 0, the upper exactly 1 at k = n. n is at least 1.
 */
export function wilson(k: number, n: number, level: number): Interval {
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
 * The score interval of Newcombe (1998), method 10, for the difference of two paired proportions, left minus right; `level` in percent, ends
 * are fractions of 1. At least one pair.
 *
 * Distances of each proportion to the ends of its Wilson interval are squared and added, less what the sides have in common: their
 * correlation phi, whose numerator is moved towards 0 by half the number of pairs where it is positive, and which is 0 where a margin is.
 */
export function newcombePaired({ both, left, right, neither }: Pairs, level: number): Interval {
  const n = both + left + right + neither
  const [first, second] = [(both + left) / n, (both + right) / n]
  const [one, two] = [wilson(both + left, n, level), wilson(both + right, n, level)]
  const margins = (both + left) * (right + neither) * (both + right) * (left + neither)
  const cross = both * neither - left * right
  const phi = margins === 0 ? 0 : (cross > 0 ? Math.max(cross - n / 2, 0) : cross) / Math.sqrt(margins)
  const length = (a: number, b: number) => Math.sqrt(a * a - 2 * phi * a * b + b * b)
  return {
    low: Math.max(-1, first - second - length(first - one.low, two.high - second)),
    high: Math.min(1, first - second + length(one.high - first, second - two.low)),
  }
}

/**
 * McNemar's exact test: two-sided p of the smaller of two discordant counts under Binomial(b + c, 1/2), at most 1.
 * Terms are summed downwards from the largest, whose logarithm is a sum of logarithms: nothing overflows at any count.
 */
export function mcnemarExact(b: number, c: number): number {
  const n = b + c
  const smaller = Math.min(b, c)
  let log = -n * Math.LN2
  for (let i = 1; i <= smaller; i++) log += Math.log((n - smaller + i) / i)
  let term = Math.exp(log)
  let tail = 0
  for (let i = smaller; i >= 0; i--) {
    tail += term
    term *= i / (n - i + 1)
  }
  return Math.min(1, 2 * tail)
}
