/** A text that is assumed is another one wherever its prompt is another: later prompts that quote it, and verdicts on it, are then counted apart. */
import { createHash } from "node:crypto"
import { derivedFrom } from "../../compiler/derive.ts"
import { askAt, conversationAt, type Readings } from "../../compiler/prompt.ts"
import { lookedFor } from "../../compiler/sayings.ts"
import type { Reading, Trial } from "../../compiler/trial.ts"
import { promptId } from "../read/key.ts"

/** Sixteen words that are one token each in most vocabularies. */
const words = "the of and to in is for as with it on by at from are be".split(" ")

/** So many of them tell sixteen million prompts apart. */
const COUNT = 6

/** `text`: what is assumed where `prompt` is asked; another reading than a text stays as it is, and so does a text in which something else would then be found. */
export function distinctText(trial: Trial, hole: string, prompt: string, text: Reading): Reading {
  if (text.status !== "text") return text
  const longer = `${wordsFor(prompt)} ${text.text}`
  const isSame = lookedFor(trial.experiment.protocol, hole).every(
    (looked) =>
      found(derivedFrom(looked, longer, trial.item)) === found(derivedFrom(looked, text.text, trial.item)),
  )
  return isSame ? { ...text, text: longer } : text
}

/** What tells the prompt of a model that is not at hand from others; of a turn that a gate keeps closed, all that tells its trial. */
export function promptOf(trial: Trial, hole: string, readings: Readings): string {
  const conversation = conversationAt(trial, hole, readings)
  return "skipped" in conversation ? trial.id : promptId("", conversation, askAt(trial, hole))
}

const found = (reading: Reading): string => ("value" in reading ? String(reading.value) : reading.status)

function wordsFor(identity: string): string {
  const digits = createHash("sha256").update(identity).digest("hex").slice(0, COUNT)
  return [...digits].map((digit) => words[Number.parseInt(digit, 16)]).join(" ")
}
