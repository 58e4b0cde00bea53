/** What the lines of an assertion assert, in which order, and in which step. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expand } from "../../compiler/expand.ts"
import type {
  AssertionIR,
  OrderIR,
  ProtocolIR,
  StimulusIR,
  StructureIR,
  TargetIR,
} from "../../compiler/ir.ts"
import { assertedBy, assignments, pushedBy } from "../../compiler/lines.ts"
import { conversationAt, type Readings } from "../../compiler/prompt.ts"
import { assertedOf } from "../../compiler/target.ts"
import type { Trial } from "../../compiler/trial.ts"
import { answer, assertion, block, cell, experiment, item, protocolOf, said, text, turn } from "./support.ts"

const list = (...lines: ("target" | "gold" | "other")[]): StructureIR => ({ kind: "list", lines })
const except = (rest: "target" | "gold", place: number, as: "target" | "gold" | "other"): StructureIR => ({
  kind: "except",
  rest,
  place,
  as,
})

const short = (structure: StructureIR, order: OrderIR, lines: number): string =>
  assignments(structure, order, lines, (count) =>
    Array.from({ length: count }, (_, index) => (index + 1) % count),
  )
    .map((asserts) => asserts[0])
    .join("")

describe("a structure by position", () => {
  it("is what each line says", () => {
    expect(short(list("target", "target", "gold"), "identity", 3)).toBe("ttg")
    expect(short(list("target", "other"), "reversed", 2)).toBe("ot")
  })
  it("is all wrong but for one line, counted from the front or the back", () => {
    expect(short(except("target", -1, "gold"), "identity", 6)).toBe("tttttg")
    expect(short(except("target", 1, "gold"), "identity", 3)).toBe("gtt")
    expect(short(except("target", 2, "other"), "identity", 3)).toBe("tot")
    expect(short(except("gold", 2, "target"), "identity", 3)).toBe("gtg")
  })
  it("pushes the target, unless all of its lines assert gold", () => {
    const pushed = (structure: StructureIR): string =>
      pushedBy(cell("a", assertion({ structure, dose: { lines: 3, speakers: 3 } })))
    expect(pushed(list("target", "other", "gold"))).toBe("target")
    expect(pushed(list("gold", "gold", "gold"))).toBe("gold")
    expect(pushed(except("gold", 1, "gold"))).toBe("gold")
    expect(pushed("all_correct")).toBe("gold")
    expect(pushedBy(cell("a", block("Again.")))).toBe("target")
    expect([...assertedBy(assertion({ structure: "mixed" }))].sort()).toEqual(["gold", "target"])
  })
})

describe("an order", () => {
  const anyStructure: fc.Arbitrary<StructureIR> = fc.oneof(
    fc.constantFrom("all_wrong" as const, "all_correct" as const, "mixed" as const),
    fc.record({
      kind: fc.constant("except" as const),
      rest: fc.constantFrom("target" as const, "gold" as const),
      place: fc.constantFrom(1, -1),
      as: fc.constantFrom("target" as const, "gold" as const, "other" as const),
    }),
  )
  const orderOf = (lines: number): fc.Arbitrary<OrderIR> =>
    fc.oneof(
      fc.constantFrom("identity" as const, "reversed" as const, "interleaved" as const, "shuffled" as const),
      fc
        .shuffledSubarray(
          Array.from({ length: lines }, (_, index) => index + 1),
          { minLength: lines },
        )
        .map((places) => ({ kind: "permutation" as const, places })),
    )

  it("puts the assignment of a place where it says", () => {
    expect(short("mixed", { kind: "permutation", places: [3, 1, 4, 2] }, 4)).toBe("gtgt")
    expect(short("mixed", "shuffled", 4)).toBe("tggt")
  })
  it("moves assignments, and changes none", () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 9 })
          .chain((lines) => fc.tuple(fc.constant(lines), anyStructure, orderOf(lines))),
        ([lines, structure, order]) => {
          const sorted = (one: OrderIR): string => [...short(structure, one, lines)].sort().join("")
          expect(sorted(order)).toBe(sorted("identity"))
        },
      ),
    )
  })
  it("is drawn for each item, alike in all arms and models", () => {
    const orderFor = (id: string, parts: Partial<AssertionIR> = {}, model = "m"): string => {
      const stimulus = assertion({ structure: "mixed", order: "shuffled", ...parts })
      const study = experiment({ cells: [cell("a", stimulus)], models: [model] })
      const [trial] = expand(study, new Map([["kinds", [item({ id })]]]))
      return (trial?.turns[1]?.user ?? [])
        .flatMap((piece) => (piece.kind === "answer" ? [piece.asserts[0]] : []))
        .join("")
    }
    const ids = Array.from({ length: 40 }, (_, index) => `i${index}`)
    const orders = ids.map((id) => orderFor(id))
    expect(new Set(orders).size).toBeGreaterThan(8)
    expect(ids.map((id) => orderFor(id, { preamble: [] }, "n"))).toEqual(orders)
  })
})

describe("another wrong option than the target", () => {
  const a0 = answer("B", [0.3, 0.5, 0.05, 0.15], 1)
  const otherOf = (target: TargetIR, readings: Readings = { a0 }, one = item()) => {
    const study = experiment({ cells: [cell("a", assertion())], target })
    const [trial] = expand(study, new Map([["kinds", [one]]]))
    return assertedOf(trial as Trial, "other", readings)
  }

  it("is the most probable one left in the read that the target is from", () => {
    expect(otherOf({ kind: "ranked_wrong", hole: "a0", rank: 1 })).toEqual({ kind: "option", index: 3 })
    expect(otherOf({ kind: "ranked_wrong", hole: "a0", rank: 2 })).toEqual({ kind: "option", index: 0 })
    expect(otherOf({ kind: "least_wrong", hole: "a0" })).toEqual({ kind: "option", index: 0 })
  })
  it("is drawn where the target is from none, and is none where there is no other", () => {
    for (let index = 0; index < 40; index += 1) {
      const other = otherOf({ kind: "option", position: 1 }, {}, item({ id: `i${index}` }))
      expect(other.kind === "option" && [2, 3].includes(other.index)).toBe(true)
    }
    const two = item({ options: ["a", "b"], labels: ["A", "B"] })
    expect(otherOf({ kind: "option", position: 1 }, {}, two)).toEqual({
      kind: "none",
      why: "the item has no other wrong option",
    })
    expect(otherOf({ kind: "ranked_wrong", hole: "a0", rank: 1 }, {})).toEqual({
      kind: "none",
      why: "a0 has not been read",
    })
  })
})

describe("a ranked target", () => {
  const targetOf = (target: TargetIR, probabilities: readonly number[]) => {
    const study = experiment({ cells: [cell("a", assertion())], target })
    const [trial] = expand(study, new Map([["kinds", [item()]]]))
    return assertedOf(trial as Trial, "target", { a0: answer("B", probabilities, 1) })
  }
  it("is at its rank among wrong options, the first of equals first", () => {
    const ranked = (rank: number) =>
      targetOf({ kind: "ranked_wrong", hole: "a0", rank }, [0.1, 0.6, 0.2, 0.1])
    expect([1, 2, 3].map((rank) => ranked(rank))).toEqual(
      [2, 0, 3].map((index) => ({ kind: "option", index })),
    )
    expect(ranked(4)).toEqual({ kind: "none", why: "the item has no 4 wrong options" })
  })
  it("may be the least probable, the first of equals", () => {
    expect(targetOf({ kind: "least_wrong", hole: "a0" }, [0.1, 0.6, 0.2, 0.1])).toEqual({
      kind: "option",
      index: 0,
    })
    expect(targetOf({ kind: "least_wrong", hole: "a0" }, [0.3, 0.4, 0.2, 0.1])).toEqual({
      kind: "option",
      index: 3,
    })
  })
  it("is gold where the design says so, and is pushed as it is", () => {
    expect(targetOf({ kind: "gold" }, [])).toEqual({ kind: "option", index: 1 })
  })
})

describe("what an assertion says", () => {
  const first = { ...protocolOf([turn("one", "<block>", "<:a0>")]), answers: "text" } as ProtocolIR
  const target: TargetIR = { kind: "option", position: 3 }
  const saidBy = (stimulus: StimulusIR, protocol = first): string => {
    const study = experiment({ protocol, cells: [cell("a", stimulus)], target })
    const [trial] = expand(study, new Map([["kinds", [item()]]]))
    const conversation = conversationAt(trial as Trial, "a0", {})
    return "turns" in conversation ? said(conversation.turns[0]?.user ?? []) : conversation.skipped
  }
  const one = { dose: { lines: 1, speakers: 1 }, preamble: [], lines: [text("<assertion>")] }

  it("ends in its closing", () => {
    expect(saidBy(assertion({ ...one, closing: text("What do you say?") }))).toBe(
      "The answer is shirt.\nWhat do you say?",
    )
  })
  it("names the answer by label or text, as the protocol or the place says", () => {
    expect(saidBy(assertion(one), { ...first, answers: "label" })).toBe("The answer is C.")
    expect(saidBy(assertion({ ...one, wordings: [text("<answer.label>: <answer.text>")] }))).toBe("C: shirt")
  })
  it("may name what is pushed, the target and the gold answer", () => {
    expect(
      saidBy(block("<target.label> <target.text> <pushed.label> <item.gold.label> <item.gold.text>")),
    ).toBe("C shirt C B robin")
    const correct = assertion({
      ...one,
      structure: "all_correct",
      closing: text("<target.label> <pushed.label>"),
    })
    expect(saidBy(correct)).toBe("The answer is robin.\nC B")
  })
  it("has no text for a placebo label", () => {
    const placebo = experiment({
      protocol: first,
      cells: [cell("a", assertion(one))],
      target: { kind: "placebo_label" },
    })
    const [trial] = expand(placebo, new Map([["kinds", [item()]]]))
    expect(conversationAt(trial as Trial, "a0", {})).toEqual({
      skipped: "no target: a placebo label has no text",
    })
  })
})

describe("the steps of a repeated turn", () => {
  const repeated = protocolOf([
    turn("press1", "<$block[1]>", "<:a1>"),
    turn("press2", "<$block[2]>", "<:a2>", { continues: "press1" }),
  ])
  const steps = (stimulus: StimulusIR): readonly string[] => {
    const study = experiment({
      protocol: repeated,
      cells: [cell("a", stimulus)],
      target: { kind: "option", position: 1 },
    })
    const [trial] = expand(study, new Map([["kinds", [item()]]]))
    return (trial?.turns ?? []).map(({ user }) =>
      user.map((piece) => (piece.kind === "text" ? piece.text : "_")).join(""),
    )
  }
  it("take their own text of a block, or the only one, and may say their number", () => {
    const texts = [text("Sure?"), text("Really sure?")]
    expect(steps({ kind: "block", text: [], steps: texts, provenance: [] })).toEqual([
      "Sure?",
      "Really sure?",
    ])
    expect(steps(block("Round <t>."))).toEqual(["Round 1.", "Round 2."])
  })
  it("take their own dose", () => {
    const doses = [
      { lines: 1, speakers: 1 },
      { lines: 2, speakers: 2 },
    ]
    expect(steps(assertion({ preamble: [], lines: [text("<i>: <answer>")], doses }))).toEqual([
      "1: _",
      "1: _\n2: _",
    ])
  })
})
