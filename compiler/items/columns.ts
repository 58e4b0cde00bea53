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
 * The columns of each row. Numbers are numbers where nothing of their spelling is lost: where every number of the column is spelt as it would be
 * printed. Else all of them stay the texts that the file has: a version 3.10 does not become 3.1 in a prompt, nor is it a text among numbers.
 * A CSV file knows texts only: there a column is of numbers where each row has one.
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
  const where = (is: (cell: Cell) => boolean): ReadonlySet<string> =>
    new Set(
      names.filter((name) =>
        read.every(({ cells }) => {
          const cell = cells.get(name)
          // A row without the column has no say.
          return cell === undefined || is(cell)
        }),
      ),
    )
  const numbers = where(isPlainNumber)
  const lossless = where((cell) => !isTyped(cell) || isPlainNumber(cell))
  return read.map(({ cells, empty, problems }) => ({
    columns: Object.fromEntries([
      ...[...cells].map(
        ([name, cell]) => [name, columnValue(cell, (isTyped(cell) ? lossless : numbers).has(name))] as const,
      ),
      ...empty.map((name) => [name, ""] as const),
    ]),
    problems,
  }))
}

/** Whether a cell holds a number of a format that knows numbers. */
const isTyped = (cell: Cell): boolean => cell.kind === "scalar" && typeof cell.value === "number"

/** Whether a cell holds a number, or spells one in a format that knows only text, and spells it as it would be printed. */
const isPlainNumber = (cell: Cell): boolean =>
  cell.kind === "scalar" &&
  (isTyped(cell) || cell.spelt === true) &&
  Number.isFinite(Number(cell.text)) &&
  String(Number(cell.text)) === cell.text

const columnValue = (cell: Cell, isNumber: boolean): string | number => {
  if (cell.kind !== "scalar") return ""
  return isNumber ? Number(cell.text) : cell.text
}

/** What a column holds over all rows; `both` where it may be compared with numbers and with texts. */
export type ColumnKind = "texts" | "numbers" | "both"

/** Texts that all spell numbers, such as 3.10, are compared as either; an empty one decides nothing. */
export const columnKinds = (rows: readonly Item["columns"][]): ReadonlyMap<string, ColumnKind> => {
  const found = new Map<string, Set<ColumnKind>>()
  for (const columns of rows) {
    for (const [name, value] of Object.entries(columns)) {
      const kinds = found.get(name) ?? new Set()
      found.set(name, kinds.add(kindOf(value)))
    }
  }
  return new Map([...found].map(([name, kinds]) => [name, kindOfAll(kinds)]))
}

const kindOf = (value: string | number): ColumnKind => {
  if (typeof value === "number") return "numbers"
  return Number.isFinite(Number(value)) ? "both" : "texts"
}

const kindOfAll = (kinds: ReadonlySet<ColumnKind>): ColumnKind => {
  if (kinds.has("texts")) return kinds.has("numbers") ? "both" : "texts"
  return kinds.has("both") ? "both" : "numbers"
}
