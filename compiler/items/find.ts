/** What a column of a mapping finds in a row: by a path, by a place, or by a function over what stands there. */
import type { Span } from "../../grammar/source.ts"
import type { ColumnIR, LookupIR } from "../ir.ts"
import { type Cell, describe } from "./cell.ts"
import { lettered } from "./lettered.ts"
import { lookup, opened } from "./path.ts"

/** Where a row comes from. */
export interface Row {
  readonly cell: Cell
  /** Its file, without folder and ending. */
  readonly file: string
  /** Its place in the file, from 1. */
  readonly place: number
}

export type Found =
  /** `option`: the place of an option, from 0, for a gold that is found by place; `text`: an option is meant before a label. */
  | { readonly cell: Cell; readonly option?: number; readonly means?: "text" }
  | { readonly missing: Span }
  /** Something stands there that the function cannot take. */
  | { readonly unfit: { readonly expected: string; readonly found: string }; readonly span: Span }

/** The first alternative that the row has. Where it has none: one that it has in another shape, else what is missing. */
export const findColumn = (row: Row, column: ColumnIR): Found => {
  let unfit: Found | undefined
  let missing: Found = { missing: row.cell.span }
  for (const one of column) {
    const found = find(row, one)
    if ("cell" in found) return found
    if ("unfit" in found) unfit ??= found
    else missing = found
  }
  return unfit ?? missing
}

const find = (row: Row, one: LookupIR): Found => {
  switch (one.kind) {
    case "path":
      return lookup(row.cell, one.path)
    case "column": {
      const cell = row.cell.kind === "list" ? row.cell.items[one.place - 1] : undefined
      return cell === undefined || isNothing(cell) ? { missing: row.cell.span } : { cell }
    }
    case "file":
      return { cell: textCell(row.file, row.cell.span) }
    case "row":
      return { cell: { kind: "scalar", value: row.place, text: String(row.place), span: row.cell.span } }
    case "first":
      return { cell: textCell("first()", row.cell.span), option: 0 }
    case "before":
      return on(find(row, one.of), (cell) => before(cell, one.marker))
    case "keys":
      return on(lookup(row.cell, one.path), keys)
    case "marked":
      return on(lookup(row.cell, one.path), marked)
    case "index":
      return on(lookup(row.cell, one.path), (cell) => placed(cell, 0))
    case "position":
      return on(lookup(row.cell, one.path), (cell) => placed(cell, 1))
    case "lettered":
      return on(lookup(row.cell, one.path), listed)
    case "letter":
      return on(lookup(row.cell, one.path), letter)
    default:
      return one satisfies never
  }
}

const on = (found: Found, then: (cell: Cell) => Found): Found => ("cell" in found ? then(found.cell) : found)

const isNothing = (cell: Cell): boolean => cell.kind === "scalar" && cell.value === null

const textCell = (text: string, span: Span): Cell => ({ kind: "scalar", value: text, text, span })

const unfit = (cell: Cell, expected: string, found = describe(cell)): Found => ({
  unfit: { expected, found },
  span: cell.span,
})

/** The text of a cell; none of a number. */
const textOf = (cell: Cell): string | undefined =>
  cell.kind === "scalar" && typeof cell.value === "string" ? cell.value : undefined

const before = (cell: Cell, marker: string): Found => {
  const text = textOf(cell)
  if (text === undefined) return unfit(cell, "a text")
  const at = text.indexOf(marker)
  return { cell: textCell((at < 0 ? text : text.slice(0, at)).trim(), cell.span) }
}

const keys = (cell: Cell): Found => {
  const at = opened(cell)
  if (at.kind !== "map") return unfit(at, "a record, whose keys are meant")
  const items = [...at.entries].map(([key, value]) => textCell(key, value.span))
  return { cell: { kind: "list", items, span: at.span } }
}

/** The key of a record, or the place in a list, that holds the one 1. */
const marked = (cell: Cell): Found => {
  const expected = "a record or a list with a 1 for one option and 0 for the others"
  const at = opened(cell)
  if (at.kind === "scalar") return unfit(at, expected)
  const entries =
    at.kind === "map" ? [...at.entries] : at.items.map((item, index) => [String(index), item] as const)
  const ones = entries.flatMap(([key, value], index) => (isOne(value) ? [{ key, index, value }] : []))
  const [one] = ones
  if (one === undefined || ones.length > 1) {
    return unfit(at, expected, one === undefined ? "one without a 1" : `one with ${ones.length}`)
  }
  const gold = { cell: textCell(one.key, one.value.span) }
  return at.kind === "list" ? { ...gold, option: one.index } : { ...gold, means: "text" }
}

const isOne = (cell: Cell): boolean =>
  cell.kind === "scalar" && (cell.value === 1 || cell.value === true || cell.text === "1")

const placed = (cell: Cell, from: number): Found => {
  if (cell.kind !== "scalar" || !/^\d+$/.test(cell.text) || Number(cell.text) < from) {
    const found = cell.kind === "scalar" && cell.text !== "" ? `\`${cell.text}\`` : describe(cell)
    return unfit(cell, `the place of an option, counted from ${from}`, found)
  }
  return { cell, option: Number(cell.text) - from }
}

/** `(B)`, `B)`, `B.` and `B` are the letter B. */
const letter = (cell: Cell): Found => {
  const text = textOf(cell)
  const found = text === undefined ? undefined : /^\s*\(?([A-Za-z])[).:]?\s*$/.exec(text)?.[1]
  if (found !== undefined) return { cell: textCell(found, cell.span) }
  return unfit(cell, "a letter such as `(B)`", text === undefined ? describe(cell) : `\`${text}\``)
}

const listed = (cell: Cell): Found => {
  const text = textOf(cell)
  if (text === undefined) return unfit(cell, "a text that lists options")
  const options = lettered(text)
  if (options.length === 0) return unfit(cell, "a text with lines such as `(A) text`", "one without")
  const entries = new Map(options.map(({ label, text }) => [label, textCell(text, cell.span)]))
  if (entries.size < options.length) {
    return unfit(cell, "a text that lists each option once", "one with the same letter twice")
  }
  return { cell: { kind: "map", entries, span: cell.span } }
}
