import { Effect } from "effect"
import { rebuild } from "../../run/run.ts"
import { command, UsageError } from "../command.ts"
import { runFolder, todo } from "../folder.ts"
import { version } from "../package.ts"
import { here } from "../paths.ts"
import { FORMATS, printed } from "../printed.ts"
import { codeOf, explainCode } from "../verdict.ts"
import { watchOn } from "../watch.ts"

export default command({
  usage: "DIR",
  about:
    "Rebuilds the report of a run from its ledger alone, asking no model: writes report.html\nand the other files again and prints the tables. With --format it prints that form and\nwrites nothing. Exit codes are the run's: 4 where reads have no usable answer, 100 where an\nexpectation of a complete run does not hold.",
  takes: { least: 1, most: 1, what: "DIR" },
  options: {
    format: { type: "string", value: FORMATS.join("|"), about: "print the report in this form" },
    json: { type: "boolean", about: "the same as --format json" },
  },
  run: async ({ values, names: [given = ""], terminal }) => {
    const asked = formatOf(values)
    const write = asked === undefined
    const directory = runFolder(given, todo.other)
    const watch = watchOn(terminal)
    const outcome = await Effect.runPromise(
      rebuild({ directory, version: version(), write, progress: terminal, watch }),
    ).finally(watch.end)
    if (!outcome.complete)
      terminal.complain("The run is not complete: these numbers are of what was answered so far.")
    const format = asked ?? "text"
    for (const piece of await printed(outcome, format, terminal))
      terminal.print(piece, format === "text" ? "painted" : "data")
    // What some of the answers say of an expectation is no verdict.
    const judged = outcome.complete ? outcome : { ...outcome, unmet: [] }
    explainCode(judged, terminal)
    if (write) terminal.note(`report: ${here(outcome.directory)}/report.html`)
    return codeOf(judged)
  },
})

/** @throws UsageError when there is no such form, or two are asked for */
export function formatOf({ format, json }: { readonly format?: string; readonly json?: boolean }) {
  if (format === undefined) return json ? "json" : undefined
  if (json && format !== "json") throw new UsageError(`--json and --format ${format} are two forms; give one`)
  const found = FORMATS.find((known) => known === format)
  if (found !== undefined) return found
  throw new UsageError(`--format takes ${FORMATS.join(", ")}, not ${format}`)
}
