/** The rows of a records file, whatever its format: a cell for each, with the place by which a person finds it. */
import type { Cell } from "../../compiler/items/cell.ts"

/** A row; a record of a file that is JSON, or a line of a table under its header. */
export interface RecordRow {
  readonly cell: Cell
  /** The line that it starts on, or where there are no lines the number of the row or sample; from 1. */
  readonly place: number
}

/** What stands in a row's place and cannot be read. */
export interface Unreadable {
  readonly place: number
  /** A clause: "this row has 3 fields and the header has 4". */
  readonly why: string
}

export interface RecordsFile {
  /** Its name without folders. */
  readonly name: string
  /** As a person wrote it, for messages. */
  readonly shown: string
  readonly format: "csv" | "jsonl" | "parquet" | "lm_eval" | "inspect"
  readonly sha256: string
  /** What `place` counts. */
  readonly counts: "line" | "row" | "sample"
  /** Columns of the first rows, as paths: for hints. */
  readonly columns: readonly string[]
  /** Goes through the file from its start; as often as it is called. */
  readonly each: (take: (row: RecordRow) => void, fault: (fault: Unreadable) => void) => void
}

/** "answers.csv:12", or "answers.parquet, row 12". */
export const placeIn = ({ shown, counts }: Pick<RecordsFile, "shown" | "counts">, place: number): string =>
  counts === "line" ? `${shown}:${place}` : `${shown}, ${counts} ${place}`
