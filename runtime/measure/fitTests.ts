/** Likelihood ratio tests of a model's parts, as results, and where Wald's test says otherwise. */
import { standsIn, type Term, termName } from "../mixed/design.ts"
import type { MixedFit } from "../mixed/fit.ts"
import { fitSeconds, sizeOf } from "../mixed/forecast.ts"
import type { Problem } from "../mixed/problem.ts"
import { type Part, type RatioTest, ratioTest } from "../mixed/ratio.ts"
import { waldP } from "../mixed/wald.ts"
import type { Slope } from "./fits.ts"
import type { Result } from "./result.ts"

/** Tests that together would take longer than this, in seconds, are not taken. */
const PATIENCE = 60

export interface Test {
  readonly name: string
  readonly part: Part
  /** A reason where there is none. */
  readonly found: RatioTest | string
}

/**
 * Terms of the fixed part that stand in no other, slopes, and intercepts of columns without slopes, each against the model without it.
 */
export function testsOf(
  problem: Problem,
  fitted: MixedFit,
  terms: readonly Term[],
  slopes: readonly Slope[],
  progress: ((evaluations: number) => void) | undefined,
): readonly Test[] {
  if (fitted.logLikelihood === undefined) return []
  const sloped = new Set(slopes.map(({ by }) => by))
  const parts: readonly { readonly name: string; readonly part: Part; readonly whyNot?: string }[] = [
    ...terms.map((term, at) => ({
      name: termName(term),
      part: { kind: "term" as const, term: at },
      ...whyNotAlone(term, terms),
    })),
    ...slopes.flatMap(({ source, by }, slope) =>
      problem.random.some((column) => column.by === by)
        ? [{ name: `${source.name} by ${by}`, part: { kind: "slope" as const, slope } }]
        : [],
    ),
    ...problem.random.flatMap(({ by }) =>
      sloped.has(by) ? [] : [{ name: by, part: { kind: "intercept" as const, by } }],
    ),
  ]
  const count = parts.filter(({ whyNot }) => whyNot === undefined).length
  const seconds = fitSeconds(sizeOf(problem), { noErrors: true }) * count
  const tooLong = `not taken, since fits without each part would take about ${Math.ceil(seconds / 60)} minutes`
  return parts.map(({ name, part, whyNot }) => {
    if (whyNot !== undefined) return { name, part, found: whyNot }
    if (seconds > PATIENCE) return { name, part, found: tooLong }
    return { name, part, found: ratioTest(problem, fitted, part, progress === undefined ? {} : { progress }) }
  })
}

function whyNotAlone(term: Term, terms: readonly Term[]): { readonly whyNot?: string } {
  const others = standsIn(term, terms).map(termName)
  return others.length === 0 ? {} : { whyNot: `not taken, since it stands in ${others.join(" and ")}` }
}

export function testResult(head: Omit<Result, "method">, { name, found }: Test): Result {
  const start = { ...head, part: "test" as const, term: name }
  if (typeof found === "string") return { ...start, method: `none: ${found}` }
  const { statistic: value, freedom, p, words } = found
  return { ...start, statistic: { name: "chi_squared", value, freedom }, p, method: words }
}

/** At which Wald's test and the likelihood ratio are said to differ. */
const ALPHA = 0.05

/** Wald's p falls behind where an effect is large, since its standard error grows faster than the effect (Hauck & Donner 1977). */
export const disagreements = (fitted: MixedFit, tests: readonly Test[]): readonly string[] =>
  tests.flatMap(({ name, part, found }) => {
    const wald = part.kind === "term" ? waldP(fitted, part.term) : undefined
    if (wald === undefined || typeof found === "string") return []
    if (wald < ALPHA === found.p < ALPHA) return []
    return `two tests disagree: of ${name}, Wald's has p ${pWords(wald)} and the likelihood ratio ${pWords(found.p)}; the likelihood ratio is the one to go by, and Wald's intervals of ${name} are off`
  })

/** "< 0.001", "0.060" */
const pWords = (p: number): string => (p < 0.001 ? "< 0.001" : p.toFixed(3))
