/** Trial records from what was answered: a pure function, so that run, resume and report come to the same table. */
import { expandEach } from "../../compiler/expand.ts"
import type { ModelIR, Program } from "../../compiler/ir.ts"
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
import { lineFacts } from "./lineFacts.ts"
import { readingInPool, targetInPool } from "./poolOrder.ts"
import { readAt } from "./reads.ts"

export interface RecordOptions {
  /** As the run's `--limit`: items of each pool. */
  readonly limit?: number
}

/**
 * One record per trial, by experiment and in the order of its grid. Where a read was not asked, its reading is skipped (`NOT_ASKED`),
 * and so is what depends on it.
 */
export function recordsOf(
  program: Program,
  items: ReadonlyMap<string, readonly Item[]>,
  answers: Answers,
  options: RecordOptions = {},
): readonly TrialRecord[] {
  const fingerprints = (model: string): string | undefined => answers.fingerprints.get(model)
  const models = new Map(program.models.map((model) => [model.name, model]))
  const free = freeTexts(program, items, options)
  const records: TrialRecord[] = []
  for (const experiment of program.experiments) {
    const order = wavesOf(experiment).flat()
    const compared = experiment.protocol.holes.filter(isCompared)
    for (const trial of expandEach(experiment, items, { ...options, models: program.models })) {
      const readings: Record<string, Reading> = {}
      const prompts: Record<string, string> = {}
      for (const hole of order) {
        const { name } = hole
        const read = readAt(trial, name, readings, fingerprints, answers)
        readings[name] = read.kind === "settled" ? read.reading : { status: "skipped", why: NOT_ASKED }
        // What is worked out from a text is as much the same observation as the text is.
        const prompt = "from" in hole ? prompts[hole.from] : read.kind === "settled" ? read.prompt : undefined
        if (prompt !== undefined) prompts[name] = prompt
      }
      const freely = compared.flatMap((hole) => {
        if (!free(trial, hole)) return []
        const answer = freeAnswer(trial, hole, readings, fingerprints, answers)
        return answer === undefined ? [] : [[hole.name, answer] as const]
      })
      const record = recordOf(trial, readings, prompts, models.get(trial.model))
      records.push(freely.length === 0 ? record : { ...record, freely: Object.fromEntries(freely) })
    }
  }
  return records
}

function recordOf(
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
export const isOpen = (reading: Reading): boolean => reading.status === "skipped" && reading.why === NOT_ASKED

/** Whether nothing is left to ask. */
export const isComplete = (records: readonly TrialRecord[]): boolean =>
  records.every(
    ({ readings, freely = {} }) =>
      !Object.values(readings).some(isOpen) && Object.values(freely).every(({ status }) => status !== "open"),
  )
