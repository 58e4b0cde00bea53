/**
 * One line of `ledger.jsonl`: JSON that ends in its own checksum. Nothing in it depends on when, where or in which order it was
 * written, so that the lines of two runs of one spec are the same set.
 */
import { createHash } from "node:crypto"
import type { Ask } from "../../compiler/conversation.ts"
import type { ReadAnswer, TextAnswer } from "../backend/backend.ts"
import { parsed } from "../disk/json.ts"
import type { ReadAsk } from "../read/reading.ts"
import type { Again, Answered, Occasion } from "./answers.ts"

export type LedgerLine = ModelLine | AnswerLine | TextLine | AliasLine | UnreadableLine | AuditLine

/**
 * The engine of a model, written when it is opened: where another model of the same content has answered all that it would be asked,
 * no other line names it. Ledgers of before have no such lines.
 */
export interface ModelLine {
  readonly kind: "model"
  readonly model: string
  readonly fingerprint: string
}

/** What a model answered to one distinct read. */
export interface AnswerLine {
  readonly kind: "answer"
  /** Hash of fingerprint, token ids and ask. */
  readonly key: string
  /** Hashes of the prompts (before tokens) that came to this read when it was asked. */
  readonly prompts: readonly string[]
  readonly model: string
  readonly fingerprint: string
  readonly ask: ReadAsk
  /** In the ask's order; empty for an invalid read. */
  readonly probabilities: readonly number[]
  readonly mass: number
  /** Raw probabilities of the labels besides, in the ask's order. */
  readonly also?: ReadAnswer["also"]
  /** What a server did not list. */
  readonly censored?: ReadAnswer["censored"]
  readonly invalid?: string
}

/** What a model wrote where it was asked for a text. */
export interface TextLine {
  readonly kind: "text"
  readonly key: string
  readonly prompts: readonly string[]
  readonly model: string
  readonly fingerprint: string
  readonly ask: Ask & { readonly kind: "text" }
  readonly text: string
  readonly tokens: number
  readonly stop: TextAnswer["stop"]
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

/** A read that was taken again when its model had answered everything. Ledgers of before have none. */
export type AuditLine = {
  readonly kind: "audit"
  readonly key: string
  readonly model: string
  readonly fingerprint: string
  readonly occasion: Occasion
} & Again

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
  const line = parsed(body)
  if (line === undefined) return { problem: "the line is not JSON" }
  return isLine(line) ? { line } : { problem: "the line is of a kind that this version of cfx does not know" }
}

/** Whether a line has the fields of its kind: its checksum says that it is as it was written, not by which version of cfx. */
function isLine(value: unknown): value is LedgerLine {
  const line = value as Readonly<
    Partial<Record<keyof AnswerLine | keyof TextLine | keyof UnreadableLine | "occasion", unknown>>
  >
  const areTexts = (...fields: readonly unknown[]): boolean =>
    fields.every((field) => typeof field === "string")
  const areNumbers = (fields: unknown): boolean =>
    Array.isArray(fields) && fields.every((field) => typeof field === "number")
  if (!areTexts(line.model, line.fingerprint)) return false
  if (line.kind === "model") return true
  const isRead = (): boolean =>
    areTexts(line.key, line.invalid ?? "") &&
    areNumbers(line.probabilities) &&
    areNumbers([line.mass]) &&
    (line.also === undefined || areNumbers(line.also)) &&
    isCensored(line.censored)
  if (line.kind === "audit") {
    const isOccasion = line.occasion === "cold" || line.occasion === "repeated"
    return isOccasion && ("text" in line ? areTexts(line.key, line.text, line.invalid ?? "") : isRead())
  }
  if (!Array.isArray(line.prompts) || !areTexts(...line.prompts)) return false
  switch (line.kind) {
    case "answer":
      return isRead()
    case "text":
      return (
        areTexts(line.key, line.text, line.invalid ?? "") && areNumbers([line.tokens]) && isStop(line.stop)
      )
    case "alias":
      return areTexts(line.key)
    case "unreadable":
      return areTexts(line.why, line.problem)
    default:
      return false
  }
}

const isCensored = (value: unknown): value is ReadAnswer["censored"] => {
  if (value === undefined) return true
  const { labels, below } = (value ?? {}) as { readonly labels?: unknown; readonly below?: unknown }
  return Array.isArray(labels) && labels.every(Number.isInteger) && typeof below === "number"
}

export const isStop = (value: unknown): value is TextAnswer["stop"] =>
  value === "end" || value === "until" || value === "max"

/** The first 16 hexadecimal digits of sha256. */
const checksum = (body: string): string => createHash("sha256").update(body).digest("hex").slice(0, 16)
