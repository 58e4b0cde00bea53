/** What a respondent is expected to answer. */
import { describe, expect, it } from "vitest"
import { derivedAt } from "../../compiler/derive.ts"
import { expand } from "../../compiler/expand.ts"
import type { AssumeIR, CellIR, ExperimentIR, MeasureIR } from "../../compiler/ir.ts"
import { expectedAt } from "../../compiler/outcome.ts"
import type { Readings } from "../../compiler/prompt.ts"
import type { Trial } from "../../compiler/trial.ts"
import { counterargument, rightAt } from "./designs.ts"
import { answer, assertion, block, cell, experiment, item, protocolOf, textHole, turn } from "./support.ts"

const measure = (
  name: string,
  operator: "==" | "!=",
  option: "gold" | "pushed",
  given?: MeasureIR["given"],
): MeasureIR => ({
  name,
  doc: "",
  statistic: "rate",
  value: { kind: "binary", operator, left: { kind: "answer", hole: "a1" }, right: { kind: option } },
  ...(given === undefined ? {} : { given }),
  interval: { method: "wilson", level: 95 },
  invalid: "exclude",
  origin: { declaration: name, file: "test.cfx", line: 1 },
})

const wrongAt = (hole: string): MeasureIR["given"] => ({
  kind: "binary",
  operator: "!=",
  left: { kind: "answer", hole },
  right: { kind: "gold" },
})

const measures = [measure("HRR", "!=", "gold", rightAt("a0")), measure("BenR", "==", "gold", wrongAt("a0"))]

const assume = (parts: Partial<AssumeIR>): AssumeIR => ({ measures: {}, spread: {}, ...parts })

const trialOf = (parts: Parameters<typeof experiment>[0], one = item()): Trial =>
  expand(experiment({ measures, ...parts }), new Map([["kinds", [one]]]))[0] as Trial

const shares = (trial: Trial, hole: string, readings: Readings = {}): readonly number[] | undefined =>
  expectedAt(trial, hole, readings)?.map(({ probability }) => Number(probability.toFixed(3)))

const right: Readings = { a0: answer("B", [0.1, 0.6, 0.1, 0.2], 1), k0: answer("7", [], 6) }
const wrong: Readings = { a0: answer("D", [0.1, 0.2, 0.1, 0.6], 3), k0: answer("7", [], 6) }

describe("the first answer", () => {
  it("is right with the declared accuracy, and else any wrong option", () => {
    const trial = trialOf({ assume: assume({ accuracy: 0.7 }) })
    expect(expectedAt(trial, "a0", {})?.map(({ outcome }) => outcome)).toEqual([0, 1, 2, 3])
    expect(shares(trial, "a0")).toEqual([0.1, 0.7, 0.1, 0.1])
  })
  it("is anything where nothing is assumed of it", () => {
    expect(expectedAt(trialOf({ assume: assume({ refusal: 0.5 }) }), "a0", {})).toBeUndefined()
    expect(expectedAt(trialOf({}), "a0", {})).toBeUndefined()
    expect(expectedAt(trialOf({ assume: assume({ accuracy: 0.7 }) }), "k0", {})).toBeUndefined()
  })
})

describe("a later answer", () => {
  const later = (cell: CellIR, measures: AssumeIR["measures"], readings: Readings) =>
    shares(trialOf({ cells: [cell], assume: assume({ accuracy: 0.7, measures }) }), "a1", readings)

  it("moves from a right one to the option that is pushed, as often as the measure says", () => {
    expect(later(cell("pressure", assertion()), { HRR: { pressure: 0.6 } }, right)).toEqual([0, 0.4, 0, 0.6])
    expect(later(cell("reask", block("Again.")), { HRR: { reask: 0.1 } }, right)).toEqual([0, 0.9, 0, 0.1])
  })
  it("moves to any wrong option where gold is pushed", () => {
    const correct = cell("pressure", assertion({ structure: "all_correct" }))
    expect(later(correct, { HRR: { pressure: 0.3 } }, right)).toEqual([0.1, 0.7, 0.1, 0.1])
  })
  it("takes the share of the level that stands last in the design", () => {
    const people = cell("pressure", assertion(), { framing: "people", dose: "distinct(6)" })
    const HRR = { pressure: 0.1, people: 0.2, experts: 0.3 }
    expect(later(people, { HRR }, right)?.[3]).toBe(0.2)
    expect(later(people, { HRR: { ...HRR, "distinct(6)": 0.5 } }, right)?.[3]).toBe(0.5)
    expect(later(people, { HRR: { experts: 0.3 } }, right)).toBeUndefined()
  })
  it("takes the share of the model, and else of the pool, where no level has one", () => {
    const { model, pool } = trialOf({})
    const pressed = cell("pressure", assertion())
    expect(later(pressed, { HRR: { [pool]: 0.3 } }, right)?.[3]).toBe(0.3)
    expect(later(pressed, { HRR: { [pool]: 0.3, [model]: 0.2 } }, right)?.[3]).toBe(0.2)
    expect(later(pressed, { HRR: { [pool]: 0.3, [model]: 0.2, pressure: 0.1 } }, right)?.[3]).toBe(0.1)
  })
  it("follows the measure whose condition holds", () => {
    const measures = { HRR: { pressure: 0.6 }, BenR: { pressure: 0.2 } }
    expect(later(cell("pressure", assertion()), measures, wrong)).toEqual([0, 0.2, 0, 0.8])
    expect(later(cell("pressure", assertion()), { HRR: { pressure: 0.6 } }, wrong)).toBeUndefined()
  })
  it("may be claimed of the pushed option", () => {
    const adopts = trialOf({
      measures: [measure("adopts", "==", "pushed")],
      assume: assume({ measures: { adopts: { pressure: 0.3 } } }),
    })
    expect(shares(adopts, "a1", right)).toEqual([0, 0.7, 0, 0.3])
  })
})

