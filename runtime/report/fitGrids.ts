/** The models that a spec fits, one table for the design's coefficients and one for what varies; and which share of the variance a matrix has where. */
import type { ExperimentIR, ModelFitIR } from "../../compiler/ir.ts"
import type { Result } from "../measure/result.ts"
import { oddsText } from "./contrastGrid.ts"
import { counted, differenceText, estimateText, excludedText, fixed, intervalText, pText } from "./format.ts"
import { blank, type Grid, type GridCell, withoutEmpty } from "./grid.ts"
import { whyNoValue } from "./missing.ts"
import { capital } from "./words.ts"

/** The numbers of one fit. */
export interface FitView {
  readonly name: string
  /** Absent for a contrast that a model estimates. */
  readonly fit?: ModelFitIR
  /** "Mixed-effects logistic regression of HRR on framing; ...", and of how many trials. */
  readonly words: string
  /** What a reader must know before its numbers. */
  readonly cautions: readonly string[]
  readonly grids: readonly Grid[]
}

/** In the order in which the results name them; what was not fitted is under "Not computed". */
export function fitViews(experiment: ExperimentIR, results: readonly Result[]): readonly FitView[] {
  const fits = results.filter(({ kind, part }) => kind === "fit" && part !== undefined)
  const names = [...new Set(fits.map(({ name }) => name))]
  return names.map((name, at) => {
    const own = fits.filter((result) => result.name === name)
    const model = own.find(({ part }) => part === "model")
    const fit = experiment.fits.find((one) => one.name === name)
    return {
      name,
      ...(fit === undefined ? {} : { fit }),
      words: modelWords(model),
      cautions: model?.cautions ?? [],
      grids: [
        fixedGrid(own, at, hasContrastByModel(experiment)),
        variesGrid(own, at),
        testGrid(own, at),
      ].filter(({ rows }) => rows.length > 0),
    }
  })
}

const hasContrastByModel = ({ contrasts }: ExperimentIR): boolean =>
  contrasts.some(({ by }) => by.includes("mixed_logistic"))

function modelWords(model: Result | undefined): string {
  if (model === undefined) return ""
  const excluded = excludedText(model.excluded)
  const likelihood = model.estimate === undefined ? "" : `, log-likelihood ${fixed(model.estimate, 2)}`
  const left = excluded === "" ? "" : ` Not counted: ${excluded}.`
  return `${capital(model.method)}. ${counted(model.n, "trial")}${likelihood}.${left}`
}

const DIFFERS =
  "A contrast by mixed_logistic may differ from these numbers where trials or terms are others: it takes the trials of its sides alone, with a coefficient for each side and intercepts of model, pool and item."

const AT_FIRST =
  "Where a factor or a number stands in a product, its coefficient alone is at the level that the product's other factors are compared with, and at 0 of its numbers."

function fixedGrid(results: readonly Result[], at: number, isBesideContrast: boolean): Grid {
  const fixedOnes = results.filter(({ part }) => part === "fixed")
  const level = fixedOnes.find((result) => result.level !== undefined)?.level
  return withoutEmpty({
    id: `fixed-${at + 1}`,
    title: "Fixed effects",
    caption: `Coefficients in logits, their odds ratios with Wald intervals${level === undefined ? "" : ` at ${level}%`}; p is two-sided.`,
    heads: [
      { text: "term", kind: "name" },
      { text: "against", kind: "words" },
      { text: "estimate", kind: "number" },
      { text: "how", kind: "words", beneath: "" },
      { text: "interval", kind: "number" },
      { text: "SE", kind: "number" },
      { text: "odds ratio", kind: "number" },
      { text: "z", kind: "number" },
      { text: "p", kind: "number" },
    ],
    rows: fixedOnes.map((result) => [
      { text: result.term ?? result.name },
      { text: result.against ?? "" },
      estimateCell(result, (value) => differenceText(value, "mean", result)),
      whyCell(result),
      { text: intervalText(result, "mean") },
      numberCell(result.standardError, (value) => fixed(value, 3)),
      result.odds === undefined ? blank : { text: oddsText(result.odds), value: result.odds.estimate },
      numberCell(result.statistic?.value, (value) => fixed(value, 2)),
      pCell(result),
    ]),
    notes: [
      ...(fixedOnes.some(({ term }) => term?.includes(" * ")) ? [AT_FIRST] : []),
      ...(isBesideContrast ? [DIFFERS] : []),
    ],
  })
}

