/** Trials as a Parquet file: typed columns, nulls where a value is missing, by row groups of bounded size. */
import { type BasicType, parquetWriteBuffer } from "hyparquet-writer"
import type { Cell } from "../measure/column.ts"
import type { ExportedColumn, Kind } from "./columns.ts"
import { fits32 } from "./integers.ts"

const types: Readonly<Record<Exclude<Kind, "integer">, BasicType>> = {
  text: "STRING",
  number: "DOUBLE",
  truth: "BOOLEAN",
}

/** Rows that a reader takes in at a time. */
const ROW_GROUP = 50_000

/** `about`: what the file says of where it comes from, by key. */
export function parquetOf(
  columns: readonly ExportedColumn[],
  about: Readonly<Record<string, string>>,
): Uint8Array {
  const buffer = parquetWriteBuffer({
    columnData: columns.map((column) => ({
      name: column.name,
      data: dataOf(column),
      type: typeOf(column),
      nullable: true,
    })),
    rowGroupSize: ROW_GROUP,
    kvMetadata: Object.entries(about).map(([key, value]) => ({ key, value })),
    createdBy: "cfx",
  })
  return new Uint8Array(buffer)
}

const typeOf = (column: ExportedColumn): BasicType =>
  column.kind === "integer" ? (fits32(column) ? "INT32" : "DOUBLE") : types[column.kind]

const dataOf = ({ rows, at }: ExportedColumn): Cell[] => Array.from({ length: rows }, (_, row) => at(row))
