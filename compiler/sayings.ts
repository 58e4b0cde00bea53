/** Texts of a made-up respondent, in which what is looked for is found. */
import { derivedFrom } from "./derive.ts"
import { stream } from "./draw.ts"
import { exampleOf } from "./example.ts"
import type { HoleIR, ProtocolIR } from "./ir.ts"
import type { Item } from "./item.ts"
import type { Trial } from "./trial.ts"

/** A read that is worked out from a text. */
export type Looked = HoleIR & { readonly type: "extract" | "rule" }

/** What is looked for in a text, in the protocol's order. */
export const lookedFor = ({ holes }: ProtocolIR, text: string): readonly Looked[] =>
  holes.filter(
    (hole): hole is Looked => (hole.type === "extract" || hole.type === "rule") && hole.from === text,
  )

/** How a made-up respondent says which option it means. */
export const plainly = (value: string): string => `The answer is ${value}.`

/** Forms in which answers are asked for, tried where none follows from the pattern. */
const forms: readonly ((value: string) => string)[] = [
  plainly,
  (value) => value,
  (value) => `Answer: ${value}`,
  (value) => `ANSWER: ${value}`,
  (value) => `(${value})`,
  (value) => `<answer>${value}</answer>`,
]

/** Texts in which a rule finds nothing, tried in turn. */
const elsewise = ["Nothing of the kind.", "No.", "Yes.", ""]

/** Of wide ranges, so many integers are said at most. */
const MOST_INTEGERS = 100

/** A text in which a value is found; a plain sentence where none is found in any form. */
const saying = (hole: Looked, value: string, item: Item): string => {
  const example = "pattern" in hole ? exampleOf(hole.pattern, value) : undefined
  const tried = [...(example === undefined ? [] : [example]), ...forms.map((form) => form(value))]
  return tried.find((text) => comesTo(hole, text, item) === value) ?? plainly(value)
}

const comesTo = (hole: Looked, text: string, item: Item): string | undefined => {
  const found = derivedFrom(hole, text, item)
  return found.status === "answer" ? found.value : undefined
}

/** A text of which a rule says yes, or no; `option`: the one that it is, where the rule compares. */
const ruled = (
  hole: Looked & { readonly type: "rule" },
  isYes: boolean,
  item: Item,
  option: number,
): string => {
  const { test, labels } = hole
  if ("equals" in test) return (test.equals === "gold.text" ? item.options : item.labels)[option] ?? ""
  const example = exampleOf(test.pattern, "x")
  const tried = isYes
    ? [...(example === undefined ? [] : [example]), ...forms.map((form) => form("x"))]
    : elsewise
  const value = labels[isYes ? 0 : 1]
  return tried.find((text) => comesTo(hole, text, item) === value) ?? tried[0] ?? ""
}

/** A text in which an option is found, or what counts as right or wrong where it is the gold one or not. */
export const sayingOf = ({ item }: Trial, hole: Looked, option: number): string => {
  const isRight = option === item.gold
  if (hole.type === "rule") return ruled(hole, labelFor(hole, isRight) === hole.labels[0], item, option)
  const { as } = hole
  switch (as.type) {
    case "option":
      return saying(hole, item.labels[option] ?? "", item)
    case "label":
      return saying(hole, labelFor(as, isRight), item)
    case "integer":
      return saying(hole, String(Math.floor((as.low + as.high) / 2)), item)
  }
}

const labelFor = (
  { labels, gold }: { readonly labels: readonly string[]; readonly gold?: string },
  isRight: boolean,
): string => (isRight ? gold : labels.find((label) => label !== gold)) ?? labels[0] ?? ""

/** A text for each value that such a read can come to. */
export const sayings = ({ item }: Trial, hole: Looked): readonly string[] => {
  if (hole.type === "rule") {
    const wrong = item.options.findIndex((_, option) => option !== item.gold)
    return [ruled(hole, true, item, item.gold), ruled(hole, false, item, wrong)]
  }
  const { as } = hole
  switch (as.type) {
    case "option":
      return item.labels.map((label) => saying(hole, label, item))
    case "label":
      return as.labels.map((label) => saying(hole, label, item))
    case "integer": {
      const all = as.high - as.low + 1
      const said = Math.min(all, MOST_INTEGERS)
      return Array.from({ length: said }, (_, at) =>
        saying(hole, String(as.low + Math.floor((at * all) / said)), item),
      )
    }
  }
}

/**
 * A text that says something of one read, with something added for each other read that looks into it: a value by a stream of the item's
 * and the text's. What the text says already stays as it is.
 */
export const withOthers = (trial: Trial, text: string, main: Looked, others: readonly Looked[]): string => {
  const { item, cell } = trial
  let whole = text
  for (const other of others) {
    const before = [main, ...others.slice(0, others.indexOf(other))]
    if (other.type === "extract" && comesTo(other, whole, item) !== undefined) continue
    const said = sayings(trial, other)
    const { below } = stream({
      seed: cell.seed,
      declaration: `saying ${other.name}`,
      item: item.id,
      factors: { text },
    })
    const one = said[below(said.length)] ?? ""
    const keeps = (longer: string): boolean =>
      comesTo(other, longer, item) === comesTo(other, one, item) &&
      before.every((hole) => comesTo(hole, longer, item) === comesTo(hole, whole, item))
    whole =
      [`${whole} ${one}`, `${one} ${whole}`, `${whole}\n${one}`, `${one}\n${whole}`].find(keeps) ?? whole
  }
  return whole
}
