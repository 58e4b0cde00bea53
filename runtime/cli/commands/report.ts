import { Effect } from "effect"
import { absolute } from "../../disk/files.ts"
import { rebuild } from "../../run/run.ts"
import { command, UsageError } from "../command.ts"
import { exit } from "../exit.ts"
import { version } from "../package.ts"
import { here } from "../paths.ts"
import { FORMATS, printed } from "../printed.ts"

export default command({
  usage: "DIR",
  about:
    "Rebuilds the report of a run from its ledger alone, asking no model: writes report.html\nand the other files again and prints the tables. With --format it prints that form and\nwrites nothing.",
  takes: { least: 1, most: 1, what: "DIR" },
  options: { format: { type: "string", value: FORMATS.join("|"), about: "print the report in this form" } },
  run: async ({ values, names: [given = ""], terminal }) => {
    const format = FORMATS.find((known) => known === (values.format ?? "text"))
    if (format === undefined)
      throw new UsageError(`--format takes ${FORMATS.join(", ")}, not ${values.format}`)
    const write = values.format === undefined
    const outcome = await Effect.runPromise(
      rebuild({ directory: absolute(given), version: version(), write }),
    )
    if (!outcome.complete)
      terminal.complain("The run is not complete: these numbers are of what was answered so far.")
    terminal.print(printed(outcome, format, terminal))
    if (write) terminal.note(`report: ${here(outcome.directory)}/report.html`)
    return exit.done
  },
})
