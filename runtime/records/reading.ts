/** One read of a row. Options are in the order of their pool, and so are the probabilities. */
import type { ColumnIR, HoleIR, RecordedReadIR, RecordsPolicy } from "../../compiler/ir.ts"
import type { Cell } from "../../compiler/items/cell.ts"
import { printColumn } from "../../compiler/items/column.ts"
import { opened } from "../../compiler/items/path.ts"
import type { Reading } from "../../compiler/trial.ts"
import { type Alternatives, placeAmong } from "./places.ts"
import type { Found } from "./problems.ts"
import { type MappedRow, numberIn, truthIn, type Value, valueIn } from "./values.ts"

/** Tells of something wrong, and hears what becomes of the row. */
export type Say = (problem: Found, what: string) => RecordsPolicy

/** The integers of a range, as they are displayed. */
export const integersOf = ({
  low,
  high,
}: {
  readonly low: number
  readonly high: number
}): readonly string[] => Array.from({ length: high - low + 1 }, (_, index) => String(low + index))

/** Probabilities that sum to 1 up to this were shared out among the labels by whoever wrote them, and stay as they are. */
const WHOLE = 1e-9

/** What the sum of raw probabilities may be beyond 1: numbers in files are rounded. */
const ROUNDED = 1e-3

const refusal = (text: string, tokens: number): Reading => ({
  status: "refused",
  text,
  tokens,
  marker: "refused, as the records say",
})

const invalid = (why: string): Reading => ({ status: "invalid", why })

/** What a row says of a read; undefined where the row is none of the trials for it, which was told. */
export function readingOf(
  row: MappedRow,
  read: RecordedReadIR,
  hole: HoleIR,
  alternatives: Alternatives | undefined,
  say: Say,
): Reading | undefined {
  const answer = read.answer === undefined ? undefined : valueIn(row, read.answer)
  const settled = settledOf(row, read, answer, say)
  if (settled !== undefined) return settled === "left" ? undefined : settled
  if (answer?.kind === "unfit")
    return orInvalid(say("no_option", `the answer of ${hole.name}: ${answer.why}`), answer.why)
  if (answer?.kind === "absent") {
    say("missing", `there is no \`${answer.column}\`, the answer of ${hole.name}`)
    return undefined
  }
  const mass = massOf(row, read, hole)
  if (typeof mass === "object") return orInvalid(say("bad_number", mass.problem), mass.problem)
  if (hole.type === "text") return textOf(row, read, answer, say)
  if (alternatives === undefined)
    return { status: "skipped", why: `the records say nothing of what ${hole.name} reads` }
  const distribution =
    read.probabilities === undefined ? undefined : distributionOf(row, read, hole, alternatives, mass)
  if (distribution !== undefined && "problem" in distribution)
    return orInvalid(say("bad_number", distribution.problem), distribution.problem)
  const index =
    answer === undefined || answer.kind === "empty" ? undefined : indexOf(answer, hole, alternatives)
  if (index === -1 && answer !== undefined) {
    const what = `${hole.name} says ${quoted(answer)}, which is ${noneOf(hole, alternatives)}`
    return orInvalid(
      say("no_option", what),
      `it says ${quoted(answer)}, which is ${noneOf(hole, alternatives)}`,
    )
  }
  if (distribution === undefined) {
    if (index === undefined) return invalid("the record has no answer")
    const value = alternatives.labels[index] ?? ""
    return { status: "answer", value, index, ...(mass === undefined ? {} : { mass }) }
  }
  const most = mostOf(distribution.probabilities)
  const chosen = index ?? most
  if ((distribution.probabilities[chosen] ?? 0) < (distribution.probabilities[most] ?? 0))
    say("answer", `${hole.name} is not the label with the highest probability: the answer counts`)
  return { status: "value", value: alternatives.labels[chosen] ?? "", index: chosen, ...distribution }
}

/** The place of the first that none is above. */
function mostOf(probabilities: readonly number[]): number {
  let most = 0
  for (let at = 1; at < probabilities.length; at++)
    if ((probabilities[at] as number) > (probabilities[most] as number)) most = at
  return most
}

/** What policies leave of a reading: a row that is left out, or for which all is stopped, gives none. */
const orInvalid = (policy: RecordsPolicy, why: string): Reading | undefined =>
  policy === "invalid" ? invalid(why) : undefined

const quoted = (value: Value): string =>
  value.kind === "text" ? JSON.stringify(value.text) : value.kind === "list" ? "a list" : "a record"

const noneOf = (hole: HoleIR, { labels }: Alternatives): string => {
  const range =
    hole.type === "integer"
      ? hole
      : hole.type === "extract" && hole.as.type === "integer"
        ? hole.as
        : undefined
  if (range !== undefined) return `no integer from ${range.low} to ${range.high}`
  return `none of ${labels.join(", ")}`
}

