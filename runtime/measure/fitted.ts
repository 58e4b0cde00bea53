/**
 * A contrast by a model: a mixed-effects logistic regression of the trials of all its sides, with a coefficient for each side and random intercepts of
 * model, pool and item as far as they vary. The estimate is the signed sum of the sides' coefficients, in logits: a log odds ratio of two sides, an
 * interaction of four. Interval and p are Wald's.
 */
import { effectName, INTERCEPT } from "../mixed/effectName.ts"
import { type FitOptions, fitMixed, type MixedFit } from "../mixed/fit.ts"
import { merge } from "../mixed/merge.ts"
import type { RandomColumn } from "../mixed/problem.ts"
import { waldResult } from "./fits.ts"
import { estimates, FORBIDDEN, type Given, headOf, reasonsOf } from "./given.ts"
import type { Trials } from "./outcome.ts"
import type { Result } from "./result.ts"
import type { Row, Side } from "./sides.ts"

export function fitted(given: Given): Result {
  const { sides, forbidden, level } = given
  const entered = sides.map(({ rows }) => rows.filter(({ value }) => value !== null))
  const n = entered.reduce((sum, rows) => sum + rows.length, 0)
  const head = headOf(given, "mixed_logistic", n, reasonsOf(sides))
  const why = forbidden ? FORBIDDEN : whyNoFit(sides, entered)
  if (why !== undefined) return { ...head, method: why }
  const fit = modelOf(given, entered)
  const each = entered.map((rows) => rows.reduce((sum, { value }) => sum + value!, 0) / rows.length)
  const warned = [...fit.cautions, ...severalOutcomes(entered)]
  const cautions = warned.length === 0 ? {} : { cautions: warned }
  const lost = fit.fixed.find(({ estimate }) => estimate === undefined)
  if (lost !== undefined)
    return { ...head, method: `none: ${lost.why}`, ...cautions, ...estimates(sides, each) }
  const p = sides.length
  let [estimate, variance] = [0, 0]
  for (const [a, { sign }] of sides.entries()) {
    estimate += sign * fit.fixed[a]!.estimate!
    for (const [b, other] of sides.entries()) variance += sign * other.sign * fit.covariance[a * p + b]!
  }
  const { method, ...wald } = waldResult(
    estimate,
    Number.isFinite(variance) ? Math.sqrt(variance) : undefined,
    level,
  )
  const spreads = fit.random.flatMap(({ by, effects }) =>
    effects.map(({ name, deviation }) => `${effectName(name, by)} ${deviation.toFixed(2)}`),
  )
  const random = spreads.length === 0 ? "no random effects" : `standard deviations of ${spreads.join(", ")}`
  return {
    ...head,
    ...wald,
    method: `mixed-effects logistic regression by Laplace's approximation; ${random}; ${method}`,
    ...cautions,
    ...estimates(sides, each),
  }
}

function whyNoFit(sides: readonly Side[], entered: readonly (readonly Row[])[]): string | undefined {
  if (sides.some(({ measure }) => measure.statistic !== "rate")) return "none: a logistic model is of rates"
  if (sides.some(({ measure }) => measure.weight !== undefined))
    return "none: the measure has weights, and the model takes all trials alike"
  if (entered.some((rows) => rows.length === 0)) return "none: a side has no trial"
  const twice = sharedBy(entered, (row, side) => `${sides[side]!.measure.name} ${row.observation}`)
  if (twice > 0)
    return `none: ${twice} ${twice === 1 ? "trial is" : "trials are"} on several sides, and the model takes each once; give sides that do not overlap`
  return undefined
}

/** How many keys rows of several sides have. */
function sharedBy(
  entered: readonly (readonly Row[])[],
  keyOf: (row: Row, side: number) => string | number,
): number {
  const sides = new Map<string | number, number>()
  const shared = new Set<string | number>()
  for (const [side, rows] of entered.entries()) {
    for (const row of rows) {
      const key = keyOf(row, side)
      if ((sides.get(key) ?? side) !== side) shared.add(key)
      sides.set(key, side)
    }
  }
  return shared.size
}

/** Outcomes of one trial by several measures are alike for more than what its item and its model have in common. */
function severalOutcomes(entered: readonly (readonly Row[])[]): readonly string[] {
  const shared = sharedBy(entered, ({ trial }) => trial)
  if (shared === 0) return []
  return [
    `${shared} ${shared === 1 ? "trial has" : "trials have"} an outcome on several sides, by different measures: the model takes them for trials of their own`,
  ]
}

const known = new WeakMap<Trials, Map<string, MixedFit>>()

/** Made once, whatever the level that its interval is asked for. */
function modelOf({ trials, contrast, progress }: Given, entered: readonly (readonly Row[])[]): MixedFit {
  const fits = known.get(trials) ?? new Map<string, MixedFit>()
  known.set(trials, fits)
  const before = fits.get(contrast.name)
  if (before !== undefined) return before
  const told = progress && ((evaluations: number) => progress(contrast.name, evaluations))
  const made = fitSides(entered, told === undefined ? {} : { progress: told })
  fits.set(contrast.name, made)
  return made
}

function fitSides(entered: readonly (readonly Row[])[], options: Pick<FitOptions, "progress">): MixedFit {
  const rows = entered.flatMap((of, side) => of.map((row) => ({ row, side })))
  const random = RANDOM.flatMap(([by, of]): RandomColumn | readonly [] => {
    const levels = new Map<string | number, number>()
    const codes = Int32Array.from(rows, ({ row }) => {
      const level = of(row)
      const code = levels.get(level) ?? levels.size
      levels.set(level, code)
      return code
    })
    if (levels.size === 1) return []
    return { by, codes, levels: levels.size, blocks: [[{ name: INTERCEPT, slope: -1 }]] }
  })
  return fitMixed(
    merge({
      rows: rows.length,
      successes: Float64Array.from(rows, ({ row }) => row.value!),
      trials: new Float64Array(rows.length).fill(1),
      fixed: entered.map((_, side) => ({
        name: `side ${side + 1}`,
        term: side,
        values: Float64Array.from(rows, (one) => (one.side === side ? 1 : 0)),
      })),
      random,
    }),
    options,
  )
}

const RANDOM: readonly (readonly [by: string, of: (row: Row) => string | number])[] = [
  ["model", ({ model }) => model],
  ["pool", ({ pool }) => pool],
  ["item", ({ rank }) => rank],
]
