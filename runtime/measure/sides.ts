/** The trials behind each measure of a contrast. */
import type { ColumnTable } from "arquero"
import type { ContrastIR, MeasureIR } from "../../compiler/ir.ts"
import { column } from "./expression.ts"
import { groupingColumns } from "./needs.ts"
import { OBSERVATION, once, REASON, type Trials, VALUE } from "./outcome.ts"
import type { Item } from "./statistic.ts"
import { type Cell, factorColumn, itemColumn } from "./table.ts"

export interface Row {
  readonly model: string
  readonly pool: string
  readonly item: string
  readonly value: number | null
  readonly reason: string | null
  readonly observation: number
  /** The crossing of the columns that cells are taken by. */
  readonly cell: string
}

/** One measure of a contrast over the trials that have its levels, with its sign. */
export interface Side {
  readonly measure: MeasureIR
  readonly sign: 1 | -1
  readonly rows: readonly Row[]
}

/** `cells`: columns whose crossing each trial is given, within which trials that are one observation count once; none for all together. */
export function sidesOf(
  trials: Trials,
  contrast: ContrastIR,
  tables: ReadonlyMap<string, ColumnTable>,
  cells: readonly string[] = [],
): readonly Side[] {
  const { experiment } = trials
  const ofItems = groupingColumns(experiment)
  return contrast.terms.map(({ measure: name, levels, sign }) => {
    const measure = experiment.measures.find((one) => one.name === name)
    const table = tables.get(name)
    if (measure === undefined || table === undefined)
      throw new Error(`no measure ${name} in ${experiment.name}`)
    const conditions = Object.entries(levels).map(
      ([factor, level]) => `${column(factorColumn(factor))} === ${JSON.stringify(level)}`,
    )
    const kept = conditions.length === 0 ? table : table.filter(`d => ${conditions.join(" && ")}`)
    const found = kept
      .select("model", "pool", "item", {
        [VALUE]: "value",
        [REASON]: "reason",
        [OBSERVATION]: "observation",
      })
      .objects() as Omit<Row, "cell">[]
    const columns = cells.map(
      (name) => kept.array(ofItems.includes(name) ? itemColumn(name) : factorColumn(name)) as Cell[],
    )
    const rows = found.map((row, at) => ({
      ...row,
      cell: JSON.stringify(columns.map((values) => cellText(values[at]))),
    }))
    const sorted = rows.sort(
      (a, b) => compare(a.pool, b.pool) || compare(a.item, b.item) || compare(a.model, b.model),
    )
    return {
      measure,
      sign,
      rows: [...groupBy(sorted, ({ cell }) => cell).values()].flatMap((all) => once(all)),
    }
  })
}

const cellText = (value: Cell | undefined): string | null =>
  value === null || value === undefined ? null : String(value)

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function hasInvalid(rows: readonly Row[]): boolean {
  return rows.some(({ reason }) => reason?.startsWith("invalid ") ?? false)
}

/** What these trials of one item, or of all, come to. */
export function shareOf(rows: readonly Row[]): Item {
  const values = rows.flatMap(({ value }) => (value === null ? [] : [value]))
  return { sum: values.reduce((sum, value) => sum + value, 0), count: values.length, values }
}

/** Why none of these trials of one item entered; undefined when some did. */
export function reasonOf(rows: readonly Row[]): string | undefined {
  if (rows.some(({ reason }) => reason === null)) return undefined
  return rows[0]?.reason ?? undefined
}

/** An item under one model: what a pair is made of. */
export function pairKey(row: Row): string {
  return JSON.stringify([row.pool, row.item, row.model])
}

export function itemKey(row: Row): string {
  return JSON.stringify([row.pool, row.item])
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
