/** Wald's test of all coefficients of a term together. */
import { chiSquaredTail } from "../statistics/chiSquared.ts"
import { inverseOf } from "./dense.ts"
import type { MixedFit } from "./fit.ts"

/**
 * The p of b' V^-1 b, by chi-squared with as many degrees of freedom as the term has coefficients; of one the two-sided p of its z. Undefined where one
 * of them has no finite estimate, or there are no standard errors.
 */
export function waldP(
  { fixed, covariance }: Pick<MixedFit, "fixed" | "covariance">,
  term: number,
): number | undefined {
  const columns = fixed.flatMap((one, at) =>
    one.term === term && one.why?.startsWith("dropped") !== true ? [at] : [],
  )
  const estimates = columns.flatMap((at) => fixed[at]!.estimate ?? [])
  const k = columns.length
  if (k === 0 || estimates.length < k) return undefined
  const own = Float64Array.from(columns.flatMap((a) => columns.map((b) => covariance[a * fixed.length + b]!)))
  const inverse = inverseOf(own, k)
  if (inverse === undefined) return undefined
  let statistic = 0
  for (const [a, one] of estimates.entries())
    for (const [b, other] of estimates.entries()) statistic += one * inverse[a * k + b]! * other
  return chiSquaredTail(statistic, k)
}
