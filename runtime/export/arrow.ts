/** Trials as an Arrow file (IPC file format, also called Feather V2): typed columns, nulls where a value is missing. */
import {
  bool,
  columnFromValues,
  type DataType,
  float64,
  int32,
  tableFromColumns,
  tableToIPC,
  utf8,
} from "@uwdata/flechette"
import type { ExportedColumn } from "./columns.ts"
import { fits32 } from "./integers.ts"

export function arrowOf(columns: readonly ExportedColumn[]): Uint8Array {
  const table = tableFromColumns(
    columns.map((column) => {
      const { name, rows, at } = column
      const values = columnFromValues((visit) => {
        for (let row = 0; row < rows; row++) visit(at(row))
      }, typeOf(column))
      return [name, values] as const
    }) as Parameters<typeof tableFromColumns>[0],
  )
  const bytes = tableToIPC(table, { format: "file" })
  if (bytes === null) throw new Error("the table comes to no Arrow file")
  return bytes
}

function typeOf(column: ExportedColumn): DataType {
  switch (column.kind) {
    case "text":
      return utf8()
    case "truth":
      return bool()
    case "integer":
      return fits32(column) ? int32() : float64()
    case "number":
      return float64()
  }
}
