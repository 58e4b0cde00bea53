import { describe, expect, it } from "vitest"
import { assumed, assumedAs } from "../../compiler/assume.ts"
import { expand } from "../../compiler/expand.ts"
import type { CellIR, StimulusIR } from "../../compiler/ir.ts"
import { askAt, conversationAt, type Readings } from "../../compiler/prompt.ts"
import type { Trial } from "../../compiler/trial.ts"
import { answer, arbitration, assertion, block, cell, experiment, item, said, text } from "./support.ts"

const trialOf = (stimulus: StimulusIR = assertion(), parts: Parameters<typeof experiment>[0] = {}): Trial =>
  expand(experiment({ cells: [cell("arm", stimulus)], ...parts }), new Map([["kinds", [item()]]]))[0] as Trial

const readings: Readings = {
  a0: answer("B", [0.1, 0.7, 0.15, 0.05], 1),
  k0: answer("7", [0, 0, 0, 0, 0, 0, 1, 0, 0, 0], 6),
}

const at = (trial: Trial, hole: string, known: Readings) => {
  const conversation = conversationAt(trial, hole, known)
  if ("skipped" in conversation) return conversation
  const turns = conversation.turns.map(({ user, assistant }) => [said(user), said(assistant)])
  return conversation.system === undefined ? turns : [said(conversation.system), ...turns]
}

describe("the conversation at a hole", () => {
  const question = said(trialOf().turns[0]?.user.filter((piece) => piece.kind === "text") ?? [])

  it("stops at the hole", () => {
    expect(at(trialOf(), "a0", {})).toEqual([[question, '{"judgment":"']])
  })
  it("writes earlier reads of the turn back", () => {
    expect(at(trialOf(), "k0", readings)).toEqual([[question, '{"judgment":"B","confidence":']])
  })
  it("holds whole turns before its own, and the label of the target in the lines", () => {
    const lines = [1, 2, 3, 4, 5, 6].map((i) => `Person ${i}: The answer is C.`)
    const said = ["Other people have shared their answers:", ...lines, question].join("\n")
    expect(at(trialOf(), "a1", readings)).toEqual([
      [question, '{"judgment":"B","confidence":7}'],
      [said, '{"judgment":"'],
    ])
  })
  it("asserts wrong and gold labels where the structure is mixed", () => {
    const mixed = assertion({ structure: "mixed", dose: { lines: 2, speakers: 2 } })
    expect(JSON.stringify(at(trialOf(mixed), "a1", readings))).toContain(
      "Person 1: The answer is C.\\nPerson 2: The answer is B.",
    )
  })
  it("asserts a label that no option has", () => {
    const trial = trialOf(assertion(), { target: { kind: "placebo_label" } })
    expect(JSON.stringify(at(trial, "a1", readings))).toContain("Person 6: The answer is E.")
  })
  it("marks what a read and what the target gave", () => {
    const conversation = conversationAt(trialOf(), "a1", readings)
    const [first, second] = "turns" in conversation ? conversation.turns : []
    expect(first?.assistant[1]).toEqual({ kind: "text", text: "B", from: { kind: "read", hole: "a0" } })
    expect(second?.user.filter(({ from }) => from.kind === "target").map(({ text }) => text)).toEqual(
      Array(6).fill("C"),
    )
  })
  it("opens with the protocol's system message", () => {
    const protocol = { ...arbitration, system: text("Answer about <item.question>") }
    expect(at(trialOf(block("Again."), { protocol }), "a0", {})).toEqual([
      "Answer about Which of these is a bird?",
      [question, '{"judgment":"'],
    ])
  })
  it("is skipped, with the reason, where an earlier read or the target has no value", () => {
    expect(at(trialOf(), "a1", {})).toEqual({ skipped: "a0 has not been read" })
    const invalid: Readings = { ...readings, k0: { status: "invalid", why: "no number" } }
    expect(at(trialOf(), "a1", invalid)).toEqual({ skipped: "k0 is invalid: no number" })
    const gold = trialOf(assertion(), { target: { kind: "option", position: 2 } })
    expect(at(gold, "a1", readings)).toEqual({ skipped: "no target: the target is the gold option" })
    expect(at(gold, "k0", readings)).toHaveLength(1)
  })
  it("needs no target where nothing is asserted", () => {
    const baseline = trialOf(block("Again."), { target: { kind: "option", position: 2 } })
    expect(at(baseline, "a1", readings)).toHaveLength(2)
  })
})

