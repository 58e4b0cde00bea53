/** The files of a pool to items, by the declared mapping of fields; every problem of all files in one pass. */
import type { Source, Span } from "../../grammar/source.ts"
import type { ColumnIR, ExprIR, ItemFields, PoolIR } from "../ir.ts"
import type { Item } from "../item.ts"
import { nodesOf } from "../looks.ts"
import type { Cell } from "./cell.ts"
import { printColumn } from "./column.ts"
import { type ColumnKind, columnKinds, type RowColumns, readColumns } from "./columns.ts"
import { findColumn } from "./find.ts"
import { endings, isBare, readerOf } from "./formats.ts"
import { holds, isLeftOut } from "./holds.ts"
import { choicesIn, wholeList } from "./options.ts"
import { columnsOf } from "./path.ts"
import type { Field, FoundProblem } from "./problem.ts"
import { type Flaw, notARow, rowReader, type SourceRow } from "./row.ts"

export interface ReadItems {
  /** In the order of the files; a row with a problem gives none. */
  readonly items: readonly Item[]
  /** In the order of the files and of their places. */
  readonly problems: readonly FoundProblem[]
  /** Rows of the files, those with problems too. */
  readonly rows: number
  /** Published items with a flaw that was let pass. */
  readonly flawed: readonly { readonly id: string; readonly flaws: readonly Flaw[] }[]
  /** What the columns of all rows hold, those that a condition leaves out too. */
  readonly kinds: ReadonlyMap<string, ColumnKind>
}

/** What a pool says of how its rows are read. */
export type Reading = Pick<PoolIR, "fields" | "where"> & {
  /** Whether the data are published ones, which are taken as they are. */
  readonly published?: boolean
}

/** Reads the files of a pool. The format of each goes by the ending of its name. Texts are kept as they are, whatever they hold. */
export const readItems = (
  sources: readonly Source[],
  { fields, where, published = false }: Reading,
): ReadItems => {
  const problems: FoundProblem[] = []
  const rows: SourceRow[] = []
  let broken = 0
  for (const source of sources) {
    const read = readerOf(source.name)
    if (read === undefined) {
      problems.push({ kind: "unknown_format", known: endings, span: { start: 0, end: 0 }, source })
      continue
    }
    const found = read(source, fields)
    broken += found.problems.length
    problems.push(...found.problems.map((problem) => ({ ...problem, source })))
    if (found.rows.length === 0 && found.problems.length === 0)
      problems.push({ kind: "empty_pool", span: { start: 0, end: 0 }, source })
    const file = stemOf(source.name)
    for (const [index, cell] of found.rows.entries()) rows.push({ cell, file, place: index + 1, source })
  }
  const records = rows.filter(({ cell }) => isRow(cell, fields))
  for (const { cell, source } of rows) if (!isRow(cell, fields)) problems.push({ ...notARow(cell), source })
  const missing = missingColumns(records, fields)
  problems.push(...missing)
  const absent = new Set(missing.flatMap((problem) => ("field" in problem ? [problem.field] : [])))
  const readRow = rowReader(fields, { absent, several: sources.length > 1, published })
  const columns = readColumns(records, fields, absent)
  const countsOptions = where !== undefined && nodesOf(where).some(({ kind }) => kind === "choices")
  const items: Item[] = []
  const flawed: ReadItems["flawed"][number][] = []
  for (const [index, row] of records.entries()) {
    const own = columns[index] ?? { columns: {}, problems: [] }
    if (where !== undefined) {
      const choices = countsOptions ? choicesIn(row, fields, published) : 0
      // Of a row whose options cannot be counted it is told what is wrong with them.
      if (choices !== undefined && leavesOut(where, own, choices)) continue
    }
    const { source } = row
    const { item, problems: found, flaws } = readRow(row, own.columns)
    problems.push(...[...found, ...own.problems].map((problem) => ({ ...problem, source })))
    if (item === undefined || own.problems.length > 0) continue
    items.push(item)
    if (flaws.length > 0) flawed.push({ id: item.id, flaws })
  }
  const rank = new Map(sources.map((source, index) => [source, index]))
  return {
    items,
    rows: rows.length + broken,
    problems: problems
      .map((problem) => ({ ...problem, span: firstLine(problem.source.text, problem.span) }))
      .sort((a, b) => (rank.get(a.source) ?? 0) - (rank.get(b.source) ?? 0) || a.span.start - b.span.start),
    flawed,
    kinds: columnKinds(columns.map((row) => row.columns)),
  }
}

const stemOf = (name: string): string => name.replace(/^.*[/\\]/, "").replace(/\.[^.]*$/, "")

/** A row is a record; of a table without a header, a list. */
const isRow = (cell: Cell, fields: ItemFields): boolean =>
  cell.kind === "map" || (cell.kind === "list" && isBare(fields))

/** Whether a row is none of the items. One with a mistake is told of; an empty cell is none where the condition is false of it. */
const leavesOut = (where: ExprIR, { columns, problems }: RowColumns, choices: number): boolean => {
  const item = stub(columns, choices)
  if (problems.length === 0) return !holds(where, item)
  return problems.every(({ kind }) => kind === "empty_text") && isLeftOut(where, item)
}

/** What a condition over columns and the number of options needs of an item. */
const stub = (columns: Item["columns"], choices: number): Item => ({
  id: "",
  question: "",
  options: Array.from({ length: choices }, () => ""),
  labels: [],
  gold: 0,
  columns,
})

const firstLine = (text: string, span: Span): Span => {
  const newline = text.indexOf("\n", span.start)
  return newline < 0 || newline > span.end ? span : { start: span.start, end: newline }
}

/** One problem for each column of the mapping that stands in no row at all; the rows are then read without it. */
const missingColumns = (rows: readonly SourceRow[], fields: ItemFields): readonly FoundProblem[] => {
  const [first] = rows
  if (first === undefined) return []
  let known: readonly string[] | undefined
  return columnsByField(fields, rows).flatMap(([field, column]): readonly FoundProblem[] => {
    if (rows.some((row) => !("missing" in findColumn(row, column)))) return []
    known ??= [...new Set(rows.slice(0, 20).flatMap(({ cell }) => columnsOf(cell)))]
    const { cell, source } = first
    return [{ kind: "missing_column", field, column: printColumn(column), known, span: cell.span, source }]
  })
}

const columnsByField = (
  { id, question, options, labels, gold, columns }: ItemFields,
  rows: readonly SourceRow[],
): readonly (readonly [Field, ColumnIR])[] => [
  ...(id === undefined ? [] : [["id", id] as const]),
  ["question", question],
  ...("each" in options ? needed(options.each, rows) : [options.list]).map(
    (column) => ["options", column] as const,
  ),
  ...(labels === undefined ? [] : [["labels", labels] as const]),
  ["gold", gold],
  ...Object.entries(columns),
]

/** Of columns with an option each, those that rows need: the first alone where it holds all options in every row. */
const needed = (each: readonly ColumnIR[], rows: readonly SourceRow[]): readonly ColumnIR[] => {
  const [first] = each
  const isWhole = (row: SourceRow): boolean => first !== undefined && wholeList(row, first) !== undefined
  return rows.every(isWhole) ? each.slice(0, 1) : each
}
