/** The standard normal distribution, by the complementary error function and its inverse. */
import erfc from "@stdlib/math-base-special-erfc"
import erfcinv from "@stdlib/math-base-special-erfcinv"

/** The quantile: z with P(Z <= z) = p, for p strictly between 0 and 1. */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`normalQuantile: p must be between 0 and 1, not ${p}`)
  return -Math.SQRT2 * erfcinv(2 * p)
}

/** P(Z > z). Small tails keep their digits; P(Z <= z) is `normalTail(-z)`. */
export function normalTail(z: number): number {
  return erfc(z / Math.SQRT2) / 2
}
