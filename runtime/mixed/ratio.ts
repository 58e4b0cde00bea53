/** Likelihood ratio tests: a model against the same without one of its parts. */
import { chiSquaredTail } from "../statistics/chiSquared.ts"
import { type FitOptions, fitMixed, type MixedFit } from "./fit.ts"
import type { Problem } from "./problem.ts"

/** What is left out: a term of the fixed part, all slopes of one declaration, or the intercepts by a column that has no slopes. */
export type Part =
  | { readonly kind: "term"; readonly term: number }
  | { readonly kind: "slope"; readonly slope: number }
  | { readonly kind: "intercept"; readonly by: string }

export interface RatioTest {
  /** Twice the difference of log-likelihoods. */
  readonly statistic: number
  /** Parameters that the smaller model lacks. */
  readonly freedom: number
  readonly p: number
  readonly words: string
}

const NOTHING = 1e-6

/**
 * The p is the tail of chi-squared; of a single standard deviation half of it, since 0 is the edge of what it can be (Self & Liang 1987). Of several
 * parameters of random effects the tail is an upper bound. Separated trials have probability 1 in the limit and add nothing to a log-likelihood, so
 * that the test holds where a coefficient has no finite estimate. A reason where there is no test.
 */
export function ratioTest(
  problem: Problem,
  fit: MixedFit,
  part: Part,
  options: Pick<FitOptions, "progress"> = {},
): RatioTest | string {
  if (fit.logLikelihood === undefined) return "the model has no likelihood"
  const smaller = withoutPart(problem, part)
  const other = fitMixed(smaller, { ...options, noErrors: true })
  if (other.logLikelihood === undefined) return "the model without it cannot be fitted"
  if (!fit.converged || !other.converged) return "one of the two fits did not converge"
  const difference = 2 * (fit.logLikelihood - other.logLikelihood)
  // Where a deviation is 0, both are the same model, to rounding.
  const statistic = difference < NOTHING ? 0 : difference
  const freedom = fit.parameters - other.parameters
  if (freedom <= 0) return "the other terms say the same"
  const tail = chiSquaredTail(statistic, freedom)
  if (part.kind === "term")
    return { statistic, freedom, p: tail, words: "likelihood ratio against the model without it" }
  if (freedom === 1) {
    const p = statistic === 0 ? 1 : tail / 2
    return {
      statistic,
      freedom,
      p,
      words:
        "likelihood ratio against the model without it; half the tail of chi-squared, since 0 is the edge",
    }
  }
  return {
    statistic,
    freedom,
    p: tail,
    words: "likelihood ratio against the model without it; the p is an upper bound, since 0 is the edge",
  }
}

function withoutPart(problem: Problem, part: Part): Problem {
  if (part.kind === "term")
    return { ...problem, fixed: problem.fixed.filter(({ term }) => term !== part.term) }
  if (part.kind === "intercept")
    return { ...problem, random: problem.random.filter(({ by }) => by !== part.by) }
  return {
    ...problem,
    random: problem.random.map((column) => ({
      ...column,
      blocks: column.blocks
        .map((block) => block.filter(({ slope }) => slope !== part.slope))
        .filter((block) => block.length > 0),
    })),
  }
}
