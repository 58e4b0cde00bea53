/** Numbers at the edge of what they are compared with, and intervals at the edge of what is possible. */
import { describe, expect, test } from "vitest"
import type { MeasureIR } from "../../compiler/ir.ts"
import { resultOf } from "./found.ts"
import { cell, contrastOf, deltaP, expectOf, reading, sumOf, trial } from "./sample.ts"

/** Ten items in each arm, of which so many flip. */
function flips(hits: Readonly<Record<string, number>>) {
  const arms = Object.keys(hits)
  return {
    design: { factors: [{ name: "arm", levels: arms }], cells: arms.map((arm) => cell(arm)) },
    records: arms.flatMap((arm) =>
      Array.from({ length: 10 }, (_, at) => trial(arm, `i${at}`, 0, at < hits[arm]! ? 1 : 0)),
    ),
  }
}

describe("an expectation that is equal to its bound but for rounding", () => {
  const difference = contrastOf(["HRR", { arm: "a" }], ["HRR", { arm: "b" }], ["pooled"])
  const ofDifferences = sumOf(
    [
      [1, "HRR", { arm: "a" }],
      [-1, "HRR", { arm: "b" }],
      [-1, "HRR", { arm: "c" }],
      [1, "HRR", { arm: "d" }],
    ],
    ["pooled"],
  )
  test.each([
    // 0.8 - 0.6 - 0.4 + 0.2 is 5.6e-17 in doubles, and 0.3 - 0.1 - 0.4 + 0.2 is -2.8e-17.
    { hits: { a: 8, b: 6, c: 4, d: 2 }, operator: ">", bound: 0, contrast: ofDifferences, held: false },
    { hits: { a: 8, b: 6, c: 4, d: 2 }, operator: "<=", bound: 0, contrast: ofDifferences, held: true },
    { hits: { a: 3, b: 1, c: 4, d: 2 }, operator: ">=", bound: 0, contrast: ofDifferences, held: true },
    { hits: { a: 3, b: 1, c: 4, d: 2 }, operator: "<", bound: 0, contrast: ofDifferences, held: false },
    // 0.3 - 0.1 is less than 0.2.
    { hits: { a: 3, b: 1 }, operator: ">=", bound: 0.2, contrast: difference, held: true },
    { hits: { a: 3, b: 1 }, operator: "<", bound: 0.2, contrast: difference, held: false },
  ] as const)("$hits: $operator $bound is $held", ({ hits, operator, bound, contrast, held }) => {
    const { design, records } = flips(hits)
    const found = resultOf(
      { ...design, contrasts: [contrast], expects: [expectOf({ operator, bound })] },
      records,
    )
    expect(found.find(({ kind }) => kind === "expect")?.held).toBe(held)
  })
})

describe("a Student t interval over two cells", () => {
  const records = ["m", "w"].flatMap((model) =>
    Array.from({ length: 10 }, (_, at) =>
      trial("push", `i${at}`, 0, reading(0, model === "m" ? 0.9 : 0.3), { model }),
    ),
  )
  const design = {
    models: ["m", "w"],
    factors: [{ name: "arm", levels: ["push"] }],
    cells: [cell("push")],
    tables: [{ name: "t", rows: ["arm"], columns: ["conf"], average: { macro: ["model"] } }],
  }

  test("of a confidence is cut at 0 and 1, and says so", () => {
    const conf: MeasureIR = { ...deltaP, name: "conf", value: { kind: "confidence", hole: "a1" } }
    const found = resultOf({ ...design, measures: [conf] }, records).find(
      ({ average }) => average !== undefined,
    )
    expect(found).toMatchObject({ low: 0, high: 1 })
    expect(found?.method).toContain("cut at what is possible")
  })

  test("of a difference of probabilities is cut at -1 and 1", () => {
    const found = resultOf({ ...design, measures: [{ ...deltaP, name: "conf" }] }, records).find(
      ({ average }) => average !== undefined,
    )
    expect(found?.low).toBeGreaterThanOrEqual(-1)
    expect(found?.high).toBeLessThanOrEqual(1)
  })
})
