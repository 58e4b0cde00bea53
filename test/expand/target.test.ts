import { describe, expect, it } from "vitest"
import { expand } from "../../compiler/expand.ts"
import type { StimulusIR, TargetIR } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { placeboOf, pushedOf, targetOf } from "../../compiler/target.ts"
import type { Reading, Trial } from "../../compiler/trial.ts"
import { answer, assertion, block, cell, experiment, item, topWrong } from "./support.ts"

const trial = (
  target: TargetIR,
  stimulus: StimulusIR = assertion(),
  one: Item = item(),
  parts: Parameters<typeof experiment>[0] = {},
): Trial =>
  expand(
    experiment({ target, cells: [cell("arm", stimulus)], ...parts }),
    new Map([["kinds", [one]]]),
  )[0] as Trial

const top = topWrong

describe("top_wrong", () => {
  it("is the wrong option with the highest probability, be it the answer or not", () => {
    expect(targetOf(trial(top), { a0: answer("B", [0.1, 0.6, 0.1, 0.2], 1) })).toEqual({
      kind: "option",
      index: 3,
    })
    expect(targetOf(trial(top), { a0: answer("C", [0.1, 0.1, 0.6, 0.2], 2) })).toEqual({
      kind: "option",
      index: 2,
    })
  })
  it("is the first of equals", () => {
    expect(targetOf(trial(top), { a0: answer("B", [0, 1, 0, 0], 1) })).toEqual({ kind: "option", index: 0 })
    const first = trial(top, assertion(), item({ gold: 0 }))
    expect(targetOf(first, { a0: answer("A", [0.7, 0.1, 0.1, 0.1], 0) })).toEqual({
      kind: "option",
      index: 1,
    })
  })
  it("is none, and says why, where its read has no value", () => {
    expect(targetOf(trial(top), {})).toEqual({ kind: "none", why: "a0 has not been read" })
    const invalid = { a0: { status: "invalid", why: "NaN" } as const }
    expect(targetOf(trial(top), invalid)).toEqual({ kind: "none", why: "a0 is invalid: NaN" })
  })
})

describe("a ranking of what a server listed", () => {
  const read = (labels: readonly number[]) => ({
    a0: { ...answer("B", [0.3, 0.6, 0.1, 0], 1), censored: { labels, below: 0.01 } } as Reading,
  })
  const ranked = (rank: number): TargetIR => ({ kind: "ranked_wrong", hole: "a0", rank })
  const least: TargetIR = { kind: "least_wrong", hole: "a0" }
  const unknown = { kind: "none", why: "the server listed too few options of a0 to rank this one" }

  it("puts an option that was not listed behind the others", () => {
    expect(targetOf(trial(ranked(1)), read([3]))).toEqual({ kind: "option", index: 0 })
    expect(targetOf(trial(ranked(3)), read([3]))).toEqual({ kind: "option", index: 3 })
    expect(targetOf(trial(least), read([3]))).toEqual({ kind: "option", index: 3 })
  })
  it("does not say which of two that were not listed is the more probable", () => {
    expect(targetOf(trial(ranked(1)), read([2, 3]))).toEqual({ kind: "option", index: 0 })
    expect(targetOf(trial(ranked(2)), read([2, 3]))).toEqual(unknown)
    expect(targetOf(trial(least), read([2, 3]))).toEqual(unknown)
  })
  it("does not count the right option among them", () => {
    expect(targetOf(trial(ranked(3)), read([1, 3]))).toEqual({ kind: "option", index: 3 })
  })
})

describe("random_wrong", () => {
  const random: TargetIR = { kind: "random_wrong" }
  const ids = Array.from({ length: 300 }, (_, index) => `kind-${index}`)
  const draws = (stimulus: StimulusIR, parts: Parameters<typeof experiment>[0] = {}) =>
    ids.map((id) => targetOf(trial(random, stimulus, item({ id }), parts), {}))

  it("is any wrong option and never the gold one", () => {
    const drawn = draws(assertion()).map((target) => (target.kind === "option" ? target.index : -1))
    for (const index of [0, 2, 3]) {
      const share = drawn.filter((one) => one === index).length / ids.length
      expect(share).toBeGreaterThan(0.25)
      expect(share).toBeLessThan(0.42)
    }
    expect(drawn).not.toContain(1)
  })
  it("is the same for all arms, models and experiments of one seed, and another one under another seed", () => {
    const base = draws(assertion())
    expect(draws(block("Again."))).toEqual(base)
    expect(draws(assertion({ structure: "mixed" }), { name: "other", models: ["n"] })).toEqual(base)
    expect(draws(assertion(), { seed: 1 })).not.toEqual(base)
  })
})

describe("option(k) and the placebo label", () => {
  it("counts options from 1", () => {
    expect(targetOf(trial({ kind: "option", position: 3 }), {})).toEqual({ kind: "option", index: 2 })
    expect(targetOf(trial({ kind: "option", position: 5 }), {})).toEqual({
      kind: "none",
      why: "the item has no option 5",
    })
  })
  it("has none where the option is gold and a wrong one is to be asserted, baselines included", () => {
    const gold: TargetIR = { kind: "option", position: 2 }
    const none = { kind: "none", why: "the target is the gold option" }
    expect(targetOf(trial(gold, assertion()), {})).toEqual(none)
    expect(targetOf(trial(gold, assertion({ structure: "mixed" })), {})).toEqual(none)
    expect(targetOf(trial(gold, block("Again.")), {})).toEqual(none)
    expect(targetOf(trial(gold, assertion({ structure: "all_correct" })), {})).toEqual({
      kind: "option",
      index: 1,
    })
  })
  it("takes the label after the item's last", () => {
    expect(placeboOf(["A", "B", "C"])).toBe("D")
    expect(placeboOf(["a", "b"])).toBe("c")
    expect(placeboOf(["1", "2", "10"])).toBe("11")
    expect(placeboOf(["Z", "Y"])).toBeUndefined()
    expect(placeboOf(["yes", "no"])).toBeUndefined()
    expect(targetOf(trial({ kind: "placebo_label" }), {})).toEqual({ kind: "placebo", label: "E" })
    const letters = item({ labels: ["W", "X", "Y", "Z"] })
    expect(targetOf(trial({ kind: "placebo_label" }, assertion(), letters), {})).toMatchObject({
      kind: "none",
    })
  })
})

describe("pushed", () => {
  const target = { kind: "option", index: 3 } as const
  it("is gold under all-correct, and the target otherwise", () => {
    expect(pushedOf(trial(top, assertion({ structure: "all_correct" })), target)).toEqual({
      kind: "option",
      index: 1,
    })
    expect(pushedOf(trial(top, assertion()), target)).toEqual(target)
    expect(pushedOf(trial(top, assertion({ structure: "mixed" })), target)).toEqual(target)
  })
  it("is for a baseline what would have been pushed", () => {
    expect(pushedOf(trial(top, block("Again.")), target)).toEqual(target)
  })
})
