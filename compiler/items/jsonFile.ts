/** A JSON file: a list of records, or a record that holds one. */
import type { Source, Span } from "../../grammar/source.ts"
import { type Cell, describe, type Rows } from "./cell.ts"
import { parseJson } from "./json.ts"
import { lookup } from "./path.ts"
import type { ItemProblem } from "./problem.ts"

/** The rows of a file: those at the path `records`, or the file's own where it is a list itself. */
export const readJson = ({ text }: Source, records?: readonly string[]): Rows => {
  const start = text.startsWith("\uFEFF") ? 1 : 0
  if (text.slice(start).trim() === "") return { rows: [], problems: [] }
  const parsed = parseJson(text, { start, end: text.length })
  if ("why" in parsed) {
    return failed({ kind: "unreadable", format: "JSON", why: parsed.why, span: parsed.span })
  }
  const { cell } = parsed
  if (cell.kind === "list") return { rows: cell.items, problems: [] }
  const lists = listsIn(cell)
  const whole: Span = { start, end: Math.min(start + 1, text.length) }
  if (records === undefined) {
    return failed({ kind: "no_rows", found: describe(cell), lists, span: whole })
  }
  const found = lookup(cell, records)
  if ("cell" in found && found.cell.kind === "list") return { rows: found.cell.items, problems: [] }
  const what = "cell" in found ? describe(found.cell) : undefined
  const path = records.join(".")
  return failed({
    kind: "no_records",
    path,
    ...(what === undefined ? {} : { found: what }),
    lists,
    span: "cell" in found ? found.cell.span : whole,
  })
}

const failed = (problem: ItemProblem): Rows => ({ rows: [], problems: [problem] })

/** The paths of lists of records or lists within a record, for a hint. */
const listsIn = (cell: Cell, depth = 3): readonly string[] => {
  if (cell.kind !== "map" || depth === 0) return []
  return [...cell.entries].flatMap(([key, value]) => {
    if (value.kind === "list") return value.items[0]?.kind === "scalar" ? [] : [key]
    return listsIn(value, depth - 1).map((name) => `${key}.${name}`)
  })
}
