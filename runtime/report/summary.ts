/**
 * What every form of the report says, before it is laid out: tables with their results found, contrasts and expectations in words.
 */
import type { ContrastIR, ExperimentIR, MeasureIR, RestrictedIR } from "../../compiler/ir.ts"
import { Pairs } from "../compact/pairs.ts"
import type { Columns } from "../measure/column.ts"
import { undrawn } from "../measure/left.ts"
import { codesOf } from "../measure/outcome.ts"
import { printExpression } from "../measure/print.ts"
import type { Result } from "../measure/result.ts"
import { figureFactors, type Group, groupsOf, viewKey } from "../measure/views.ts"
import { belowFloor } from "./engine.ts"
import type { Unit } from "./format.ts"
import type { ReportInput } from "./input.ts"
import { judgedWords } from "./words.ts"

export interface Summary {
  readonly experiment: ExperimentIR
  readonly trials: number
  readonly items: number
  readonly tables: readonly TableView[]
  readonly figures: readonly FigureView[]
  readonly contrasts: readonly ContrastView[]
  readonly expects: readonly ExpectView[]
  /** What the spec asks for and is not made, each with why: "the model odds is not computed: ...". */
  readonly left: readonly string[]
}

export interface TableView {
  readonly name: string
  readonly factors: readonly string[]
  readonly measures: readonly MeasureIR[]
  readonly rows: readonly TableRow[]
  /** Columns of the cells that are averaged over; none where trials are. */
  readonly macro?: readonly string[]
  /** The condition on its trials, in the language's words. */
  readonly where?: string
}

export interface TableRow {
  /** By factor, in the table's order; undefined where the arm lacks it. */
  readonly levels: readonly (string | undefined)[]
  /** By measure, in the table's order. */
  readonly results: readonly Result[]
}

export interface FigureView {
  readonly name: string
  readonly mark: "bar" | "dot"
  readonly measure: MeasureIR
  readonly by: string
  readonly color?: string
  readonly groups: readonly { readonly level: string; readonly bars: readonly FigureBar[] }[]
  /** The panel that this is, of a figure that has one for each level of a factor. */
  readonly facet?: { readonly factor: string; readonly level: string }
  /** Results of the other panels: all share one scale. */
  readonly beside?: readonly Result[]
  /** Levels of `color`, in their order. */
  readonly colors: readonly string[]
  /** The condition on its trials, in the language's words. */
  readonly where?: string
}

