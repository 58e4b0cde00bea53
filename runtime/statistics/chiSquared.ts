/** The chi-squared distribution: what a likelihood ratio is held against. */
import gammainc from "@stdlib/math-base-special-gammainc"

/** P(X >= x) for x from 0 and degrees of freedom above 0: the regularised upper incomplete gamma function of freedom / 2 and x / 2. */
export function chiSquaredTail(x: number, freedom: number): number {
  return gammainc(x / 2, freedom / 2, true, true)
}
