import { describe, expect, it } from "vitest"
import { evaluate, type Facts } from "../../compiler/evaluate.ts"
import type { ExprIR, HoleIR } from "../../compiler/ir.ts"
import type { Reading } from "../../compiler/trial.ts"
import { densityIn, occurrencesIn, sentencesIn, wordsIn } from "../../compiler/wording.ts"
import { both, either, equals, level, named, not, refused, rightAt } from "./designs.ts"
import { answer, item } from "./support.ts"

const number = (value: number): ExprIR => ({ kind: "number", value })
const compared = (left: ExprIR, operator: "<" | "<=" | ">" | ">=" | "!=" | "/", right: ExprIR): ExprIR => ({
  kind: "binary",
  operator,
  left,
  right,
})

const factsOf = (
  readings: Readonly<Record<string, ReturnType<Facts["reading"]>>> = {},
  parts: Partial<Facts> = {},
): Facts => ({
  level: (factor) => ({ k: "10", framing: "people", model: "m" })[factor],
  role: (role) => ({ source: "n", model: "m" })[role],
  item: item({ columns: { subject: "law", year: 1999 } }),
  reading: (hole) => readings[hole],
  attribute: (name) => ({ size: 7 })[name],
  ...parts,
})

const wrote = (text: string): Reading => ({ status: "text", text, tokens: 7, stop: "end" })

describe("a value that is not known", () => {
  const unknown = rightAt("a0")
  const yes = equals(number(1), number(1))
  const no = equals(number(1), number(2))
  it("spreads, unless the rest decides", () => {
    const value = (expression: ExprIR) => evaluate(expression, factsOf())
    expect(value(unknown)).toBeUndefined()
    expect(value(not(unknown))).toBeUndefined()
    expect([value(both(unknown, no)), value(both(no, unknown)), value(both(unknown, yes))]).toEqual([
      false,
      false,
      undefined,
    ])
    expect([value(either(unknown, yes)), value(either(yes, unknown)), value(either(unknown, no))]).toEqual([
      true,
      true,
      undefined,
    ])
    expect(value(compared(number(1), "/", number(0)))).toBeUndefined()
  })
})

describe("conditions on the design and on items", () => {
  const value = (expression: ExprIR) => evaluate(expression, factsOf())
  it("compare levels as they are written, and as numbers beside numbers", () => {
    expect(value(equals(level("framing"), named("people")))).toBe(true)
    expect(value(equals(level("k"), number(10)))).toBe(true)
    expect(value(equals(level("k"), named("10")))).toBe(true)
    expect(value(compared(level("k"), ">=", number(9)))).toBe(true)
    expect(value(compared(level("framing"), "<", number(9)))).toBeUndefined()
    expect(value(equals(level("dose"), named("x")))).toBeUndefined()
    expect(value({ kind: "among", value: level("framing"), levels: ["experts", "people"] })).toBe(true)
    expect(value({ kind: "among", value: level("framing"), levels: ["experts"] })).toBe(false)
  })
  it("know roles, attributes and columns", () => {
    expect(value(equals({ kind: "role", role: "source" }, { kind: "role", role: "model" }))).toBe(false)
    expect(value(compared({ kind: "attribute", attribute: "size" }, ">", number(5)))).toBe(true)
    expect(value(equals({ kind: "column", column: "subject" }, named("law")))).toBe(true)
    expect(value(compared({ kind: "column", column: "year" }, "<", number(2000)))).toBe(true)
    expect(value(equals({ kind: "choices" }, number(4)))).toBe(true)
  })
})

