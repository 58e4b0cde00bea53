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

/** What is found by an identity. */
export interface Lookup<Found> {
  readonly get: (id: string) => Found | undefined
  readonly has: (id: string) => boolean
  readonly size: number
}

export interface Answers {
  /** The engine of each model that was opened, by the model's name in the spec. */
  readonly fingerprints: ReadonlyMap<string, string>
  readonly byPrompt: Lookup<Answered>
  /** By the read's key: the distinct reads that were answered, texts among them. */
  readonly byKey: Lookup<EngineAnswer>
  /** The number, from 0, of the distinct read that answers a prompt; -1 where none does. */
  readonly readOf: (prompt: string) => number
  /** A distinct read by its number. */
  readonly readAt: (read: number) => EngineAnswer
  /** Of the reads that were audited, by key; none in ledgers of before. */
  readonly audits: ReadonlyMap<string, Readonly<Partial<Record<Occasion, Again>>>>
}

export const noAnswers: Answers = {
  fingerprints: new Map(),
  byPrompt: new Map(),
  byKey: new Map(),
  readOf: () => -1,
  readAt: (read) => {
    throw new Error(`internal: nothing was answered, no read ${read} either`)
  },
  audits: new Map(),
}
