/**
 * From trials to numbers: every measure over every cell and every row of a table, then summaries over cells, contrasts, models, shares of variance,
 * and expectations. A pure function of the program and the set of records: their order changes nothing.
 */
import type { ExperimentIR, MeasureIR, Program } from "../../compiler/ir.ts"
import { cellwiseInterval, overCells } from "./cellwise.ts"
import { contrastsOf } from "./contrast.ts"
import { crossed } from "./crossing.ts"
import { decompositionsOf } from "./decomposition.ts"
import { drawsOf } from "./draws.ts"
import { expectsOf } from "./expect.ts"
import { type FitProgress, fitsOf } from "./fits.ts"
import { type Gathered, Gatherer, type Kept, totalOf, whyNone } from "./gathered.ts"
import { cellInterval, kept as cut, fewCells, measureInterval } from "./interval.ts"
import { type Outcome, outcomes, type Trials, trialsOf } from "./outcome.ts"
import { publishedOf } from "./published.ts"
import { possible } from "./range.ts"
import type { Result } from "./result.ts"
import { estimateOf, whyNoEstimate } from "./statistic.ts"
import { summariesOf } from "./summaries.ts"
import type { Tables } from "./table.ts"
import { levelOf } from "./units.ts"
import { type View, viewsOf } from "./views.ts"

/**
 * The numbers of a run, in the order of the spec: for each experiment its measures (cells in the order of the grid, then rows of tables and
 * figures that are other sets of trials), its summaries, its contrasts (once for each `by`), its models, the shares of
 * variance of its matrices, its expectations, published numbers last. `progress` is told of fits while they go on, `doing` of what is
 * taken next.
 */
export function measure(
  program: Program,
  tables: Tables,
  progress?: FitProgress,
  doing: (what: string) => void = () => {},
): readonly Result[] {
  return program.experiments.flatMap((experiment) => {
    const table = tables.get(experiment.name)
    if (table === undefined) throw new Error(`no trials of ${experiment.name} are given`)
    const trials = trialsOf(table)
    const found = new Map(
      experiment.measures.map((one) => {
        doing(`looking at trials for ${one.name}`)
        return [one.name, outcomes(trials, one)]
      }),
    )
    const views = viewsOf(experiment, trials.columns)
    const measures = experiment.measures.flatMap((one) => {
      doing(`measuring ${one.name}`)
      return measureResults(trials, one, found.get(one.name)!, views)
    })
    doing("measuring contrasts")
    const contrasts = contrastsOf(trials, found, progress)
    return [
      ...measures,
      ...summariesOf(trials, found),
      ...contrasts,
      ...fitsOf(trials, found, progress),
      ...decompositionsOf(trials, measures),
      ...expectsOf(trials, found, contrasts),
      ...publishedOf(trials, found),
    ]
  })
}

function measureResults(
  trials: Trials,
  one: MeasureIR,
  outcome: Outcome,
  views: readonly View[],
): readonly Result[] {
  const gatherer = new Gatherer(trials, one, outcome)
  return views.map((view) => {
    const kept = gatherer.kept(view)
    return view.macro === undefined
      ? pooledResult(trials, one, view, gatherer.gather(view.units, kept))
      : macroResult(trials, one, view, view.macro, gatherer, kept)
  })
}

function headOf(experiment: ExperimentIR, one: MeasureIR, view: View, n: number) {
  return {
    experiment: experiment.name,
    kind: "measure" as const,
    name: one.name,
    by: view.by,
    ...(view.where === undefined ? {} : { where: view.where }),
    ...(view.average === undefined ? {} : { average: view.average }),
    n,
  }
}

function pooledResult(trials: Trials, one: MeasureIR, view: View, gathered: Gathered): Result {
  const { excluded, items, n, trues } = gathered
  const head = headOf(trials.experiment, one, view, n)
  const none = whyNone(one, excluded, n)
  if (none !== undefined) return { ...head, excluded, method: none }
  const counted = one.statistic === "rate" || one.statistic === "auroc" ? { k: trues } : {}
  const estimate = estimateOf(one.statistic, items)
  if (estimate === undefined) return { ...head, ...counted, excluded, method: whyNoEstimate(one) }
  const { ends, words, caution } = measureInterval(one, gathered, estimate, drawsOf(trials))
  return { ...head, ...counted, excluded, estimate, ...ends, method: words, ...cautionsOf(caution) }
}

const cautionsOf = (...cautions: readonly (string | undefined)[]): Pick<Result, "cautions"> => {
  const known = cautions.flatMap((caution) => caution ?? [])
  return known.length === 0 ? {} : { cautions: known }
}

/**
 * The unweighted mean, or the median, over cells: crossings of the columns, within each of which trials are pooled. A trial that lacks a column is in no cell,
 * but for a column that all trials lack, such as a baseline's framing: they are not told apart by it.
 */
function macroResult(
  trials: Trials,
  one: MeasureIR,
  view: View,
  columns: readonly string[],
  gatherer: Gatherer,
  kept: Kept,
): Result {
  const known = columns.filter((column) => view.units.some((unit) => levelOf(unit, column) !== undefined))
  const { cells, lacking } = crossed(trials.experiment, view.units, known)
  const gathered = cells.map(({ units }) => gatherer.gather(units, kept))
  const excluded = totalOf([...gathered.map((cell) => cell.excluded), gatherer.lacking(lacking, kept)])
  const n = gathered.reduce((sum, cell) => sum + cell.n, 0)
  const head = headOf(trials.experiment, one, view, n)
  const none = whyNone(one, excluded, n)
  if (none !== undefined) return { ...head, excluded, method: none }
  const found = gathered.flatMap((cell) => {
    const estimate = cell.items.length === 0 ? undefined : estimateOf(one.statistic, cell.items)
    return estimate === undefined ? [] : [{ cell, estimate }]
  })
  if (found.length === 0) return { ...head, excluded, method: whyNoEstimate(one) }
  const estimates = found.map(({ estimate }) => estimate)
  const of = view.of ?? "mean"
  const { ends, words, caution } =
    of === "mean"
      ? cut(cellInterval(estimates, one.interval.level), possible(one))
      : cellwiseInterval(
          of,
          [{ statistic: one.statistic, cells: found.map(({ cell }) => cell) }],
          drawsOf(trials),
          one.interval.level,
        )
  const few = of === "mean" && ends.low !== undefined ? fewCells(estimates.length) : []
  const count = { entered: estimates.length, of: cells.length }
  return {
    ...head,
    excluded,
    cells: count,
    estimate: overCells(of, estimates)!,
    ...ends,
    method: `${of} over ${count.entered} of ${count.of} cells by ${[columns.join(" and "), words, ...few].join("; ")}`,
    ...cautionsOf(caution, ...few),
  }
}
