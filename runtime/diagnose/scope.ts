/** Which of an experiment's contrasts can be simulated, and what of the design they look at. */

import type { ContrastIR, ExperimentIR, ExprIR, MeasureIR } from "../../compiler/ir.ts"
import { holesIn } from "../../compiler/looks.ts"
import { claimOf } from "../../compiler/outcome.ts"
import { needsOf } from "../measure/needs.ts"
import { rangeOf } from "../measure/range.ts"
import type { Way } from "./families.ts"
import { looksAtNumbers } from "./numbers.ts"

/** A contrast, or one way of taking it, that is not simulated. */
export interface Left {
  readonly contrast: string
  /** A way of taking it that is left out, of a contrast that is simulated in others. */
  readonly by?: string
  readonly why: string
}

export interface Scope {
  /** With the contrasts that are simulated, in the ways in which they are, and with what is expected of them. */
  readonly experiment: ExperimentIR
  /** Of their terms, in the order of the experiment. */
  readonly measures: readonly MeasureIR[]
  readonly left: readonly Left[]
  /** Every way in which the experiment takes its contrasts, in the order of results. */
  readonly ways: readonly Way[]
}

/** `fits`: whether contrasts by a mixed-effects model are fitted in each simulation. */
export function scopeOf(experiment: ExperimentIR, fits: boolean): Scope {
  const left: Left[] = []
  const contrasts = experiment.contrasts.flatMap((contrast): readonly ContrastIR[] => {
    const why =
      measuresOf(experiment, contrast).flatMap((measure) => whyLeft(measure) ?? [])[0] ?? whyNoSides(contrast)
    if (why !== undefined) {
      left.push({ contrast: contrast.name, why })
      return []
    }
    const by = contrast.by.filter((one) => fits || one !== "mixed_logistic")
    if (by.length < contrast.by.length) {
      const why = "a model is fitted in each simulation only with --fits, which takes its time"
      left.push({ contrast: contrast.name, by: "mixed_logistic", why })
    }
    return by.length === 0 ? [] : [{ ...contrast, by }]
  })
  const names = new Set(contrasts.map(({ name }) => name))
  const ways = experiment.contrasts.flatMap(({ name: contrast, by }) => {
    const simulated = contrasts.find(({ name }) => name === contrast)?.by ?? []
    return by.map((one): Way => ({ contrast, by: one, isSimulated: simulated.includes(one) }))
  })
  const measures = new Set(contrasts.flatMap((contrast) => measuresOf(experiment, contrast)))
  return {
    experiment: {
      ...experiment,
      contrasts,
      // With the members that are not simulated: they count among its tests.
      families: experiment.families.filter((family) => family.contrasts.some((name) => names.has(name))),
      expects: experiment.expects.filter(({ contrast }) => names.has(contrast)),
    },
    measures: experiment.measures.filter((measure) => measures.has(measure)),
    left,
    ways,
  }
}

function measuresOf({ measures }: ExperimentIR, { terms }: ContrastIR): readonly MeasureIR[] {
  return terms.map(({ measure: name }) => {
    const measure = measures.find((one) => one.name === name)
    if (measure === undefined) throw new Error(`internal: there is no measure ${name}`)
    return measure
  })
}

/** Why it cannot be said which trials a contrast is about; undefined where it can. */
function whyNoSides({ terms }: ContrastIR): string | undefined {
  return terms.some(({ where }) => where !== undefined && holesIn(where).length > 0)
    ? "which trials its terms are about hangs on what is read"
    : undefined
}

/** Whether a measure's value is a number of a read, so that it is drawn by itself and not found in what was answered. */
export const isDrawnApart = ({ value }: MeasureIR): boolean => looksAtNumbers(value)

/** Statistics that are quotients of sums over trials, or sums: their values under the assumptions follow from each trial's. */
const SIMULATED: readonly MeasureIR["statistic"][] = ["rate", "mean", "count", "sum", "ratio"]

/** Why a measure is not simulated, in words; undefined where it is. */
function whyLeft(measure: MeasureIR): string | undefined {
  const { name, statistic, value, given, other, weight } = measure
  const numbers = (expression: ExprIR | undefined): boolean =>
    expression !== undefined && looksAtNumbers(expression)
  if (typeof statistic === "object" || !SIMULATED.includes(statistic))
    return `${name} is ${typeof statistic === "object" ? "a quantile" : statistic === "kappa" ? "an agreement (kappa)" : `an ${statistic}`}: it hangs on how numbers or judgements are spread, and \`assume\` says rates and means`
  if (numbers(given))
    return `what ${name} conditions on hangs on a number of a read, such as its confidence, and \`assume\` says only how reads are answered`
  if (!numbers(value) && !numbers(other) && !numbers(weight)) return undefined
  if (other !== undefined || weight !== undefined)
    return `${name} is a ${other === undefined ? "weighted mean" : "ratio"} of numbers of reads, and \`assume\` says one number for each level`
  if (statistic === "rate") return undefined
  if (statistic !== "mean")
    return `${name} is a ${statistic} of numbers of reads: \`assume\` says rates and means`
  return rangeOf(value) === undefined
    ? `${name} is a mean of what has no bounds, so that nothing says how far its values spread`
    : undefined
}

/** The reads on whose answers these measures, what is assumed of them, gates and targets hang. */
export function lookedAt(experiment: ExperimentIR, measures: readonly MeasureIR[]): ReadonlySet<string> {
  const { protocol, cells } = experiment
  const looked = new Set<string>()
  const add = (names: readonly string[]) => {
    for (const name of names) looked.add(name)
  }
  for (const { value, other, given, weight } of measures) {
    const { holes, states } = needsOf(value, other, given, weight)
    add([...holes, ...states])
  }
  add(cells.flatMap(({ target }) => ("hole" in target ? [target.hole] : [])))
  add(protocol.turns.flatMap(({ when }) => (when === undefined ? [] : holesIn(when))))
  add(protocol.holes.flatMap((hole) => (hole.type === "text" && hole.refusal.length > 0 ? [hole.name] : [])))
  for (;;) {
    const before = looked.size
    add(protocol.holes.flatMap((hole) => ("from" in hole && looked.has(hole.name) ? [hole.from] : [])))
    for (const measure of experiment.measures) {
      const claim = claimOf(measure)
      if (claim !== undefined && looked.has(claim.hole)) add(needsOf(measure.given).holes)
    }
    if (looked.size === before) return looked
  }
}

/** Cells of the grid that some term of a contrast is about, by their places. Levels of `model` and `pool` are no matter of cells. */
export function cellsOf({ contrasts, cells }: ExperimentIR): readonly number[] {
  const conditions = contrasts.flatMap(({ terms }) => terms.map(({ levels }) => levels))
  return cells.flatMap((cell, at) =>
    conditions.some((levels) =>
      Object.entries(levels).every(
        ([factor, level]) => factor === "model" || factor === "pool" || cell.levels[factor] === level,
      ),
    )
      ? [at]
      : [],
  )
}
