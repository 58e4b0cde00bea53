/** `trials.csv`: the trial table of all experiments, one row per trial (RFC 4180, UTF-8, CRLF). */
import type { HoleIR, Program } from "../../compiler/ir.ts"
import { type Cell, columnsOf } from "../measure/table.ts"
import type { TrialRecord } from "../record.ts"

/**
 * Rows in the order of the records; columns as `table.ts` says. Options are numbered from 0 in the order of their file. Numbers are the shortest
 * decimals that read back to the same double. A value that is missing is an empty field, an empty text is `""`.
 */
export function trialsCsv(program: Program, records: readonly TrialRecord[]): string {
  const factors = new Set(program.experiments.flatMap(({ factors }) => factors.map(({ name }) => name)))
  const columns = columnsOf(records, [...factors], holesOf(program))
  const rows = records.map((_, at) =>
    [...columns.values()].map((column) => field(column[at] ?? null)).join(","),
  )
  return [[...columns.keys()].map(field).join(","), ...rows, ""].join("\r\n")
}

/** The holes of all experiments by name; where two of one name differ, the one with the most alternatives. */
function holesOf(program: Program): readonly HoleIR[] {
  const holes = new Map<string, HoleIR>()
  for (const { protocol } of program.experiments) {
    for (const hole of protocol.holes) {
      const known = holes.get(hole.name)
      holes.set(hole.name, known === undefined ? hole : wider(known, hole))
    }
  }
  return [...holes.values()]
}

function wider(a: HoleIR, b: HoleIR): HoleIR {
  if (a.type !== "integer" || b.type !== "integer") return a.type === "integer" ? b : a
  return { ...a, low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) }
}

function field(value: Cell): string {
  if (value === null) return ""
  const text = String(value)
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
