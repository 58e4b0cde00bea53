/**
 * What every form of the report says, before it is laid out: tables with their results found, contrasts and expectations in words.
 */
import type { ContrastIR, ExperimentIR } from "../../compiler/ir.ts"
import { Pairs } from "../compact/pairs.ts"
import type { Columns } from "../measure/column.ts"
import { codesOf, trialsOf } from "../measure/outcome.ts"
import type { Result } from "../measure/result.ts"
import { wayText } from "../measure/way.ts"
import { contrastGrid } from "./contrastGrid.ts"
import { belowFloor } from "./engine.ts"
import type { FigureView } from "./figures/view.ts"
import { figuresOf } from "./figures/views.ts"
import { decompositionGrid, type FitView, fitViews } from "./fitGrids.ts"
import type { Unit } from "./format.ts"
import type { Grid } from "./grid.ts"
import type { ReportInput } from "./input.ts"
import { askedIn, byView, find, measureOf } from "./lookup.ts"
import { reasonGrid } from "./reasonGrid.ts"
import { publishedGrid, summaryGrid } from "./summaryGrids.ts"
import { type TableView, tablesOf } from "./tableViews.ts"
import { isProbability, unitOf } from "./unit.ts"
import { judgedWords, restricted } from "./words.ts"

export interface Summary {
  readonly experiment: ExperimentIR
  readonly trials: number
  readonly items: number
  readonly tables: readonly TableView[]
  readonly figures: readonly FigureView[]
  readonly contrasts: readonly ContrastView[]
  readonly expects: readonly ExpectView[]
  /** All contrasts on one table. */
  readonly contrastGrid?: Grid
  readonly fits: readonly FitView[]
  /** Numbers over cells, published numbers, shares of a variance. */
  readonly grids: readonly Grid[]
  /** Why reads have no value, by arm. */
  readonly reasons?: Grid
  /** What the spec asks for and is not made, each with why: "the model odds is not computed: ...". */
  readonly left: readonly string[]
}

export interface ContrastView {
  readonly contrast: ContrastIR
  readonly result: Result
  readonly unit: Unit
  /** `HRR[framing = experts] - HRR[framing = no_source]`. */
  readonly words: string
  /** Why its size says little: "smaller than twice the engine's own floor (0.004)". */
  readonly caution?: string
}

export interface ExpectView {
  readonly result: Result
  /** What it came to: "it is 0.444". */
  readonly words: string
}

const known = new WeakMap<ReportInput, readonly Summary[]>()

/** One for each experiment, in the order of the spec. Every form of a report asks for them: they are made once for an input. */
export function summaries(input: ReportInput): readonly Summary[] {
  const before = known.get(input)
  if (before !== undefined) return before
  const made = summariesOf(input)
  known.set(input, made)
  return made
}

function summariesOf(input: ReportInput): readonly Summary[] {
  return input.program.experiments.map((experiment) => {
    const results = input.results.filter((result) => result.experiment === experiment.name)
    const table = input.tables.get(experiment.name)
    if (table === undefined) throw new Error(`no trials of ${experiment.name} are given`)
    const columns = table.columns()
    const found = byView(results)
    const contrasts = contrastsOf(input, experiment, results)
    const reasons = reasonGrid(experiment, table)
    const onOneTable = contrastGrid(experiment, contrasts)
    return {
      experiment,
      trials: table.rows,
      items: itemsIn(columns),
      tables: tablesOf(input, experiment, found, columns),
      figures: figuresOf({
        experiment,
        trials: trialsOf(table),
        columns,
        results,
        find: (measure, group) => find(found, measure, group),
      }),
      contrasts,
      expects: expectsOf(experiment, results),
      ...(onOneTable === undefined ? {} : { contrastGrid: onOneTable }),
      fits: fitViews(experiment, results),
      grids: [
        summaryGrid(experiment, results),
        publishedGrid(experiment, results),
        decompositionGrid(results),
      ].filter((grid) => grid !== undefined),
      ...(reasons === undefined ? {} : { reasons }),
      left: leftOf(results),
    }
  })
}

/** Distinct items, each of its pool. */
function itemsIn(columns: Columns): number {
  const [pool, item] = [columns.get("pool"), columns.get("item")]
  if (pool === undefined || item === undefined) return 0
  const [pools, items] = [codesOf(pool), codesOf(item)]
  const pairs = new Pairs()
  for (let row = 0; row < items.length; row++) pairs.add(pools[row]!, items[row]!)
  return pairs.size
}

/** "the model odds: not computed: this version fits no ..." */
function leftOf(results: readonly Result[]): readonly string[] {
  return results.flatMap(({ kind, name, method, part }) =>
    kind === "fit" && part === undefined ? [`the model ${name} is ${method}`] : [],
  )
}

function contrastsOf(
  input: ReportInput,
  experiment: ExperimentIR,
  results: readonly Result[],
): readonly ContrastView[] {
  const models = askedIn(input, experiment)
  return results
    .filter((result) => result.kind === "contrast")
    .map((result) => {
      const contrast = experiment.contrasts.find(({ name }) => name === result.name)
      if (contrast === undefined)
        throw new Error(`results name a contrast ${result.name} that the spec lacks`)
      const unit = unitOf(measureOf(experiment, contrast.terms[0]!.measure))
      // The floor is of probabilities: a difference of logits, or of numbers that were said, has another unit.
      const isOfProbabilities =
        result.odds === undefined &&
        contrast.terms.every(({ measure }) => isProbability(measureOf(experiment, measure)))
      const caution = isOfProbabilities ? belowFloor(result.estimate, models, input) : undefined
      return {
        contrast,
        result,
        unit,
        words: sumWords(contrast),
        ...(caution === undefined ? {} : { caution }),
      }
    })
}

function expectsOf(experiment: ExperimentIR, results: readonly Result[]): readonly ExpectView[] {
  return results
    .filter(({ kind, published }) => kind === "expect" && published === undefined)
    .map((result) => {
      const expect = experiment.expects.find(({ text }) => text === result.name)
      if (expect === undefined)
        throw new Error(`results name an expectation ${result.name} that the spec lacks`)
      const contrast = experiment.contrasts.find(({ name }) => name === expect.contrast)
      const measure = contrast && measureOf(experiment, contrast.terms[0]!.measure)
      const unit = measure === undefined || result.odds !== undefined ? "mean" : unitOf(measure)
      const way = (contrast?.by.length ?? 0) > 1 ? wayText(result) : undefined
      return { result, words: judgedWords(result, expect, { unit, way }) }
    })
}

/** `HRR[framing = experts] - HRR[framing = no_source]`: the terms in the order written, without their parentheses. */
function sumWords({ terms }: ContrastIR): string {
  return terms
    .map((term, at) => {
      const sign = term.sign === 1 ? "+" : "-"
      if (at === 0) return `${term.sign === 1 ? "" : "-"}${restricted(term)}`
      return `${sign} ${restricted(term)}`
    })
    .join(" ")
}

/** Figures of several experiments may share a name; then each carries its experiment's. */
export function figureFile(input: Pick<ReportInput, "program">, experiment: string, figure: string): string {
  return input.program.experiments.length > 1
    ? `figures/${experiment}-${figure}.svg`
    : `figures/${figure}.svg`
}
