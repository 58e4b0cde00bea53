/**
 * Student's t: its tail and quantile, and what rests on it: the interval and test of a mean over independent values, and of the difference of two
 * means. Degrees of freedom may be fractions.
 */
import betainc from "@stdlib/math-base-special-betainc"
import betaincinv from "@stdlib/math-base-special-betaincinv"
import { pearson } from "./correlation.ts"
import type { Interval } from "./interval.ts"
import { average } from "./mean.ts"

/** P(T > t): half of the incomplete beta function at freedom / (freedom + t²). Abramowitz & Stegun (1964), 26.7.1. */
export function studentTail(t: number, freedom: number): number {
  if (!(freedom > 0)) throw new RangeError(`no t distribution with ${freedom} degrees of freedom`)
  // By whichever of x and 1 - x is the smaller, so that no digits are lost.
  const square = t * t
  const half =
    square < freedom
      ? betainc(square / (freedom + square), 0.5, freedom / 2, true, true) / 2
      : betainc(freedom / (freedom + square), freedom / 2, 0.5) / 2
  return t < 0 ? 1 - half : half
}

/** The quantile: t with P(T <= t) = p, for p from 0.5 up and below 1. */
export function studentQuantile(p: number, freedom: number): number {
  if (!(p >= 0.5 && p < 1 && freedom > 0))
    throw new RangeError(`no t quantile of ${p} at ${freedom} degrees of freedom`)
  // Each half of the range by the variable that is small there, so that no digits are lost.
  if (p < 0.75) {
    const y = betaincinv(2 * p - 1, 0.5, freedom / 2)
    return Math.sqrt((freedom * y) / (1 - y))
  }
  const x = betaincinv(2 * (1 - p), freedom / 2, 0.5)
  return Math.sqrt((freedom * (1 - x)) / x)
}

/** An estimate with its standard error, which stands on so many degrees of freedom. */
export interface Estimated {
  readonly estimate: number
  readonly standardError: number
  readonly freedom: number
}

/** Estimate plus and minus t standard errors; `level` in percent. */
export function studentInterval({ estimate, standardError, freedom }: Estimated, level: number): Interval {
  const half = studentQuantile(0.5 + level / 200, freedom) * standardError
  return { low: estimate - half, high: estimate + half }
}

/** The two-sided p of the hypothesis that what is estimated is 0. */
export function studentTest({ estimate, standardError, freedom }: Estimated): number {
  return 2 * studentTail(Math.abs(estimate) / standardError, freedom)
}

/** Sums of the same numbers in another order differ by as much, relative to their size; no real spread is as small. */
const ROUNDING = 1e-24

/** What is left of two variances whose difference is 0, relative to them. */
const CANCELLED = 1e-12

/** The mean of at least two independent values; undefined where all are equal, so that nothing tells how far off it may be. */
export function meanOf(values: readonly number[]): Estimated | undefined {
  return ratioOf(values.map((sum) => ({ sum, count: 1 })))
}

/**
 * The ratio of two sums over at least two independent units, such as a mean over the trials of items: its standard error from the units' residuals
 * sum - ratio x count, with the factor N / (N - 1) for N units; Cochran (1977), Sampling Techniques, 6.3. With one trial for each unit this is the
 * mean and its usual standard error. Undefined where the residuals are all 0.
 */
export function ratioOf(
  units: readonly { readonly sum: number; readonly count: number }[],
): Estimated | undefined {
  const n = units.length
  if (n < 2) return undefined
  const sum = units.reduce((all, unit) => all + unit.sum, 0)
  const count = units.reduce((all, unit) => all + unit.count, 0)
  const estimate = sum / count
  const squares = units.reduce((all, unit) => all + (unit.sum - estimate * unit.count) ** 2, 0)
  const size = units.reduce((all, unit) => all + unit.sum ** 2, 0)
  if (squares <= ROUNDING * Math.max(n, size)) return undefined
  return { estimate, standardError: Math.sqrt((n / (n - 1)) * squares) / count, freedom: n - 1 }
}

/**
 * The difference of two means, first less second, of values keyed by who gave them. Nobody on both sides: Welch's (1947, Biometrika 34, 28-35), whose
 * variances may differ. Where some are on both sides, what their two values share is taken off the variance, and the degrees of freedom lie
 * between Welch's and those of pairs: Derrick, Toher & White (2017), The Quantitative Methods for Psychology 13(2), 120-126, statistic Tnew2; with
 * everybody on both sides this is the paired t. Each side has at least two values; undefined where none of them vary, or everybody's two values differ alike.
 */
export function differenceOfMeans(
  first: ReadonlyMap<number, number>,
  second: ReadonlyMap<number, number>,
): (Estimated & { readonly shared: number }) | undefined {
  const [one, two] = [momentsOf([...first.values()]), momentsOf([...second.values()])]
  const both = [...first].flatMap(([who, value]) => {
    const other = second.get(who)
    return other === undefined ? [] : [[value, other] as const]
  })
  const shared = both.length
  const [a, b] = [one.variance / one.n, two.variance / two.n]
  const r =
    pearson(
      both.map(([value]) => value),
      both.map(([, other]) => other),
    ) ?? 0
  const together = (2 * r * Math.sqrt(one.variance * two.variance) * shared) / (one.n * two.n)
  const variance = a + b - together
  const size = Math.max(1, one.mean ** 2, two.mean ** 2)
  if (one.n < 2 || two.n < 2 || variance <= Math.max(ROUNDING * size, CANCELLED * (a + b))) return undefined
  const welch = (a + b) ** 2 / (a ** 2 / (one.n - 1) + b ** 2 / (two.n - 1))
  const alone = one.n + two.n - 2 * shared
  const freedom = shared < 2 ? welch : shared - 1 + ((welch - shared + 1) / (alone + 2 * shared)) * alone
  return { estimate: one.mean - two.mean, standardError: Math.sqrt(variance), freedom, shared }
}

function momentsOf(values: readonly number[]) {
  const n = values.length
  const mean = average(values)
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1)
  return { n, mean, variance }
}
