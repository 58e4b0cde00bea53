/** Statistics, averages and contrasts beyond one difference of two rates. */
import { describe, expect, test } from "vitest"
import type { ExpectIR, ExperimentIR, MeasureIR } from "../../compiler/ir.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { newcombePaired } from "../../runtime/statistics/proportion.ts"
import { meanOf, studentInterval } from "../../runtime/statistics/student.ts"
import { cell, contrastOf, deltaP, experimentOf, origin, programOf, reading, sumOf, trial } from "./sample.ts"
import { measure } from "./tables.ts"

const run = (parts: Partial<ExperimentIR>, records: readonly TrialRecord[]) =>
  measure(programOf(experimentOf(parts)), records)

const confidence: MeasureIR = {
  name: "confidence",
  doc: "",
  statistic: "mean",
  value: { kind: "confidence", hole: "a1" },
  interval: { method: "bootstrap", level: 95 },
  invalid: "exclude",
  origin,
}

describe("quantiles and sums", () => {
  const records = [0.5, 0.6, 0.7, 0.9].map((value, at) => trial("push", `i${at}`, 0, reading(1, value)))
  const of = (statistic: MeasureIR["statistic"]) =>
    run({ measures: [{ ...confidence, statistic }], cells: [cell("push")] }, records)[0]!

  test("a median lies between the middle values, by hand", () => {
    const median = of({ quantile: 0.5 })
    expect(median.estimate).toBeCloseTo(0.65, 12)
    expect(median.method).toBe(
      "cluster bootstrap by item, 2000 draws, over 4 items only, so that the interval is likely too narrow",
    )
    expect(median.cautions).toEqual(["over 4 items only, so that the interval is likely too narrow"])
    expect(median.low).toBeGreaterThanOrEqual(0.5)
    expect(median.high).toBeLessThanOrEqual(0.9)
  })

  test("a sum adds up", () => {
    const sum = of("sum")
    expect(sum.estimate).toBeCloseTo(2.7, 12)
    expect(sum.low).toBeLessThan(2.7)
    expect(sum.high).toBeGreaterThan(2.7)
    expect(sum).not.toHaveProperty("k")
  })
})

/** Four cells of model and pool; in each, so many of four items are moved by `push` and so many by `reask`. */
const moved: readonly (readonly [model: string, pool: string, push: number, reask: number])[] = [
  ["m", "p", 4, 1],
  ["m", "q", 3, 1],
  ["w", "p", 2, 0],
  ["w", "q", 2, 2],
]
const grid = moved.flatMap(([model, pool, push, reask]) =>
  (["push", "reask"] as const).flatMap((arm) =>
    [0, 1, 2, 3].map((at) =>
      trial(arm, `i${at}`, 0, at < (arm === "push" ? push : reask) ? 1 : 0, { model, pool }),
    ),
  ),
)
const crossed = { models: ["m", "w"], pools: [{ pool: "p" }, { pool: "q" }] }
const push = ["HRR", { arm: "push" }] as const
const reask = ["HRR", { arm: "reask" }] as const

