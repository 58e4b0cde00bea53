import { basename } from "node:path"
import type { ExperimentIR, Program, RecordsProblem } from "../../../compiler/ir.ts"
import { recordsPolicies } from "../../../compiler/lower/records.ts"
import { absolute } from "../../disk/files.ts"
import { checkFolder, writeScored } from "../../records/directory.ts"
import { openRecords } from "../../records/open.ts"
import { UnfinishedMapping } from "../../records/plannedPlaces.ts"
import type { Finding } from "../../records/problems.ts"
import { type Reading, readingProgress, unwatchedReading } from "../../records/progress.ts"
import { scoredInput } from "../../records/reportInput.ts"
import { type Scored, scoreRecords, UnfitMapping } from "../../records/score.ts"
import { findingLines, missingLines, unseenLines } from "../../records/words.ts"
import { resultsJson } from "../../report/resultsJson.ts"
import { replacedIn, selectExperiment } from "../../run/plan.ts"
import { copiesOf, portable } from "../../run/portable.ts"
import { openWarnings } from "../../run/warnings.ts"
import { command, UsageError } from "../command.ts"
import { among, compileOptions, replacements, type Sound, soundSpec } from "../compiled.ts"
import { exit } from "../exit.ts"
import { runFolder, todo } from "../folder.ts"
import { version } from "../package.ts"
import { here } from "../paths.ts"
import { withPools } from "../pools.ts"
import { FORMATS, printed } from "../printed.ts"
import { progressLine } from "../progressLine.ts"
import type { Terminal } from "../terminal.ts"
import { codeOf, explainCode } from "../verdict.ts"
import { formatOf } from "./report.ts"

export default command({
  usage: "SPEC",
  about:
    "Takes the measures, contrasts, fits, tables and figures of SPEC over records made elsewhere,\nasking no model: a table (csv, parquet), records of JSON (jsonl), samples of lm-eval or a log\nof Inspect, by the mapping in the spec's `records`. Prints the tables and writes a folder like\na run's. With --format it prints that form, and writes only with -o. Exit code 1 where rows do\nnot fit and the spec does not say what becomes of them, 100 where an expectation does not hold.",
  takes: { least: 1, most: 1, what: "SPEC" },
  options: {
    records: {
      type: "string",
      multiple: true,
      value: "[E=]FILE",
      about: "the records, of experiment E where the spec has several (default: the file that it names)",
    },
    o: { type: "string", short: "o", value: "DIR", about: "the folder (default: runs/NAME-OF-SPEC-scored)" },
    experiment: { type: "string", value: "E", about: "only this experiment of the spec" },
    items: replacements.items,
    format: { type: "string", value: FORMATS.join("|"), about: "print the report in this form" },
    json: { type: "boolean", about: "the same as --format json" },
  },
  run: async ({ values, names: [spec = ""], terminal }) => {
    const started = new Date().toISOString()
    const asked = formatOf(values)
    const writes = asked === undefined || values.o !== undefined
    const directory = runFolder(values.o ?? `runs/${basename(spec, ".cfx")}-scored`, todo.elsewhere)
    if (writes) checkFolder(directory)
    const given = compileOptions(values)
    const sound = soundSpec(spec, given, terminal)
    if (typeof sound === "number") return sound
    const chosen = chosenIn(sound.program, values.experiment, spec)
    const files = filesFor(chosen, values.records ?? [], spec)
    const program = { ...sound.program, experiments: chosen }
    const needed = neededBy(program)
    const { spec: whole } = withPools(sound, needed, "llama", terminal)
    const reading = readingOn(terminal)
    try {
      const scored = await scoreAll(program, files, whole, reading)
      const wrong = tell(scored, terminal)
      if (wrong) return exit.spec
      const copies = copiesOf(sound.sources)
      const entry = copies.entry.split("/").at(-1) ?? copies.entry
      const text = copies.texts.get(copies.entry) ?? ""
      const input = scoredInput(
        {
          program: portable(program, copies.names),
          hash: sound.hash,
          items: whole.items,
          spec: { name: entry, text },
          version: version(),
          warnings: openWarnings(sound.diagnostics, program),
          ...(values.experiment === undefined || withRecords(sound.program).length === 1
            ? {}
            : { experiment: values.experiment }),
          ...replacedIn(needed, { models: [], items: Object.keys(given.items ?? {}) }),
          scored: scored.map(({ experiment, ...rest }) => ({
            ...rest,
            experiment:
              portable({ ...program, experiments: [experiment] }, copies.names).experiments[0] ?? experiment,
          })),
        },
        (fit, evaluations) => reading.step(`fitting ${fit}: ${evaluations} evaluations`),
        reading.step,
      )
      const outcome = {
        report: input,
        failed: [],
        shares: [],
        audits: [],
        unmet: input.results.filter(({ kind, held }) => kind === "expect" && held !== true),
      }
      if (writes) {
        const state = {
          format: 1,
          state: "scored",
          cfx: version(),
          spec: sound.hash,
          sources: Object.fromEntries(copies.paths),
          records: scored.map(({ facts: { experiment, sha256, rows, trials } }) => ({
            experiment,
            file: files.get(experiment)?.path ?? "",
            sha256,
            rows,
            trials,
          })),
          sessions: [{ started, ended: new Date().toISOString() }],
        } as const
        reading.doing(`writing ${here(directory)}`)
        writeScored(directory, input, state, copies)
      }
      reading.end()
      if (asked === "json") terminal.print(resultsJson(input.results, input), "data")
      else
        for (const piece of await printed(outcome, asked ?? "text", terminal))
          terminal.print(piece, asked === undefined || asked === "text" ? "painted" : "data")
      explainCode(outcome, terminal)
      if (writes) terminal.note(`report: ${here(directory)}/report.html`)
      return codeOf(outcome)
    } catch (error) {
      reading.end()
      if (error instanceof UnfitMapping) for (const line of error.lines) terminal.complain(`error: ${line}`)
      else if (error instanceof UnfinishedMapping) terminal.complain(`error: ${error.message}`)
      else throw error
      return exit.spec
    }
  },
})

