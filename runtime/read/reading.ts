import type { Ask } from "../../compiler/conversation.ts"
import type { Reading } from "../../compiler/trial.ts"
import type { ReadAnswer } from "../backend/backend.ts"

/** What can be read: the labels as displayed, or the integers in digits, in the order of an answer's probabilities. */
export function labelsOf(ask: Ask): readonly string[] {
  if (ask.kind === "option") return ask.labels
  return Array.from({ length: ask.high - ask.low + 1 }, (_, offset) => String(ask.low + offset))
}

/** An engine's answer as a reading: its value is the most probable label, the first of them on a tie. */
export function readingOf(ask: Ask, answer: ReadAnswer): Reading {
  if (answer.invalid !== undefined) return { status: "invalid", why: answer.invalid }
  const labels = labelsOf(ask)
  if (answer.probabilities.length !== labels.length)
    return {
      status: "invalid",
      why: `${answer.probabilities.length} probabilities for ${labels.length} labels`,
    }
  let index = 0
  for (const [i, p] of answer.probabilities.entries()) if (p > answer.probabilities[index]!) index = i
  const { probabilities, mass } = answer
  return { status: "value", value: labels[index]!, index, probabilities, mass }
}