/** Whether a row says of a read neither that it was skipped, refused or invalid, nor what cannot be made out. */
export const isAnswered = (row: MappedRow, read: RecordedReadIR): boolean =>
  settledOf(row, read, undefined, () => "leave_out") === undefined

/** Whether a row says anything of a read: an answer, a probability, or how it came out. */
export function isTold(row: MappedRow, read: RecordedReadIR): boolean {
  const { answer, probabilities, status, refused: told } = read
  const numbers =
    probabilities === undefined
      ? []
      : "list" in probabilities
        ? [probabilities.list]
        : Object.values(probabilities.by)
  const hasSomething = [answer, status, ...numbers].some((column) => column !== undefined && has(row, column))
  if (hasSomething || told === undefined) return hasSomething
  const value = valueIn(row, told)
  return has(row, told) && (value.kind !== "text" || truthIn(value.text) !== false)
}

function has(row: MappedRow, column: ColumnIR): boolean {
  const { kind } = valueIn(row, column)
  return kind !== "empty" && kind !== "absent"
}

function statusIn(row: MappedRow, { status }: RecordedReadIR): string | undefined {
  const value = status === undefined ? undefined : valueIn(row, status)
  return value?.kind === "text" ? value.text : undefined
}

/** What stands in columns of its own: how the read came out. */
function settledOf(
  row: MappedRow,
  read: RecordedReadIR,
  answer: Value | undefined,
  say: Say,
): Reading | "left" | undefined {
  const text = answer?.kind === "text" ? answer.text : ""
  const status = statusIn(row, read)
  if (status !== undefined) {
    const why = read.why === undefined ? undefined : valueIn(row, read.why)
    const words = why?.kind === "text" ? why.text : "the records say so"
    switch (status.trim().toLowerCase()) {
      case "skipped":
        return { status: "skipped", why: words }
      case "invalid":
        return invalid(words)
      case "refused":
        return refused(row, read, text, say)
      case "value":
        return undefined
      default: {
        const known = "value, invalid, refused, skipped"
        say("unknown", `${JSON.stringify(status)} is no status of ${read.hole} (${known})`)
        return "left"
      }
    }
  }
  if (read.refused === undefined) return undefined
  const value = valueIn(row, read.refused)
  if (value.kind === "empty") return undefined
  const truth = value.kind === "text" ? truthIn(value.text) : undefined
  if (truth === undefined) {
    say(
      "unknown",
      `\`${printColumn(read.refused)}\` says neither yes nor no: whether ${read.hole} was refused`,
    )
    return "left"
  }
  return truth ? refused(row, read, text, say) : undefined
}

function refused(row: MappedRow, read: RecordedReadIR, text: string, say: Say): Reading | "left" {
  const tokens = tokensOf(row, read)
  if (typeof tokens === "number") return refusal(text, tokens)
  return orInvalid(say("bad_number", tokens.problem), tokens.problem) ?? "left"
}

function textOf(
  row: MappedRow,
  read: RecordedReadIR,
  answer: Value | undefined,
  say: Say,
): Reading | undefined {
  const text = textIn(row, read, answer)
  if (text === undefined) return invalid("the record has no text")
  const tokens = tokensOf(row, read)
  if (typeof tokens === "number") return { status: "text", text, tokens, stop: "end" }
  return orInvalid(say("bad_number", tokens.problem), tokens.problem)
}

/** Nothing in the place of a text is a text of no characters where the row has a status, which says here that the read came out as a value. */
function textIn(row: MappedRow, read: RecordedReadIR, answer: Value | undefined): string | undefined {
  if (answer?.kind === "text") return answer.text
  return answer?.kind === "empty" && statusIn(row, read) !== undefined ? "" : undefined
}

/** How many tokens a text has, only its model's tokenizer knows: NaN where the row does not say it. */
function tokensOf(row: MappedRow, { hole, tokens }: RecordedReadIR): number | { readonly problem: string } {
  const value = tokens === undefined ? undefined : valueIn(row, tokens)
  if (value === undefined || value.kind === "empty" || value.kind === "absent") return Number.NaN
  const number = value.kind === "text" ? numberIn(value.text) : undefined
  if (number !== undefined && Number.isSafeInteger(number) && number >= 0) return number
  return { problem: `the tokens of ${hole} are ${quoted(value)}, and no whole number from 0` }
}

/** Place of an answer among its alternatives, integers by their value; -1 for none. */
function indexOf(answer: Value, hole: HoleIR, alternatives: Alternatives): number {
  if (!isInteger(hole) || answer.kind !== "text" || answer.option !== undefined)
    return placeAmong(answer, alternatives)
  const value = numberIn(answer.text)
  return value === undefined ? -1 : alternatives.labels.indexOf(String(value))
}

const isInteger = (hole: HoleIR): boolean =>
  hole.type === "integer" || (hole.type === "extract" && hole.as.type === "integer")

type Distribution = Pick<Extract<Reading, { status: "value" }>, "probabilities" | "mass" | "censored">

