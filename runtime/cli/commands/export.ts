import { join } from "node:path"
import { Effect } from "effect"
import { writeFileAtomic } from "../../disk/disk.ts"
import { absolute } from "../../disk/files.ts"
import { exportedColumns } from "../../export/columns.ts"
import { inspectLogs } from "../../export/inspect.ts"
import { trialsCsv } from "../../report/trialsCsv.ts"
import { type KeptRun, keptRun } from "../../run/finished.ts"
import type { Watch } from "../../run/watch.ts"
import { command, UsageError } from "../command.ts"
import { exit } from "../exit.ts"
import { fileBeside, runFolder, todo } from "../folder.ts"
import { version } from "../package.ts"
import { here } from "../paths.ts"
import type { Terminal } from "../terminal.ts"
import { watchOn } from "../watch.ts"

const FORMS = ["csv", "parquet", "arrow", "inspect"] as const
type Form = (typeof FORMS)[number]

export default command({
  usage: "DIR",
  about:
    "Writes the trials of a run for other tools, from its ledger alone: a table in CSV, Parquet\nor Arrow (typed columns, nulls where there is no value), or Inspect's own logs, one for\neach experiment and model. Columns are those of trials.csv.",
  takes: { least: 1, most: 1, what: "DIR" },
  options: {
    to: { type: "string", value: FORMS.join("|"), about: "the form" },
    output: {
      type: "string",
      short: "o",
      value: "PATH",
      about: "the file, or for inspect the folder; beside the run's own files where left out",
    },
    json: { type: "boolean", about: "what was written, as JSON" },
  },
  run: async ({ values, names: [given = ""], terminal }) => {
    const form = formOf(values.to)
    const watch = watchOn(terminal)
    const run = await Effect.runPromise(keptRun(runFolder(given, todo.other), watch))
    const written =
      form === "inspect"
        ? writeLogs(
            run,
            values.output === undefined ? join(run.directory, "inspect") : absolute(values.output),
          )
        : [await writeTable(run, form, tableFile(run, form, values.output), watch, terminal)]
    watch.end()
    if (values.json) terminal.print(JSON.stringify({ form, files: written }, null, 2), "data")
    else for (const path of written) terminal.print(here(path))
    return exit.done
  },
})

/** @throws UsageError where it is none */
function formOf(given: string | undefined): Form {
  const found = FORMS.find((form) => form === given)
  if (found !== undefined) return found
  const forms = FORMS.join(", ")
  throw new UsageError(
    given === undefined ? `--to is missing: it takes ${forms}` : `--to takes ${forms}, not ${given}`,
  )
}

const tableFile = ({ directory }: KeptRun, form: Form, given: string | undefined): string =>
  given === undefined
    ? join(directory, `trials.${form}`)
    : fileBeside(
        given,
        directory,
        FORMS.map((one) => `trials.${one}`),
      )

async function writeTable(
  run: KeptRun,
  form: Form,
  path: string,
  watch: Watch,
  terminal: Terminal,
): Promise<string> {
  const { plan, state } = run
  const { tables, floors, open } = run.gathered()
  watch.end()
  if (open.trials > 0)
    terminal.complain(`The run is not complete: ${open.trials} trials have reads left to ask.`)
  if (form === "csv") {
    writeFileAtomic(path, trialsCsv(plan.program, tables, floors))
    return path
  }
  const columns = exportedColumns(plan.program, tables, floors)
  if (form === "arrow") {
    const { arrowOf } = await import("../../export/arrow.ts")
    writeFileAtomic(path, arrowOf(columns))
  } else {
    const { parquetOf } = await import("../../export/parquet.ts")
    writeFileAtomic(path, parquetOf(columns, { cfx: state.cfx, spec: state.spec, plan: state.plan }))
  }
  return path
}

/** @returns the files, in the order of experiments and models */
function writeLogs({ plan, items, records, state }: KeptRun, folder: string): readonly string[] {
  const fingerprints = Object.fromEntries(
    Object.entries(state.models).flatMap(([name, { fingerprint }]) =>
      fingerprint === undefined ? [] : [[name, fingerprint] as const],
    ),
  )
  const started = state.sessions[0]?.started ?? "1970-01-01T00:00:00.000Z"
  const source = { program: plan.program, items, records, fingerprints, started, version: version() }
  return inspectLogs(source).map(({ name, pieces }) => {
    const path = join(folder, name)
    writeFileAtomic(path, pieces)
    return path
  })
}
