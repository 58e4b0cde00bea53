/** `run.json`: how far a run has come, when, and on which machine. Written often, and read with a look at every field. */
import { join } from "node:path"
import { Result, Schema, SchemaIssue } from "effect"
import { readIfThere, writeFileAtomic } from "../disk/disk.ts"
import { parsed } from "../disk/json.ts"
import { EnvironmentFailure } from "../failure.ts"
import type { Engine, Mode } from "./plan.ts"
import type { Found } from "./sealed.ts"

export const FORMAT = 1

const NAME = "run.json"

export interface RunState {
  readonly format: typeof FORMAT
  readonly state: "running" | "interrupted" | "finished"
  /** Version of the cfx that wrote this last. */
  readonly cfx: string
  readonly spec: string
  readonly plan: string
  /** As the plan's: what all runs in one directory have in common. */
  readonly basis: string
  readonly engine: Engine
  readonly mode: Mode
  /** sha256 of what `cfx.lock` says of the spec; absent where none stands beside it. */
  readonly lock?: string
  /** The folder of the run whose answers were taken; absent where models were asked. */
  readonly replayed?: string
  /** By the model's name. */
  readonly models: Readonly<Record<string, ModelState>>
  /** Where the files under `spec/` came from, by name. */
  readonly sources: Readonly<Record<string, string>>
  readonly counts: RunCounts
  /** One entry for each time that the run was started or continued. */
  readonly sessions: readonly SessionState[]
}

export interface ModelState {
  /** Absolute path, or the address that it was fetched from: at the commit that the lock pins, where it pins one. */
  readonly file: string
  readonly bytes?: number
  readonly sha256?: string
  /** Absent until the model was opened. */
  readonly fingerprint?: string
  readonly facts?: Readonly<Record<string, string | number | boolean>>
}

export interface RunCounts {
  readonly trials: number
  /** Reads over all trials, and the different ones among them that were answered; of an interrupted run, all that the ledger answers. */
  readonly reads: number
  readonly answered: number
  /** Invalid reads, counted as the report names them: by experiment, model, item, hole and reason. */
  readonly failed: number
}

export interface SessionState {
  readonly started: string
  readonly ended?: string
  readonly host: string
  readonly platform: string
  readonly node: string
  /** Reads that were put to an engine, the tokens that it evaluated for them, and for how long. */
  readonly asked: number
  readonly evaluated: number
  readonly seconds: number
  /** Reads that were taken again to see how far the engine agrees with itself, and the tokens that it evaluated for them: on top of the others. */
  readonly audited?: { readonly reads: number; readonly evaluated: number }
}

const model = Schema.Struct({
  file: Schema.String,
  bytes: Schema.optionalKey(Schema.Number),
  sha256: Schema.optionalKey(Schema.String),
  fingerprint: Schema.optionalKey(Schema.String),
  facts: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Number, Schema.Boolean])),
  ),
})

const session = Schema.Struct({
  started: Schema.String,
  ended: Schema.optionalKey(Schema.String),
  host: Schema.String,
  platform: Schema.String,
  node: Schema.String,
  asked: Schema.Number,
  evaluated: Schema.Number,
  seconds: Schema.Number,
  audited: Schema.optionalKey(Schema.Struct({ reads: Schema.Number, evaluated: Schema.Number })),
})

const decode = Schema.decodeUnknownResult(
  Schema.Struct({
    format: Schema.Literal(FORMAT),
    state: Schema.Literals(["running", "interrupted", "finished"]),
    cfx: Schema.String,
    spec: Schema.String,
    plan: Schema.String,
    basis: Schema.String,
    engine: Schema.Literals(["llama", "simulated"]),
    mode: Schema.Literals(["exact", "fast"]),
    lock: Schema.optionalKey(Schema.String),
    replayed: Schema.optionalKey(Schema.String),
    models: Schema.Record(Schema.String, model),
    sources: Schema.Record(Schema.String, Schema.String),
    counts: Schema.Struct({
      trials: Schema.Number,
      reads: Schema.Number,
      answered: Schema.Number,
      failed: Schema.Number,
    }),
    sessions: Schema.Array(session),
  }),
  { errors: "all" },
)

const problemsOf = SchemaIssue.makeFormatterStandardSchemaV1()

export const writeState = (directory: string, state: RunState): void =>
  writeFileAtomic(join(directory, NAME), `${JSON.stringify(state, null, 2)}\n`)

/** Throws `EnvironmentFailure` when another format than this version's is found. */
export function readState(directory: string): Found<RunState> {
  const path = join(directory, NAME)
  const text = readIfThere(path)
  if (text === undefined) return { problem: `there is no ${NAME}`, missing: true }
  const value = parsed(text)
  if (value === undefined) return { problem: `${NAME} is damaged: it is not JSON`, missing: false }
  const format = (value as { readonly format?: unknown } | null)?.format
  if (typeof format === "number" && format !== FORMAT) {
    throw new EnvironmentFailure({
      what: `the run was written in format ${format}; this cfx knows format ${FORMAT}`,
      where: path,
      todo: "use the version of cfx that made it, or start over in another folder with -o",
    })
  }
  if ((value as { readonly state?: unknown } | null)?.state === "scored") {
    throw new EnvironmentFailure({
      what: "the folder holds scored records, and no run: there is no ledger to report, export, compare or code from",
      where: path,
      todo: "take its report.html, results.json and trials.csv as they are, score the records again for another form (cfx score SPEC --records FILE --format FORM), or give the folder of a run",
    })
  }
  const decoded = decode(value)
  if (Result.isSuccess(decoded)) return { value: decoded.success }
  const problems = problemsOf(decoded.failure.issue).issues.map(({ path = [], message }) => {
    const place = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".")
    return `${place === "" ? "the whole" : place} (${message.toLowerCase()})`
  })
  return { problem: `${NAME} is damaged: ${problems.join(", ")}`, missing: false }
}
