/** The trials behind each measure of a contrast. */
import type { ContrastIR, MeasureIR } from "../../compiler/ir.ts"
import type { Cell } from "./column.ts"
import { compileExpression, rowFunction } from "./expression.ts"
import { groupedBy } from "./grouped.ts"
import { groupingColumns } from "./needs.ts"
import { columnOf, type Outcome, once, schemaOf, type Trials } from "./outcome.ts"
import { type Item, itemOf } from "./statistic.ts"
import { factorColumn, itemColumn } from "./table.ts"

export interface Row {
  readonly model: string
  readonly pool: string
  readonly item: string
  /** The item's number among those of the experiment. */
  readonly rank: number
  /** Its number among those of the experiment. */
  readonly trial: number
  readonly value: number | null
  /** Its weight, or the other number of a ratio or an AUROC, where the measure has one. */
  readonly other?: number
  /** Why it does not enter; of a trial that lacks a column that cells are taken by, "no framing". */
  readonly reason: string | null
  readonly observation: number
  /** The crossing of the columns that cells are taken by; of a trial that lacks one of them, no cell that there is. */
  readonly cell: string
}

/** What weights do where each item has one number; nothing where there are none. */
export const weightWords = (sides: readonly Side[]): readonly string[] =>
  sides.some(({ measure }) => measure.weight !== undefined)
    ? ["weights count within an item, and each item as much as any other"]
    : []

/** One measure of a contrast over the trials that have its levels, with its sign. */
export interface Side {
  readonly measure: MeasureIR
  readonly sign: 1 | -1
  readonly rows: readonly Row[]
}

/**
 * `cells`: columns whose crossing each trial is given, within which trials that are one observation count once; none for all together. A trial that lacks one
 * of them is in no cell.
 */
export function sidesOf(
  trials: Trials,
  contrast: ContrastIR,
  tables: ReadonlyMap<string, Outcome>,
  cells: readonly string[] = [],
): readonly Side[] {
  const { experiment } = trials
  const ofItems = groupingColumns(experiment)
  const { items: ranks } = groupedBy(trials)
  return contrast.terms.map(({ measure: name, levels, where, sign }) => {
    const measure = experiment.measures.find((one) => one.name === name)
    const outcome = tables.get(name)
    if (measure === undefined || outcome === undefined)
      throw new Error(`no measure ${name} in ${experiment.name}`)
    const conditions = Object.entries(levels).map(
      ([factor, level]) => [columnOf(trials, factorColumn(factor)), level] as const,
    )
    const kept =
      where === undefined
        ? undefined
        : groupedBy(trials).where(
            rowFunction(`${compileExpression(where, schemaOf(trials, false))} === true`),
          )
    const columns = cells.map((name) => ({
      name,
      column: columnOf(trials, ofItems.includes(name) ? itemColumn(name) : factorColumn(name)),
    }))
    const [model, pool, item] = [
      columnOf(trials, "model"),
      columnOf(trials, "pool"),
      columnOf(trials, "item"),
    ]
    const crossings = new Map<string, string>()
    const rows: Row[] = []
    for (let row = 0; row < trials.rows; row++) {
      if (kept?.[row] === 0) continue
      if (!conditions.every(([column, level]) => column.at(row) === level)) continue
      const crossing =
        columns.length === 0 ? "[]" : JSON.stringify(columns.map(({ column }) => cellText(column.at(row))))
      const cell = crossings.get(crossing) ?? crossing
      crossings.set(crossing, cell)
      const lacking = columns.find(({ column }) => column.at(row) === null)
      const value = lacking === undefined ? outcome.values[row]! : Number.NaN
      rows.push({
        model: model.at(row) as string,
        pool: pool.at(row) as string,
        item: item.at(row) as string,
        rank: ranks[row]!,
        trial: row,
        value: Number.isNaN(value) ? null : value,
        ...(outcome.others === undefined ? {} : { other: outcome.others[row]! }),
        reason: lacking === undefined ? (outcome.reasons.at(row) as string | null) : `no ${lacking.name}`,
        observation: outcome.observations[row]!,
        cell,
      })
    }
    const sorted = rows.sort((a, b) => a.rank - b.rank || compare(a.model, b.model))
    return {
      measure,
      sign,
      rows: [...groupBy(sorted, ({ cell }) => cell).values()].flatMap((all) => once(all)),
    }
  })
}

const cellText = (value: Cell): string | null => (value === null ? null : String(value))

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function hasInvalid(rows: readonly Row[]): boolean {
  return rows.some(({ reason }) => reason?.startsWith("invalid ") ?? false)
}

/** What these trials of one item, or of all, come to. */
export function shareOf(rows: readonly Row[], { statistic }: Pick<MeasureIR, "statistic">): Item {
  const entered = rows.filter(({ value }) => value !== null)
  const others = entered.flatMap(({ other }) => other ?? [])
  return itemOf(
    statistic,
    entered.map(({ value }) => value!),
    others.length === 0 ? undefined : others,
  )
}

/** Why none of these trials of one item entered; undefined when some did. */
export function reasonOf(rows: readonly Row[]): string | undefined {
  if (rows.some(({ reason }) => reason === null)) return undefined
  return rows[0]?.reason ?? undefined
}

/** An item under one model: what a pair is made of. */
export function pairKey(row: Row): string {
  return `${row.rank} ${row.model}`
}

export function groupBy<T>(
  values: readonly T[],
  keyOf: (value: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group === undefined) groups.set(keyOf(value), [value])
    else group.push(value)
  }
  return groups
}
