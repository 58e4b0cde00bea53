/** Trial records from what was answered: a pure function, so that run, resume and report come to the same table. */
import { expandEach } from "../../compiler/expand.ts"
import type { HoleIR, ModelIR, Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import type { Readings } from "../../compiler/prompt.ts"
import { inPoolOrder, toPool } from "../../compiler/shown.ts"
import { pushedOf, targetOf } from "../../compiler/target.ts"
import type { Reading, Trial } from "../../compiler/trial.ts"
import { wavesOf } from "../../compiler/waves.ts"
import { NOT_ASKED } from "../measure/skipped.ts"
import type { TrialRecord } from "../record.ts"
import type { Answers } from "./answers.ts"
import { freeAnswer, freeTexts, isCompared } from "./freeText.ts"
import type { Gathering } from "./gather.ts"
import { lineFacts } from "./lineFacts.ts"
import type { Plan } from "./plan.ts"
import { readingInPool, targetInPool } from "./poolOrder.ts"
import { type Fingerprints, readAt, type SharedReads, sharedReadAt } from "./reads.ts"

export interface RecordOptions {
  /** As the run's `--limit`: items of each pool. */
  readonly limit?: number
  /** Only these trials, by name. */
  readonly among?: ReadonlySet<string>
}

/** The plan's limit, as functions of the grid take it. */
export const cut = (plan: Plan): RecordOptions => (plan.limit === undefined ? {} : { limit: plan.limit })

/**
 * One record per trial, by experiment and in the order of its grid, made as it is asked for. Where a read was not asked, its reading is skipped
 * (`NOT_ASKED`), and so is what depends on it.
 */
export function* recordsOf(
  program: Program,
  items: ReadonlyMap<string, readonly Item[]>,
  answers: Answers,
  options: RecordOptions = {},
): Generator<TrialRecord> {
  const fingerprints = (model: string): string | undefined => answers.fingerprints.get(model)
  const models = new Map(program.models.map((model) => [model.name, model]))
  const free = freeTexts(program, items, options)
  for (const experiment of program.experiments) {
    const order = wavesOf(experiment).flat()
    const shared: SharedReads = new WeakMap()
    const compared = experiment.protocol.holes.filter(isCompared)
    for (const trial of expandEach(experiment, items, { ...options, models: program.models })) {
      if (options.among?.has(trial.id) === false) continue
      const { readings, prompts } = readAll(trial, order, fingerprints, answers, shared)
      const freely = compared.flatMap((hole) => {
        if (!free(trial, hole)) return []
        const answer = freeAnswer(trial, hole, readings, fingerprints, answers)
        return answer === undefined ? [] : [[hole.name, answer] as const]
      })
      const record = recordOf(trial, readings, prompts, models.get(trial.model))
      yield freely.length === 0 ? record : { ...record, freely: Object.fromEntries(freely) }
    }
  }
}

/**
 * All readings of a trial by now, as it showed its options, and the prompts that they were answers to. `order`: its holes, by wave. `shared`: what reads
 * came to that trials have in common, where many are gone through.
 */
export function readAll(
  trial: Trial,
  order: readonly HoleIR[],
  fingerprints: Fingerprints,
  answers: Answers,
  shared?: SharedReads,
): { readonly readings: Readings; readonly prompts: Readonly<Record<string, string>> } {
  const readings: Record<string, Reading> = {}
  const prompts: Record<string, string> = {}
  for (const hole of order) {
    const { name } = hole
    const read =
      shared === undefined
        ? readAt(trial, name, readings, fingerprints, answers)
        : sharedReadAt(trial, name, readings, fingerprints, answers, shared)
    readings[name] = read.kind === "settled" ? read.reading : { status: "skipped", why: NOT_ASKED }
    // What is worked out from a text is as much the same observation as the text is.
    const prompt = "from" in hole ? prompts[hole.from] : read.kind === "settled" ? read.prompt : undefined
    if (prompt !== undefined) prompts[name] = prompt
  }
  return { readings, prompts }
}

/** A trial's record from its readings, as it showed its options, and the prompts that they were answers to. */
export function recordOf(
  trial: Trial,
  readings: Readings,
  prompts: Readonly<Record<string, string>>,
  model: ModelIR | undefined,
): TrialRecord {
  const { item, cell, experiment } = trial
  const { protocol } = experiment
  const target = targetOf(trial, readings)
  const lines = lineFacts(trial, readings)
  return {
    trial: trial.id,
    experiment: experiment.name,
    model: trial.model,
    pool: trial.pool,
    item: item.id,
    levels: cell.levels,
    // Labels go by place, whatever stands there.
    labels: item.labels,
    shown: inPoolOrder(item, item.labels),
    gold: toPool(item, item.gold),
    columns: item.columns,
    attributes: model?.attributes ?? {},
    roles: Object.fromEntries(protocol.roles.map((role) => [role, roleOf(trial, role)])),
    ...(lines === undefined ? {} : { lines }),
    target: targetInPool(item, target),
    pushed: targetInPool(item, pushedOf(trial, target)),
    readings: Object.fromEntries(
      protocol.holes.map((hole) => [hole.name, readingInPool(trial, hole, readings[hole.name] as Reading)]),
    ),
    prompts,
  }
}

/** The model in a role, by name. */
function roleOf({ cell, model }: Trial, role: string): string {
  const name = cell.roles[role]
  return name === undefined || name === "model" ? model : name
}

/** Whether a read is left to ask. */
const isOpen = (reading: Reading): boolean => reading.status === "skipped" && reading.why === NOT_ASKED

/** What is left to ask in a trial, in words. */
export function openIn({ trial, readings, freely = {} }: TrialRecord): readonly string[] {
  const reads = Object.entries(readings).flatMap(([hole, reading]) =>
    isOpen(reading) ? [`${hole} of trial ${trial}`] : [],
  )
  const texts = Object.entries(freely).flatMap(([hole, { status }]) =>
    status === "open" ? [`the text at ${hole} of trial ${trial}`] : [],
  )
  return [...reads, ...texts]
}

/** How many reads are left to ask, in how many trials, and the first of them. */
export interface OpenReads {
  readonly count: number
  readonly trials: number
  readonly first?: string
}

export function openReads(): Gathering<OpenReads> {
  let count = 0
  let trials = 0
  let first: string | undefined
  return {
    take: (record) => {
      const open = openIn(record)
      if (open.length === 0) return
      first ??= open[0]
      count += open.length
      trials += 1
    },
    found: () => ({ count, trials, ...(first === undefined ? {} : { first }) }),
  }
}

/** Whether nothing is left to ask: looks no further than the first that is. */
export function isComplete(records: Iterable<TrialRecord>): boolean {
  for (const record of records) if (openIn(record).length > 0) return false
  return true
}
