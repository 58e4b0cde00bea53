/**
 * What every form of the report says, before it is laid out: tables with their results found, contrasts and expectations in words.
 */
import type { ContrastIR, ExperimentIR, MeasureIR, RestrictedIR } from "../../compiler/ir.ts"
import { printExpression } from "../measure/print.ts"
import type { Result } from "../measure/result.ts"
import { type Group, groupsOf, viewKey } from "../measure/views.ts"
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
}

export interface TableView {
  readonly name: string
  readonly factors: readonly string[]
  readonly measures: readonly MeasureIR[]
  readonly rows: readonly TableRow[]
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
}

export interface ExpectView {
  readonly result: Result
  /** What it came to: "it is 0.444". */
  readonly words: string
}

/** One for each experiment, in the order of the spec. */
export function summaries(input: ReportInput): readonly Summary[] {
  return input.program.experiments.map((experiment) => {
    const results = input.results.filter((result) => result.experiment === experiment.name)
    const records = input.records.filter((record) => record.experiment === experiment.name)
    const items = new Set(records.map((record) => JSON.stringify([record.pool, record.item])))
    return {
      experiment,
      trials: records.length,
      items: items.size,
      tables: tablesOf(experiment, results),
      figures: experiment.figures.map((figure) => figureOf(experiment, figure, results)),
      contrasts: contrastsOf(experiment, results),
      expects: expectsOf(experiment, results),
    }
  })
}

/** A spec without tables has one of everything: every cell by every measure. */
function tablesOf(experiment: ExperimentIR, results: readonly Result[]): readonly TableView[] {
  const everything = {
    name: "all cells",
    rows: [
      ...(experiment.models.length > 1 ? ["model"] : []),
      ...(experiment.pools.length > 1 ? ["pool"] : []),
      ...experiment.factors
        .filter(({ name, levels }) => name === "arm" || levels.length > 1)
        .map(({ name }) => name),
    ],
    columns: experiment.measures.map(({ name }) => name),
    where: undefined,
  }
  const tables = experiment.tables.length === 0 ? [everything] : experiment.tables
  return tables.map(({ name, rows, columns, where }) => ({
    name,
    factors: rows,
    measures: columns.map((column) => measureOf(experiment, column)),
    rows: groupsOf(experiment, { factors: rows, where }).map((group) => ({
      levels: rows.map((factor) => group.levels[factor]),
      results: columns.map((column) => find(results, column, group)),
    })),
    ...(where === undefined ? {} : { where: printExpression(where) }),
  }))
}

function figureOf(
  experiment: ExperimentIR,
  figure: ExperimentIR["figures"][number],
  results: readonly Result[],
): FigureView {
  const { name, mark, by, color, where } = figure
  const groups = new Map<string, FigureBar[]>()
  const colors = new Set<string>()
  const factors = color === undefined ? [by] : [by, color]
  for (const group of groupsOf(experiment, { factors, where })) {
    const level = group.levels[by] ?? "–"
    const bars = groups.get(level) ?? []
    const shade = color === undefined ? undefined : (group.levels[color] ?? "–")
    if (shade !== undefined) colors.add(shade)
    bars.push({
      ...(shade === undefined ? {} : { color: shade }),
      result: find(results, figure.measure, group),
    })
    groups.set(level, bars)
  }
  return {
    name,
    mark,
    measure: measureOf(experiment, figure.measure),
    by,
    ...(color === undefined ? {} : { color }),
    groups: [...groups].map(([level, bars]) => ({ level, bars })),
    colors: [...colors],
    ...(where === undefined ? {} : { where: printExpression(where) }),
  }
}

function contrastsOf(experiment: ExperimentIR, results: readonly Result[]): readonly ContrastView[] {
  return results
    .filter((result) => result.kind === "contrast")
    .map((result) => {
      const contrast = experiment.contrasts.find(({ name }) => name === result.name)
      if (contrast === undefined)
        throw new Error(`results name a contrast ${result.name} that the spec lacks`)
      const unit = unitOf(experiment, contrast.left.measure)
      return { contrast, result, unit, words: `${restricted(contrast.left)} - ${restricted(contrast.right)}` }
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

function find(results: readonly Result[], measure: string, group: Group): Result {
  const key = viewKey(group.view)
  const found = results.find(
    (result) => result.kind === "measure" && result.name === measure && viewKey(result) === key,
  )
  if (found === undefined) throw new Error(`results lack ${measure} for ${key}`)
  return found
}

/** Figures of several experiments may share a name; then each carries its experiment's. */
export function figureFile(input: Pick<ReportInput, "program">, experiment: string, figure: string): string {
  return input.program.experiments.length > 1
    ? `figures/${experiment}-${figure}.svg`
    : `figures/${figure}.svg`
}
