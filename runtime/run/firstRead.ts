/** The first read of an item that a model is asked, for those who want to see how it does before a run. */
import { askAt, conversationAt, modelOf } from "../../compiler/prompt.ts"
import type { Trial } from "../../compiler/trial.ts"
import type { TokenModel } from "../backend/backend.ts"
import { type PreparedRead, prepare, type Unreadable } from "../read/prepare.ts"
import type { Cohort } from "./cohorts.ts"

export interface FirstRead {
  readonly trial: Trial
  readonly hole: string
  readonly prepared: PreparedRead | Unreadable
}

/** The first distribution that is read of the model in the item's first wave; undefined where it is asked for texts only, or later. */
export function firstRead(model: TokenModel, cohort: Cohort): FirstRead | undefined {
  for (const read of firstReads(model, cohort)) return read
  return undefined
}

/** All distributions that are read of the model in the item's first wave, in the order of its trials; equal prompts come as often as they are asked. */
export function* firstReads(model: TokenModel, cohort: Cohort): Generator<FirstRead> {
  for (const { trial, waves } of cohort.trials()) {
    for (const { name, type, turn } of waves[0] ?? []) {
      if (type === "text" || modelOf(trial, turn) !== model.name) continue
      const conversation = conversationAt(trial, name, {})
      if ("skipped" in conversation) continue
      const ask = askAt(trial, name)
      if (ask.kind !== "text") yield { trial, hole: name, prepared: prepare(model, conversation, ask) }
    }
  }
}
