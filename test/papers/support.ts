/** The published specs of both papers, carried out on files: nothing in them is changed but whose weights answer, and which items are asked. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { compile } from "../../compiler/compile.ts"
import { render } from "../../compiler/diagnostics/render.ts"
import type { Program } from "../../compiler/ir.ts"
import { scanCsv } from "../../compiler/items/csv.ts"
import { Backend } from "../../runtime/backend/backend.ts"
import { llamaBackend } from "../../runtime/backend/llama.ts"
import { diskFiles } from "../../runtime/disk/files.ts"
import type { Result } from "../../runtime/measure/result.ts"
import { type Forecast, forecast } from "../../runtime/run/forecast.ts"
import { silent } from "../../runtime/run/progress.ts"
import { type RunOutcome, type RunRequest, run } from "../../runtime/run/run.ts"
import { root } from "../specs/support.ts"

export const pocket = join(root, "stdlib/models/pocket/pocket.gguf")

/** Names of all models of the papers' specs. */
const names = {
  floor: ["qwen_1_5b", "qwen_3b", "qwen_7b", "llama_8b", "mistral_7b", "gemma_9b"],
  judge: ["gpt_4o_mini"],
  whoFlips: [
    "llama_3_1_8b",
    "qwen_3_5_4b",
    "qwen_3_5_9b",
    "qwen_3_5_35b",
    "closed_a",
    "closed_b",
    "closed_c",
  ],
}

/** One file for all models of the papers, but for those named. */
export const filesFor = (
  file: string,
  others: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.values(names).flatMap((all) => all.map((name) => [name, file]))),
  ...others,
})

/** The small model once more under another sum, so that a run takes it for another model: its file says another name. */
export function anotherPocket(path: string): string {
  const bytes = readFileSync(pocket)
  const at = bytes.indexOf("pocket respondent")
  if (at < 0) throw new Error("the small model's file does not say its name")
  bytes.write("second respondent", at, "latin1")
  writeFileSync(path, bytes)
  return path
}

export interface Published {
  /** From the project's folder. */
  readonly spec: string
  readonly models: Readonly<Record<string, string>>
  readonly items: Readonly<Record<string, string>>
  readonly limit: number
}

export type Sound = RunRequest["compiled"]

/** @throws where the spec has errors */
export function compiledFor({ spec, models, items }: Published): Sound {
  const files = diskFiles({ here: root, stdlib: join(root, "stdlib") })
  const found = compile(join(root, spec), files, { models, items })
  const { program, hash } = found
  if (program === undefined || hash === undefined)
    throw new Error(found.diagnostics.map((one) => render(one, { color: false })).join("\n\n"))
  return { ...found, program, hash }
}

/** As `cfx run` carries it out. */
export const requestFor = (published: Published, compiled: Sound, directory: string): RunRequest => ({
  compiled,
  directory,
  engine: "llama",
  mode: "exact",
  version: "0.1.0",
  limit: published.limit,
  progress: silent,
})

export const carryOut = (published: Published, compiled: Sound, directory: string): Promise<RunOutcome> =>
  Effect.runPromise(
    run(requestFor(published, compiled, directory)).pipe(Effect.provide(llamaBackend({ threads: 1 }))),
  )

/** What `cfx plan` says before any answer, of the models named. */
export const plannedFor = (
  { limit }: Published,
  { program, items }: Sound,
  models: readonly string[],
): Promise<Forecast> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const backend = yield* Backend
        const opened = yield* Effect.forEach(models, (name) => backend.load(modelOf(program, name)))
        return forecast(program, items, new Map(opened.map((model) => [model.name, model])), { limit })
      }).pipe(Effect.provide(llamaBackend({ threads: 1 }))),
    ),
  )

const modelOf = ({ models }: Program, name: string) => {
  const model = models.find((one) => one.name === name)
  if (model === undefined) throw new Error(`the spec has no model ${name}`)
  return { name, path: model.file }
}

export type Row = Readonly<Record<string, string>>

/** The rows of `trials.csv`, by its header. */
export function rowsOf(directory: string): readonly Row[] {
  const records: string[][] = []
  const problems = scanCsv(readFileSync(join(directory, "trials.csv"), "utf8"), (record) =>
    records.push(record.map(({ text }) => text)),
  )
  if (problems.length > 0) throw new Error("trials.csv is no CSV")
  const [header = [], ...rows] = records
  return rows.map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ""])))
}

/** The numbers of `results.json`; not what it says of the reads. */
export const resultsOf = (directory: string): readonly Result[] =>
  (JSON.parse(readFileSync(join(directory, "results.json"), "utf8")) as readonly Result[]).filter(
    ({ kind }) => ["measure", "contrast", "expect"].includes(kind),
  )

/**
 * The rows that a result is about, where its `by` says it all. A column of the items stands under `item.`; of the factor `target`, whose name the option
 * that a trial is about has in the table, the level stands in the trial's name.
 */
export const rowsIn = (rows: readonly Row[], { experiment, by }: Result): readonly Row[] =>
  rows.filter(
    (row) =>
      row.experiment === experiment &&
      Object.entries(by).every(([name, level]) =>
        name === "target" ? row.trial?.includes(level) : (row[name] ?? row[`item.${name}`]) === level,
      ),
  )
