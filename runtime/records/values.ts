/** What a row has in a mapped column, as what it is needed for. */
import type { ColumnIR } from "../../compiler/ir.ts"
import type { Cell } from "../../compiler/items/cell.ts"
import { printColumn } from "../../compiler/items/column.ts"
import { findColumn, type Row } from "../../compiler/items/find.ts"
import { opened } from "../../compiler/items/path.ts"

/** A row, valid until the next one comes. */
export interface MappedRow {
  readonly place: number
  readonly value: (column: ColumnIR) => Value
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

export const valueIn = (row: MappedRow, column: ColumnIR): Value => row.value(column)

/** What a whole row has in any column. `isNumber`: whether numbers are looked for, where NaN is a bad one; elsewhere Python writes it for nothing. */
export function wholeValue(row: Row, column: ColumnIR, isNumber = false): Value {
  const found = findColumn(row, column)
  if ("missing" in found)
    return isNullIn(row, column) ? EMPTY : { kind: "absent", column: printColumn(column) }
  if ("unfit" in found) {
    const { expected, found: has } = found.unfit
    return { kind: "unfit", why: `\`${printColumn(column)}\` should be ${expected}, and is ${has}` }
  }
  const { cell, option } = found
  if (option !== undefined)
    return { kind: "text", text: cell.kind === "scalar" ? detached(cell.text) : "", option }
  if (cell.kind !== "scalar") return { kind: cell.kind, cell }
  const isNothing = cell.value === null || (!isNumber && Number.isNaN(cell.value))
  return isNothing || cell.text === "" ? EMPTY : { kind: "text", text: detached(cell.text) }
}

export const EMPTY: Value = { kind: "empty" }

/**
 * A text that does not keep alive what it was cut from: engines keep a part of a text as a place in it, so that a word of a file would keep some of the
 * file for as long as it is known.
 */
export const detached = (text: string): string => (text.length < SHORT ? text : ` ${text}`.slice(1))

/** Shorter texts are copied by themselves. */
const SHORT = 13

/** Whether a column is there and holds a null: `findColumn` does not tell that from no column. */
function isNullIn({ cell }: Row, column: ColumnIR): boolean {
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
  const value = Number(text)
  return Number.isFinite(value) && (value !== 0 || text.trim() !== "") ? value : undefined
}

const yes = ["true", "1", "yes", "y", "t", "1.0"]
const no = ["false", "0", "no", "n", "f", "0.0"]

/** A truth value as files spell it. */
export function truthIn(text: string): boolean | undefined {
  const word = text.trim().toLowerCase()
  if (yes.includes(word)) return true
  return no.includes(word) ? false : undefined
}
