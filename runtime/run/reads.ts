/** Reads of one trial: what a hole comes to, given the earlier ones and what models have answered. */
import type { Ask, Conversation } from "../../compiler/conversation.ts"
import { derivedAt } from "../../compiler/derive.ts"
import type { ExperimentIR, HoleIR } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { expectedAt } from "../../compiler/outcome.ts"
import { askAt, conversationAt, modelOf, type Readings } from "../../compiler/prompt.ts"
import type { Piece, Reading, Trial, TurnPrompt } from "../../compiler/trial.ts"
import type { Expectation } from "../backend/backend.ts"
import { promptId } from "../read/key.ts"
import { readingOf } from "../read/reading.ts"
import type { Answers } from "./answers.ts"

/** A read of a trial: settled, or open with all that is needed to ask it. */
export type Read =
  /** `prompt` is absent where something that the prompt needs has no value; what is worked out from a text has the text's. */
  | { readonly kind: "settled"; readonly reading: Reading; readonly prompt?: string }
  | {
      readonly kind: "open"
      /** The model that is to be asked. */
      readonly model: string
      readonly prompt: string
      readonly conversation: Conversation
      readonly ask: Ask
      readonly expected?: Expectation
    }
  /** Its model has not been opened yet, so that nothing of it can be known. */
  | { readonly kind: "waiting"; readonly model: string }

/** The fingerprint of a model, by name; undefined where it has not been opened. */
export type Fingerprints = (model: string) => string | undefined

/** What a hole of a trial comes to, given the earlier readings. */
export function readAt(
  trial: Trial,
  hole: string,
  readings: Readings,
  fingerprints: Fingerprints,
  answers: Answers,
): Read {
  const derived = derivedAt(trial, hole, readings)
  if (derived !== undefined) return { kind: "settled", reading: derived }
  const conversation = conversationAt(trial, hole, readings)
  if ("skipped" in conversation)
    return { kind: "settled", reading: { status: "skipped", why: conversation.skipped } }
  const model = modelOf(trial, holeOf(trial.experiment, hole).turn)
  const fingerprint = fingerprints(model)
  if (fingerprint === undefined) return { kind: "waiting", model }
  const ask = askAt(trial, hole)
  const prompt = promptId(fingerprint, conversation, ask)
  const reading = readingAt(trial, hole, { prompt, ask }, answers)
  if (reading !== undefined) return { kind: "settled", reading, prompt }
  return { kind: "open", model, prompt, conversation, ask, ...expectation(trial, hole, readings) }
}

/** A read as it was asked, of which the prompt and the answer are known. */
export function openAt(
  trial: Trial,
  hole: string,
  readings: Readings,
  prompt: string,
): Read & { readonly kind: "open" } {
  const conversation = conversationAt(trial, hole, readings)
  if ("skipped" in conversation)
    throw new Error(`internal: ${hole} of ${trial.id} was answered and is skipped`)
  const model = modelOf(trial, holeOf(trial.experiment, hole).turn)
  const ask = askAt(trial, hole)
  return { kind: "open", model, prompt, conversation, ask, ...expectation(trial, hole, readings) }
}

/** What reads came to whose words hang on no trial: those of turns that trials share, up to the first place that a read or the target fills. */
export type SharedReads = WeakMap<TurnPrompt, Map<string, { readonly item: Item; readonly read: Read }>>

/**
 * As `readAt`, looked up where another trial has the same turn with the same item in it. `shared`: of one set of answers that does not change meanwhile.
 */
export function sharedReadAt(
  trial: Trial,
  hole: string,
  readings: Readings,
  fingerprints: Fingerprints,
  answers: Answers,
  shared: SharedReads,
): Read {
  const turn = ownTurn(trial, hole)
  if (turn === undefined) return readAt(trial, hole, readings, fingerprints, answers)
  const reads = shared.get(turn) ?? new Map<string, { readonly item: Item; readonly read: Read }>()
  shared.set(turn, reads)
  const known = reads.get(hole)
  if (known?.item === trial.item) return known.read
  const read = readAt(trial, hole, readings, fingerprints, answers)
  if (read.kind === "settled") reads.set(hole, { item: trial.item, read })
  return read
}

/** The turn that a read's words are of, where it continues no other and they are all there: then nothing but the turn and the item decides it. */
function ownTurn({ experiment, turns }: Trial, name: string): TurnPrompt | undefined {
  const hole = holeOf(experiment, name)
  const isOwn =
    (hole.type === "option" && hole.of === undefined) || hole.type === "label" || hole.type === "integer"
  const at = isOwn ? turns.findIndex((one) => one.name === hole.turn) : -1
  const turn = turns[at]
  if (turn === undefined || turn.continues !== undefined) return undefined
  if (experiment.protocol.turns[at]?.when !== undefined) return undefined
  const before = turn.assistant.findIndex((piece) => piece.kind === "hole" && piece.hole === name)
  const isText = (piece: Piece): boolean => piece.kind === "text"
  return before >= 0 &&
    turn.system.every(isText) &&
    turn.user.every(isText) &&
    turn.assistant.slice(0, before).every(isText)
    ? turn
    : undefined
}

function expectation(trial: Trial, hole: string, readings: Readings): { readonly expected?: Expectation } {
  const expected = expectedAt(trial, hole, readings)
  return expected === undefined ? {} : { expected }
}

/** What a prompt came to for a hole; undefined where nothing answers it. */
export function readingAt(
  trial: Trial,
  hole: string,
  { prompt, ask }: { readonly prompt: string; readonly ask: Ask },
  { byPrompt }: Answers,
): Reading | undefined {
  const answered = byPrompt.get(prompt)
  if (answered === undefined) return undefined
  if (answered.kind === "unreadable") return { status: "invalid", why: answered.problem }
  return readingOf(ask, answered.answer, refusalOf(holeOf(trial.experiment, hole)))
}

/** The markers of refusal in what is written at a hole. */
const refusalOf = (hole: HoleIR): readonly string[] => (hole.type === "text" ? hole.refusal : [])

export function holeOf({ protocol }: ExperimentIR, name: string): HoleIR {
  const hole = protocol.holes.find((one) => one.name === name)
  if (hole === undefined) throw new Error(`internal: protocol ${protocol.name} reads no ${name}`)
  return hole
}
