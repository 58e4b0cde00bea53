/** The further columns of items: read before the rest, since a condition over them says which rows count. */
import type { ItemFields } from "../ir.ts"
import type { Item } from "../item.ts"
import type { Cell } from "./cell.ts"
import { findColumn } from "./find.ts"
import type { Field, ItemProblem } from "./problem.ts"
import { absence, type SourceRow } from "./row.ts"
import { textOf } from "./texts.ts"

export interface RowColumns {
  /** An empty cell, which is a problem of an item, is the empty text here: a condition can leave its row out. */
  readonly columns: Item["columns"]
  readonly problems: readonly ItemProblem[]
}

/**
 * The columns of each row. A number in a format that knows numbers is one. A CSV file knows texts only: there a column is of numbers where each
 * row has one, spelt in the usual way, so that `007` stays a text.
 */
export const readColumns = (
  rows: readonly SourceRow[],
  { columns }: ItemFields,
  absent: ReadonlySet<Field>,
): readonly RowColumns[] => {
  const names = Object.keys(columns).filter((name) => !absent.has(name))
  if (names.length === 0) return rows.map(() => ({ columns: {}, problems: [] }))
  const read = rows.map((row) => {
    const problems: ItemProblem[] = []
    const cells = new Map<string, Cell>()
    const empty: string[] = []
    for (const name of names) {
      const column = columns[name] ?? []
      const found = findColumn(row, column)
      if (!("cell" in found)) problems.push(absence(found, name, column))
      else if (textOf(found.cell, name, (problem) => problems.push(problem)) !== undefined)
        cells.set(name, found.cell)
      else if (problems.at(-1)?.kind === "empty_text") empty.push(name)
    }
    return { cells, empty, problems }
  })
  const numbers = new Set(names.filter((name) => read.every(({ cells }) => isNumber(cells.get(name)))))
  return read.map(({ cells, empty, problems }) => ({
    columns: Object.fromEntries([
      ...[...cells].map(([name, cell]) => [name, columnValue(cell, numbers.has(name))] as const),
      ...empty.map((name) => [name, ""] as const),
    ]),
    problems,
  }))
}

/** Whether a cell holds a number, or spells one in a format that knows only text. A row without the column has no say. */
const isNumber = (cell: Cell | undefined): boolean => {
  if (cell === undefined) return true
  if (cell.kind !== "scalar") return false
  return typeof cell.value === "number" || (cell.spelt === true && String(Number(cell.text)) === cell.text)
}

const columnValue = (cell: Cell, isNumber: boolean): string | number => {
  if (cell.kind !== "scalar") return ""
  if (typeof cell.value === "number") return cell.value
  return isNumber ? Number(cell.text) : cell.text
}

/** What a column holds over all rows. */
export type ColumnKind = "texts" | "numbers" | "both"

export const columnKinds = (rows: readonly Item["columns"][]): ReadonlyMap<string, ColumnKind> => {
  const kinds = new Map<string, ColumnKind>()
  for (const columns of rows) {
    for (const [name, value] of Object.entries(columns)) {
      const kind = typeof value === "number" ? "numbers" : "texts"
      const known = kinds.get(name)
      kinds.set(name, known === undefined || known === kind ? kind : "both")
    }
  }
  return kinds
}
