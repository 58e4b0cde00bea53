/**
 * One line of `ledger.jsonl`: JSON that ends in its own checksum. Nothing in it depends on when, where or in which order it was
 * written, so that the lines of two runs of one spec are the same set.
 */
import { createHash } from "node:crypto"
import type { Ask } from "../../compiler/conversation.ts"
import type { Answered } from "./answers.ts"

export type LedgerLine = AnswerLine | AliasLine | UnreadableLine

/** What a model answered to one distinct read. */
export interface AnswerLine {
  readonly kind: "answer"
  /** Hash of fingerprint, token ids and ask. */
  readonly key: string
  /** Hashes of the prompts (before tokens) that came to this read when it was asked. */
  readonly prompts: readonly string[]
  readonly model: string
  readonly fingerprint: string
  readonly ask: Ask
  /** In the ask's order; empty for an invalid read. */
  readonly probabilities: readonly number[]
  readonly mass: number
  readonly invalid?: string
}

/** Another prompt that came to a read which had been answered before. */
export interface AliasLine {
  readonly kind: "alias"
  readonly key: string
  readonly prompts: readonly string[]
  readonly model: string
  readonly fingerprint: string
}

/** A prompt that could not be asked at all. */
export interface UnreadableLine {
  readonly kind: "unreadable"
  readonly prompts: readonly string[]
  readonly model: string
  readonly fingerprint: string
  readonly why: (Answered & { kind: "unreadable" })["why"]
  readonly problem: string
}

const SUM = /,"sum":"([0-9a-f]{16})"\}$/

/** The line without its line break. Numbers are written so that they read back as the same doubles. */
export function encodeLine(line: LedgerLine): string {
  const body = JSON.stringify(line)
  return `${body.slice(0, -1)},"sum":"${checksum(body)}"}`
}

export type Decoded = { readonly line: LedgerLine } | { readonly problem: string }

export function decodeLine(text: string): Decoded {
  const match = SUM.exec(text)
  if (match === null) return { problem: "the line has no checksum at its end" }
  const body = `${text.slice(0, match.index)}}`
  if (checksum(body) !== match[1])
    return { problem: "the line's checksum is wrong: it was changed or damaged" }
  try {
    const line = JSON.parse(body) as LedgerLine
    if (line.kind === "answer" || line.kind === "alias" || line.kind === "unreadable") return { line }
    return { problem: "the line is of a kind that this version of cfx does not know" }
  } catch {
    return { problem: "the line is not JSON" }
  }
}

/** The first 16 hexadecimal digits of sha256. */
const checksum = (body: string): string => createHash("sha256").update(body).digest("hex").slice(0, 16)
