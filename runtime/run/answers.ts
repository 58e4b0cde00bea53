/** What models have answered so far: the ledger's content, as execution and reports look it up. */
import type { EngineAnswer } from "../read/reading.ts"

/** What a prompt came to: an answer, or why it could not be asked. */
export type Answered =
  | { readonly kind: "answer"; readonly answer: EngineAnswer }
  | { readonly kind: "unreadable"; readonly problem: string; readonly why: "too_long" | "label" | "template" }

export interface Answers {
  /** The engine of each model that was opened, by the model's name in the spec. */
  readonly fingerprints: ReadonlyMap<string, string>
  readonly byPrompt: ReadonlyMap<string, Answered>
  /** By the read's key: the distinct reads that were answered, texts among them. */
  readonly byKey: ReadonlyMap<string, EngineAnswer>
}

export const noAnswers: Answers = { fingerprints: new Map(), byPrompt: new Map(), byKey: new Map() }
