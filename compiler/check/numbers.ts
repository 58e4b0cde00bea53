/** Single numbers of measures: summaries over cells, and numbers that were published. */
import type { Experiment, ExperimentField, Expression } from "../../grammar/ast.ts"
import { type Term, termsOf } from "../lower/analysis.ts"
import { hundredth, marginOf } from "../lower/claims.ts"
import { fieldsOf } from "../lower/columns.ts"
import { print } from "../lower/print.ts"
import { type Analysed, isSettled, levelOf } from "./analysed.ts"
import { rangeOfMeasure } from "./measured.ts"
import { checkAnyColumn, checkWhere } from "./named.ts"
import { checkRestricted, partsOf, trialsOfSide } from "./restricted.ts"
import { distinctNames, type Scene } from "./scene.ts"

type ExpectField = Extract<ExperimentField, { field: "expect" }>
type SummaryField = Extract<ExperimentField, { field: "summary" }>

/** The measure that an expression is, with its levels; reported where it is a sum, a number or anything else. */
const checkOneMeasure = (
  expression: Expression,
  what: string,
  analysed: Analysed,
  scene: Scene,
): Term["side"] | undefined => {
  const terms = termsOf(expression) ?? []
  const [only] = terms
  if (only === undefined || terms.length > 1 || only.sign < 0) {
    scene.say("CFX2522", { what, found: print(expression) }, expression)
    return undefined
  }
  return checkRestricted(only.side, analysed, scene) ? only.side : undefined
}

// ---------------------------------------------------------------- summaries

const correlations = ["correlation", "rank_correlation"]
export const statistics = ["mean", "median", "min", "max", "range", "sd", ...correlations]

export const checkSummaries = (experiment: Experiment, analysed: Analysed, scene: Scene): void => {
  const summaries = fieldsOf(experiment, "summary")
  distinctNames(
    scene,
    "summary",
    summaries.map(({ name }) => name),
  )
  for (const summary of summaries) checkSummary(summary, analysed, scene)
}

const checkSummary = (summary: SummaryField, analysed: Analysed, scene: Scene): void => {
  const { name, statistic, measure, against, over, by, where } = summary
  if (!statistics.includes(statistic.text)) {
    scene.say("CFX2013", { field: "summary", found: statistic.text, known: statistics }, statistic)
  } else if (correlations.includes(statistic.text) !== (against !== undefined)) {
    const said = { statistic: statistic.text, isOfTwo: against === undefined, measure: print(measure) }
    scene.say("CFX2523", said, against ?? statistic)
  }
  const what = `The summary \`${name.text}\``
  const sides = [measure, ...(against === undefined ? [] : [against])].flatMap(
    (one) => checkOneMeasure(one, what, analysed, scene) ?? [],
  )
  distinctNames(scene, "column", [...over, ...by])
  const known = [...over, ...by].map((column) => checkAnyColumn(column, analysed, scene)).every(Boolean)
  const isRuledOut = where === undefined ? () => false : checkWhere(where, analysed, scene)
  if (!known || isRuledOut === undefined || !isSettled(analysed)) return
  for (const side of sides) {
    const fixed = [...over, ...by].find(({ text }) => Object.hasOwn(partsOf(side, analysed).levels, text))
    if (fixed !== undefined) {
      scene.say("CFX2524", { column: fixed.text, measure: print(side), level: undefined }, fixed)
      return
    }
    const trials = trialsOfSide(side, analysed).filter((one) => !isRuledOut(one))
    const single = over.find(({ text }) => {
      // One of a single level is so in all of the design, as one model often is while a spec is tried.
      if ((analysed.columns.get(text)?.length ?? 0) < 2) return false
      return new Set(trials.map((one) => levelOf(one, text))).size < 2
    })
    // A column that has one level leaves the cells to the others.
    if (single === undefined || over.length > 1 || trials.length === 0) continue
    const level = levelOf(trials[0]!, single.text)
    scene.say("CFX2524", { column: single.text, measure: print(side), level: level ?? "none" }, single)
    return
  }
}

// ---------------------------------------------------------------- published numbers

/** Reports a published number that the measure can never come to. */
export const checkPublished = (
  claim: Extract<ExpectField["claim"], { kind: "published" }>,
  analysed: Analysed,
  scene: Scene,
): void => {
  const side = checkOneMeasure(claim.measure, "A published number", analysed, scene)
  const range = side === undefined ? undefined : rangeOfMeasure(partsOf(side, analysed).measure, analysed)
  if (range === undefined) return
  const { value, percent } = claim
  const said = percent ? hundredth(value.value) : value.value
  const within = marginOf(claim)
  if (said - within <= range.high && said + within >= range.low) return
  scene.say("CFX2525", { measure: print(claim.measure), ...range, value: value.value, percent }, value)
}
