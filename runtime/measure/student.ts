/** Student's t: its quantile, and the interval of a mean over cells. */

import type { Interval } from "./proportion.ts"

/**
 * The interval of a mean by Student's t over at least two values, `level` in percent: mean plus and minus t times the standard deviation over
 * the root of how many there are. None where all values are equal.
 */
export function studentInterval(values: readonly number[], level: number): Interval | undefined {
  const n = values.length
  if (n < 2) return undefined
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  if (squares <= 1e-24 * n) return undefined
  const half = studentQuantile(0.5 + level / 200, n - 1) * Math.sqrt(squares / (n - 1) / n)
  return { low: mean - half, high: mean + half }
}

/** The quantile of Student's t: t with P(T <= t) = p, for p from 0.5 up and below 1 and whole degrees of freedom from 1. Accurate to 1e-10. */
export function studentQuantile(p: number, freedom: number): number {
  if (!(p >= 0.5 && p < 1 && freedom >= 1))
    throw new RangeError(`no t quantile of ${p} at ${freedom} degrees of freedom`)
  let high = 1
  while (studentProbability(high, freedom) < p) high *= 2
  let low = 0
  // Halves until no double lies between.
  for (let i = 0; i < 200 && high - low > 1e-13 * high; i++) {
    const middle = (low + high) / 2
    if (studentProbability(middle, freedom) < p) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** P(T <= t) for t from 0, by finite sums: Abramowitz & Stegun (1964), 26.7.3 and 26.7.4. */
function studentProbability(t: number, freedom: number): number {
  const angle = Math.atan(t / Math.sqrt(freedom))
  const cosine = Math.cos(angle)
  const square = cosine * cosine
  const odd = freedom % 2 === 1
  let term = odd ? cosine : 1
  let sum = freedom === 1 ? 0 : term
  for (let k = odd ? 3 : 2; k <= freedom - 2; k += 2) {
    term *= (square * (k - 1)) / k
    sum += term
  }
  const within = odd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum
  return 0.5 + within / 2
}
