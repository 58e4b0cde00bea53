import type { ExportedColumn } from "./columns.ts"

/** Whether all values of a column of integers are between -2³¹ and 2³¹ - 1; larger ones are written as doubles, which hold them exactly. */
export function fits32({ rows, at }: ExportedColumn): boolean {
  for (let row = 0; row < rows; row++) {
    const value = at(row)
    if (typeof value === "number" && (value | 0) !== value) return false
  }
  return true
}
