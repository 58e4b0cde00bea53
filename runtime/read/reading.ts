import type { Ask } from "../../compiler/conversation.ts"
import type { Reading } from "../../compiler/trial.ts"
import type { ReadAnswer, TextAnswer } from "../backend/backend.ts"

/** What an engine gives: a distribution, or a text that it wrote. */
export type EngineAnswer = ReadAnswer | TextAnswer

export const isWritten = (answer: EngineAnswer): answer is TextAnswer => "text" in answer

/** What is read from a distribution over labels or integers; a text is written instead. */
export type ReadAsk = Exclude<Ask, { readonly kind: "text" }>

/** What can be read: the labels as displayed, or the integers in digits, in the order of an answer's probabilities. */
export function labelsOf(ask: ReadAsk): readonly string[] {
  if (ask.kind !== "integer") return ask.labels
  return Array.from({ length: ask.high - ask.low + 1 }, (_, offset) => String(ask.low + offset))
}

/** Labels besides, whose raw probability alone is recorded. */
export const alsoOf = (ask: ReadAsk): readonly string[] => (ask.kind === "integer" ? [] : (ask.also ?? []))

/**
 * An engine's answer as a reading. Of a distribution the value is the most probable label, the first of them on a tie; a text with one
 * of the markers of `refusal` in it is refused.
 */
export function readingOf(ask: Ask, answer: EngineAnswer, refusal: readonly string[] = []): Reading {
  if (isWritten(answer) !== (ask.kind === "text"))
    return { status: "invalid", why: "the engine's answer is of another kind than what was asked" }
  return isWritten(answer) ? writtenReading(answer, refusal) : chosenReading(ask as ReadAsk, answer)
}

function writtenReading({ text, tokens, stop, invalid }: TextAnswer, refusal: readonly string[]): Reading {
  if (invalid !== undefined) return { status: "invalid", why: invalid }
  const marker = refusal.find((one) => text.includes(one))
  return marker === undefined
    ? { status: "text", text, tokens, stop }
    : { status: "refused", text, tokens, marker }
}

function chosenReading(ask: ReadAsk, answer: ReadAnswer): Reading {
  if (answer.invalid !== undefined) return { status: "invalid", why: answer.invalid }
  const labels = labelsOf(ask)
  if (answer.probabilities.length !== labels.length)
    return {
      status: "invalid",
      why: `${answer.probabilities.length} probabilities for ${labels.length} labels`,
    }
  const placebos = alsoOf(ask).length
  if (answer.also !== undefined && answer.also.length !== placebos)
    return {
      status: "invalid",
      why: `${answer.also.length} raw probabilities for ${placebos} labels besides`,
    }
  let index = 0
  for (const [i, p] of answer.probabilities.entries()) if (p > answer.probabilities[index]!) index = i
  const { probabilities, mass, also, censored } = answer
  return {
    status: "value",
    value: labels[index]!,
    index,
    probabilities,
    mass,
    // A trial pushes one placebo label at most.
    ...(also?.[0] === undefined ? {} : { placebo: also[0] }),
    ...(censored === undefined ? {} : { censored }),
  }
}
