/** Rows of a Parquet file. Reading is asynchronous and goes by row group, so that rows are read once and kept as values. */
import type { Cell } from "../../compiler/items/cell.ts"
import { cellOf, mapOf } from "./cells.ts"
import type { RecordsFile } from "./rows.ts"

/** The rows of a file that is in memory. @throws where it is no Parquet file, or cut off */
export async function parquetRows(bytes: Uint8Array): Promise<RecordsFile["each"]> {
  const { parquetMetadata, parquetReadObjects } = await import("hyparquet")
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  const metadata = parquetMetadata(file)
  const rows = await parquetReadObjects({ file, metadata })
  return (take) => {
    for (const [index, row] of rows.entries()) take({ cell: rowOf(row), place: index + 1 })
  }
}

const rowOf = (row: Record<string, unknown>): Cell =>
  mapOf(Object.entries(row).map(([name, value]) => [name, cellOf(value)]))
