/** Inference about counts: an interval for one proportion, a test for a paired pair of them. */
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
