/**
 * The operators of the expression language as functions that Arquero knows, since its own follow JavaScript, where a value that is missing
 * compares as 0. Here missing (null) stays missing: comparisons and arithmetic over it are missing, and `and`, `or`, `not` are Kleene's
 * (false and missing is false; true and missing is missing). What is not a finite number is missing too.
 */
import { addFunction } from "arquero"
import { isSameAnswer, NO_ANSWER, NO_LABEL } from "../../compiler/noAnswer.ts"
import { recalibrated } from "../../compiler/recalibrated.ts"
import { densityIn, occurrencesIn, sentencesIn, wordsIn } from "../../compiler/wording.ts"
import { NOT_ASKED, skippedWords } from "./skipped.ts"

type Truth = boolean | null
type Amount = number | null

/** Of a list of reads: an option by its index, any other by what it says. */
type Answer = number | string | null

export const OPERATORS = {
  cfx_not: (a: Truth): Truth => (missing(a) ? null : !a),
  cfx_and: (a: Truth, b: Truth): Truth =>
    a === false || b === false ? false : missing(a) || missing(b) ? null : true,
  cfx_or: (a: Truth, b: Truth): Truth =>
    a === true || b === true ? true : missing(a) || missing(b) ? null : false,
  /** Equality of numbers, of labels and of levels; a level that is written as a number equals it. */
  cfx_eq: <T>(a: T | null, b: T | null): Truth => {
    if (missing(a) || missing(b)) return null
    if (a === NO_LABEL || b === NO_LABEL) return false
    return typeof a === typeof b || typeof a === "boolean" || typeof b === "boolean"
      ? a === b
      : amount(a) === amount(b)
  },
  /** Equality of options by index. */
  cfx_same: (a: Amount, b: Amount): Truth => sameAnswer(a, b),
  cfx_lt: (a: Amount, b: Amount): Truth => (missing(a) || missing(b) ? null : a < b),
  cfx_le: (a: Amount, b: Amount): Truth => (missing(a) || missing(b) ? null : a <= b),
  cfx_neg: (a: Amount): Amount => (missing(a) ? null : -a),
  cfx_add: (a: Amount, b: Amount): Amount => number(a, b, (x, y) => x + y),
  cfx_sub: (a: Amount, b: Amount): Amount => number(a, b, (x, y) => x - y),
  cfx_mul: (a: Amount, b: Amount): Amount => number(a, b, (x, y) => x * y),
  cfx_div: (a: Amount, b: Amount): Amount => number(a, b, (x, y) => x / y),
  /** The number that a text is written as. */
  cfx_number: (a: unknown): Amount => amount(a),
  /** The same, and a truth value as 1 or 0: what a sum is taken of. */
  cfx_addend: (a: unknown): Amount => (typeof a === "boolean" ? Number(a) : amount(a)),
  cfx_among: (a: unknown, ...levels: readonly string[]): Truth =>
    missing(a) ? null : levels.includes(String(a)),
  /** Whether a read came out so. One that was not asked did not come out at all: only that it was skipped is known of it. */
  cfx_state: (status: string, why: string | null, state: string): Truth => {
    if (status !== "skipped") return status === "invalid" && state === "refused" ? null : status === state
    return state !== "skipped" || (why ?? "").endsWith(NOT_ASKED) ? null : true
  },
  cfx_words: (text: string | null): Amount => (text === null ? null : wordsIn(text)),
  cfx_sentences: (text: string | null): Amount => (text === null ? null : sentencesIn(text)),
  cfx_count: (text: string | null, ...terms: readonly string[]): Amount =>
    text === null ? null : occurrencesIn(text, terms),
  cfx_density: (text: string | null, ...terms: readonly string[]): Amount =>
    text === null ? null : (densityIn(text, terms) ?? null),
  cfx_contains: (text: string | null, part: string): Truth => (text === null ? null : text.includes(part)),
  cfx_starts: (text: string | null, start: string): Truth => (text === null ? null : text.startsWith(start)),
  /** How many neighbours among answers differ. */
  cfx_changes: (...answers: readonly Answer[]): Amount => {
    const same = answers.slice(1).map((answer, at) => sameAnswer(answers[at] ?? null, answer))
    return same.includes(null) ? null : same.filter((one) => one === false).length
  },
  /** The place, from 1 after the first answer, of the first that differs from it; missing where none does. */
  cfx_first_change: (first: Answer, ...steps: readonly Answer[]): Amount => {
    for (const [at, answer] of steps.entries()) {
      const same = sameAnswer(first, answer)
      if (same === null) return null
      if (!same) return at + 1
    }
    return null
  },
  /** Why a trial does not enter, from why its read was skipped. */
  cfx_skipped: (why: string | null): string => skippedWords(why ?? ""),
  /** The same, from why it has no target. */
  cfx_no_target: (why: string | null): string => skippedWords(`no target: ${why ?? ""}`),
  /** Two categories of a trial as one text: kappa tells them apart by these. An invalid read is no category that the other side could have. */
  cfx_pair: (a: unknown, b: unknown): string | null =>
    missing(a) || missing(b) ? null : JSON.stringify([category(a, "left"), category(b, "right")]),
  /** The confidence of a read at another temperature; an item with fewer options than others lacks the rest. */
  cfx_recalibrated: (temperature: number, ...probabilities: readonly Amount[]): Amount =>
    recalibrated(
      probabilities.filter((p) => !missing(p)),
      temperature,
    ) ?? null,
  /** The value at an index; missing for an index that no option has. */
  cfx_pick: (index: Amount, ...values: readonly Amount[]): Amount =>
    missing(index) ? null : (values[index] ?? null),
} as const

for (const [name, operator] of Object.entries(OPERATORS)) addFunction(name, operator, { override: true })

function sameAnswer(a: Answer, b: Answer): Truth {
  return missing(a) || missing(b) ? null : isSameAnswer(a, b)
}

function category(value: unknown, side: string): string {
  return value === NO_ANSWER || value === NO_LABEL ? `${NO_LABEL}${side}` : String(value)
}

function amount(value: unknown): Amount {
  if (typeof value === "boolean" || missing(value) || value === "") return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

function missing(value: unknown): value is null {
  return value === null || value === undefined || (typeof value === "number" && !Number.isFinite(value))
}

function number(a: Amount, b: Amount, operation: (a: number, b: number) => number): Amount {
  if (missing(a) || missing(b)) return null
  const value = operation(a, b)
  return Number.isFinite(value) ? value : null
}
