/** Which trials a number is of, how often each counts, and what is said of those that do not: where that is easily got wrong. */
import { describe, expect, test } from "vitest"
import type { ExperimentIR, MeasureIR } from "../../compiler/ir.ts"
import { resultOf } from "./found.ts"
import { answer, binary, cell, gold, HRR, origin, skipped, trial } from "./sample.ts"

const items = Array.from({ length: 10 }, (_, at) => `i${at}`)

describe("rows of trials that lack a factor", () => {
  // `order` is lacking where all lines say the same, `paraphrase` where a framing words its own lines: within one arm.
  const push = [
    { structure: "all", framing: "people", paraphrase: "plain" },
    { structure: "all", framing: "friends" },
    { structure: "ally", framing: "people", order: "identity", paraphrase: "plain" },
    { structure: "ally", framing: "friends", order: "identity" },
  ].map((levels) => ({ arm: "push", ...levels }))
  const experiment: Partial<ExperimentIR> = {
    factors: [
      { name: "arm", levels: ["reask", "push"] },
      { name: "structure", levels: ["all", "ally"] },
      { name: "framing", levels: ["people", "friends"] },
      { name: "order", levels: ["identity", "inside_out"] },
      { name: "paraphrase", levels: ["plain", "reworded"] },
    ],
    cells: [cell("reask"), ...push.map((levels) => cell("push", levels))],
    tables: ["order", "paraphrase"].map((factor) => ({
      name: `by_${factor}`,
      rows: [factor],
      columns: ["HRR"],
      average: "pooled" as const,
    })),
  }
  const records = items.flatMap((item) => [
    trial("reask", item, 0, 0),
    ...push.map((levels) => trial("push", item, 0, levels.structure === "all" ? 1 : 0, { levels })),
  ])

  test("are told apart, though they are of the same arms", () => {
    const found = resultOf(experiment, records).filter(({ where }) => where !== undefined)
    const byWhere = new Map(found.map((result) => [result.where, result]))
    expect([...byWhere.keys()]).toContain("without order")
    expect([...byWhere.keys()]).toContain("without paraphrase")
    // Reask, and both cells of `all`; reask, and both cells of `friends`. Cells of an item with one prompt in all count apart here.
    expect(byWhere.get("without order")?.estimate).not.toBe(byWhere.get("without paraphrase")?.estimate)
  })
})

describe("a turn that does not take place", () => {
  const gone: MeasureIR = {
    ...HRR,
    name: "gone",
    given: binary(answer("a0"), "==", gold),
    value: { kind: "state", hole: "a1", state: "skipped" },
  }
  const framings = ["people", "experts"]
  const records = items.flatMap((item, at) =>
    framings.map((framing) => {
      const levels = { arm: "push", framing }
      if (at >= 5) return trial("push", item, 0, 0, { levels })
      return { ...trial("push", item, 0, skipped, { levels }), prompts: { a0: "first" } }
    }),
  )

  test("is of its own trial: two trials of one item without a prompt are not one observation", () => {
    const [all] = resultOf(
      {
        factors: [
          { name: "arm", levels: ["push"] },
          { name: "framing", levels: framings },
        ],
        cells: framings.map((framing) => cell("push", { framing })),
        measures: [gone],
        tables: [{ name: "t", rows: ["arm"], columns: ["gone"], average: "pooled" }],
      },
      records,
    ).filter(({ by }) => by.framing === undefined)
    expect(all).toMatchObject({ k: 10, n: 20, estimate: 0.5, excluded: {} })
  })
})

describe("a summary for each level of a column", () => {
  const framings = ["people", "experts"]
  const records = ["m", "w"].flatMap((model) =>
    items.flatMap((item) => [
      trial("reask", item, 0, 0, { model }),
      ...framings.map((framing) => trial("push", item, 0, 1, { model, levels: { arm: "push", framing } })),
    ]),
  )

  test("counts the trials in no cell that are of this level", () => {
    const found = resultOf(
      {
        models: ["m", "w"],
        factors: [
          { name: "arm", levels: ["reask", "push"] },
          { name: "framing", levels: framings },
        ],
        cells: [cell("reask"), ...framings.map((framing) => cell("push", { framing }))],
        summaries: [
          {
            name: "range",
            doc: "",
            of: "range",
            measure: { measure: "HRR", levels: {} },
            over: ["framing"],
            by: ["model"],
            origin,
          },
        ],
      },
      records,
    ).filter(({ kind }) => kind === "summary")
    expect(found.map(({ by, excluded }) => [by, excluded])).toEqual([
      [{ model: "m" }, { "no framing": 10 }],
      [{ model: "w" }, { "no framing": 10 }],
    ])
  })
})
