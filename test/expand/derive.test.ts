/** Reads that no model is asked for. */
import { describe, expect, it } from "vitest"
import { derivedAt } from "../../compiler/derive.ts"
import { exampleOf } from "../../compiler/example.ts"
import { expand } from "../../compiler/expand.ts"
import type { HoleTypeIR } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { patternOf } from "../../compiler/pattern.ts"
import type { Reading, Trial } from "../../compiler/trial.ts"
import { experiment, item, protocolOf, textHole, turn } from "./support.ts"

type Extract = HoleTypeIR & { readonly type: "extract" }
type Rule = HoleTypeIR & { readonly type: "rule" }

const trialOf = (hole: HoleTypeIR, one: Item = item()): Trial => {
  const protocol = protocolOf([turn("first", "<item.question>", "<:reply>")], {
    reply: textHole(),
    found: hole,
  })
  return expand(experiment({ protocol }), new Map([["kinds", [one]]]))[0] as Trial
}

const wrote = (text: string): Reading => ({ status: "text", text, tokens: 9, stop: "end" })

const answerIn = (parts: Partial<Extract> = {}): Extract => ({
  type: "extract",
  from: "reply",
  pattern: "ANSWER:\\s*\\(?([A-Za-z]+)\\)?",
  which: "first",
  as: { type: "option" },
  ...parts,
})

const found = (text: string, parts: Partial<Extract> = {}, one?: Item): Reading | undefined =>
  derivedAt(trialOf(answerIn(parts), one), "found", { reply: wrote(text) })

describe("an extract", () => {
  it("takes the first group as a label, and says where it stands", () => {
    expect(found("Well. ANSWER: (C) and done")).toEqual({
      status: "answer",
      value: "C",
      index: 2,
      at: { start: 15, end: 16 },
    })
  })
  it("takes the whole match where the pattern has no group", () => {
    expect(found("It is C.", { pattern: "\\b[A-D]\\b" })).toMatchObject({ value: "C", index: 2 })
  })
  it("takes the first match or the last", () => {
    const twice = "ANSWER: A ... ANSWER: D"
    expect(found(twice)).toMatchObject({ value: "A" })
    expect(found(twice, { which: "last" })).toMatchObject({ value: "D", at: { start: 22, end: 23 } })
  })
  it("looks among labels, then among the options' texts, as written and else but for case", () => {
    expect(found("ANSWER: c")).toMatchObject({ value: "C", index: 2 })
    expect(found("ANSWER: SHIRT")).toMatchObject({ value: "C", index: 2 })
    const mixed = item({ labels: ["a", "A", "b", "B"] })
    expect(found("ANSWER: A", {}, mixed)).toMatchObject({ value: "A", index: 1 })
    expect(found("ANSWER: b", {}, mixed)).toMatchObject({ value: "b", index: 2 })
    const spaced = item({ options: ["\u3000one", "one", "two ", "two"] })
    const whole = { pattern: "ANSWER: (.*)" }
    expect(found("ANSWER: one", whole, spaced)).toMatchObject({ index: 1 })
    expect(found("ANSWER: \u3000one", whole, spaced)).toMatchObject({ index: 0 })
    expect(found("ANSWER: TWO  ", whole, spaced)).toMatchObject({ index: 2 })
    const tricky = item({ options: ["B", "A", "c", "d"] })
    expect(found("ANSWER: B", {}, tricky)).toMatchObject({ index: 1 })
  })
  it("is invalid, and says why, where nothing is found or what is found is no answer", () => {
    expect(found("I do not know.")).toEqual({
      status: "invalid",
      why: "the pattern is not found in the text",
    })
    expect(found("ANSWER: Q")).toEqual({ status: "invalid", why: '"Q" is neither a label nor an option' })
  })
  it("may be a label of its own, or an integer in its range", () => {
    const yes = { as: { type: "label", labels: ["yes", "no"] } } as const
    expect(found("ANSWER: No", yes)).toMatchObject({ status: "answer", value: "no", index: 1 })
    expect(found("ANSWER: maybe", yes)).toEqual({ status: "invalid", why: '"maybe" is none of yes, no' })
    const half = { pattern: "(\\d\\.\\d)", as: { type: "label", labels: ["1.0", "1.5"] } } as const
    expect(found("Rating: 1.0", half)).toMatchObject({ status: "answer", value: "1.0", index: 0 })
    const sure = { pattern: "(-?\\d+)%", as: { type: "integer", low: 1, high: 100 } } as const
    expect(found("I am 80% sure", sure)).toMatchObject({ value: "80", index: 79 })
    expect(found("I am 120% sure", sure)).toEqual({
      status: "invalid",
      why: '"120" is no integer from 1 to 100',
    })
  })
  it("counts places in UTF-16 units", () => {
    expect(found("😀é ANSWER: D")).toMatchObject({ at: { start: 12, end: 13 } })
  })
  it("finds options in the order in which they are shown", () => {
    const shown = item({ options: ["owl", "shirt", "robin", "trout"], gold: 2, original: [3, 2, 1, 0] })
    expect(found("ANSWER: robin", {}, shown)).toMatchObject({ value: "C", index: 2 })
  })
  it("takes linear time where a backtracking expression would not end", () => {
    const started = performance.now()
    expect(found(`${"a".repeat(50_000)}!`, { pattern: "(a+)+$" })).toMatchObject({ status: "invalid" })
    expect(performance.now() - started).toBeLessThan(2_000)
  })
  it("is refused where the text is, and skipped where there is none", () => {
    const trial = trialOf(answerIn())
    const refused = { status: "refused", text: "I can't. ANSWER: A", tokens: 5, marker: "can't" } as const
    expect(derivedAt(trial, "found", { reply: refused })).toEqual(refused)
    expect(derivedAt(trial, "found", {})).toEqual({ status: "skipped", why: "reply has not been read" })
    expect(derivedAt(trial, "found", { reply: { status: "invalid", why: "too long" } })).toEqual({
      status: "skipped",
      why: "reply is invalid: too long",
    })
    expect(derivedAt(trial, "reply", {})).toBeUndefined()
  })
})

