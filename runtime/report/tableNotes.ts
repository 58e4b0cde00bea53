import { notesOf } from "./grid.ts"
import type { TableView } from "./summary.ts"

/** Notes of a table of measures, with each reason why a number is marked. */
export const tableNotes = ({ rows, notes }: TableView): readonly string[] =>
  notesOf({
    rows: rows.map(({ cautions }) =>
      cautions.flatMap((caution) => (caution === undefined ? [] : [{ text: "", caution }])),
    ),
    notes,
  })
