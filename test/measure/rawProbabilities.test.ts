/** Probabilities before renormalising, of placebo labels too, what a server did not list, and reads whose labels hold little. */
import { describe, expect, test } from "vitest"
import type { ExprIR, HoleIR, MeasureIR } from "../../compiler/ir.ts"
import type { Reading } from "../../compiler/trial.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { a0, a1, experimentOf, HRR, option, programOf, reading, trial } from "./sample.ts"
import { columnsOf, measure } from "./tables.ts"

const { given: _, ...plain } = HRR
const meanOf = (kind: "p" | "raw", of: "gold" | "pushed"): MeasureIR => ({
  ...plain,
  name: "mean",
  statistic: "mean",
  value: { kind, hole: "a1", option: { kind: of } } as ExprIR,
  interval: { method: "bootstrap", level: 95 },
})

const resultOf = (one: MeasureIR, records: readonly TrialRecord[]) =>
  measure(programOf(experimentOf({ measures: [one], cells: experimentOf({}).cells.slice(1) })), records)[0]!

type Value = Reading & { readonly status: "value" }
const read = (parts: Partial<Value>): Reading => ({ ...(reading(0, 0.7) as Value), mass: 0.5, ...parts })
const placebo = { target: { kind: "placebo", label: "E" }, pushed: { kind: "placebo", label: "E" } } as const

describe("a raw probability", () => {
  test("is that among the labels times what the labels hold together", () => {
    const { estimate } = resultOf(meanOf("raw", "gold"), [trial("push", "i1", 0, read({}))])
    expect(estimate).toBeCloseTo(0.35, 12)
  })

  test("of a placebo label is what was read of it, and stands in the table of trials", () => {
    const records = [
      trial("push", "i1", read({ placebo: 0.1 }), read({ placebo: 0.25 }), placebo),
      trial("push", "i2", read({}), read({ placebo: 0.75 }), placebo),
    ]
    expect(resultOf(meanOf("raw", "pushed"), records)).toMatchObject({ n: 2, estimate: 0.5 })
    const columns = columnsOf(records, experimentOf({}))
    expect(columns.get("a0.placebo")).toEqual([0.1, null])
    expect(columns.get("a1.placebo")).toEqual([0.25, 0.75])
  })

  test("of a placebo label that was not read has no value, and p of one never has", () => {
    const records = [trial("push", "i1", 0, read({}), placebo)]
    expect(resultOf(meanOf("raw", "pushed"), records)).toMatchObject({
      n: 0,
      excluded: { "no raw probability of the placebo label": 1 },
    })
    expect(resultOf(meanOf("p", "pushed"), records).excluded).toEqual({ "placebo target has no p": 1 })
    expect(columnsOf(records, experimentOf({})).has("a0.placebo")).toBe(false)
  })
})

describe("a probability that a server did not list", () => {
  const unlisted = read({ probabilities: [0.7, 0, 0.3, 0], censored: { labels: [1, 3], below: 0.001 } })

  test("has no value, and its trial is counted", () => {
    const records = [trial("push", "i1", 0, unlisted), trial("push", "i2", 0, read({}))]
    for (const kind of ["p", "raw"] as const) {
      const result = resultOf(meanOf(kind, "pushed"), records)
      expect(result).toMatchObject({ n: 1, excluded: { "probability not listed by the server at a1": 1 } })
      expect(result.estimate).toBeGreaterThan(0)
    }
    expect(resultOf(meanOf("p", "gold"), records)).toMatchObject({ n: 2 })
  })

  test("leaves the answer and its confidence", () => {
    const columns = columnsOf([trial("push", "i1", 0, unlisted)], experimentOf({}))
    expect(columns.get("a1.answer")).toEqual(["A"])
    expect(columns.get("a1.confidence")).toEqual([0.7])
    expect([0, 1, 2, 3].map((at) => columns.get(`a1.p${at}`)?.[0])).toEqual([0.7, null, 0.3, null])
    expect(columns.get("a1.unlisted")).toEqual(["B D"])
    expect(columns.has("a0.unlisted")).toBe(false)
  })
})

test("a read whose labels hold less than is declared is flagged, half of all where nothing is", () => {
  const strict: HoleIR = { ...a1, type: "option", leastMass: 0.8 }
  const plain = experimentOf({})
  const experiment = { ...plain, protocol: { ...plain.protocol, holes: [a0, strict] } }
  const records = [
    trial("push", "i1", read({ mass: 0.49 }), read({ mass: 0.79 })),
    trial("push", "i2", read({ mass: 0.5 }), read({ mass: 0.8 }), { pushed: option(1) }),
    trial("push", "i3", { status: "invalid", why: "x" }, read({ mass: 0.9 })),
  ]
  const columns = columnsOf(records, experiment)
  expect(columns.get("a0.low_mass")).toEqual([true, false, null])
  expect(columns.get("a1.low_mass")).toEqual([true, false, false])
})

test.each(["sum", "mean"] as const)(
  "a read of whole texts, scored by the %s of their tokens, is flagged by what is declared alone",
  (score) => {
    const plain = experimentOf({})
    const [undeclared, declared]: readonly HoleIR[] = [
      { ...a0, type: "option", score },
      { ...a1, type: "option", score, leastMass: 0.01 },
    ]
    const experiment = { ...plain, protocol: { ...plain.protocol, holes: [undeclared!, declared!] } }
    const columns = columnsOf([trial("push", "i1", read({ mass: 0.001 }), read({ mass: 0.001 }))], experiment)
    expect(columns.get("a0.low_mass")).toEqual([false])
    expect(columns.get("a1.low_mass")).toEqual([true])
  },
)
