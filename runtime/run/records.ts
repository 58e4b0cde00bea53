/** Trial records from what was answered: a pure function, so that run, resume and report come to the same table. */
import type { Ask, Conversation } from "../../compiler/conversation.ts"
import { expand } from "../../compiler/expand.ts"
import type { Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { askAt, conversationAt, type Readings } from "../../compiler/prompt.ts"
import { pushedOf, targetOf } from "../../compiler/target.ts"
import type { Reading, Trial } from "../../compiler/trial.ts"
import { waves } from "../../compiler/waves.ts"
import { NOT_ASKED } from "../measure/skipped.ts"
import { promptId } from "../read/key.ts"
import { readingOf } from "../read/reading.ts"
import type { TrialRecord } from "../record.ts"
import type { Answers } from "./answers.ts"

/** A read of a trial: settled, or open with all that is needed to ask it. */
export type Read =
  /** `prompt` is absent where something that the prompt needs has no value. */
  | { readonly kind: "settled"; readonly reading: Reading; readonly prompt?: string }
  | { readonly kind: "open"; readonly prompt: string; readonly conversation: Conversation; readonly ask: Ask }

/** What a hole of a trial comes to, given the earlier readings and what its model (known by its fingerprint) has answered. */
export function readAt(
  trial: Trial,
  hole: string,
  readings: Readings,
  fingerprint: string,
  answers: Answers,
): Read {
  const conversation = conversationAt(trial, hole, readings)
  if ("skipped" in conversation)
    return { kind: "settled", reading: { status: "skipped", why: conversation.skipped } }
  const ask = askAt(trial, hole)
  const prompt = promptId(fingerprint, conversation, ask)
  const reading = readingAt(prompt, ask, answers)
  return reading === undefined
    ? { kind: "open", prompt, conversation, ask }
    : { kind: "settled", reading, prompt }
}

/** What a prompt came to; undefined where nothing answers it. */
export function readingAt(prompt: string, ask: Ask, answers: Answers): Reading | undefined {
  const answered = answers.byPrompt.get(prompt)
  if (answered === undefined) return undefined
  return answered.kind === "answer"
    ? readingOf(ask, answered.answer)
    : { status: "invalid", why: answered.problem }
}

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
  return program.experiments.flatMap((experiment) => {
    const order = waves(experiment.protocol, experiment.target).flat()
    return expand(experiment, items, options).map((trial) => {
      const fingerprint = answers.fingerprints.get(trial.model)
      const readings: Record<string, Reading> = {}
      const prompts: Record<string, string> = {}
      for (const { name } of order) {
        const read =
          fingerprint === undefined ? undefined : readAt(trial, name, readings, fingerprint, answers)
        readings[name] = read?.kind === "settled" ? read.reading : { status: "skipped", why: NOT_ASKED }
        if (read?.prompt !== undefined) prompts[name] = read.prompt
      }
      return recordOf(trial, readings, prompts)
    })
  })
}

function recordOf(trial: Trial, readings: Readings, prompts: Readonly<Record<string, string>>): TrialRecord {
  const target = targetOf(trial, readings)
  const inOrder = trial.experiment.protocol.holes.map(({ name }) => [name, readings[name] as Reading])
  return {
    trial: trial.id,
    experiment: trial.experiment.name,
    model: trial.model,
    pool: trial.pool,
    item: trial.item.id,
    levels: trial.cell.levels,
    labels: trial.item.labels,
    gold: trial.item.gold,
    target,
    pushed: pushedOf(trial, target),
    readings: Object.fromEntries(inOrder),
    prompts,
  }
}

/** Whether nothing is left to ask. */
export const isComplete = (records: readonly TrialRecord[]): boolean =>
  records.every(({ readings }) =>
    Object.values(readings).every((reading) => reading.status !== "skipped" || reading.why !== NOT_ASKED),
  )
