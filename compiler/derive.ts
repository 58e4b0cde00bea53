/** Reads that no model is asked for: what is found in a text, and what a rule says of it. */
import type { HoleIR } from "./ir.ts"
import type { Item } from "./item.ts"
import { patternOf } from "./pattern.ts"
import { lack, type Readings } from "./target.ts"
import type { Reading, Trial } from "./trial.ts"

type Of<Type extends HoleIR["type"]> = HoleIR & { readonly type: Type }

/** The reading of a hole that is worked out from a text; undefined where a model is asked. What is refused stays refused. */
export const derivedAt = (trial: Trial, hole: string, readings: Readings): Reading | undefined => {
  const declared = trial.experiment.protocol.holes.find(({ name }) => name === hole)
  if (declared?.type !== "extract" && declared?.type !== "rule") return undefined
  const source = readings[declared.from]
  switch (source?.status) {
    case "text":
      return derivedFrom(declared, source.text, trial.item)
    case "value":
    case "answer":
      return derivedFrom(declared, source.value, trial.item)
    case "refused":
      return source
    default:
      return { status: "skipped", why: lack(declared.from, source) }
  }
}

/** What such a read comes to when its text is this one. Options are those of the item, in the order shown. */
export const derivedFrom = (hole: Of<"extract" | "rule">, text: string, item: Item): Reading =>
  hole.type === "extract" ? extracted(hole, text, item) : judged(hole, text, item)

const invalid = (why: string): Reading => ({ status: "invalid", why })

const matcherOf = (pattern: string) => {
  const found = patternOf(pattern)
  if ("problem" in found)
    throw new Error(`internal: the pattern ${pattern} was let through: ${found.problem}`)
  return found
}

const extracted = ({ pattern, which, as }: Of<"extract">, text: string, item: Item): Reading => {
  const found = matcherOf(pattern).find(text, which)
  if (found === undefined) return invalid("the pattern is not found in the text")
  const at = { start: found.start, end: found.end }
  const answer = (value: string, index: number): Reading => ({ status: "answer", value, index, at })
  const said = JSON.stringify(found.text)
  switch (as.type) {
    case "option": {
      const index = placeAmong([item.labels, item.options], found.text)
      return index === undefined
        ? invalid(`${said} is neither a label nor an option`)
        : answer(item.labels[index] ?? "", index)
    }
    case "label": {
      const index = placeAmong([as.labels], found.text)
      return index === undefined
        ? invalid(`${said} is none of ${as.labels.join(", ")}`)
        : answer(as.labels[index] ?? "", index)
    }
    case "integer": {
      const value = /^[+-]?\d+$/.test(found.text.trim()) ? Number(found.text.trim()) : Number.NaN
      return value >= as.low && value <= as.high
        ? answer(String(value), value - as.low)
        : invalid(`${said} is no integer from ${as.low} to ${as.high}`)
    }
  }
}

/** As written in one of the lists, or else but for white space around it, or else but for case. */
const placeAmong = (lists: readonly (readonly string[])[], written: string): number | undefined => {
  const folds: readonly ((text: string) => string)[] = [(text) => text, (text) => text.trim(), folded]
  for (const list of lists) {
    for (const fold of folds) {
      const index = list.findIndex((one) => fold(one) === fold(written))
      if (index >= 0) return index
    }
  }
  return undefined
}

const folded = (text: string): string => text.trim().toLowerCase()

const judged = ({ test, labels }: Of<"rule">, text: string, item: Item): Reading => {
  const holds =
    "pattern" in test
      ? matcherOf(test.pattern).find(text, "first") !== undefined
      : normalised(text) ===
        normalised((test.equals === "gold.label" ? item.labels : item.options)[item.gold] ?? "")
  const index = holds ? 0 : 1
  return { status: "answer", value: labels[index], index }
}

/** Without regard to case, to white space, and to punctuation at the ends: not to signs, which make another number. */
const normalised = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s+/gu, " ")
    .replace(/^[\s.,;:!?…'"`*_()[\]{}‘’“”«»]+|[\s.,;:!?…'"`*_()[\]{}‘’“”«»]+$/gu, "")
