/** All contrasts of an experiment on one table, the estimators of one contrast under one another; and its families. */
import type { ExperimentIR } from "../../compiler/ir.ts"
import type { Result } from "../measure/result.ts"
import { differenceText, excludedText, fixed, intervalText, nText, pText, sidesText } from "./format.ts"
import { blank, type Grid, type GridCell, withoutEmpty } from "./grid.ts"
import type { ContrastView } from "./summary.ts"
import { discordantWords } from "./words.ts"

/** Undefined where the experiment has none. */
export function contrastGrid(experiment: ExperimentIR, contrasts: readonly ContrastView[]): Grid | undefined {
  if (contrasts.length === 0) return undefined
  const levels = [...new Set(contrasts.flatMap(({ result }) => result.level ?? []))]
  return withoutEmpty({
    id: "contrasts",
    title: "Contrasts",
    caption: captionOf(contrasts, levels),
    heads: [
      { text: "contrast", kind: "name" },
      { text: "difference", kind: "code", beneath: "" },
      { text: "estimator", kind: "name" },
      { text: "how", kind: "words", beneath: "" },
      { text: "estimate", kind: "number" },
      { text: "sides", kind: "number", beneath: "" },
      { text: levels.length === 1 ? `${levels[0]}% interval` : "interval", kind: "number" },
      { text: "odds ratio", kind: "number" },
      { text: "p", kind: "number" },
      { text: "test", kind: "words", beneath: "" },
      { text: "adjusted p", kind: "number" },
      { text: "n", kind: "number" },
      { text: "not counted", kind: "words", beneath: "not counted: " },
    ],
    rows: contrasts.map((view) => rowOf(view, levels.length > 1)),
    notes: [
      ...contrasts.flatMap(({ contrast }, at) =>
        contrast.doc === "" || contrasts[at - 1]?.contrast === contrast
          ? []
          : [`${contrast.name}: ${contrast.doc}`],
      ),
      ...(contrasts.some(({ result }) => result.taken === "signs" && result.low !== undefined)
        ? [SIGNS_NOTE]
        : []),
      ...contrasts.flatMap(({ contrast, result: { taken, cautions } }) =>
        taken === "mixed_logistic"
          ? (cautions ?? []).map((caution) => `${contrast.name}, by the model: ${caution}.`)
          : [],
      ),
      ...familyNotes(experiment),
    ],
  })
}

const SIGNS_NOTE =
  "Signs of cells: the p is that of the sign test, which counts cells above and below 0; estimate and interval beside it are of the mean over cells, the interval by Student's t, so that the two may not agree."

function captionOf(contrasts: readonly ContrastView[], levels: readonly number[]): string {
  const units = contrasts.some(({ result }) => isLogit(result))
    ? " Estimates by a model are in logits, with the odds ratio beside."
    : ""
  const points = contrasts.some(({ result, unit }) => unit === "rate" && !isLogit(result))
    ? " pp: percentage points."
    : ""
  const intervals = levels.length > 0 ? "" : " None has an interval."
  return `One row for each contrast and estimator; p is two-sided.${points}${units}${intervals}`
}

function rowOf(
  { contrast, result, unit, words, caution }: ContrastView,
  several: boolean,
): readonly GridCell[] {
  const { estimate, odds, sides, p, adjusted } = result
  const estimator = estimatorName(result)
  const { test, how } = methodParts(result, estimator)
  const logit = isLogit(result)
  const shown = (value: number) =>
    logit ? `${differenceText(value, "mean", result)} logits` : differenceText(value, unit, result)
  const interval = intervalText(result, logit ? "mean" : unit)
  return [
    { text: contrast.name },
    { text: words, measure: contrast.terms[0]!.measure },
    { text: estimator },
    { text: how },
    estimate === undefined
      ? { text: "no value" }
      : { text: shown(estimate), value: estimate, ...(caution === undefined ? {} : { caution }) },
    sides === undefined
      ? blank
      : {
          text: sidesText(sides, unit),
          value: sides.left,
        },
    interval === ""
      ? blank
      : { text: several ? `${result.level}% ${interval}` : interval, value: result.low! },
    odds === undefined ? blank : { text: oddsText(odds), value: odds.estimate },
    p === undefined ? blank : { text: pValue(p), value: p },
    { text: test },
    adjusted === undefined
      ? blank
      : {
          text: `${pValue(adjusted.p)} (${ADJUSTED[adjusted.method]}, ${adjusted.family})`,
          value: adjusted.p,
        },
    { text: overWords(result), value: result.n },
    { text: excludedText(result.excluded) },
  ]
}