export interface FigureBar {
  readonly color?: string
  readonly result: Result
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
    return {
      experiment,
      trials: table.rows,
      items: itemsIn(columns),
      tables: tablesOf(experiment, found, columns),
      figures: experiment.figures.flatMap((figure) => panelsOf(experiment, figure, found, columns)),
      contrasts: contrastsOf(input, experiment, results),
      expects: expectsOf(experiment, results),
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

/** A spec without tables has one of everything: every cell by every measure. */
function tablesOf(experiment: ExperimentIR, results: ByView, ofTrials: Columns): readonly TableView[] {
  const everything: ExperimentIR["tables"][number] = {
    name: "all cells",
    rows: [
      ...(experiment.models.length > 1 ? ["model"] : []),
      ...(experiment.pools.length > 1 ? ["pool"] : []),
      ...experiment.factors
        .filter(({ name, levels }) => name === "arm" || levels.length > 1)
        .map(({ name }) => name),
    ],
    columns: experiment.measures.map(({ name }) => name),
    average: "pooled",
  }
  const tables = experiment.tables.length === 0 ? [everything] : experiment.tables
  return tables.map(({ name, rows, columns, average, where }) => ({
    name,
    factors: rows,
    measures: columns.map((column) => measureOf(experiment, column)),
    rows: groupsOf(experiment, ofTrials, { factors: rows, where, average }).map((group) => ({
      levels: rows.map((factor) => group.levels[factor]),
      results: columns.map((column) => find(results, column, group)),
    })),
    ...(average === "pooled" ? {} : { macro: average.macro }),
    ...(where === undefined ? {} : { where: printExpression(where) }),
  }))
}

/** A figure that is drawn: one panel, or one for each level of its facet. */
function panelsOf(
  experiment: ExperimentIR,
  figure: ExperimentIR["figures"][number],
  results: ByView,
  columns: Columns,
): readonly FigureView[] {
  const { name, mark, by, color, facet, where } = figure
  if (undrawn(figure) !== undefined || (mark !== "bar" && mark !== "dot")) return []
  const panels = new Map<string, { readonly group: Group; readonly result: Result }[]>()
  for (const group of groupsOf(experiment, columns, { factors: figureFactors(figure), where })) {
    const panel = facet === undefined ? "" : (group.levels[facet] ?? "–")
    const bars = panels.get(panel) ?? []
    bars.push({ group, result: find(results, figure.measure, group) })
    panels.set(panel, bars)
  }
  return [...panels].map(([panel, bars], at) => {
    const groups = new Map<string, FigureBar[]>()
    const colors = new Set<string>()
    for (const { group, result } of bars) {
      const level = group.levels[by] ?? "–"
      const shade = color === undefined ? undefined : (group.levels[color] ?? "–")
      if (shade !== undefined) colors.add(shade)
      const own = groups.get(level) ?? []
      own.push({ ...(shade === undefined ? {} : { color: shade }), result })
      groups.set(level, own)
    }
    const others = [...panels].filter(([other]) => other !== panel)
    return {
      // A level is any text, and no name of a file: panels are numbered.
      name: facet === undefined ? name : `${name}-${at + 1}`,
      mark,
      measure: measureOf(experiment, figure.measure),
      by,
      ...(color === undefined ? {} : { color }),
      groups: [...groups].map(([level, own]) => ({ level, bars: own })),
      ...(facet === undefined
        ? {}
        : {
            facet: { factor: facet, level: panel },
            beside: others.flatMap(([, all]) => all.map(({ result }) => result)),
          }),
      colors: [...colors],
      ...(where === undefined ? {} : { where: printExpression(where) }),
    }
  })
}

/** "the model odds: not computed: this version fits no ..." */
function leftOf(results: readonly Result[]): readonly string[] {
  return results.flatMap(({ kind, name, method }) => {
    if (kind === "fit") return [`the model ${name} is ${method}`]
    return kind === "figure" ? [`the figure ${name} is ${method}`] : []
  })
}

function contrastsOf(
  input: ReportInput,
  experiment: ExperimentIR,
  results: readonly Result[],
): readonly ContrastView[] {
  const models = [...new Set([...experiment.models, ...input.program.models.map(({ name }) => name)])]
  return results
    .filter((result) => result.kind === "contrast")
    .map((result) => {
      const contrast = experiment.contrasts.find(({ name }) => name === result.name)
      if (contrast === undefined)
        throw new Error(`results name a contrast ${result.name} that the spec lacks`)
      const unit = unitOf(experiment, contrast.terms[0]!.measure)
      const caution = belowFloor(result.estimate, models, input)
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
    .filter((result) => result.kind === "expect")
    .map((result) => {
      const expect = experiment.expects.find(({ text }) => text === result.name)
      if (expect === undefined)
        throw new Error(`results name an expectation ${result.name} that the spec lacks`)
      return { result, words: judgedWords(result, expect) }
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

/** `HRR[framing = experts]`. */
export function restricted({ measure, levels }: RestrictedIR): string {
  const inside = Object.entries(levels).map(([factor, level]) => `${factor} = ${level}`)
  return inside.length === 0 ? measure : `${measure}[${inside.join(", ")}]`
}

function measureOf(experiment: ExperimentIR, name: string): MeasureIR {
  const measure = experiment.measures.find((one) => one.name === name)
  if (measure === undefined) throw new Error(`no measure ${name} in ${experiment.name}`)
  return measure
}

function unitOf(experiment: ExperimentIR, measure: string): Unit {
  return measureOf(experiment, measure).statistic
}

/** The results of measures, by the measure and the view that they are of. */
type ByView = ReadonlyMap<string, Result>

function byView(results: readonly Result[]): ByView {
  const measured = results.filter(({ kind }) => kind === "measure")
  return new Map(measured.map((result) => [`${result.name} ${viewKey(result)}`, result]))
}

function find(results: ByView, measure: string, group: Group): Result {
  const key = viewKey(group.view)
  const found = results.get(`${measure} ${key}`)
  if (found === undefined) throw new Error(`results lack ${measure} for ${key}`)
  return found
}

/** Figures of several experiments may share a name; then each carries its experiment's. */
export function figureFile(input: Pick<ReportInput, "program">, experiment: string, figure: string): string {
  return input.program.experiments.length > 1
    ? `figures/${experiment}-${figure}.svg`
    : `figures/${figure}.svg`
}
