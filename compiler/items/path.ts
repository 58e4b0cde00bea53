/** Where a field of an item stands in a row: names with dots between them, through records and over lists. */
import type { Span } from "../../grammar/source.ts"
import type { Cell } from "./cell.ts"
import { parseJson } from "./json.ts"

export type Found = { readonly cell: Cell } | { readonly missing: Span }

/** A cell of a format without lists, read as the JSON list or record that it spells; all its places are the cell's. */
export const opened = (cell: Cell): Cell => {
  if (cell.kind !== "scalar" || cell.spelt === undefined || !/^\s*[[{]/.test(cell.text)) return cell
  const parsed = parseJson(cell.text, { start: 0, end: cell.text.length })
  return "cell" in parsed ? placed(parsed.cell, cell.span) : cell
}

const placed = (cell: Cell, span: Span): Cell => {
  switch (cell.kind) {
    case "scalar":
      return { ...cell, span }
    case "list":
      return { ...cell, items: cell.items.map((item) => placed(item, span)), span }
    case "map":
      return {
        ...cell,
        entries: new Map([...cell.entries].map(([key, value]) => [key, placed(value, span)])),
        span,
      }
  }
}

/**
 * What stands at a path. Over a list, what stands at the rest of the path in each of its records: `choices.text` of a list of choices is
 * the list of their texts. A key that is spelt with the dots goes first. Nothing, and a null, is missing.
 */
export const lookup = (cell: Cell, path: readonly string[]): Found => {
  const [head, ...rest] = path
  if (head === undefined) {
    return cell.kind === "scalar" && cell.value === null ? { missing: cell.span } : { cell }
  }
  const at = opened(cell)
  switch (at.kind) {
    case "map": {
      const whole = at.entries.get(path.join("."))
      if (whole !== undefined) return lookup(whole, [])
      const next = at.entries.get(head)
      return next === undefined ? { missing: at.span } : lookup(next, rest)
    }
    case "list": {
      const items: Cell[] = []
      for (const item of at.items) {
        const found = lookup(item, path)
        if ("missing" in found) return found
        items.push(found.cell)
      }
      return { cell: { kind: "list", items, span: at.span } }
    }
    case "scalar":
      return { missing: at.span }
  }
}

/** The paths that a row offers, for a hint; records within records to a depth of three. */
export const columnsOf = (row: Cell, depth = 3): readonly string[] => {
  const at = opened(row)
  if (depth === 0 || at.kind === "scalar") return []
  if (at.kind === "list") return at.items.slice(0, 1).flatMap((item) => columnsOf(item, depth))
  return [...at.entries].flatMap(([key, value]) => [
    key,
    ...columnsOf(value, depth - 1).map((name) => `${key}.${name}`),
  ])
}