/** Renormalised; undefined where the row has none. */
function distributionOf(
  row: MappedRow,
  read: RecordedReadIR,
  hole: HoleIR,
  { labels }: Alternatives,
  mass: number | undefined,
): Distribution | { readonly problem: string } | undefined {
  const values = numbersOf(row, read, labels)
  if (values === undefined) return undefined
  if ("problem" in values) return { problem: `${values.problem}, a probability of ${hole.name}` }
  const { numbers } = values
  const unlisted: number[] = []
  let sum = 0
  let below = Number.POSITIVE_INFINITY
  for (let index = 0; index < numbers.length; index++) {
    const value = numbers[index]
    if (value === undefined) {
      unlisted.push(index)
      continue
    }
    if (!(value >= 0 && value <= 1 + ROUNDED))
      return { problem: `p(${labels[index]}) of ${hole.name} is ${value}, and not from 0 to 1` }
    sum += value
    if (value < below) below = value
  }
  if (unlisted.length === numbers.length) return undefined
  if (sum === 0) return { problem: `the probabilities of ${hole.name} are all 0` }
  if (sum > 1 + ROUNDED)
    return { problem: `the probabilities of ${hole.name} sum to ${Number(sum.toPrecision(4))}` }
  const isWhole = Math.abs(sum - 1) <= WHOLE
  const probabilities: number[] = []
  for (const value of numbers) probabilities.push(value === undefined ? 0 : isWhole ? value : value / sum)
  // What was shared out among the labels does not say how much there was of it.
  const all = mass ?? (isWhole ? Number.NaN : Math.min(sum, 1))
  return unlisted.length === 0
    ? { probabilities, mass: all }
    : { probabilities, mass: all, censored: { labels: unlisted, below } }
}

/** Undefined where the row has none. */
function massOf(
  row: MappedRow,
  read: RecordedReadIR,
  hole: HoleIR,
): number | undefined | { readonly problem: string } {
  if (read.mass === undefined) return undefined
  const value = valueIn(row, read.mass)
  if (value.kind === "empty" || value.kind === "absent") return undefined
  const number = value.kind === "text" ? numberIn(value.text) : undefined
  if (number !== undefined && number >= 0 && number <= 1 + ROUNDED) return Math.min(number, 1)
  return { problem: `the mass of ${hole.name} is ${quoted(value)}, and no number from 0 to 1` }
}

type Numbers = { readonly numbers: readonly (number | undefined)[] } | { readonly problem: string }

/** By label; undefined for a label that has none. */
function numbersOf(
  row: MappedRow,
  { probabilities }: RecordedReadIR,
  labels: readonly string[],
): Numbers | undefined {
  if (probabilities === undefined) return undefined
  if ("by" in probabilities) {
    const numbers: (number | undefined)[] = []
    for (const label of labels) {
      const column = probabilities.by[label]
      const value = column === undefined ? undefined : valueIn(row, column)
      const number = numberOf(value, label)
      if (typeof number === "object") return number
      numbers.push(number)
    }
    return { numbers }
  }
  const value = valueIn(row, probabilities.list)
  const cell = value.kind === "list" || value.kind === "map" ? value.cell : openedText(value)
  if (cell === undefined)
    return value.kind === "text"
      ? { problem: `${quoted(value)} is no list` }
      : value.kind === "unfit"
        ? { problem: value.why }
        : undefined
  if (cell.kind === "list" && cell.items.length !== labels.length)
    return { problem: `a list of ${cell.items.length} stands where there are ${labels.length} labels` }
  const numbers: (number | undefined)[] = []
  for (const [index, label] of labels.entries()) {
    const one =
      cell.kind === "list" ? cell.items[index] : cell.kind === "map" ? cell.entries.get(label) : undefined
    const number = numberOf(one === undefined ? undefined : scalarOf(one), label)
    if (typeof number === "object") return number
    numbers.push(number)
  }
  return { numbers }
}

/** A list or a record that a table spells as JSON. */
function openedText(value: Value): Cell | undefined {
  if (value.kind !== "text") return undefined
  const { text } = value
  const cell = opened({ kind: "scalar", value: text, text, spelt: true, span: { start: 0, end: 0 } })
  return cell.kind === "scalar" ? undefined : cell
}

const scalarOf = (cell: Cell): Value => {
  if (cell.kind !== "scalar") return { kind: cell.kind, cell }
  return cell.value === null || cell.text === "" ? { kind: "empty" } : { kind: "text", text: cell.text }
}

function numberOf(
  value: Value | undefined,
  label: string,
): number | undefined | { readonly problem: string } {
  if (value === undefined || value.kind === "empty" || value.kind === "absent") return undefined
  if (value.kind === "text") {
    const number = numberIn(value.text)
    if (number !== undefined) return number
  }
  return { problem: `p(${label}) is ${quoted(value)}, which is no number` }
}
