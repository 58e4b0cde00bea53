/**
 * From trials to numbers: every measure over every cell and every row of a table, then contrasts, then what is not computed here, then
 * expectations. A pure function of the program and the set of records: their order changes nothing.
 */
import type { ExperimentIR, MeasureIR, Program } from "../../compiler/ir.ts"
import { contrastsOf } from "./contrast.ts"
import { expectsOf } from "./expect.ts"
import { compileExpression, rowFunction } from "./expression.ts"
import { cellInterval, measureInterval } from "./interval.ts"
import { notComputed } from "./left.ts"
import { columnOf, type Outcome, outcomes, SAME_PROMPT, schemaOf, type Trials, trialsOf } from "./outcome.ts"
import type { Result } from "./result.ts"
import { CHANCE_IS_CERTAIN, estimateOf, type Item } from "./statistic.ts"
import type { Tables } from "./table.ts"
import { levelOf, type Unit, unitKey } from "./units.ts"
import { type View, viewsOf } from "./views.ts"

/**
 * The numbers of a run, in the order of the spec: for each experiment its measures (cells in the order of the grid, then rows of tables and
 * figures that are other sets of trials), its contrasts (once for each `by`), what this version does not compute, its expectations.
 */
export function measure(program: Program, tables: Tables): readonly Result[] {
  return program.experiments.flatMap((experiment) => {
    const table = tables.get(experiment.name)
    if (table === undefined) throw new Error(`no trials of ${experiment.name} are given`)
    const trials = trialsOf(table)
    const found = new Map(experiment.measures.map((one) => [one.name, outcomes(trials, one)]))
    const grouped = groupedBy(trials)
    const views = viewsOf(experiment, trials.columns)
    const measures = experiment.measures.flatMap((one) =>
      measureResults(trials, one, found.get(one.name)!, views, grouped),
    )
    const contrasts = contrastsOf(trials, found)
    return [...measures, ...contrasts, ...notComputed(trials), ...expectsOf(trials, found, contrasts)]
  })
}

function measureResults(
  trials: Trials,
  one: MeasureIR,
  outcome: Outcome,
  views: readonly View[],
  grouped: Grouped,
): readonly Result[] {
  const under = { outcome, grouped, seen: new Int32Array(trials.rows), taken: 0 }
  return views.map((view) => {
    const kept = view.filter === undefined ? undefined : grouped.where(conditionText(trials, view.filter))
    const rows: Rows = { under, kept }
    return view.macro === undefined
      ? pooledResult(trials.experiment, one, view, gather(rows, view.units))
      : macroResult(trials.experiment, one, view, rows, view.macro)
  })
}

function conditionText(trials: Trials, filter: NonNullable<View["filter"]>): string {
  return rowFunction(`${compileExpression(filter, schemaOf(trials, false))} === true`)
}

/** An experiment's trials by unit, with the number of each one's item. */
interface Grouped {
  /** Rows by the key of their unit. */
  readonly units: ReadonlyMap<string, Uint32Array>
  /** Of each row the rank of its item among all, by pool and identity. */
  readonly items: Int32Array
  /** Of each row whether a condition holds, 1 or 0. */
  readonly where: (condition: string) => Uint8Array
}

function groupedBy(trials: Trials): Grouped {
  const { rows, table } = trials
  const units = new Map<string, number>()
  const codes = Int32Array.from({ length: rows }, (_, row) => {
    const unit = trials.units.at(row) as string
    const code = units.get(unit) ?? units.size
    if (code === units.size) units.set(unit, code)
    return code
  })
  const sizes = new Uint32Array(units.size)
  for (const code of codes) sizes[code]! += 1
  const groups = Array.from(sizes, (size) => new Uint32Array(size))
  sizes.fill(0)
  for (let row = 0; row < rows; row++) {
    const code = codes[row]!
    groups[code]![sizes[code]!++] = row
  }
  // A design has many more views than conditions on reads: the table is gone through once for each condition.
  const known = new Map<string, Uint8Array>()
  return {
    units: new Map([...units].map(([unit, code]) => [unit, groups[code]!])),
    items: itemRanks(trials),
    where: (condition) => {
      const before = known.get(condition)
      if (before !== undefined) return before
      const kept = new Uint8Array(rows)
      table.filter(condition).scan((row) => {
        kept[row!] = 1
      })
      known.set(condition, kept)
      return kept
    },
  }
}

function itemRanks(trials: Trials): Int32Array {
  const [pool, item] = [columnOf(trials, "pool"), columnOf(trials, "item")]
  const known = new Map<string, number>()
  const codes = Int32Array.from({ length: trials.rows }, (_, row) => {
    const key = JSON.stringify([pool.at(row), item.at(row)])
    const code = known.get(key) ?? known.size
    if (code === known.size) known.set(key, code)
    return code
  })
  const ranks = new Int32Array(known.size)
  const sorted = [...known].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [rank, [, code]] of sorted.entries()) ranks[code] = rank
  return codes.map((code) => ranks[code]!)
}

/** The trials of a view under a measure: all, or those where its condition holds. */
interface Rows {
  readonly under: {
    readonly outcome: Outcome
    readonly grouped: Grouped
    /** Of each observation, by which gathering it was last met; those before the first are 0. */
    readonly seen: Int32Array
    taken: number
  }
  readonly kept: Uint8Array | undefined
}

/** What the trials of several units come to: reasons in alphabetical order, and each item's share, in the order of items. */
interface Gathered {
  readonly excluded: Readonly<Record<string, number>>
  readonly items: readonly Item[]
}

/** Of trials that enter with one observation the first counts alone. */
function gather({ under, kept }: Rows, units: readonly Unit[]): Gathered {
  const { outcome, grouped, seen } = under
  under.taken += 1
  const excluded = new Map<string, number>()
  const exclude = (reason: string) => excluded.set(reason, (excluded.get(reason) ?? 0) + 1)
  const items = new Map<number, { sum: number; count: number; values: number[] }>()
  for (const unit of units) {
    for (const row of grouped.units.get(unitKey(unit)) ?? []) {
      if (kept?.[row] === 0) continue
      const reason = outcome.reasons.at(row)
      const observation = outcome.observations[row]!
      if (reason !== null) exclude(reason as string)
      else if (seen[observation] === under.taken) exclude(SAME_PROMPT)
      else {
        seen[observation] = under.taken
        const value = outcome.values[row]!
        const item = grouped.items[row]!
        const share = items.get(item) ?? { sum: 0, count: 0, values: [] }
        share.sum += value
        share.count += 1
        share.values.push(value)
        items.set(item, share)
      }
    }
  }
  return {
    excluded: Object.fromEntries([...excluded].sort(([a], [b]) => (a < b ? -1 : 1))),
    items: [...items].sort(([a], [b]) => a - b).map(([, share]) => share),
  }
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
  rows: Rows,
  columns: readonly string[],
): Result {
  const cells = new Map<string, Unit[]>()
  for (const unit of view.units) {
    const key = JSON.stringify(columns.map((column) => levelOf(unit, column) ?? null))
    const cell = cells.get(key)
    if (cell === undefined) cells.set(key, [unit])
    else cell.push(unit)
  }
  const gathered = [...cells.values()].map((units) => gather(rows, units))
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
