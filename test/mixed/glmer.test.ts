/** Fits against lme4's: `glmer.R` made `glmer.json` from the data sets of `generated.json`, which `generate.ts` makes number by number. */
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { fitMixed, type MixedFit } from "../../runtime/mixed/fit.ts"
import { generate, problemOf, type Spec, specs } from "./generate.ts"

interface Truth {
  readonly name: string
  readonly rows: number
  readonly true: number
  /** The sum of outcomes times their row's number: that both generators made the same rows. */
  readonly check: number
  readonly logLikelihood: number
  readonly singular: boolean
  readonly fixed: readonly {
    readonly name: string
    readonly estimate: number
    readonly standardError: number
    /** As glmer's summary has it, from plain differences. */
    readonly reported: number
  }[]
  readonly spreads: readonly {
    readonly by: string
    readonly effects: readonly string[]
    readonly deviations: readonly number[]
    readonly correlations: readonly number[]
  }[]
}

const { truths } = JSON.parse(readFileSync(new URL("glmer.json", import.meta.url), "utf8")) as {
  readonly truths: readonly Truth[]
}

const ownName = (name: string): string => (name === "(Intercept)" ? "intercept" : name)

const deviationIn = (fit: MixedFit, by: string, effect: string): number =>
  fit.random
    .filter((one) => one.by === by)
    .flatMap(({ effects }) => effects)
    .find(({ name }) => name === effect)!.deviation

/** Within 1 % of a deviation, and of one near 0 within a thousandth of a logit. */
const nearDeviation = (value: number): number => Math.max(1e-2 * value, 1e-3)

describe("a fit is that of lme4's glmer", () => {
  test.each(specs())("$name", (spec: Spec) => {
    const truth = truths.find(({ name }) => name === spec.name)!
    const rows = generate(spec)
    expect(rows.length).toBe(truth.rows)
    expect(rows.reduce((sum, { y }, at) => sum + y * (at + 1), 0)).toBe(truth.check)
    const fit = fitMixed(problemOf(spec, rows))

    expect(fit.converged).toBe(true)
    expect(fit.fixed.map(({ name }) => name)).toEqual(truth.fixed.map(({ name }) => ownName(name)))
    for (const [at, { estimate, standardError, reported }] of truth.fixed.entries()) {
      expect(Math.abs(fit.fixed[at]!.estimate! - estimate)).toBeLessThan(1e-3)
      expect(Math.abs(fit.fixed[at]!.standardError! - standardError)).toBeLessThan(1e-3)
      expect(Math.abs(fit.fixed[at]!.standardError! - reported)).toBeLessThan(1e-3)
      // A column of large numbers has small coefficients.
      expect(Math.abs(fit.fixed[at]!.estimate! - estimate)).toBeLessThan(1e-2 * standardError)
    }
    for (const { by, effects, deviations } of truth.spreads) {
      for (const [at, deviation] of deviations.entries()) {
        const own = deviationIn(fit, by, ownName(effects[at]!))
        expect(Math.abs(own - deviation)).toBeLessThan(nearDeviation(deviation))
      }
    }
    const correlated = truth.spreads.filter(({ correlations }) => correlations.length > 0)
    for (const { by, correlations } of correlated) {
      const own = fit.random.find((one) => one.by === by && one.correlations.length > 0)!
      for (const [at, correlation] of correlations.entries())
        expect(Math.abs(own.correlations[at]!.value - correlation)).toBeLessThan(1e-2)
    }
    expect(Math.abs(fit.logLikelihood! - truth.logLikelihood)).toBeLessThan(1e-2)
    expect(fit.cautions.some((caution) => caution.startsWith("singular"))).toBe(truth.singular)
  })
})