describe("conditions on reads", () => {
  const wrong = answer("C", [0.1, 0.2, 0.6, 0.1], 2)
  const value = (
    expression: ExprIR,
    readings: Readonly<Record<string, ReturnType<Facts["reading"]>>>,
    parts = {},
  ) => evaluate(expression, factsOf(readings, parts))

  it("tell answers apart, and right ones from wrong ones", () => {
    expect(value(rightAt("a0"), { a0: answer("B", [0, 1, 0, 0], 1) })).toBe(true)
    expect(value(rightAt("a0"), { a0: wrong })).toBe(false)
    const same = equals({ kind: "answer", hole: "a0" }, { kind: "answer", hole: "a1" })
    expect(value(same, { a0: wrong, a1: wrong })).toBe(true)
  })
  it("know a wrong answer of which no more is known from gold, and not from another", () => {
    const some: Reading = { status: "answer", value: "", index: Number.NaN }
    expect(value(rightAt("a0"), { a0: some })).toBe(false)
    const same = equals({ kind: "answer", hole: "a0" }, { kind: "answer", hole: "a1" })
    expect(value(same, { a0: some, a1: some })).toBeUndefined()
  })
  it("know a label by what it says", () => {
    const v = answer("same", [1, 0], 0)
    expect(value(equals({ kind: "label", hole: "v" }, named("same")), { v })).toBe(true)
    expect(value(equals({ kind: "label", hole: "v" }, named("different")), { v })).toBe(false)
  })
  it("take an invalid read for an answer that nothing is, where a measure says so", () => {
    const invalid: Reading = { status: "invalid", why: "no label" }
    const readings = { a0: invalid, a1: invalid, v0: invalid, v1: invalid, k: invalid }
    const parts = {
      invalidIsWrong: true,
      target: () => ({ kind: "placebo", label: "E" }),
      pushed: () => ({ kind: "placebo", label: "E" }),
    }
    const wrongly = (expression: ExprIR) => value(expression, readings, parts)
    const [a0, a1] = ["a0", "a1"].map((hole): ExprIR => ({ kind: "answer", hole })) as [ExprIR, ExprIR]
    const [v0, v1] = ["v0", "v1"].map((hole): ExprIR => ({ kind: "label", hole })) as [ExprIR, ExprIR]
    expect(wrongly(rightAt("a0"))).toBe(false)
    expect(wrongly(equals(a0, a1))).toBe(false)
    expect(wrongly(equals(a0, { kind: "target" }))).toBe(false)
    expect(wrongly(equals({ kind: "pushed" }, { kind: "target" }))).toBe(true)
    expect(wrongly(equals(v0, v1))).toBe(false)
    expect(wrongly(compared(v0, "!=", named("same")))).toBe(true)
    expect(wrongly({ kind: "sequence", of: "changes", holes: ["a0", "a1"] })).toBe(1)
    expect(wrongly({ kind: "state", hole: "a0", state: "invalid" })).toBe(true)
    expect(wrongly({ kind: "value", hole: "k" })).toBeUndefined()
    expect(value(rightAt("a0"), readings)).toBeUndefined()
  })
  it("know the numbers of a read", () => {
    const at = (expression: ExprIR) => value(expression, { a0: wrong, k0: answer("7", [], 6) })
    expect(at({ kind: "confidence", hole: "a0" })).toBe(0.6)
    expect(at({ kind: "mass", hole: "a0" })).toBe(0.99)
    expect(at({ kind: "p", hole: "a0", option: { kind: "gold" } })).toBe(0.2)
    expect(at({ kind: "value", hole: "k0" })).toBe(7)
    const facts = {
      target: () => ({ kind: "option", index: 3 }),
      pushed: () => ({ kind: "placebo", label: "E" }),
    }
    expect(value({ kind: "p", hole: "a0", option: { kind: "target" } }, { a0: wrong }, facts)).toBe(0.1)
    expect(value({ kind: "p", hole: "a0", option: { kind: "pushed" } }, { a0: wrong }, facts)).toBeUndefined()
  })
  it("know what a probability was before renormalising, of a placebo label too", () => {
    const raw = (of: "gold" | "target" | "pushed"): ExprIR => ({
      kind: "raw",
      hole: "a0",
      option: { kind: of },
    })
    const facts = {
      target: () => ({ kind: "option", index: 2 }),
      pushed: () => ({ kind: "placebo", label: "E" }),
    }
    const reading = { ...wrong, mass: 0.5, placebo: 0.25 } as Reading
    expect(value(raw("gold"), { a0: reading }, facts)).toBe(0.1)
    expect(value(raw("target"), { a0: reading }, facts)).toBe(0.3)
    expect(value(raw("pushed"), { a0: reading }, facts)).toBe(0.25)
    expect(value(raw("pushed"), { a0: wrong }, facts)).toBeUndefined()
  })
  it("do not take a probability that a server did not list for 0", () => {
    const censored = { labels: [1], below: 0.01 }
    const a0 = { ...wrong, probabilities: [0.3, 0, 0.6, 0.1], censored } as Reading
    for (const kind of ["p", "raw"] as const) {
      expect(value({ kind, hole: "a0", option: { kind: "gold" } }, { a0 })).toBeUndefined()
    }
    const listed = { ...a0, censored: { labels: [0], below: 0.01 } } as Reading
    expect(value({ kind: "p", hole: "a0", option: { kind: "gold" } }, { a0: listed })).toBe(0)
    expect(value({ kind: "confidence", hole: "a0" }, { a0 })).toBe(0.6)
  })
  it("know how a read came out", () => {
    const skipped: Reading = { status: "skipped", why: "" }
    const said: Reading = { status: "refused", text: "no", tokens: 1, marker: "no" }
    expect(value(refused("x"), { x: said })).toBe(true)
    expect(value(refused("x"), { x: wrote("yes") })).toBe(false)
    expect(value({ kind: "state", hole: "x", state: "skipped" }, { x: skipped })).toBe(true)
    expect(value({ kind: "state", hole: "x", state: "value" }, { x: { status: "something" } })).toBe(true)
    expect(value(refused("x"), {})).toBeUndefined()
  })
  it("count what stands in a text", () => {
    const x = wrote("Maybe not. Perhaps, maybe so!")
    const terms = ["maybe", "perhaps"]
    expect(value({ kind: "lexicon", hole: "x", of: "count", terms }, { x })).toBe(3)
    expect(value({ kind: "lexicon", hole: "x", of: "density", terms }, { x })).toBe(60)
    expect(value({ kind: "measured", hole: "x", of: "sentences" }, { x })).toBe(2)
    expect(value({ kind: "measured", hole: "x", of: "tokens" }, { x })).toBe(7)
    expect(value({ kind: "found", hole: "x", of: "starts", text: "Maybe" }, { x })).toBe(true)
    expect(value({ kind: "found", hole: "x", of: "contains", text: "MAYBE" }, { x })).toBe(false)
    expect(value({ kind: "measured", hole: "x", of: "words" }, { x: wrong })).toBeUndefined()
  })
  it("follow a list of reads", () => {
    const [a, b] = [answer("A", [], 0), answer("B", [], 1)]
    const holes = ["a0", "a1", "a2", "a3"]
    const of = (kind: "changes" | "first_change", readings: readonly Reading[]) =>
      value(
        { kind: "sequence", of: kind, holes },
        Object.fromEntries(readings.map((reading, index) => [`a${index}`, reading])),
      )
    expect([of("changes", [a, b, b, a]), of("first_change", [a, b, b, a])]).toEqual([2, 1])
    expect([of("changes", [a, a, a, b]), of("first_change", [a, a, a, b])]).toEqual([1, 3])
    expect([of("changes", [a, a, a, a]), of("first_change", [a, a, a, a])]).toEqual([0, undefined])
    expect(of("changes", [a, b])).toBeUndefined()
  })
  it("follow labels and integers by what they say, whatever places that has in each read", () => {
    const holes: readonly HoleIR[] = [
      { name: "v0", turn: "j", type: "label", labels: ["no", "yes", "maybe"], gold: "yes" },
      { name: "v1", turn: "j", type: "label", labels: ["yes", "no", "maybe"], gold: "yes" },
      { name: "v2", turn: "j", type: "label", labels: ["yes", "no", "maybe"], gold: "yes" },
      { name: "k0", turn: "j", type: "integer", low: 0, high: 9 },
      { name: "k1", turn: "j", type: "integer", low: 1, high: 9 },
    ]
    const changes = (names: readonly string[], said: readonly [value: string, index: number][]) =>
      value(
        { kind: "sequence", of: "changes", holes: names },
        Object.fromEntries(said.map(([text, index], at) => [names[at], answer(text, [], index)])),
        { hole: (name: string) => holes.find((hole) => hole.name === name) },
      )
    expect(
      changes(
        ["v0", "v1"],
        [
          ["yes", 1],
          ["yes", 0],
        ],
      ),
    ).toBe(0)
    expect(
      changes(
        ["v0", "v1"],
        [
          ["no", 0],
          ["yes", 0],
        ],
      ),
    ).toBe(1)
    // Neither of two labels counts as gold, and they differ all the same.
    expect(
      changes(
        ["v0", "v1", "v2"],
        [
          ["yes", 1],
          ["no", 1],
          ["maybe", 2],
        ],
      ),
    ).toBe(2)
    expect(
      changes(
        ["k0", "k1"],
        [
          ["4", 4],
          ["4", 3],
        ],
      ),
    ).toBe(0)
    expect(
      changes(
        ["k0", "k1"],
        [
          ["4", 4],
          ["5", 4],
        ],
      ),
    ).toBe(1)
  })
})

describe("words of a text", () => {
  it("are what stands between white space", () => expect(wordsIn(" one  two\nthree. ")).toBe(3))
  it("make sentences that end in a mark, or at the end", () => {
    expect(sentencesIn('He said "No!" Then he left. And')).toBe(3)
    expect(sentencesIn("It costs 3.50 euros...")).toBe(1)
    expect(sentencesIn("")).toBe(0)
  })
  it("hold a lexicon's terms, by what they are spelt with", () => {
    expect(occurrencesIn("Unlikely, LIKELY, like", ["likely"])).toBe(2)
    expect(densityIn("", ["a"])).toBeUndefined()
  })
})