describe("a rule", () => {
  const says = (test: Rule["test"], text: string): string | undefined => {
    const rule: Rule = { type: "rule", from: "reply", test, labels: ["same", "different"], gold: "same" }
    const one = item({ options: ["a trout", "The Robin, of course", "3", "-3"] })
    const reading = derivedAt(trialOf(rule, one), "found", { reply: wrote(text) })
    return reading?.status === "answer" ? reading.value : reading?.status
  }
  it("says whether a pattern is found", () => {
    expect(says({ pattern: "(?i)\\bhint\\b" }, "You gave me a HINT.")).toBe("same")
    expect(says({ pattern: "(?i)\\bhint\\b" }, "hints")).toBe("different")
  })
  it("says whether a text is the gold answer, but for case, white space and punctuation at the ends", () => {
    const gold = { equals: "gold.text" } as const
    expect(says(gold, " “the  robin, of\ncourse”! ")).toBe("same")
    expect(says(gold, "the robin of course")).toBe("different")
    expect(says({ equals: "gold.label" }, "(b)")).toBe("same")
  })
  it("does not take a sign for punctuation", () => {
    const rule: Rule = {
      type: "rule",
      from: "reply",
      test: { equals: "gold.text" },
      labels: ["same", "different"],
    }
    const one = item({ options: ["3", "-3"], labels: ["A", "B"] })
    expect(derivedAt(trialOf(rule, one), "found", { reply: wrote("3") })).toMatchObject({
      value: "different",
    })
  })
})

describe("a pattern", () => {
  it("that cannot be read is a problem in words", () => {
    expect(patternOf("(a")).toHaveProperty("problem")
    expect(patternOf("(?=a)")).toHaveProperty("problem")
  })
  it("has an example in which it finds what it should, where it is simple enough", () => {
    expect(exampleOf("ANSWER:\\s*\\(?([A-Z])\\)?", "B")).toBe("ANSWER: B")
    expect(exampleOf("ANSWER:\\s*[\\[(]?([A-Za-z0-9]+)", "C")).toBe("ANSWER: C")
    expect(exampleOf("(?i)^(?:final|last) answer is (.+)\\.$", "robin")).toBe("final answer is robin.")
    expect(exampleOf("<answer>([^<]*)</answer>", "no")).toBe("<answer>no</answer>")
    expect(exampleOf("(\\w+) or not|never", "yes")).toBe("yes or not")
    expect(exampleOf("a(?=b)", "B")).toBeUndefined()
    expect(exampleOf("[^x]", "B")).toBeUndefined()
  })
})