function variesGrid(results: readonly Result[], at: number): Grid {
  const spreads = results.filter(({ part }) => part === "spread" || part === "correlation")
  return withoutEmpty({
    id: `spread-${at + 1}`,
    title: "What varies",
    caption: "Standard deviations of intercepts and slopes in logits, and their correlations.",
    heads: [
      { text: "of", kind: "name" },
      { text: "number", kind: "words" },
      { text: "estimate", kind: "number" },
      { text: "how", kind: "words", beneath: "" },
      { text: "interval", kind: "number" },
      { text: "SE", kind: "number" },
      { text: "p", kind: "number" },
    ],
    rows: spreads.map((result) => [
      { text: result.term ?? result.name },
      { text: result.part === "spread" ? "standard deviation" : "correlation" },
      estimateCell(result, (value) => estimateText(value, "mean", result)),
      whyCell(result),
      { text: intervalText(result, "mean") },
      numberCell(result.standardError, (value) => fixed(value, 3)),
      pCell(result),
    ]),
    notes: [],
  })
}

function testGrid(results: readonly Result[], at: number): Grid {
  const tests = results.filter(({ part }) => part === "test")
  return withoutEmpty({
    id: `test-${at + 1}`,
    title: "Likelihood ratio tests",
    caption:
      "The model against the one without the term: twice the difference of their log-likelihoods. A term that stands in a product is not tested beside it.",
    heads: [
      { text: "without", kind: "name" },
      { text: "chi squared", kind: "number" },
      { text: "freedom", kind: "number" },
      { text: "p", kind: "number" },
      { text: "how", kind: "words" },
    ],
    rows: tests.map((result) => [
      { text: result.term ?? result.name },
      numberCell(result.statistic?.value, (value) => fixed(value, 2)),
      numberCell(result.statistic?.freedom, String),
      pCell(result),
      { text: result.method },
    ]),
    notes: [],
  })
}

/** Which share of a matrix's variance is between its rows, between its columns, and neither. */
export function decompositionGrid(results: readonly Result[]): Grid | undefined {
  const shares = results.filter(({ kind }) => kind === "decomposition")
  if (shares.length === 0) return undefined
  return withoutEmpty({
    id: "variance",
    title: "Where a matrix varies",
    caption:
      "Shares of the variance of a matrix that lie between its rows, between its columns, and in neither.",
    heads: [
      { text: "matrix", kind: "name" },
      { text: "part", kind: "name" },
      { text: "panel", kind: "words" },
      { text: "share of variance", kind: "number" },
      { text: "interval", kind: "number" },
      { text: "n", kind: "number" },
      { text: "how", kind: "words" },
    ],
    rows: shares.map((result) => [
      { text: result.name },
      { text: result.part ?? "" },
      {
        text: Object.entries(result.by)
          .map(([factor, level]) => `${factor} = ${level}`)
          .join(", "),
      },
      estimateCell(result, (value) => `${fixed(100 * value, 1)}%`),
      { text: intervalText(result, "rate") },
      { text: String(result.n), value: result.n },
      { text: result.method },
    ]),
    notes: [],
  })
}

const numberCell = (value: number | undefined, text: (value: number) => string): GridCell =>
  value === undefined ? blank : { text: text(value), value }

const estimateCell = ({ estimate }: Result, text: (value: number) => string): GridCell =>
  estimate === undefined ? { text: "no value" } : { text: text(estimate), value: estimate }

const whyCell = (result: Result): GridCell =>
  result.estimate === undefined ? { text: whyNoValue(result) } : blank

const pCell = ({ p }: Result): GridCell =>
  p === undefined ? blank : { text: pText(p).replace(/^p (= )?/, ""), value: p }
