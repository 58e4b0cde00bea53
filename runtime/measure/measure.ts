/**
 * From trials to numbers: every measure over every cell and every row of a table, then contrasts, then expectations. A pure function of the
 * program and the set of records: their order changes nothing.
 */
import type { ColumnTable } from "arquero"
import type { ExperimentIR, MeasureIR, Program } from "../../compiler/ir.ts"
import type { TrialRecord } from "../record.ts"
import { bootstrapMean, type Share } from "./bootstrap.ts"
import { contrastsOf, intervalWords } from "./contrast.ts"
import { expectsOf } from "./expect.ts"
import { compileExpression, rowFunction } from "./expression.ts"
import { outcomes, REASON, schemaOf, type Trials, trialsOf, VALUE } from "./outcome.ts"
import { wilson } from "./proportion.ts"
import { fastStream } from "./random.ts"
import type { Result } from "./result.ts"
import { unitKey, type View, viewsOf } from "./views.ts"

/**
 * The numbers of a run, in the order of the spec: for each experiment its measures (cells in the order of the grid, then rows of tables and
 * figures that are other sets of trials), its contrasts (once for each `by`), its expectations.
 */
export function measure(program: Program, records: readonly TrialRecord[]): readonly Result[] {
  return program.experiments.flatMap((experiment) => {
    const trials = trialsOf(experiment, records)
    const tables = new Map(experiment.measures.map((one) => [one.name, outcomes(trials, one)]))
    const measures = experiment.measures.flatMap((one) => measureResults(trials, one, tables.get(one.name)!))
    const contrasts = contrastsOf(trials, tables)
    return [...measures, ...contrasts, ...expectsOf(experiment, contrasts)]
  })
}

function measureResults(trials: Trials, one: MeasureIR, table: ColumnTable): readonly Result[] {
  const { experiment, records } = trials
  const units = records.map((record) => unitKey({ ...record }))
  const withUnits = table.assign({ unit: units })
  return viewsOf(experiment).map((view) => {
    const filtered =
      view.filter === undefined ? withUnits : withUnits.filter(conditionText(trials, view.filter))
    const wanted = new Set(view.units.map(unitKey))
    const rows = filtered.params({ wanted }).filter('(d, $) => op.has($.wanted, d["unit"])')
    return resultOf(experiment, one, view, rows)
  })
}

function conditionText(trials: Trials, filter: NonNullable<View["filter"]>): string {
  return rowFunction(`${compileExpression(filter, schemaOf(trials, false))} === true`)
}

function resultOf(experiment: ExperimentIR, one: MeasureIR, view: View, rows: ColumnTable): Result {
  const entered = rows.filter(rowFunction(`d["${REASON}"] === null`))
  const { n, sum } = entered.rollup({ n: "d => op.count()", sum: `d => op.sum(d["${VALUE}"])` }).object() as {
    n: number
    sum: number | null
  }
  const excluded = countReasons(rows)
  const head = {
    experiment: experiment.name,
    kind: "measure" as const,
    name: one.name,
    by: view.by,
    ...(view.where === undefined ? {} : { where: view.where }),
    n,
  }
  const forbidden = forbiddenInvalid(one, excluded)
  if (forbidden > 0) {
    return {
      ...head,
      excluded,
      method: `none: ${forbidden} trials with an invalid read, which the measure forbids`,
    }
  }
  if (n === 0) return { ...head, excluded, method: "none: no trial entered" }
  const total = sum ?? 0
  const { method, level } = one.interval
  const estimate = total / n
  const rate = one.statistic === "rate" ? { k: total } : {}
  if (method === "wilson") {
    if (one.statistic !== "rate") throw new Error(`measure ${one.name}: a Wilson interval is for a rate`)
    return { ...head, ...rate, excluded, estimate, ...wilson(total, n, level), level, method: "Wilson" }
  }
  const stream = fastStream({
    seed: experiment.seed,
    declaration: `bootstrap ${experiment.name} measure ${one.name}${view.where === undefined ? "" : ` where ${view.where}`}`,
    factors: view.by,
  })
  const interval = bootstrapMean(sharesByItem(entered), level, stream)
  const ends = interval === undefined ? {} : { low: interval.low, high: interval.high, level }
  return { ...head, ...rate, excluded, estimate, ...ends, method: intervalWords(interval) }
}

/** Invalid reads that a measure with `invalid error` met: then it has no estimate. */
function forbiddenInvalid(one: MeasureIR, excluded: Readonly<Record<string, number>>): number {
  if (one.invalid !== "error") return 0
  return Object.entries(excluded).reduce(
    (sum, [why, count]) => sum + (why.startsWith("invalid ") ? count : 0),
    0,
  )
}

/** Trials that did not enter, by reason; reasons in alphabetical order. */
function countReasons(rows: ColumnTable): Readonly<Record<string, number>> {
  const counted = rows
    .filter(rowFunction(`d["${REASON}"] !== null`))
    .groupby(REASON)
    .rollup({ count: "d => op.count()" })
    .orderby(REASON)
    .objects() as Record<string, number>[]
  return Object.fromEntries(counted.map((row) => [row[REASON], row.count]))
}

/** What each item contributes, items in the order of their names: the clusters of the bootstrap. */
function sharesByItem(entered: ColumnTable): readonly Share[] {
  return entered
    .groupby("pool", "item")
    .rollup({ sum: `d => op.sum(d["${VALUE}"])`, count: "d => op.count()" })
    .orderby("pool", "item")
    .objects() as unknown as readonly Share[]
}
