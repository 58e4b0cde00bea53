/**
 * The operators of the expression language as functions that Arquero knows, since its own follow JavaScript, where a value that is missing
 * compares as 0. Here missing (null) stays missing: comparisons and arithmetic over it are missing, and `and`, `or`, `not` are Kleene's
 * (false and missing is false; true and missing is missing). What is not a finite number is missing too.
 */
import { addFunction } from "arquero"
import { skippedWords } from "./skipped.ts"

type Truth = boolean | null
type Amount = number | null

/** Stands for the answer of an invalid read where the measure says `invalid wrong`: equal to no option, not even to itself. */
export const NO_ANSWER = -1
/** Stands for a placebo target: a label that no option has, so that no answer equals it and no option has its probability. */
export const PLACEBO = -2

export const OPERATORS = {
  cfx_not: (a: Truth): Truth => (missing(a) ? null : !a),
  cfx_and: (a: Truth, b: Truth): Truth =>
    a === false || b === false ? false : missing(a) || missing(b) ? null : true,
  cfx_or: (a: Truth, b: Truth): Truth =>
    a === true || b === true ? true : missing(a) || missing(b) ? null : false,
  /** Equality of numbers and of levels. */
  cfx_eq: <T>(a: T | null, b: T | null): Truth => (missing(a) || missing(b) ? null : a === b),
  /** Equality of options by index. */
  cfx_same: (a: Amount, b: Amount): Truth => (missing(a) || missing(b) ? null : a !== NO_ANSWER && a === b),
  cfx_lt: (a: Amount, b: Amount): Truth => (missing(a) || missing(b) ? null : a < b),
  cfx_le: (a: Amount, b: Amount): Truth => (missing(a) || missing(b) ? null : a <= b),
  cfx_neg: (a: Amount): Amount => (missing(a) ? null : -a),
  cfx_add: (a: Amount, b: Amount): Amount => number(a, b, (x, y) => x + y),
  cfx_sub: (a: Amount, b: Amount): Amount => number(a, b, (x, y) => x - y),
  cfx_mul: (a: Amount, b: Amount): Amount => number(a, b, (x, y) => x * y),
  cfx_div: (a: Amount, b: Amount): Amount => number(a, b, (x, y) => x / y),
  /** Why a trial does not enter, from why its read was skipped. */
  cfx_skipped: (why: string | null): string => skippedWords(why ?? ""),
  /** The same, from why it has no target. */
  cfx_no_target: (why: string | null): string => skippedWords(`no target: ${why ?? ""}`),
  /** The value at an index; missing for an index that no option has. */
  cfx_pick: (index: Amount, ...values: readonly Amount[]): Amount =>
    missing(index) ? null : (values[index] ?? null),
} as const

for (const [name, operator] of Object.entries(OPERATORS)) addFunction(name, operator, { override: true })

function missing(value: unknown): value is null {
  return value === null || value === undefined || (typeof value === "number" && !Number.isFinite(value))
}

function number(a: Amount, b: Amount, operation: (a: number, b: number) => number): Amount {
  if (missing(a) || missing(b)) return null
  const value = operation(a, b)
  return Number.isFinite(value) ? value : null
}
