/** Numbers over cells, and numbers that were published beside those that were found. */
import type { ExperimentIR, MeasureIR, SummaryIR } from "../../compiler/ir.ts"
import { printExpression } from "../measure/print.ts"
import type { Result } from "../measure/result.ts"
import { factorHead } from "./factorHead.ts"
import { estimateText, excludedText, fixed, intervalText, measureText, nText, type Unit } from "./format.ts"
import { blank, type Grid, type GridCell, withoutEmpty } from "./grid.ts"
import { unitOf } from "./unit.ts"
import { restricted, verdictWords } from "./words.ts"

export function summaryGrid(experiment: ExperimentIR, results: readonly Result[]): Grid | undefined {
  const own = results.filter(({ kind }) => kind === "summary")
  if (own.length === 0) return undefined
  const columns = [...new Set(own.flatMap(({ by }) => Object.keys(by)))]
  return withoutEmpty({
    id: "summaries",
    title: "Over cells",
    caption: `Each number is taken of cells, each of which has its own value of the measure.${columns.length === 0 ? "" : ` ${ALL}: the number is of all cells.`}`,
    heads: [
      { text: "summary", kind: "name" },
      { text: "of", kind: "code", beneath: "" },
      ...columns.map((column) => ({ text: factorHead(column), kind: "name" as const })),
      { text: "estimate", kind: "number" },
      { text: "how", kind: "words", beneath: "" },
      { text: "interval", kind: "number" },
      { text: "n", kind: "number" },
      { text: "not counted", kind: "words", beneath: "not counted: " },
    ],
    rows: own.map((result) => {
      const summary = experiment.summaries.find(({ name }) => name === result.name)
      const measure = experiment.measures.find(({ name }) => name === summary?.measure.measure)
      const as =
        summary === undefined || measure === undefined ? undefined : printedAs(summary, measure, result)
      const unit: Unit = as?.unit ?? "mean"
      return [
        { text: result.name },
        summary === undefined ? blank : { text: summaryWords(summary), measure: summary.measure.measure },
        ...columns.map((column) => ({ text: result.by[column] ?? ALL })),
        result.estimate === undefined
          ? { text: "no value" }
          : {
              text: as?.text(result.estimate) ?? estimateText(result.estimate, "mean", result),
              value: result.estimate,
            },
        { text: result.method },
        { text: intervalText(result, unit) },
        { text: nText(result), value: result.n },
        { text: excludedText(result.excluded) },
      ]
    }),
    notes: own.flatMap(({ name }, at) => {
      const doc = experiment.summaries.find((one) => one.name === name)?.doc ?? ""
      return doc === "" || own[at - 1]?.name === name ? [] : [`${name}: ${doc}`]
    }),
  })
}

/** In place of a level, of a number that is not taken by it. */
const ALL = "(all)"

/** A mean of rates is a rate; how far they lie apart is in percentage points; a correlation has no unit. */
function printedAs(
  { of }: SummaryIR,
  measure: MeasureIR,
  result: Result,
): { readonly unit: Unit; readonly text: (value: number) => string } {
  const unit = unitOf(measure)
  switch (of) {
    case "correlation":
    case "rank_correlation":
      return { unit: "mean", text: (value) => estimateText(value, "mean", result) }
    case "range":
    case "sd":
      return {
        unit,
        text: (value) =>
          unit === "rate" ? `${fixed(100 * value, 1)} pp` : estimateText(value, unit, result),
      }
    default:
      return { unit, text: (value) => measureText(value, measure, result) }
  }
}

/** "median AUROC over model and pool", "correlation of CSR against AFR over subject". */
function summaryWords({ of, measure, against, over, where }: SummaryIR): string {
  const other = against === undefined ? "" : ` against ${restricted(against)}`
  const condition = where === undefined ? "" : ` where ${printExpression(where)}`
  return `${of} ${restricted(measure)}${other} over ${over.join(", ")}${condition}`
}

/** Numbers that were published, each beside what the records come to. */
export function publishedGrid(experiment: ExperimentIR, results: readonly Result[]): Grid | undefined {
  const own = results.filter(({ kind, published }) => kind === "expect" && published !== undefined)
  if (own.length === 0) return undefined
  return withoutEmpty({
    id: "published",
    title: "Published numbers",
    caption:
      "What was published, and what these trials come to: it holds where the two are no further apart than is said.",
    heads: [
      { text: "published", kind: "name" },
      { text: "as published", kind: "number" },
      { text: "found", kind: "number" },
      { text: "how", kind: "words", beneath: "" },
      { text: "interval", kind: "number" },
      { text: "apart", kind: "number" },
      { text: "allowed", kind: "number" },
      { text: "verdict", kind: "words" },
      { text: "n", kind: "number" },
      { text: "not counted", kind: "words", beneath: "not counted: " },
    ],
    rows: own.map((result) => publishedRow(experiment, result)),
    notes: [],
  })
}

function publishedRow(experiment: ExperimentIR, result: Result): readonly GridCell[] {
  const { published, estimate } = result
  const declared = experiment.published.find(({ text }) => text === result.name)
  const measure = experiment.measures.find(({ name }) => name === declared?.measure.measure)
  const unit: Unit = measure === undefined ? "mean" : unitOf(measure)
  const shown = (value: number) =>
    measure === undefined ? fixed(value, 3) : measureText(value, measure, result)
  const apart = (value: number) => (unit === "rate" ? `${fixed(100 * value, 2)} pp` : fixed(value, 4))
  const { value, within } = published!
  return [
    { text: result.name },
    { text: shown(value), value },
    estimate === undefined ? { text: "no value" } : { text: shown(estimate), value: estimate },
    { text: result.method },
    { text: intervalText(result, unit) },
    estimate === undefined
      ? blank
      : { text: apart(Math.abs(estimate - value)), value: Math.abs(estimate - value) },
    { text: apart(within), value: within },
    { text: verdictWords(result) },
    { text: nText(result, unit), value: result.n },
    { text: excludedText(result.excluded) },
  ]
}
