/**
 * From trials to numbers: every measure over every cell and every row of a table, then contrasts, then what is not computed here, then
 * expectations. A pure function of the program and the set of records: their order changes nothing.
 */
import type { ColumnTable } from "arquero"
import type { ExperimentIR, MeasureIR, Program } from "../../compiler/ir.ts"
import type { TrialRecord } from "../record.ts"
import { contrastsOf } from "./contrast.ts"
import { expectsOf } from "./expect.ts"
import { compileExpression, rowFunction } from "./expression.ts"
import { cellInterval, measureInterval } from "./interval.ts"
import { notComputed } from "./left.ts"
import { groupingColumns } from "./needs.ts"
import { OBSERVATION, once, outcomes, REASON, schemaOf, type Trials, trialsOf, VALUE } from "./outcome.ts"
import type { Result } from "./result.ts"
import { CHANCE_IS_CERTAIN, estimateOf, type Item } from "./statistic.ts"
import { levelOf, type Unit, unitKey, unitOf } from "./units.ts"
import { type View, viewsOf } from "./views.ts"

/**
 * The numbers of a run, in the order of the spec: for each experiment its measures (cells in the order of the grid, then rows of tables and
 * figures that are other sets of trials), its contrasts (once for each `by`), what this version does not compute, its expectations.
 */
export function measure(program: Program, records: readonly TrialRecord[]): readonly Result[] {
  return program.experiments.flatMap((experiment) => {
    const trials = trialsOf(experiment, records)
    const tables = new Map(experiment.measures.map((one) => [one.name, outcomes(trials, one)]))
    const views = viewsOf(experiment, trials.records)
    const columns = groupingColumns(experiment)
    const units = trials.records.map((record) => unitKey(unitOf(record, columns)))
    const measures = experiment.measures.flatMap((one) =>
      measureResults(trials, one, tables.get(one.name)!, views, units),
    )
    const contrasts = contrastsOf(trials, tables)
    return [...measures, ...contrasts, ...notComputed(trials), ...expectsOf(trials, tables, contrasts)]
  })
}

function measureResults(
  trials: Trials,
  one: MeasureIR,
  table: ColumnTable,
  views: readonly View[],
  units: readonly string[],
): readonly Result[] {
  const rows = table.assign({ [UNIT]: [...units] })
  // A design has many more views than conditions on reads: the table is gone through once for each condition.
  const known = new Map<string, ByUnit>()
  return views.map((view) => {
    const condition = view.filter === undefined ? "" : conditionText(trials, view.filter)
    const byUnit = known.get(condition) ?? byUnitOf(condition === "" ? rows : rows.filter(condition))
    known.set(condition, byUnit)
    return view.macro === undefined
      ? pooledResult(trials.experiment, one, view, gather(byUnit, view.units))
      : macroResult(trials.experiment, one, view, byUnit, view.macro)
  })
}

const UNIT = "measure:unit"

function conditionText(trials: Trials, filter: NonNullable<View["filter"]>): string {
  return rowFunction(`${compileExpression(filter, schemaOf(trials, false))} === true`)
}

/** A trial under a measure. */
interface Row {
  readonly unit: string
  readonly pool: string
  readonly item: string
  readonly value: number | null
  readonly reason: string | null
  readonly observation: number
}

/** Trials by cell, model and pool. */
type ByUnit = ReadonlyMap<string, readonly Row[]>

function byUnitOf(table: ColumnTable): ByUnit {
  const rows = table
    .select("pool", "item", {
      [UNIT]: "unit",
      [VALUE]: "value",
      [REASON]: "reason",
      [OBSERVATION]: "observation",
    })
    .objects() as Row[]
  const units = new Map<string, Row[]>()
  for (const row of rows) {
    const unit = units.get(row.unit)
    if (unit === undefined) units.set(row.unit, [row])
    else unit.push(row)
  }
  return units
}

/** What the trials of several units come to: reasons in alphabetical order, and each item's share, in the order of items. */
interface Gathered {
  readonly excluded: Readonly<Record<string, number>>
  readonly items: readonly Item[]
}