const withRecords = ({ experiments }: Program): readonly ExperimentIR[] =>
  experiments.filter(({ records }) => records !== undefined)

/** The experiments that are scored. @throws UsageError where none has records, or none that has is of that name */
function chosenIn(program: Program, named: string | undefined, spec: string): readonly ExperimentIR[] {
  const known = withRecords(program)
  if (known.length === 0)
    throw new UsageError(
      `${spec} has no records: say in an experiment where they have what, such as records "answers.csv" { item = id ... }`,
    )
  if (named === undefined) return known
  among(
    "--experiment",
    named,
    known.map(({ name }) => name),
    spec,
  )
  return known.filter(({ name }) => name === named)
}

interface Given {
  readonly path: string
  /** As a person wrote it. */
  readonly shown: string
}

/** By experiment. @throws UsageError where it is not said which file an experiment's records are in */
function filesFor(
  experiments: readonly ExperimentIR[],
  given: readonly string[],
  spec: string,
): ReadonlyMap<string, Given> {
  const names = experiments.map(({ name }) => name)
  const files = new Map<string, Given>()
  for (const text of given) {
    const at = text.indexOf("=")
    const name = at > 0 && /^\w+$/.test(text.slice(0, at)) ? text.slice(0, at) : undefined
    const isNamed = name !== undefined && (names.includes(name) || names.length > 1)
    const shown = isNamed ? text.slice(at + 1) : text
    const [only] = names
    if (isNamed) among("--records", name, names, spec)
    else if (names.length > 1)
      throw new UsageError(
        `${spec} has records of several experiments (${names.join(", ")}): write --records ${only}=${text}`,
      )
    const experiment = isNamed ? name : (only ?? "")
    if (files.has(experiment)) throw new UsageError(`--records gives ${experiment} two files`)
    if (shown === "") throw new UsageError(`--records ${text} names no file`)
    files.set(experiment, { path: absolute(shown), shown })
  }
  for (const { name, records } of experiments) {
    if (files.has(name)) continue
    if (records?.file === undefined)
      throw new UsageError(
        `the spec names no file for the records of experiment ${name}: give it with --records`,
      )
    files.set(name, { path: records.file, shown: here(records.file) })
  }
  return files
}

/** The pools that must be at hand: records alone need none. */
const neededBy = (program: Program): Program => {
  const planned = program.experiments.filter(({ records }) => records?.alone !== true)
  const pools = new Set(
    planned.flatMap(({ name }) => selectExperiment(program, name).pools.map((pool) => pool.name)),
  )
  return { ...program, experiments: planned, pools: program.pools.filter(({ name }) => pools.has(name)) }
}

async function scoreAll(
  program: Program,
  files: ReadonlyMap<string, Given>,
  { items }: Sound,
  reading: Reading,
): Promise<readonly Scored[]> {
  const scored: Scored[] = []
  for (const experiment of program.experiments) {
    const file = files.get(experiment.name)
    if (file === undefined) continue
    reading.doing(`reading ${file.shown}`)
    const opened = await openRecords(file.path, file.shown, experiment.records?.format)
    scored.push(await scoreRecords(experiment, program, items, opened, reading.rows))
    reading.doing("measuring")
  }
  return scored
}

/** Says on standard error what was found in the records; whether anything of it stands in the way. */
function tell(scored: readonly Scored[], { complain, note }: Terminal): boolean {
  let isWrong = false
  for (const { facts } of scored) {
    const stopping = facts.findings.filter(({ policy }) => policy === "stop")
    for (const line of findingLines({ findings: stopping })) complain(`error: ${line}`)
    const rest = { findings: facts.findings.filter(({ policy }) => policy !== "stop") }
    for (const line of findingLines(rest)) note(line)
    if (stopping.length > 0) {
      isWrong = true
      // Several things may be wrong with one row.
      const rows = Math.min(
        facts.rows,
        stopping.reduce((sum, { count }) => sum + count, 0),
      )
      complain(
        `${facts.file}: ${rows} of ${facts.rows} rows cannot be scored. Mend them, or say in the spec's records what becomes of them, such as: ${waysOut(stopping)}`,
      )
      continue
    }
    if (facts.trials === 0) {
      complain(
        `error: ${facts.file}: none of its ${facts.rows} rows is a trial of experiment ${facts.experiment}`,
      )
      isWrong = true
      continue
    }
    for (const line of missingLines(facts)) note(line)
    for (const line of unseenLines(facts)) note(`warning: ${line}`)
  }
  return isWrong
}

/** What the spec would have to say of all these: each problem with the first thing that may become of it besides stopping. */
function waysOut(stopping: readonly Finding[]): string {
  const problems = Object.keys(recordsPolicies) as RecordsProblem[]
  const met = new Set(
    stopping.map(({ problem: found }) => problems.find((known) => known === found) ?? "missing"),
  )
  return problems
    .filter((problem) => met.has(problem))
    .map((problem) => `on ${problem} ${recordsPolicies[problem].find((policy) => policy !== "stop")}`)
    .join(" ")
}

const readingOn = (terminal: Terminal): Reading =>
  terminal.quiet ? unwatchedReading : readingProgress(progressLine(terminal))
