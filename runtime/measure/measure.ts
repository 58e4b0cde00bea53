/**
 * From trials to numbers: every measure over every cell and every row of a table, then contrasts, then expectations. A pure function of the
 * program and the set of records: their order changes nothing.
 */
import type { ColumnTable } from "arquero"
import type { ExperimentIR, MeasureIR, Program } from "../../compiler/ir.ts"
import type { TrialRecord } from "../record.ts"
import type { Share } from "./bootstrap.ts"
import { contrastsOf } from "./contrast.ts"
import { expectsOf } from "./expect.ts"
import { compileExpression, rowFunction } from "./expression.ts"
import { measureInterval } from "./interval.ts"
import { OBSERVATION, once, outcomes, REASON, schemaOf, type Trials, trialsOf, VALUE } from "./outcome.ts"
import type { Result } from "./result.ts"
import { type Unit, unitKey, type View, viewsOf } from "./views.ts"

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
  const rows = table.assign({ [UNIT]: records.map((record) => unitKey(record)) })
  // A design has many more views than conditions on reads: the table is gone through once for each condition.
  const known = new Map<string, ByUnit>()
  return viewsOf(experiment).map((view) => {
    const condition = view.filter === undefined ? "" : conditionText(trials, view.filter)
    const byUnit = known.get(condition) ?? byUnitOf(condition === "" ? rows : rows.filter(condition))
    known.set(condition, byUnit)
    return resultOf(experiment, one, view, gather(byUnit, view.units))
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
  readonly items: readonly Share[]
}

function gather(byUnit: ByUnit, units: readonly Unit[]): Gathered {
  const excluded = new Map<string, number>()
  const items = new Map<string, Share>()
  for (const { pool, item, value, reason } of once(
    units.flatMap((unit) => byUnit.get(unitKey(unit)) ?? []),
  )) {
    if (value === null) {
      excluded.set(reason!, (excluded.get(reason!) ?? 0) + 1)
      continue
    }
    const key = JSON.stringify([pool, item])
    const before = items.get(key) ?? { sum: 0, count: 0 }
    items.set(key, { sum: before.sum + value, count: before.count + 1 })
  }
  const sorted = <T>(map: ReadonlyMap<string, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
  return { excluded: Object.fromEntries(sorted(excluded)), items: sorted(items).map(([, share]) => share) }
}

function resultOf(experiment: ExperimentIR, one: MeasureIR, view: View, gathered: Gathered): Result {
  const { excluded, items } = gathered
  const total = items.reduce((sum, share) => sum + share.sum, 0)
  const n = items.reduce((count, share) => count + share.count, 0)
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
  const { ends, words } = measureInterval(one, items, experiment.seed)
  const rate = one.statistic === "rate" ? { k: total } : {}
  return { ...head, ...rate, excluded, estimate: total / n, ...ends, method: words }
}

/** Invalid reads that a measure with `invalid error` met: then it has no estimate. */
function forbiddenInvalid(one: MeasureIR, excluded: Readonly<Record<string, number>>): number {
  if (one.invalid !== "error") return 0
  return Object.entries(excluded).reduce(
    (sum, [why, count]) => sum + (why.startsWith("invalid ") ? count : 0),
    0,
  )
}