/** A contrast that a model estimates is a difference of logits. */
export const isLogit = ({ taken, odds }: Pick<Result, "taken" | "odds">): boolean =>
  taken === "mixed_logistic" || odds !== undefined

/** "2.40 [2.25, 2.57]". */
export function oddsText({ estimate, low, high }: NonNullable<Result["odds"]>): string {
  const ends = low === undefined || high === undefined ? "" : ` [${ratio(low)}, ${ratio(high)}]`
  return `${ratio(estimate)}${ends}`
}

/** Two decimals, or three digits where those say nothing. */
const ratio = (value: number): string =>
  value >= 1e5 || value < 0.005 ? value.toExponential(2) : fixed(value, 2)

/** "< 0.001", "0.034": the column says that it is p. */
const pValue = (p: number): string => pText(p).replace(/^p (= )?/, "")

const ADJUSTED = { holm: "Holm", benjamini_hochberg: "Benjamini-Hochberg" } as const

const ESTIMATORS: Readonly<Record<NonNullable<Result["taken"]>, string>> = {
  paired: "paired by item",
  permutation: "permutation within items",
  pooled: "pooled over trials",
  two_sample: "two samples of items",
  cells: "mean over cells",
  signs: "signs of cells",
  mixed_logistic: "mixed logistic model",
}

/** "paired by item", "mean over cells by model and pool", "signs of cells by model". */
export function estimatorName({ taken, columns }: Pick<Result, "taken" | "columns">): string {
  if (taken === undefined) return ""
  return columns === undefined ? ESTIMATORS[taken] : `${ESTIMATORS[taken]} by ${columns.join(" and ")}`
}

/** A method in two: the test, or why there is none, and the rest without the estimator's own name. Besides, what its table of pairs or its signs say. */
function methodParts(result: Result, estimator: string): { readonly test: string; readonly how: string } {
  const pieces = result.method.split("; ")
  const isTest = (piece: string) => /^(p by|no p\b)/.test(piece)
  const { discordant, signs } = result
  const test = pieces.filter(isTest).map((piece) => piece.replace(/^p by /, ""))
  const how = pieces.filter((piece) => !isTest(piece) && piece !== estimator)
  return {
    test: [...test, ...(signs === undefined ? [] : [signsWords(signs)])].join("; "),
    how: [...how, ...(discordant === undefined ? [] : [discordantWords(discordant)])].join("; "),
  }
}

/** "13 cells above 0, 28 below, 0 at 0; one-sided p = 0.014 for above 0" */
export const signsWords = ({ above, below, ties, pAbove }: NonNullable<Result["signs"]>): string =>
  `${above} ${above === 1 ? "cell" : "cells"} above 0, ${below} below, ${ties} at 0; one-sided ${pText(pAbove)} for above 0`

/** "99 pairs", "1,200 trials", "1,200 in 41 of 42 cells". */
function overWords(result: Result): string {
  if (result.cells !== undefined) return nText(result)
  const noun = result.taken === "paired" || result.taken === "permutation" ? "pair" : "trial"
  return `${nText(result)} ${noun}${result.n === 1 ? "" : "s"}`
}

/** "Family main: p of authority and attribution, adjusted by Holm." */
function familyNotes({ families }: ExperimentIR): readonly string[] {
  return families.map(
    ({ name, contrasts, adjust }) =>
      `Family ${name}: the p of ${contrasts.join(", ")}, adjusted together by ${ADJUSTED[adjust]}.`,
  )
}