describe("a macro average", () => {
  const table = (macro: readonly string[], rows = ["arm"]) => ({
    ...crossed,
    tables: [{ name: "t", rows, columns: ["HRR"], average: { macro } }],
  })
  const averages = (parts: Partial<ExperimentIR>, records: readonly TrialRecord[]) =>
    run(parts, records).filter(({ average }) => average !== undefined)

  test("is the mean over cells with an interval by Student's t, by hand", () => {
    const found = averages(table(["model", "pool"]), grid).find(({ by }) => by.arm === "push")!
    expect(found).toMatchObject({ average: "macro(model, pool)", n: 16, cells: { entered: 4, of: 4 } })
    expect(found.estimate).toBeCloseTo((1 + 0.75 + 0.5 + 0.5) / 4, 12)
    const interval = studentInterval(meanOf([1, 0.75, 0.5, 0.5])!, 95)
    expect([found.low, found.high]).toEqual([interval.low, 1])
    expect(interval.high).toBeGreaterThan(1)
    const few = "4 cells are few: Student's t holds only if they are normal"
    expect(found.method).toBe(
      `mean over 4 of 4 cells by model and pool; Student t interval, cut at what is possible; ${few}`,
    )
    expect(found.cautions).toEqual([few])
  })

  test("weighs a small cell as much as a large one", () => {
    const uneven = grid.filter(({ model, pool, item }) => model !== "w" || pool !== "q" || item === "i3")
    const [one] = averages(table(["model", "pool"]), uneven).filter(({ by }) => by.arm === "push")
    expect(one!.estimate).toBeCloseTo((1 + 0.75 + 0.5 + 0) / 4, 12)
  })

  test("names empty cells", () => {
    const wrong = grid.map((record) =>
      record.model === "w" && record.pool === "q"
        ? { ...record, readings: { ...record.readings, a0: reading(1) } }
        : record,
    )
    const [one] = averages(table(["model", "pool"]), wrong).filter(({ by }) => by.arm === "push")
    expect(one).toMatchObject({ cells: { entered: 3, of: 4 }, excluded: { given: 4 } })
    expect(one!.method).toContain("mean over 3 of 4 cells")
  })

  test("of one cell has no interval", () => {
    const [one] = averages(table(["pool"], ["arm", "pool"]), grid)
    expect(one!.method).toBe("mean over 1 of 1 cells by pool; no interval, since one cell does not vary")
  })

  test("leaves out trials that lack a column, and says so: they are no cell of their own", () => {
    const subjects = grid.map((record) =>
      record.item === "i0" ? record : { ...record, columns: { subject: record.item < "i2" ? "law" : "art" } },
    )
    const of = (records: readonly TrialRecord[]) =>
      averages(table(["subject"]), records).find(({ by }) => by.arm === "push")!
    const some = of(subjects.filter(({ item }) => item !== "i0"))
    expect(some.cells).toEqual({ entered: 2, of: 2 })
    expect(of(subjects)).toEqual({ ...some, excluded: { "no subject": 4 } })
  })

  test("is over the other columns where all trials of a row lack one, such as a baseline's framing", () => {
    const factors = [
      { name: "arm", levels: ["reask", "push"] },
      { name: "framing", levels: ["plain", "firm"] },
    ]
    const cells = [cell("reask"), cell("push", { framing: "plain" }), cell("push", { framing: "firm" })]
    const framed = grid.flatMap((record) =>
      record.levels.arm === "reask"
        ? [record]
        : ["plain", "firm"].map((framing) => ({
            ...record,
            trial: `${record.trial} ${framing}`,
            levels: { arm: "push", framing },
          })),
    )
    const parts = { ...table(["model", "framing"]), factors, cells }
    const found = averages(parts, framed)
    expect(found.map(({ by, cells: count, excluded }) => [by.arm, count!.of, excluded])).toEqual([
      ["reask", 2, {}],
      ["push", 4, {}],
    ])
  })

  test("stands beside the pooled number of the same trials", () => {
    const tables = [
      { name: "t", rows: ["arm"], columns: ["HRR"], average: { macro: ["model"] } },
      { name: "u", rows: ["arm"], columns: ["HRR"], average: "pooled" as const },
    ]
    const all = run({ ...crossed, tables }, grid).filter(({ by }) => JSON.stringify(by) === '{"arm":"push"}')
    expect(all.map(({ average }) => average)).toEqual(["macro(model)", undefined])
  })
})

describe("columns of items", () => {
  const subjects = grid.map((record) => ({
    ...record,
    columns: { subject: record.item < "i2" ? "law" : "art" },
  }))
  test("make rows of a table, in order, over the trials that have them", () => {
    const found = run(
      { ...crossed, tables: [{ name: "t", rows: ["subject"], columns: ["HRR"], average: "pooled" }] },
      subjects,
    ).filter(({ by }) => by.subject !== undefined && by.arm === undefined)
    expect(found.map(({ by, n, k }) => [by.subject, n, k])).toEqual([
      ["art", 16, 3],
      ["law", 16, 12],
    ])
  })

  test("leave the cells of the design whole", () => {
    const parts = {
      ...crossed,
      tables: [{ name: "t", rows: ["subject"], columns: ["HRR"], average: "pooled" as const }],
    }
    const cells = run(parts, subjects).filter(({ by }) => by.arm !== undefined)
    expect(cells.map(({ n }) => n)).toEqual(Array(8).fill(4))
  })

  test("are conditions too", () => {
    const where = {
      kind: "binary",
      operator: "==",
      left: { kind: "column", column: "subject" },
      right: { kind: "string", value: "law" },
    } as const
    const found = run(
      { ...crossed, tables: [{ name: "t", rows: ["arm"], columns: ["HRR"], average: "pooled", where }] },
      subjects,
    ).find(({ by, where }) => by.arm === "push" && where !== undefined)
    expect(found).toMatchObject({ where: 'item.subject == "law"', n: 8, k: 8 })
  })

  test("make cells of a contrast", () => {
    const [one] = run(
      { ...crossed, contrasts: [contrastOf(push, reask, [{ cells: ["subject"] }])] },
      subjects,
    ).filter(({ kind }) => kind === "contrast")
    expect(one).toMatchObject({ cells: { entered: 2, of: 2 } })
    expect(one!.estimate).toBeCloseTo((8 / 8 - 4 / 8 + 3 / 8 - 0 / 8) / 2, 12)
  })
})

