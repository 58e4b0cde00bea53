/** Values of a program as cells, for formats that are no text. */
import type { Cell } from "../../compiler/items/cell.ts"

const NOWHERE = { start: 0, end: 0 }

/** Whole numbers of 64 bits keep all their digits as text. Dates are written as ISO 8601 does, bytes as UTF-8. */
export function cellOf(value: unknown): Cell {
  switch (typeof value) {
    case "string":
      return scalar(value, value)
    case "number":
      return scalar(value, String(value))
    case "boolean":
      return scalar(value, String(value))
    case "bigint":
      return Number.isSafeInteger(Number(value))
        ? scalar(Number(value), String(value))
        : scalar(String(value), String(value))
    default:
      return typeof value === "object" && value !== null ? composite(value) : scalar(null, "")
  }
}

const scalar = (value: string | number | boolean | null, text: string): Cell => ({
  kind: "scalar",
  value,
  text,
  span: NOWHERE,
})

function composite(value: object): Cell {
  if (value instanceof Date) {
    const text = Number.isNaN(value.getTime()) ? "" : value.toISOString()
    return scalar(text, text)
  }
  if (value instanceof Uint8Array) {
    const text = new TextDecoder().decode(value)
    return scalar(text, text)
  }
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    return { kind: "list", items: Array.from(value as ArrayLike<unknown>, cellOf), span: NOWHERE }
  return mapOf(Object.entries(value).map(([key, inner]) => [key, cellOf(inner)]))
}

export const mapOf = (entries: Iterable<readonly [string, Cell]>): Cell & { readonly kind: "map" } => ({
  kind: "map",
  entries: new Map(entries),
  span: NOWHERE,
})

export const textCell = (text: string): Cell => scalar(text, text)
export const numberCell = (value: number): Cell => scalar(value, String(value))
export const listCell = (items: readonly Cell[]): Cell => ({ kind: "list", items, span: NOWHERE })
