/**
 * Models of an experiment: `model_fit`, a mixed-effects logistic regression of a rate, as results, one for each of its numbers.
 *
 * A term is a product of columns and of numbers of reads. Factors are coded by treatment against the first of their levels that occurs, as
 * `mixed/design.ts` says, or the next where that one's trials all came out alike; columns in which every value is a number are covariates. `random` columns have an intercept for each level, where `item`
 * is an item of its pool. `slopes [framing by model]` have a deviation for each level of the factor but the first, independent of each other and
 * of the intercepts; `correlated` ones vary together with the intercepts.
 *
 * Of trials that are one observation and that the model does not tell apart the first enters alone.
 */
import type { ExperimentIR, MeasureIR, ModelFitIR } from "../../compiler/ir.ts"
import { fixedColumns, slopeEffects, type Term, type Variable } from "../mixed/design.ts"
import { effectName, INTERCEPT } from "../mixed/effectName.ts"
import { fitMixed, type MixedFit } from "../mixed/fit.ts"
import { merge } from "../mixed/merge.ts"
import type { Block, FixedColumn, RandomColumn } from "../mixed/problem.ts"
import { compared } from "../mixed/reference.ts"
import { normalQuantile, normalTail } from "../statistics/normal.ts"
import { compileExpression, rowFunction } from "./expression.ts"
import { disagreements, testResult, testsOf } from "./fitTests.ts"
import { FORBIDDEN } from "./given.ts"
import { groupedBy } from "./grouped.ts"
import { type Outcome, SAME_PROMPT, schemaOf, type Trials } from "./outcome.ts"
import { printExpression } from "./print.ts"
import type { Result } from "./result.ts"
import { columnSource, expressionSource, groupsOf, type Source, variableOf } from "./variables.ts"

/** Called while a fit goes on: which it is, and how many times its deviance has been evaluated. */
export type FitProgress = (fit: string, evaluations: number) => void

/** Every model of the experiment: itself first, then its coefficients, its random effects' deviations and correlations, and tests of its parts. */
export function fitsOf(
  trials: Trials,
  outcomes: ReadonlyMap<string, Outcome>,
  progress?: FitProgress,
): readonly Result[] {
  const { experiment } = trials
  return experiment.fits.flatMap((fit) => {
    const measure = experiment.measures.find(({ name }) => name === fit.measure)
    const outcome = outcomes.get(fit.measure)
    if (measure === undefined || outcome === undefined)
      throw new Error(`no measure ${fit.measure} in ${experiment.name}`)
    return fitResults(trials, fit, measure, outcome, progress)
  })
}