describe("a contrast by cells", () => {
  const [found] = run(
    { ...crossed, contrasts: [contrastOf(push, reask, [{ cells: ["model", "pool"] }])] },
    grid,
  ).filter(({ kind }) => kind === "contrast")
  test("is the mean of its cells' differences with an interval by Student's t, by hand", () => {
    const differences = [0.75, 0.5, 0.5, 0]
    const interval = studentInterval(meanOf(differences)!, 95)
    expect(found).toMatchObject({ taken: "cells", n: 32, cells: { entered: 4, of: 4 }, level: 95 })
    expect(found!.estimate).toBeCloseTo(1.75 / 4, 12)
    expect(found!.low).toBeCloseTo(interval.low, 12)
    expect(found!.sides!.left).toBeCloseTo(2.75 / 4, 12)
    expect(found!.method).toBe(
      "mean over 4 of 4 cells by model and pool; Student t interval; p by Student's t over cells; 4 cells are few: Student's t holds only if they are normal",
    )
  })
})

describe("a difference of differences", () => {
  const cells = ["a", "b"].flatMap((framing) => [cell("push", { framing }), cell("reask", { framing })])
  const factors = [
    { name: "arm", levels: ["push", "reask"] },
    { name: "framing", levels: ["a", "b"] },
  ]
  const rates = { a: { push: 3, reask: 1 }, b: { push: 2, reask: 1 } } as const
  const records = (["a", "b"] as const).flatMap((framing) =>
    (["push", "reask"] as const).flatMap((arm) =>
      [0, 1, 2, 3].map((at) =>
        trial(arm, `i${at}`, 0, at < rates[framing][arm] ? 1 : 0, { levels: { arm, framing } }),
      ),
    ),
  )
  const four = (by: Parameters<typeof sumOf>[1]) =>
    sumOf(
      [
        [1, "HRR", { arm: "push", framing: "a" }],
        [-1, "HRR", { arm: "reask", framing: "a" }],
        [-1, "HRR", { arm: "push", framing: "b" }],
        [1, "HRR", { arm: "reask", framing: "b" }],
      ],
      by,
    )

  test("is paired over items that all four sides have, by hand", () => {
    const [one] = run({ cells, factors, contrasts: [four(["paired"])] }, records).filter(
      ({ kind }) => kind === "contrast",
    )
    expect(one).toMatchObject({ n: 4, terms: [0.75, 0.25, 0.5, 0.25] })
    expect(one!.estimate).toBeCloseTo(0.25, 12)
    expect(one!.method).toBe(
      "paired by item; cluster bootstrap by item, 2000 draws, over 4 items only, so that the interval is likely too narrow; p by Student's t over items, since McNemar's test is for one measure less another",
    )
  })

  test("is pooled over trials with items resampled", () => {
    const [one] = run({ cells, factors, contrasts: [four(["pooled"])] }, records).filter(
      ({ kind }) => kind === "contrast",
    )
    expect(one).toMatchObject({ n: 16, terms: [0.75, 0.25, 0.5, 0.25] })
    expect(one!.estimate).toBeCloseTo(0.25, 12)
    expect(one!.low).toBeLessThan(0.25)
  })
})

describe("an equivalence", () => {
  const records = Array.from({ length: 60 }, (_, at) => [
    trial("reask", `i${at}`, 0, at % 2),
    trial("push", `i${at}`, 0, at < 58 ? at % 2 : 1 - (at % 2)),
  ]).flat()
  const judged = (margin: number) => {
    const expects: ExpectIR[] = [
      { kind: "equivalent", text: "effect equivalent", contrast: "effect", margin, origin },
    ]
    return run({ contrasts: [contrastOf(push, reask)], expects }, records).find(
      ({ kind }) => kind === "expect",
    )!
  }

  test("holds where the 90 % interval lies within the margin", () => {
    const table = { both: 29, left: 1, right: 1, neither: 29 }
    const { low, high } = newcombePaired(table, 90)
    expect(judged(high + 0.001)).toMatchObject({
      held: true,
      level: 95,
      equivalence: { low, high, level: 90 },
    })
    expect(judged(high - 0.001).held).toBe(false)
    expect(newcombePaired(table, 95).high).toBeGreaterThan(high)
  })

  test("of a mean that moved is not said to be level", () => {
    const apart = records.map((record) =>
      record.levels.arm === "push" ? { ...record, readings: { ...record.readings, a1: reading(1) } } : record,
    )
    const expects: ExpectIR[] = [{ kind: "equivalent", text: "e", contrast: "effect", margin: 0.05, origin }]
    const contrasts = [contrastOf(["delta_p_pushed", { arm: "push" }], ["delta_p_pushed", { arm: "reask" }])]
    const found = run({ measures: [deltaP], contrasts, expects }, apart).find(({ kind }) => kind === "expect")
    expect(found?.held).toBe(false)
  })
})
