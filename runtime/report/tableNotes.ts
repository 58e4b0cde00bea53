/** Notes of a table of measures. */
import type { Result } from "../measure/result.ts"
import { missingIntervals } from "./format.ts"
import { letterAt, notesOf } from "./grid.ts"
import { whyNoValue } from "./missing.ts"
import type { TableView } from "./tableViews.ts"

/** What stands with each letter of a table, then its notes, then each reason why a number is marked. */
export const tableNotes = (table: TableView): readonly string[] => [
  ...reasonsOf(table).map((reason, at) => `(${letterAt(at)}) No value: ${reason}.`),
  ...notesOf({
    rows: table.rows.map(({ cautions }) =>
      cautions.flatMap((caution) => (caution === undefined ? [] : [{ text: "", caution }])),
    ),
    notes: table.notes,
  }),
]

/** "HRR: no interval, since one item does not vary." */
export const missingWords = ({ measures, rows }: TableView): readonly string[] =>
  measures.flatMap(({ name }, column) =>
    missingIntervals(rows.map(({ results }) => results[column]!)).map((why) => `${name}: ${why}.`),
  )

/** The letter of why a table's number is missing. */
export const letteredReason = (table: TableView, result: Result): string =>
  letterAt(reasonsOf(table).indexOf(whyNoValue(result)))

/** Each reason why a number of a table is missing, in the order met. */
function reasonsOf({ rows }: TableView): readonly string[] {
  const missing = rows.flatMap(({ results }) => results.filter(({ estimate }) => estimate === undefined))
  return [...new Set(missing.map(whyNoValue))]
}
