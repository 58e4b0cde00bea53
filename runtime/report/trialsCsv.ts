/** `trials.csv`: the trial table of all experiments, one row per trial (RFC 4180, UTF-8, CRLF). */
import type { Program } from "../../compiler/ir.ts"
import { type Cell, type Columns, columnsOf } from "../measure/table.ts"
import type { TrialRecord } from "../record.ts"
import type { ReportInput } from "./input.ts"

/**
 * Rows in the order of the records; columns as `table.ts` says, those of all experiments, empty in rows of an experiment that lacks them.
 * Options are numbered from 0 in the order of their file. Numbers are the shortest decimals that read back to the same double. A value that is
 * missing is an empty field, an empty text is `""`.
 */
export function trialsCsv(
  program: Program,
  records: readonly TrialRecord[],
  floors: ReportInput["floors"] = [],
): string {
  const ties = new Map(floors.map(({ model, nearTies }) => [model, nearTies.below]))
  // Each experiment by itself: reads of one name may be of options here, of other integers there.
  const parts = new Map(
    program.experiments.map((experiment) => {
      const own = records.filter((record) => record.experiment === experiment.name)
      return [experiment.name, columnsOf(own, experiment, ties)] as const
    }),
  )
  const names = [...parts.values()].reduce<readonly string[]>(merged, [])
  const written = new Map<string, number>()
  const rows = records.map(({ experiment }) => {
    const columns = parts.get(experiment)
    if (columns === undefined) throw new Error(`a record is of ${experiment}, which the program lacks`)
    const at = written.get(experiment) ?? 0
    written.set(experiment, at + 1)
    return names.map((name) => field(columns.get(name)?.[at] ?? null)).join(",")
  })
  return [names.map(field).join(","), ...rows, ""].join("\r\n")
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

function field(value: Cell): string {
  if (value === null) return ""
  const text = String(value)
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
