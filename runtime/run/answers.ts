/** What models have answered so far: the ledger's content, as execution and reports look it up. */
import type { ReadAnswer } from "../backend/backend.ts"
import type { EngineAnswer } from "../read/reading.ts"

/** What a prompt came to: an answer, or why it could not be asked. */
export type Answered =
  | { readonly kind: "answer"; readonly answer: EngineAnswer }
  | { readonly kind: "unreadable"; readonly problem: string; readonly why: "too_long" | "label" | "template" }

/** How a read is taken again: from an empty sequence, or as before, with others in another order. */
export type Occasion = "cold" | "repeated"

/** What it came to then. */
export type Again =
  | Omit<ReadAnswer, "key" | "evaluated">
  | { readonly text: string; readonly invalid?: string }

export interface Answers {
  /** The engine of each model that was opened, by the model's name in the spec. */
  readonly fingerprints: ReadonlyMap<string, string>
  readonly byPrompt: ReadonlyMap<string, Answered>
  /** By the read's key: the distinct reads that were answered, texts among them. */
  readonly byKey: ReadonlyMap<string, EngineAnswer>
  /** Of the reads that were audited, by key; none in ledgers of before. */
  readonly audits: ReadonlyMap<string, Readonly<Partial<Record<Occasion, Again>>>>
}

export const noAnswers: Answers = {
  fingerprints: new Map(),
  byPrompt: new Map(),
  byKey: new Map(),
  audits: new Map(),
}