function fitResults(
  trials: Trials,
  fit: ModelFitIR,
  measure: MeasureIR,
  outcome: Outcome,
  progress: FitProgress | undefined,
): readonly Result[] {
  const { rows, excluded, terms, random, slopes } = enteredBy(trials, fit, outcome)
  const head = headOf(trials.experiment, fit, rows.length, excluded)
  const none = (why: string): readonly Result[] => [{ ...head, part: "model", method: `none: ${why}` }]
  const invalid = Object.keys(excluded).some((reason) => reason.startsWith("invalid "))
  if (measure.invalid === "error" && invalid) return [{ ...head, part: "model", method: FORBIDDEN }]
  if (rows.length === 0) return none("no trial entered")
  if (measure.weight !== undefined)
    return none("the measure has weights, and the model takes all trials alike")

  const cautions: string[] = []
  const successes = Float64Array.from(rows, (row) => outcome.values[row]!)
  const known = new Map<string, Variable>()
  const variableFor = (source: Source): Variable => {
    const before = known.get(source.name)
    if (before !== undefined) return before
    const { variable, caution } = compared(variableOf(source, rows), successes)
    known.set(source.name, variable)
    if (caution !== undefined) cautions.push(caution)
    return variable
  }
  const variables: readonly Term[] = terms.map((term) => term.map(variableFor))
  const columns = random.flatMap((source): RandomColumn | readonly [] => {
    const { codes, levels } = groupsOf(source, rows)
    if (levels === 1) {
      cautions.push(`left out: ${source.name} has one level, between which nothing varies`)
      return []
    }
    return { by: source.name, codes, levels, blocks: blocksOf(source.name, slopes, variableFor) }
  })
  const problem = merge({
    rows: rows.length,
    successes,
    trials: new Float64Array(rows.length).fill(1),
    fixed: fixedColumns(variables, rows.length),
    random: columns,
  })
  const told = progress && ((evaluations: number) => progress(fit.name, evaluations))
  const fitted = fitMixed(problem, told === undefined ? {} : { progress: told })
  const { level } = measure.interval
  const tests = testsOf(problem, fitted, variables, slopes, told)
  return [
    {
      ...head,
      part: "model",
      k: rows.reduce((sum, row) => sum + outcome.values[row]!, 0),
      ...(fitted.logLikelihood === undefined ? {} : { estimate: fitted.logLikelihood }),
      method: modelWords(fit, columns, fitted),
      cautions: [
        ...cautions,
        ...fitted.cautions,
        ...nothingToCompare(fitted),
        ...fewLevels(slopes, columns),
        ...disagreements(fitted, tests),
      ],
    },
    ...fitted.fixed.map(
      (coefficient, at): Result => ({
        ...head,
        part: "fixed",
        ...againstOf(problem.fixed[at]!),
        ...coefficientResult(coefficient, level),
      }),
    ),
    ...fitted.random.flatMap(({ by, effects, correlations }): Result[] => [
      ...effects.map(
        ({ name, deviation }): Result => ({
          ...head,
          part: "spread",
          term: effectName(name, by),
          estimate: deviation,
          method: "standard deviation in logits",
        }),
      ),
      ...correlations.map(
        ({ names: [one, other], value }): Result => ({
          ...head,
          part: "correlation",
          term: `${effectName(one, by)} with ${effectName(other, by)}`,
          ...(Number.isNaN(value)
            ? { method: "none: one of the two does not vary" }
            : { estimate: value, method: "correlation of the two effects of a level" }),
        }),
      ),
    ]),
    ...tests.map((test) => testResult(head, test)),
  ]
}

/** Of a product's factors the first levels together may be separated where neither is alone. */
const nothingToCompare = ({ fixed, logLikelihood }: MixedFit): readonly string[] =>
  logLikelihood === undefined ||
  fixed.some(({ name, estimate }) => name === INTERCEPT && estimate !== undefined)
    ? []
    : [
        "no number to compare with: trials at the levels that the others are compared with settle it all; declare another level first, and what it is compared with has numbers",
      ]

const againstOf = ({ against }: FixedColumn): Pick<Result, "against"> =>
  against === undefined ? {} : { against }

interface Entered {
  readonly rows: readonly number[]
  readonly excluded: Readonly<Record<string, number>>
  readonly terms: readonly (readonly Source[])[]
  readonly random: readonly Source[]
  readonly slopes: readonly Slope[]
}

export interface Slope {
  readonly source: Source
  readonly by: string
  readonly correlated: boolean
}

/** The trials that enter, and what the model names of them. */
function enteredBy(trials: Trials, fit: ModelFitIR, outcome: Outcome): Entered {
  const terms = fit.terms.map((term) => term.map((one) => expressionSource(trials, one)))
  const random = fit.random.map((name) => columnSource(trials, name))
  const slopes = fit.slopes.map(({ factor, by, correlated }) => ({
    source: columnSource(trials, factor),
    by,
    correlated: correlated === true,
  }))
  const kept =
    fit.where === undefined
      ? undefined
      : groupedBy(trials).where(
          rowFunction(`${compileExpression(fit.where, schemaOf(trials, false))} === true`),
        )
  const sources = [...new Set([...terms.flat(), ...random, ...slopes.map(({ source }) => source)])]
  const rows: number[] = []
  const excluded = new Map<string, number>()
  const seen = new Map<number, Set<string>>()
  for (let row = 0; row < trials.rows; row++) {
    if (kept?.[row] === 0) continue
    const reason = (outcome.reasons.at(row) as string | null) ?? whyLeftOut(row)
    if (reason === null) rows.push(row)
    else excluded.set(reason, (excluded.get(reason) ?? 0) + 1)
  }
  const sorted = [...excluded].sort(([a], [b]) => (a < b ? -1 : 1))
  return { rows, excluded: Object.fromEntries(sorted), terms, random, slopes }

  function whyLeftOut(row: number): string | null {
    const lacking = sources.find(({ column }) => column.at(row) === null)
    if (lacking !== undefined) return `no ${lacking.name}`
    const observation = outcome.observations[row]!
    const known = seen.get(observation) ?? new Set()
    seen.set(observation, known)
    const key = JSON.stringify(sources.map(({ column }) => column.at(row)))
    if (known.has(key)) return SAME_PROMPT
    known.add(key)
    return null
  }
}