function gather(byUnit: ByUnit, units: readonly Unit[]): Gathered {
  const excluded = new Map<string, number>()
  const items = new Map<string, { sum: number; count: number; values: number[] }>()
  for (const { pool, item, value, reason } of once(
    units.flatMap((unit) => byUnit.get(unitKey(unit)) ?? []),
  )) {
    if (value === null) {
      excluded.set(reason!, (excluded.get(reason!) ?? 0) + 1)
      continue
    }
    const key = JSON.stringify([pool, item])
    const share = items.get(key) ?? { sum: 0, count: 0, values: [] }
    share.sum += value
    share.count += 1
    share.values.push(value)
    items.set(key, share)
  }
  const sorted = <T>(map: ReadonlyMap<string, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
  return { excluded: Object.fromEntries(sorted(excluded)), items: sorted(items).map(([, share]) => share) }
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

function countOf(items: readonly Item[]): number {
  return items.reduce((count, share) => count + share.count, 0)
}

function pooledResult(experiment: ExperimentIR, one: MeasureIR, view: View, gathered: Gathered): Result {
  const { excluded, items } = gathered
  const n = countOf(items)
  const head = headOf(experiment, one, view, n)
  const none = whyNone(one, excluded, n)
  if (none !== undefined) return { ...head, excluded, method: none }
  const estimate = estimateOf(one.statistic, items)
  if (estimate === undefined) return { ...head, excluded, method: CHANCE_IS_CERTAIN }
  const { ends, words } = measureInterval(one, items, experiment.seed)
  const rate = one.statistic === "rate" ? { k: items.reduce((sum, share) => sum + share.sum, 0) } : {}
  return { ...head, ...rate, excluded, estimate, ...ends, method: words }
}

/** The unweighted mean over cells: crossings of the columns, within each of which trials are pooled. */
function macroResult(
  experiment: ExperimentIR,
  one: MeasureIR,
  view: View,
  byUnit: ByUnit,
  columns: readonly string[],
): Result {
  const cells = new Map<string, Unit[]>()
  for (const unit of view.units) {
    const key = JSON.stringify(columns.map((column) => levelOf(unit, column) ?? null))
    const cell = cells.get(key)
    if (cell === undefined) cells.set(key, [unit])
    else cell.push(unit)
  }
  const gathered = [...cells.values()].map((units) => gather(byUnit, units))
  const excluded = totalOf(gathered.map((cell) => cell.excluded))
  const n = gathered.reduce((sum, { items }) => sum + countOf(items), 0)
  const head = headOf(experiment, one, view, n)
  const none = whyNone(one, excluded, n)
  if (none !== undefined) return { ...head, excluded, method: none }
  const estimates = gathered.flatMap(({ items }) =>
    items.length === 0 ? [] : (estimateOf(one.statistic, items) ?? []),
  )
  if (estimates.length === 0) return { ...head, excluded, method: CHANCE_IS_CERTAIN }
  const { ends, words } = cellInterval(estimates, one.interval.level)
  const count = { entered: estimates.length, of: cells.size }
  return {
    ...head,
    excluded,
    cells: count,
    estimate: estimates.reduce((sum, value) => sum + value, 0) / estimates.length,
    ...ends,
    method: `mean over ${count.entered} of ${count.of} cells by ${columns.join(" and ")}; ${words}`,
  }
}

/** Counts by reason, added up, in alphabetical order. */
function totalOf(counts: readonly Gathered["excluded"][]): Gathered["excluded"] {
  const total = new Map<string, number>()
  for (const one of counts) {
    for (const [reason, count] of Object.entries(one)) total.set(reason, (total.get(reason) ?? 0) + count)
  }
  return Object.fromEntries([...total].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Why there is no estimate, as a method; undefined where there is one. */
function whyNone(one: MeasureIR, excluded: Gathered["excluded"], n: number): string | undefined {
  const forbidden = forbiddenInvalid(one, excluded)
  if (forbidden > 0) return `none: ${forbidden} trials with an invalid read, which the measure forbids`
  return n === 0 ? "none: no trial entered" : undefined
}

/** Invalid reads that a measure with `invalid error` met: then it has no estimate. */
function forbiddenInvalid(one: MeasureIR, excluded: Gathered["excluded"]): number {
  if (one.invalid !== "error") return 0
  return Object.entries(excluded).reduce(
    (sum, [why, count]) => sum + (why.startsWith("invalid ") ? count : 0),
    0,
  )
}
