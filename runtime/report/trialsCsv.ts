/** `trials.csv`: the trial table of all experiments, one row per trial (RFC 4180, UTF-8, CRLF). */
import type { Program } from "../../compiler/ir.ts"
import type { Cell, Column, Columns } from "../measure/column.ts"
import type { Tables } from "../measure/table.ts"
import type { ReportInput } from "./input.ts"

/** Rows that are written at a time. */
const ROWS = 256

/**
 * Pieces of whole rows, made as they are asked for: the file of many trials is longer than a text can be. Rows by experiment, in the order of the records;
 * columns as `table.ts` says, those of all experiments, empty in rows of an experiment that lacks them. Options are numbered from 0 in the order of their
 * file. Numbers are the shortest decimals that read back to the same double. A value that is missing is an empty field, an empty text is `""`.
 */
export function trialsCsv(
  program: Program,
  tables: Tables,
  floors: ReportInput["floors"] = [],
): Iterable<string> {
  const { names, parts } = allTrials(program, tables, floors)
  return {
    *[Symbol.iterator]() {
      yield `${names.map(field).join(",")}\r\n`
      for (const { rows, columns } of parts) {
        const own = names.map((name) => columns.get(name))
        for (let row = 0; row < rows; row += ROWS) yield piece(own, row, Math.min(row + ROWS, rows))
      }
    },
  }
}

/** The trials of each experiment, and the names of all their columns in order. */
export function allTrials(program: Program, tables: Tables, floors: ReportInput["floors"] = []) {
  const ties = new Map(floors.map(({ model, nearTies }) => [model, nearTies.below]))
  // Each experiment by itself: reads of one name may be of options here, of other integers there.
  const parts = program.experiments.flatMap((experiment) => {
    const table = tables.get(experiment.name)
    return table === undefined ? [] : [{ experiment, rows: table.rows, columns: table.columns(ties) }]
  })
  const names = parts.map(({ columns }) => columns).reduce<readonly string[]>(merged, [])
  return { names, parts }
}

function piece(columns: readonly (Column | undefined)[], from: number, to: number): string {
  let text = ""
  for (let row = from; row < to; row++)
    text += `${columns.map((column) => field(column?.at(row) ?? null)).join(",")}\r\n`
  return text
}

/** The names of both; each new one stands behind the one that it follows in its own table. */
function merged(all: readonly string[], columns: Columns): readonly string[] {
  const names = [...all]
  let at = 0
  for (const name of columns.keys()) {
    const known = names.indexOf(name)
    if (known === -1) names.splice(at, 0, name)
    at = known === -1 ? at + 1 : known + 1
  }
  return names
}

/** A value as a field of a CSV file. */
export function field(value: Cell): string {
  if (value === null) return ""
  // Most cells are numbers, in which nothing has to be quoted.
  if (typeof value !== "string") return String(value)
  return value === "" || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