describe("a text", () => {
  const argued = (parts: Partial<ExperimentIR> = {}): Trial =>
    trialOf({
      protocol: counterargument,
      measures,
      cells: [
        cell(
          "all",
          block("Consider:"),
          { k: "1" },
          {
            fills: { k: block("1") },
            roles: { source: "model" },
            target: { kind: "option", position: 3 },
          },
        ),
      ],
      assume: assume({ accuracy: 0.8, refusal: 0.2, measures: { HRR: { all: 0.5 } } }),
      ...parts,
    })

  it("is refused as often as declared, and else speaks for the option that it is about", () => {
    expect(expectedAt(argued(), "argument", {})).toEqual([
      { outcome: "I_AM_WEAK", probability: 0.2 },
      { outcome: "The answer is C.", probability: 0.8 },
    ])
  })
  it("says the answer that will be looked for in it, so that it is found", () => {
    const trial = argued()
    const expected = expectedAt(trial, "reply0", {}) ?? []
    expect(expected.map(({ outcome }) => outcome)).toEqual(
      ["A", "B", "C", "D"].map((label) => `ANSWER: ${label}`),
    )
    expect(expected[1]?.probability).toBeCloseTo(0.8)
    for (const [index, { outcome }] of expected.entries()) {
      const reply0 = { status: "text", text: String(outcome), tokens: 3, stop: "end" } as const
      expect(derivedAt(trial, "a0", { reply0 })).toMatchObject({ status: "answer", index })
    }
  })
  it("says the answer after a challenge as the measure has it", () => {
    const a0 = { status: "answer", value: "B", index: 1 } as const
    expect(shares(argued(), "reply1", { a0 })).toEqual([0, 0.5, 0.5, 0])
  })
  it("says any answer alike where nothing is assumed of it, or of some of it", () => {
    const { assume: _, ...free } = argued().experiment
    const trial: Trial = { ...argued(), experiment: free }
    const said = ["A", "B", "C", "D"].map((label) => ({ outcome: `ANSWER: ${label}`, probability: 0.25 }))
    expect(expectedAt(trial, "reply0", {})).toEqual(said)
    // No measure speaks of what follows a wrong answer.
    expect(expectedAt(argued(), "reply1", { a0: { status: "answer", value: "D", index: 3 } })).toEqual(said)
  })
  it("says a value for each read that looks into it", () => {
    const protocol = protocolOf([turn("first", "<item.question>", "<:reply>")], {
      reply: textHole(),
      sure: {
        type: "extract",
        from: "reply",
        pattern: "SURE: (\\d+)",
        which: "first",
        as: { type: "integer", low: 1, high: 5 },
      },
      a0: {
        type: "extract",
        from: "reply",
        pattern: "^ANSWER: (\\w)",
        which: "first",
        as: { type: "option" },
      },
      same: {
        type: "rule",
        from: "reply",
        test: { pattern: "please" },
        labels: ["yes", "no"],
      },
    })
    const trial = trialOf({ protocol })
    const expected = expectedAt(trial, "reply", {}) ?? []
    expect(expected.map(({ probability }) => probability)).toEqual(Array(4).fill(0.25))
    for (const [index, { outcome }] of expected.entries()) {
      const reply = { status: "text", text: String(outcome), tokens: 3, stop: "end" } as const
      expect(derivedAt(trial, "a0", { reply })).toMatchObject({ status: "answer", index })
      expect(derivedAt(trial, "sure", { reply })).toMatchObject({ status: "answer" })
    }
  })
  it("is not refused where no marker for it is declared", () => {
    const protocol = protocolOf([turn("first", "<item.question>", "<:remark>")], { remark: textHole() })
    const trial = trialOf({
      protocol,
      target: { kind: "option", position: 1 },
      assume: assume({ refusal: 0.5 }),
    })
    expect(expectedAt(trial, "remark", {})).toEqual([{ outcome: "The answer is A.", probability: 1 }])
  })
  it("is equal to the gold answer where a rule asks for that", () => {
    const protocol = protocolOf([turn("first", "<item.question>", "<:reply>")], {
      reply: textHole(),
      v0: {
        type: "rule",
        from: "reply",
        test: { equals: "gold.text" },
        labels: ["same", "different"],
        gold: "same",
      },
    })
    const trial = trialOf({ protocol, assume: assume({ accuracy: 0.7 }) })
    expect(expectedAt(trial, "reply", {})?.[1]).toEqual({ outcome: "robin", probability: 0.7 })
    const reply = { status: "text", text: "robin", tokens: 1, stop: "end" } as const
    expect(derivedAt(trial, "v0", { reply })).toMatchObject({ value: "same" })
  })
})

describe("a judge's verdict", () => {
  const judged = protocolOf(
    [
      turn("first", "<item.question>", "<:reply>"),
      turn("judge", "<:reply> = <item.gold.text>?", "<:v0>", { by: { model: "arbiter" } }),
    ],
    {
      reply: textHole(),
      v0: { type: "label", labels: ["same", "different", "unclear"], gold: "same" },
    },
  )
  it("is right as often as an answer, and else any of the others", () => {
    const trial = trialOf({ protocol: judged, assume: assume({ accuracy: 0.6 }) })
    expect(shares(trial, "v0")).toEqual([0.6, 0.2, 0.2])
  })
})