describe("what is asked at a hole", () => {
  it("is the item's labels as displayed, or the integers, with the literal text that follows", () => {
    expect(askAt(trialOf(), "a0")).toEqual({
      kind: "option",
      labels: ["A", "B", "C", "D"],
      follow: '","confidence":',
    })
    expect(askAt(trialOf(), "k0")).toEqual({ kind: "integer", low: 1, high: 10, follow: "}" })
    expect(askAt(trialOf(), "a1")).toEqual({ kind: "option", labels: ["A", "B", "C", "D"], follow: "" })
  })
})

const scored = (score: "sum" | "mean") => ({
  protocol: {
    ...arbitration,
    holes: arbitration.holes.map((hole) =>
      hole.name === "a1" && hole.type === "option" ? { ...hole, score } : hole,
    ),
  },
})

describe("what is asked besides", () => {
  const placebo = cell("placebo", assertion(), {}, { target: { kind: "placebo_label" } })
  const reask = cell("reask", block("Again."))
  const asked = (cells: readonly CellIR[], hole: string, one = item()) =>
    expand(experiment({ cells }), new Map([["kinds", [one]]])).map((trial) => askAt(trial, hole))

  it("is the label that no option has, at every read of an option, in all trials of an experiment that pushes it in some", () => {
    const also = { kind: "option", labels: ["A", "B", "C", "D"], also: ["E"] }
    for (const hole of ["a0", "a1"])
      expect(asked([reask, placebo], hole)).toMatchObject([{ ...also }, { ...also }])
    expect(asked([reask, placebo], "k0")[0]).not.toHaveProperty("also")
    expect(asked([reask], "a1")[0]).not.toHaveProperty("also")
  })
  it("is nothing where no label follows the item's", () => {
    const words = item({ labels: ["yes", "no", "maybe", "never"] })
    expect(asked([placebo], "a0", words)[0]).not.toHaveProperty("also")
  })
  it("is nothing where whole texts are read: a placebo label has none", () => {
    const trial = trialOf(assertion(), { ...scored("sum"), target: { kind: "placebo_label" } })
    expect(askAt(trial, "a0")).toHaveProperty("also")
    expect(askAt(trial, "a1")).not.toHaveProperty("also")
  })
})

describe("a read of whole texts", () => {
  it("is over the options as they are shown", () => {
    const reversed = cell("arm", assertion(), {}, { options: { kind: "reversed" } })
    const trial = trialOf(assertion(), { ...scored("mean"), cells: [reversed] })
    expect(askAt(trial, "a1")).toEqual({
      kind: "option",
      labels: [...item().options].reverse(),
      follow: "",
      score: "mean",
    })
    expect(askAt(trial, "a0")).not.toHaveProperty("score")
  })
  it("is assumed to be the text of the gold option, and chosen by its text or its label", () => {
    const trial = trialOf(assertion(), scored("sum"))
    const { options } = item()
    expect(assumed(trial, "a1")).toMatchObject({ value: options[1], index: 1 })
    expect(assumedAs(trial, "a1", "D")).toMatchObject({ value: options[3], index: 3 })
    expect(assumedAs(trial, "a1", options[3]!)).toMatchObject({ value: options[3], index: 3 })
  })
})

describe("what a read is assumed to be", () => {
  it("is gold, and the middle of a range", () => {
    expect(assumed(trialOf(), "a0")).toMatchObject({ value: "B", index: 1, probabilities: [0, 1, 0, 0] })
    expect(assumed(trialOf(), "k0")).toMatchObject({ value: "5", index: 4 })
  })
  it("is what was chosen, if it can be", () => {
    expect(assumedAs(trialOf(), "a0", "D")).toMatchObject({ value: "D", index: 3 })
    expect(assumedAs(trialOf(), "k0", "10")).toMatchObject({ value: "10", index: 9 })
    expect(assumedAs(trialOf(), "a0", "E")).toEqual({ problem: "a0 of item kind-1 can be A, B, C, D, not E" })
  })
})
