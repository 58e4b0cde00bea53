/**
 * Trials as Inspect reads its own: an evaluation log in JSON (version 2) for each experiment and model, a sample for each trial. Its input is the item's
 * question, its target the label of the gold option as the pool has it; each read is a score: of options C or I, as Inspect writes right and wrong, of
 * numbers the number, of all others the label or text. What else is known of the trial stands in the sample's metadata.
 *
 * The conversations themselves are none of it: a sample's messages are empty, and its output is what the last read said; `cfx show --run` has the prompts. Time
 * and requests are left out, too: nothing here hangs on when a run was.
 */
import type { ExperimentIR, HoleIR, Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import type { Reading } from "../../compiler/trial.ts"
import type { TrialRecord } from "../record.ts"

/** A log that is being written. */
export interface InspectLog {
  /** Of its file, without folders. */
  readonly name: string
  readonly pieces: Iterable<string>
}

export interface InspectSource {
  readonly program: Program
  readonly items: ReadonlyMap<string, readonly Item[]>
  /** Gone through once for each log. */
  readonly records: Iterable<TrialRecord>
  /** By the model's name, what it is: part of the log's metadata. */
  readonly fingerprints: Readonly<Record<string, string>>
  /** When the run was begun, from its own record; the format asks for a time. */
  readonly started: string
  readonly version: string
}

export function inspectLogs(source: InspectSource): readonly InspectLog[] {
  const { program } = source
  return program.experiments.flatMap((experiment) =>
    experiment.models.map((model) => ({
      name: `${fileName(experiment.name)}_${fileName(model)}.json`,
      pieces: { [Symbol.iterator]: () => logOf(experiment, model, source) },
    })),
  )
}

/** Names of declarations are letters, digits and underscores; whatever else a name has never becomes part of a path. */
const fileName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_")

function* logOf(experiment: ExperimentIR, model: string, source: InspectSource): Generator<string> {
  const { items, records, fingerprints, started, version } = source
  const questions = new Map(
    [...items].flatMap(([pool, own]) => own.map((item) => [`${pool}\n${item.id}`, item] as const)),
  )
  const own = () => samplesOf(records, experiment, model)
  let count = 0
  for (const _ of own()) count += 1
  const fingerprint = fingerprints[model]
  const head = {
    version: 2,
    status: "success",
    eval: {
      eval_id: `${experiment.name}-${model}`,
      run_id: experiment.name,
      created: started,
      task: experiment.name,
      task_id: experiment.name,
      task_version: 0,
      dataset: { name: experiment.pools.map(({ pool }) => pool).join(", "), samples: count },
      model,
      config: {},
      packages: { cfx: version },
      metadata: fingerprint === undefined ? {} : { fingerprint },
    },
    plan: { name: experiment.protocol.name, steps: [], config: {} },
    results: { total_samples: count, completed_samples: count, scores: [] },
    stats: { started_at: started, completed_at: started, model_usage: {} },
  }
  const opening = JSON.stringify(head)
  yield `${opening.slice(0, -1)},\n"samples":[\n`
  let separator = ""
  for (const record of own()) {
    const item = questions.get(`${record.pool}\n${record.item}`)
    yield `${separator}${JSON.stringify(sampleOf(record, item, experiment))}`
    separator = ",\n"
  }
  yield "\n]}\n"
}

function* samplesOf(
  records: Iterable<TrialRecord>,
  { name }: ExperimentIR,
  model: string,
): Generator<TrialRecord> {
  for (const record of records) if (record.experiment === name && record.model === model) yield record
}

function sampleOf(record: TrialRecord, item: Item | undefined, { protocol }: ExperimentIR) {
  const gold = record.labels[record.gold] ?? ""
  const reads = protocol.holes.map((hole) => [hole, record.readings[hole.name]] as const)
  const last = reads.findLast(([, reading]) => answerOf(reading) !== undefined)
  const said = last === undefined ? "" : (answerOf(last[1]) ?? "")
  return {
    id: record.trial,
    epoch: 1,
    input: item?.question ?? "",
    choices: item === undefined ? record.labels : inPoolOrder(item),
    target: gold,
    messages: [],
    output: {
      model: record.model,
      choices: [{ message: { role: "assistant", content: said }, stop_reason: "stop" }],
    },
    scores: Object.fromEntries(
      reads.flatMap(([hole, reading]) => {
        const score = scoreOf(hole, reading, record, gold)
        return score === undefined ? [] : [[hole.name, score] as const]
      }),
    ),
    metadata: metadataOf(record),
    store: {},
    events: [],
    model_usage: {},
    attachments: {},
  }
}

/** A factor stands under its own name, unless something else of the trial has that: then behind `level:`, as in `trials.csv`. */
function metadataOf(record: TrialRecord): Readonly<Record<string, unknown>> {
  const own = {
    item_columns: record.columns,
    model_attributes: record.attributes,
    roles: record.roles,
    labels: record.labels,
    target_option: optionOf(record.target, record),
    pushed_option: optionOf(record.pushed, record),
  }
  const place = { pool: record.pool, item: record.item }
  const levels = Object.entries(record.levels).map(([factor, level]) => {
    const isTaken = Object.hasOwn(own, factor) || Object.hasOwn(place, factor)
    return [isTaken ? `level:${factor}` : factor, level] as const
  })
  return { ...place, ...Object.fromEntries(levels), ...own }
}

const inPoolOrder = ({ options, original }: Item): readonly string[] =>
  original === undefined ? options : original.map((_, place) => options[original.indexOf(place)] ?? "")

const optionOf = (target: TrialRecord["target"], { labels }: TrialRecord): string | null => {
  if (target.kind === "option") return labels[target.index] ?? null
  return target.kind === "placebo" ? target.label : null
}

/** What a read said, as it was shown; undefined where it said nothing. */
function answerOf(reading: Reading | undefined): string | undefined {
  switch (reading?.status) {
    case "value":
    case "answer":
      return reading.value
    case "text":
    case "refused":
      return reading.text
    default:
      return undefined
  }
}

const isOption = (hole: HoleIR): boolean =>
  (hole.type === "option" && hole.of === undefined) || (hole.type === "extract" && hole.as.type === "option")

const isInteger = (hole: HoleIR): boolean =>
  hole.type === "integer" || (hole.type === "extract" && hole.as.type === "integer")

function scoreOf(hole: HoleIR, reading: Reading | undefined, record: TrialRecord, gold: string) {
  if (reading === undefined || reading.status === "skipped") return undefined
  if (reading.status === "invalid") {
    // Inspect has no value for what could not be read; its own scorers say N, for no answer.
    return { value: "N", answer: null, explanation: reading.why, metadata: { status: reading.status } }
  }
  if (reading.status === "text" || reading.status === "refused")
    return { value: reading.status, answer: reading.text, metadata: { tokens: reading.tokens } }
  const answer = isOption(hole) ? (record.labels[reading.index] ?? reading.value) : reading.value
  const value = isOption(hole) ? (answer === gold ? "C" : "I") : isInteger(hole) ? Number(answer) : answer
  if (reading.status === "answer") return { value, answer, metadata: {} }
  const { probabilities, mass, index } = reading
  return { value, answer, metadata: { confidence: probabilities[index], mass, probabilities } }
}