/** The intercept and the slopes by one column: what is correlated in one block, every other effect in one of its own. */
function blocksOf(
  by: string,
  slopes: readonly Slope[],
  variableFor: (source: Source) => Variable,
): readonly Block[] {
  const effects = slopes.flatMap(({ source, by: own, correlated }, slope) =>
    own === by ? slopeEffects(variableFor(source), slope).map((effect) => ({ effect, correlated })) : [],
  )
  const together = effects.flatMap(({ effect, correlated }) => (correlated ? [effect] : []))
  const apart = effects.flatMap(({ effect, correlated }) => (correlated ? [] : [[effect]]))
  return [[{ name: INTERCEPT, slope: -1 }, ...together], ...apart]
}

/** Levels below which an interval by the normal distribution is too narrow for what varies between them. */
const FEW = 30

/** A coefficient that differs from level to level is known as well as a mean over these levels, which Wald's interval takes for many. */
const fewLevels = (slopes: readonly Slope[], random: readonly RandomColumn[]): readonly string[] =>
  slopes.flatMap(({ source, by }) => {
    const levels = random.find((column) => column.by === by)?.levels ?? FEW
    if (levels >= FEW) return []
    return `few levels: slopes of ${source.name} vary by ${by}, of which there are ${levels}, so that Wald's intervals of ${source.name} are too narrow`
  })

function headOf(
  experiment: ExperimentIR,
  fit: ModelFitIR,
  n: number,
  excluded: Readonly<Record<string, number>>,
) {
  return {
    experiment: experiment.name,
    kind: "fit" as const,
    name: fit.name,
    by: {},
    ...(fit.where === undefined ? {} : { where: printExpression(fit.where) }),
    n,
    excluded,
  }
}

function modelWords(fit: ModelFitIR, random: readonly RandomColumn[], { converged, none }: MixedFit): string {
  const terms = fit.terms.map((term) => term.map(printExpression).join(" * "))
  const effects = random.map(({ by, levels }) => `${levels} levels of ${by}`)
  // What has no intercepts, since it has one level, has no slopes.
  const slopes = fit.slopes.flatMap(({ factor, by, correlated }) =>
    random.some((column) => column.by === by)
      ? [`${correlated ? "correlated " : ""}slopes of ${factor} by ${by}`]
      : [],
  )
  const search = "maximum likelihood by Laplace's approximation"
  return [
    `mixed-effects logistic regression of ${fit.measure} on ${terms.join(" + ")}`,
    effects.length === 0 ? "no random effects" : `random intercepts of ${effects.join(", ")}`,
    ...slopes,
    ...(none === undefined ? [search, ...(converged ? [] : ["did not converge"])] : [`not fitted: ${none}`]),
  ].join("; ")
}

/** A coefficient in logits with Wald's interval and test, and its odds ratio. */
export function coefficientResult(
  { name, estimate, standardError, why }: MixedFit["fixed"][number],
  level: number,
): Pick<
  Result,
  "term" | "estimate" | "low" | "high" | "level" | "odds" | "standardError" | "statistic" | "p" | "method"
> {
  const term = { term: name }
  if (estimate === undefined) return { ...term, method: `none: ${why}` }
  return { ...term, ...waldResult(estimate, standardError, level) }
}

export function waldResult(estimate: number, standardError: number | undefined, level: number) {
  if (standardError === undefined)
    return { estimate, odds: { estimate: Math.exp(estimate) }, method: "in logits; no standard error" }
  const half = normalQuantile(0.5 + level / 200) * standardError
  const [low, high] = [estimate - half, estimate + half]
  const z = estimate / standardError
  return {
    estimate,
    low,
    high,
    level,
    odds: { estimate: Math.exp(estimate), low: Math.exp(low), high: Math.exp(high) },
    standardError,
    statistic: { name: "z" as const, value: z },
    p: 2 * normalTail(Math.abs(z)),
    method: "in logits; interval and p by Wald",
  }
}
