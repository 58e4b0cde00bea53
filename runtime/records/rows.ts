/** The rows of a records file, whatever its format: what each has in the columns that are asked for, with the place by which a person finds it. */
import type { Cell } from "../../compiler/items/cell.ts"

/** What a row has in a column: of a table that knows only text, its text; undefined where it has no such column. */
export type Field = string | Cell | undefined

/** A row; a record of a file that is JSON, or a line of a table under its header. It is valid until the next one comes. */
export interface RecordRow {
  /** By the names that were asked for. */
  readonly fields: readonly Field[]
  /** The line that it starts on, or where there are no lines the number of the row or sample; from 1. */
  readonly place: number
}

/** What stands in a row's place and cannot be read. */
export interface Unreadable {
  readonly place: number
  /** A clause: "this row has 3 fields and the header has 4". */
  readonly why: string
}

/**
 * Goes through a file from its start; as often as it is called. `names`: of columns, or of keys of a record itself, that are looked at. Ends early where
 * `take` throws.
 */
export type EachRecord = (
  names: readonly string[],
  take: (row: RecordRow) => void,
  fault: (fault: Unreadable) => void,
) => Promise<void>

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
  readonly each: EachRecord
}

/** A field as a cell; texts of a table may spell a JSON list or record. */
export const cellOfField = (field: string | Cell): Cell =>
  typeof field === "string"
    ? { kind: "scalar", value: field, text: field, spelt: true, span: NOWHERE }
    : field

const NOWHERE = { start: 0, end: 0 }

/** What rows that are whole have in these columns. */
export const fieldsOf = (row: Cell, names: readonly string[]): readonly Field[] =>
  names.map((name) => (row.kind === "map" ? row.entries.get(name) : undefined))

/** "answers.csv:12", or "answers.parquet, row 12". */
export const placeIn = ({ shown, counts }: Pick<RecordsFile, "shown" | "counts">, place: number): string =>
  counts === "line" ? `${shown}:${place}` : `${shown}, ${counts} ${place}`
