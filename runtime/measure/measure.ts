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
import { column, compileExpression, rowFunction } from "./expression.ts"
import { outcomes, REASON, schemaOf, type Trials, trialsOf, VALUE } from "./outcome.ts"
import { wilson } from "./proportion.ts"
import { fastStream } from "./random.ts"
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
  const tallies = new Map<string, Tallies>()
  return viewsOf(experiment).map((view) => {
    const condition = view.filter === undefined ? "" : conditionText(trials, view.filter)
    const known = tallies.get(condition) ?? tally(condition === "" ? rows : rows.filter(condition))
    tallies.set(condition, known)
    return resultOf(experiment, one, view, gather(known, view.units))
  })
}

const UNIT = "measure:unit"

function conditionText(trials: Trials, filter: NonNullable<View["filter"]>): string {
  return rowFunction(`${compileExpression(filter, schemaOf(trials, false))} === true`)
}

/** What the trials of one cell, model and pool come to. */
interface Tally {
  readonly excluded: { readonly reason: string; readonly count: number }[]
  readonly shares: { readonly item: string; readonly sum: number; readonly count: number }[]
}

type Tallies = ReadonlyMap<string, Tally>

function tally(rows: ColumnTable): Tallies {
  const tallies = new Map<string, Tally>()
  const of = (unit: string) => {
    const found = tallies.get(unit) ?? { excluded: [], shares: [] }
    tallies.set(unit, found)
    return found
  }
  const count = "d => op.count()"
  const reasons = rows
    .filter(rowFunction(`${column(REASON)} !== null`))
    .groupby(UNIT, REASON)
    .rollup({ count })
  for (const row of reasons.orderby(REASON).objects() as Record<string, never>[]) {
    of(row[UNIT]!).excluded.push({ reason: row[REASON]!, count: row.count! })
  }
  const sum = rowFunction(`op.sum(${column(VALUE)})`)
  const entered = rows.filter(rowFunction(`${column(REASON)} === null`)).groupby(UNIT, "pool", "item")
  for (const row of entered.rollup({ sum, count }).orderby("pool", "item").objects() as Record<
    string,
    never
  >[]) {
    of(row[UNIT]!).shares.push({
      item: JSON.stringify([row.pool, row.item]),
      sum: row.sum!,
      count: row.count!,
    })
  }
  return tallies
}

/** What the trials of several units come to: reasons in alphabetical order, and each item's share, in the order of items. */
interface Gathered {
  readonly excluded: Readonly<Record<string, number>>
  readonly items: readonly Share[]
}

function gather(tallies: Tallies, units: readonly Unit[]): Gathered {
  const excluded = new Map<string, number>()
  const items = new Map<string, Share>()
  for (const unit of units) {
    const { excluded: reasons, shares } = tallies.get(unitKey(unit)) ?? { excluded: [], shares: [] }
    for (const { reason, count } of reasons) excluded.set(reason, (excluded.get(reason) ?? 0) + count)
    for (const { item, sum, count } of shares) {
      const before = items.get(item) ?? { sum: 0, count: 0 }
      items.set(item, { sum: before.sum + sum, count: before.count + count })
    }
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
  const interval = bootstrapMean(items, level, stream)
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
