/** An item file to items, by the declared mapping of fields; every problem of the file in one pass. */
import type { Source, Span } from "../../grammar/source.ts"
import type { ItemFields } from "../ir.ts"
import type { Item } from "../item.ts"
import type { Cell, Rows } from "./cell.ts"
import { readCsv } from "./csv.ts"
import { readJsonl } from "./jsonl.ts"
import { columnsOf, lookup } from "./path.ts"
import type { Field, ItemProblem } from "./problem.ts"
import { rowReader } from "./row.ts"
import { readYaml } from "./yaml.ts"

export interface ReadItems {
  /** In the order of the file; a row with a problem gives none. */
  readonly items: readonly Item[]
  /** In the order of their places. */
  readonly problems: readonly ItemProblem[]
  /** Rows of the file, those with problems too. */
  readonly rows: number
}

const formats: ReadonlyMap<string, (source: Source) => Rows> = new Map([
  [".yaml", readYaml],
  [".yml", readYaml],
  [".jsonl", readJsonl],
  [".ndjson", readJsonl],
  [".csv", readCsv],
])

const firstLine = (text: string, span: Span): Span => {
  const newline = text.indexOf("\n", span.start)
  return newline < 0 || newline > span.end ? span : { start: span.start, end: newline }
}

type Row = Cell & { readonly kind: "map" }

/** One problem for each mapped field that stands in no row at all; the rows are then read without it. */
const missingColumns = (rows: readonly Row[], fields: ItemFields): readonly ItemProblem[] => {
  const [first] = rows
  if (first === undefined) return []
  const known = [...new Set(rows.slice(0, 20).flatMap((row) => columnsOf(row)))]
  return (Object.keys(fields) as Field[]).flatMap((field) =>
    pathsOf(fields, field).flatMap((path): readonly ItemProblem[] => {
      if (rows.some((row) => "cell" in lookup(row, path))) return []
      return [{ kind: "missing_column", field, column: path.join("."), known, span: first.span }]
    }),
  )
}

/** The paths that a field is read from. */
const pathsOf = (fields: ItemFields, field: Field): readonly (readonly string[])[] => {
  const path = fields[field]
  if (path === undefined) return []
  return "each" in path ? path.each : [path]
}

/**
 * Reads a pool. The format goes by the extension of the source's name: `.yaml`, `.yml`, `.jsonl`, `.ndjson` or `.csv`. Texts are kept
 * as they are, whatever they hold.
 */
export const readItems = (source: Source, fields: ItemFields): ReadItems => {
  const extension = /\.[^./\\]*$/.exec(source.name)?.[0].toLowerCase() ?? ""
  const read = formats.get(extension)
  if (read === undefined) {
    return {
      items: [],
      problems: [{ kind: "unknown_format", known: [...formats.keys()], span: { start: 0, end: 0 } }],
      rows: 0,
    }
  }
  const { rows, problems: broken } = read(source)
  const problems: ItemProblem[] = [...broken]
  if (rows.length === 0 && broken.length === 0)
    problems.push({ kind: "empty_pool", span: { start: 0, end: 0 } })
  const records = rows.flatMap((row): Row[] => (row.kind === "map" ? [row] : []))
  const columns = missingColumns(records, fields)
  problems.push(...columns)
  const absent = new Set(columns.flatMap((problem) => ("field" in problem ? [problem.field] : [])))
  const readRow = rowReader(fields, absent)
  const items: Item[] = []
  for (const [index, row] of rows.entries()) {
    const { item, problems: found } = readRow(row, index)
    problems.push(...found)
    if (item !== undefined) items.push(item)
  }
  return {
    items,
    rows: rows.length + broken.length,
    problems: problems
      .map((problem) => ({ ...problem, span: firstLine(source.text, problem.span) }))
      .sort((a, b) => a.span.start - b.span.start),
  }
}
