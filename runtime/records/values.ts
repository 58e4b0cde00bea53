/** What a row has in a mapped column, as what it is needed for. */
import type { ColumnIR } from "../../compiler/ir.ts"
import type { Cell } from "../../compiler/items/cell.ts"
import { printColumn } from "../../compiler/items/column.ts"
import { findColumn } from "../../compiler/items/find.ts"
import { opened } from "../../compiler/items/path.ts"

export interface MappedRow {
  readonly cell: Cell
  /** The file's stem, and the row's place, for the functions that ask for them. */
  readonly file: string
  readonly place: number
}

/**
 * A mapped value. `option`: the place of an option, from 0, where a function gives that; `empty`: the column is there and has nothing; `absent`: the row
 * lacks the column; `unfit`: something else stands there than the column's function takes.
 */
export type Value =
  | { readonly kind: "text"; readonly text: string; readonly option?: number }
  | { readonly kind: "list" | "map"; readonly cell: Cell }
  | { readonly kind: "empty" }
  | { readonly kind: "absent"; readonly column: string }
  | { readonly kind: "unfit"; readonly why: string }

export function valueIn(row: MappedRow, column: ColumnIR): Value {
  const found = findColumn(row, column)
  if ("missing" in found)
    return isNullIn(row, column) ? { kind: "empty" } : { kind: "absent", column: printColumn(column) }
  if ("unfit" in found) {
    const { expected, found: has } = found.unfit
    return { kind: "unfit", why: `\`${printColumn(column)}\` should be ${expected}, and is ${has}` }
  }
  const { cell, option } = found
  if (option !== undefined) return { kind: "text", text: cell.kind === "scalar" ? cell.text : "", option }
  if (cell.kind !== "scalar") return { kind: cell.kind, cell }
  return cell.value === null || cell.text === "" ? { kind: "empty" } : { kind: "text", text: cell.text }
}

/** Whether a column is there and holds a null: `findColumn` does not tell that from no column. */
function isNullIn({ cell }: MappedRow, column: ColumnIR): boolean {
  return column.some((one) => {
    if (!("path" in one)) return false
    let at: Cell | undefined = cell
    const whole = at.kind === "map" ? at.entries.get(one.path.join(".")) : undefined
    if (whole !== undefined) return true
    for (const key of one.path) {
      at = opened(at)
      at = at.kind === "map" ? at.entries.get(key) : undefined
      if (at === undefined) return false
    }
    return true
  })
}

/** A number as files spell it; none where it is no finite number. */
export function numberIn(text: string): number | undefined {
  const trimmed = text.trim()
  const value = Number(trimmed)
  return trimmed !== "" && Number.isFinite(value) ? value : undefined
}

const yes = ["true", "1", "yes", "y", "t", "1.0"]
const no = ["false", "0", "no", "n", "f", "0.0"]

/** A truth value as files spell it. */
export function truthIn(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  if (yes.includes(word)) return true
  return no.includes(word) ? false : undefined
}
