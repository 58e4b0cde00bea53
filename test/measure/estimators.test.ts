/** Ways of taking a contrast, side by side, and what each says of itself. */
import { describe, expect, test } from "vitest"
import type { ContrastIR, EstimatorIR, ExperimentIR, MeasureIR } from "../../compiler/ir.ts"
import type { Result } from "../../runtime/measure/result.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { estimatorName } from "../../runtime/report/contrastGrid.ts"
import { resultsJson } from "../../runtime/report/resultsJson.ts"
import { mcnemarExact } from "../../runtime/statistics/binomial.ts"
import { benjaminiHochberg, holm } from "../../runtime/statistics/families.ts"
import { fisherExact } from "../../runtime/statistics/fisher.ts"
import { newcombeIndependent } from "../../runtime/statistics/proportion.ts"
import { differenceOfMeans, meanOf, studentInterval, studentTest } from "../../runtime/statistics/student.ts"
import {
  answer,
  binary,
  cell,
  contrastOf,
  deltaP,
  expectOf,
  experimentOf,
  gold,
  HRR,
  invalid,
  level,
  origin,
  programOf,
  pushed,
  reading,
  trial,
} from "./sample.ts"
import { measure } from "./tables.ts"

const push = { arm: "push" }
const reask = { arm: "reask" }

const run = (parts: Partial<ExperimentIR>, records: readonly TrialRecord[]) =>
  measure(programOf(experimentOf(parts)), records)

const contrasts = (parts: Partial<ExperimentIR>, records: readonly TrialRecord[]) =>
  run(parts, records).filter(({ kind }) => kind === "contrast")

/** `HRR` of one arm less that of the other, in these ways. */
const ways = (...by: readonly EstimatorIR[]): ContrastIR => contrastOf(["HRR", push], ["HRR", reask], by)

/** Items whose second answers under `push` and under `reask` are these options. */
const pairs = (outcomes: readonly (readonly [push: number, reask: number])[], model = "m") =>
  outcomes.flatMap(([pushed, asked], at) => [
    trial("push", `i${at}`, 0, pushed, { model }),
    trial("reask", `i${at}`, 0, asked, { model }),
  ])

const times = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value)

/** 9 pairs moved by `push` alone, 2 by `reask` alone, 3 by both. */
const example = pairs([
  ...times(9, [1, 0] as const),
  ...times(2, [0, 1] as const),
  ...times(3, [1, 1] as const),
])

describe("permutation within items", () => {
  test("has the paired estimate and interval, and of single pairs McNemar's p", () => {
    const [paired, permuted] = contrasts({ contrasts: [ways("paired", "permutation")] }, example)
    const { taken: _, method: __, p: ___, ...numbers } = paired!
    expect(permuted).toMatchObject({ ...numbers, taken: "permutation" })
    expect(permuted!.p).toBeCloseTo(mcnemarExact(9, 2), 12)
    expect(permuted!.method).toBe(
      "paired by item; Newcombe's score interval for paired proportions; p by swapping the sides within items, exact",
    )
  })

  test("swaps all pairs of an item together: a model more with the same answers changes nothing", () => {
    const both = [
      ...example,
      ...example.map((record) => ({ ...record, model: "w", trial: `w${record.trial}` })),
    ]
    const [one] = contrasts({ contrasts: [ways("permutation")] }, example)
    const [two] = contrasts({ models: ["m", "w"], contrasts: [ways("permutation")] }, both)
    expect(two!.n).toBe(2 * one!.n)
    expect(two!.p).toBeCloseTo(one!.p!, 12)
  })

  test("of means is exact over few items, and drawn by the seed over many", () => {
    const of = (items: number, seed = 0) => {
      const records = Array.from({ length: items }, (_, at) => [
        trial("reask", `i${at}`, 0, reading(1, 0.3 + (at % 5) / 25)),
        trial("push", `i${at}`, 0, reading(1, 0.3 + ((at * 7) % 11) / 40)),
      ]).flat()
      const contrast = contrastOf(["delta_p_pushed", push], ["delta_p_pushed", reask], ["permutation"])
      return contrasts({ seed, measures: [deltaP], contrasts: [contrast] }, records)[0]!
    }
    expect(of(6).method).toContain("p by swapping the sides within items, exact")
    expect(of(40).method).toContain("p by swapping the sides within items, 9999 choices drawn")
    expect(of(40)).toEqual(of(40))
    expect(of(40, 1).p).not.toBe(of(40).p)
    expect(Math.abs(of(40, 1).p! - of(40).p!)).toBeLessThan(0.02)
  })

  test("says that sides are the same prompts, and has no p then", () => {
    const same = example.map((record) => ({ ...record, prompts: { a0: "first", a1: record.item } }))
    const [result] = contrasts({ contrasts: [ways("permutation")] }, same)
    expect(result!.method).toContain("no interval and no p, since both sides are the same prompts")
    expect(result).not.toHaveProperty("p")
  })
})

describe("two samples", () => {
  /** Flipped: `push` moved the answer; held: it did not. */
  const among = (name: string, flipped: boolean): MeasureIR => ({
    name,
    doc: "",
    statistic: "mean",
    value: { kind: "p", hole: "a0", option: pushed },
    given: binary(answer("a1"), flipped ? "!=" : "==", gold),
    interval: { method: "bootstrap", level: 95 },
    invalid: "exclude",
    origin,
  })
  const [flipped, held] = [among("flipped", true), among("held", false)]
  const contrast = contrastOf(["flipped", push], ["held", push], ["two_sample"])
  const confidences = [0.41, 0.52, 0.6, 0.63, 0.7, 0.77, 0.83, 0.9, 0.95]
  const records = confidences.map((confidence, at) =>
    trial("push", `i${at}`, reading(0, confidence), at % 2 === 0 ? 1 : 0),
  )
  const shares = (remainder: number) =>
    confidences.flatMap((confidence, at) => (at % 2 === remainder ? [(1 - confidence) / 3] : []))

  test("of different items: flipped against held, by Welch's t", () => {
    const [result] = contrasts({ measures: [flipped, held], contrasts: [contrast] }, records)
    const number = (values: readonly number[], from: number) =>
      new Map(values.map((value, at) => [from + at, value]))
    const welch = differenceOfMeans(number(shares(0), 0), number(shares(1), 10))!
    expect(result).toMatchObject({ taken: "two_sample", n: 9, level: 95, excluded: { given: 9 } })
    expect(result!.estimate).toBeCloseTo(welch.estimate, 12)
    expect(result!.p).toBeCloseTo(studentTest(welch), 12)
    expect(result!.low).toBeLessThan(result!.estimate!)
    expect(result!.method).toBe(
      "two samples, of 5 and 4 items; cluster bootstrap by item, 2000 draws, 1989 of them with a value; p by Welch's t over items",
    )
  })

  test("has the kind of bootstrap that the measure asks for", () => {
    const asked = [flipped, held].map((one) => ({ ...one, interval: { method: "bca" as const, level: 90 } }))
    const [result] = contrasts({ measures: asked, contrasts: [contrast] }, records)
    expect(result!.level).toBe(90)
    expect(result!.method).toContain("BCa cluster bootstrap by item, 2000 draws")
    expect(result!.method).toContain("p by Welch's t over items")
  })

  test("counts an item once a side, and says which are on both", () => {
    const again = records.map((record, at) =>
      trial(
        "push",
        record.item,
        reading(0, confidences[at]!),
        at < 2 ? 1 - (at % 2 === 0 ? 1 : 0) : at % 2 === 0 ? 1 : 0,
        {
          model: "w",
        },
      ),
    )
    const parts = { models: ["m", "w"], measures: [flipped, held], contrasts: [contrast] }
    const [result] = contrasts(parts, [...records, ...again])
    expect(result!.n).toBe(18)
    expect(result!.method).toBe(
      "two samples, of 6 and 5 items, 2 of them on both sides, each with the mean of its trials: sides and difference are means of these; cluster bootstrap by item, 2000 draws, 1997 of them with a value; p by the t of overlapping samples over items",
    )
  })

  test("of counts: Newcombe's interval for independent proportions and Fisher's test", () => {
    const sides = [
      ...times(12, 1).map((_, at) => trial("push", `p${at}`, 0, at < 9 ? 1 : 0)),
      ...times(10, 1).map((_, at) => trial("reask", `r${at}`, 0, at < 2 ? 1 : 0)),
    ]
    const [result] = contrasts({ contrasts: [ways("two_sample")] }, sides)
    const [first, second] = [
      { k: 9, n: 12 },
      { k: 2, n: 10 },
    ]
    expect(result).toMatchObject({
      n: 22,
      ...newcombeIndependent(first, second, 95),
      p: fisherExact(first, second),
    })
    expect(result!.estimate).toBeCloseTo(9 / 12 - 2 / 10, 12)
    expect(result!.method).toBe(
      "two samples, of 12 and 10 items; Newcombe's score interval for independent proportions; p by Fisher's exact test",
    )
  })

  test("of rates whose items have several trials: both by Welch's t", () => {
    const sides = [
      ...times(6, 1).flatMap((_, at) =>
        ["m", "w"].map((model) =>
          trial("push", `p${at}`, 0, (at + (model === "m" ? 0 : 1)) % 3 > 0 ? 1 : 0, { model }),
        ),
      ),
      ...times(5, 1).map((_, at) => trial("reask", `r${at}`, 0, at < 1 ? 1 : 0)),
    ]
    const [result] = contrasts({ models: ["m", "w"], contrasts: [ways("two_sample")] }, sides)
    const shares = new Map([0.5, 1, 0.5, 0.5, 1, 0.5].map((share, at) => [at, share]))
    const others = new Map([1, 0, 0, 0, 0].map((share, at) => [10 + at, share]))
    const welch = differenceOfMeans(shares, others)!
    expect(result).toMatchObject({ n: 17, low: studentInterval(welch, 95).low, high: 1 })
    expect(result!.method).toContain(
      "interval by Welch's t over items, cut at what is possible; p by Welch's t over items",
    )
  })

  test("without items on a side has no number, and says so", () => {
    const [result] = contrasts({ contrasts: [ways("two_sample")] }, [trial("push", "i", 0, 1)])
    expect(result!.method).toBe("none: a side has no trial")
    expect(result).not.toHaveProperty("estimate")
  })

  test("of which a side has trials without weight says that, and not that it has none", () => {
    const weighted: MeasureIR = {
      ...deltaP,
      value: { kind: "confidence", hole: "a1" },
      weight: { kind: "column", column: "weight" },
    }
    const records = ["i1", "i2", "i3"].flatMap((item) => [
      trial("push", item, 0, 1, { columns: { weight: 1 } }),
      trial("reask", `other ${item}`, 0, 1, { columns: { weight: 0 } }),
    ])
    const contrast = contrastOf(["delta_p_pushed", push], ["delta_p_pushed", reask], ["two_sample"])
    const [result] = contrasts({ measures: [weighted], contrasts: [contrast] }, records)
    expect(result!.method).toBe("none: the weights of all trials are 0")
  })

  test("is of two sides", () => {
    const four = { ...ways("two_sample") }
    const terms = [...four.terms, ...four.terms.map((term) => ({ ...term, sign: (0 - term.sign) as 1 | -1 }))]
    const [result] = contrasts({ contrasts: [{ ...four, terms }] }, example)
    expect(result!.method).toBe("none: two samples are of one measure less another")
  })
})

describe("cells", () => {
  /** Six models whose rates differ by these fractions of 8 items. */
  const models = ["a", "b", "c", "d", "e", "f"]
  const of = (moved: readonly number[]) =>
    models.flatMap((model, at) =>
      pairs(
        Array.from({ length: 8 }, (_, item) => [item < 4 + moved[at]! ? 1 : 0, item < 4 ? 1 : 0] as const),
        model,
      ),
    )
  const taken = (moved: readonly number[], ...by: readonly EstimatorIR[]) =>
    contrasts({ models, contrasts: [ways(...by)] }, of(moved))
  const signs = { cells: ["model"], signs: true } as const

  test("all six above: the sign test's one-sided p is the 0.016 of the paper, two-sided 0.031", () => {
    const [byT, bySigns] = taken([1, 2, 1, 3, 2, 1], { cells: ["model"] }, signs)
    expect(bySigns).toMatchObject({ p: 2 / 64, signs: { above: 6, below: 0, ties: 0, pAbove: 1 / 64 } })
    expect(bySigns!.method).toBe(
      "mean over 6 of 6 cells by model; Student t interval; p by the exact sign test over cells, two-sided: 6 above 0 and 0 below",
    )
    const { p: _, signs: __, method: ___, taken: by, ...numbers } = bySigns!
    expect([byT!.taken, by, byT!.columns]).toEqual(["cells", "signs", ["model"]])
    expect(byT).toMatchObject(numbers)
    expect(byT!.p).toBeCloseTo(studentTest(meanOf([1, 2, 1, 3, 2, 1].map((moved) => moved / 8))!), 12)
  })

  test("cells at 0 are left out and counted", () => {
    const [result] = taken([1, 0, -1, 3, 0, 1], signs)
    expect(result).toMatchObject({ p: 0.625, signs: { above: 3, below: 1, ties: 2, pAbove: 5 / 16 } })
    expect(result!.method).toContain("3 above 0 and 1 below, 2 at 0 left out")
  })

  test('the one-sided p is that of "above 0", whichever side the estimate is on', () => {
    expect(taken([-1, -1, -2, 1, -1, -1], signs)[0]!.signs!.pAbove).toBeCloseTo(63 / 64, 12)
    expect(taken([-1, -1, -1, 4, 0, 0], signs)[0]!.signs!.pAbove).toBeCloseTo(15 / 16, 12)
  })

  test("by other columns are told apart by these, not by words", () => {
    const by = [{ cells: ["model", "pool"] }, { cells: ["model"] }, signs]
    const found = taken([1, 2, 1, 3, 2, 1], ...by)
    expect(found.map(estimatorName)).toEqual([
      "mean over cells by model and pool",
      "mean over cells by model",
      "signs of cells by model",
    ])
    expect(JSON.parse(resultsJson(found))).toMatchObject([
      { taken: "cells", columns: ["model", "pool"] },
      { taken: "cells", columns: ["model"] },
      { taken: "signs", columns: ["model"] },
    ])
  })

  test("of which there are few are said to be few, and how small their p can be", () => {
    const few = pairs(times(8, [1, 0] as const), "a").concat(
      pairs([[1, 0], ...times(7, [0, 0] as const)], "b"),
    )
    const [byT, bySigns] = contrasts(
      { models: ["a", "b"], contrasts: [ways({ cells: ["model"] }, signs)] },
      few,
    )
    expect(byT!.method).toContain("2 cells are few: Student's t holds only if they are normal")
    expect(bySigns!.method).toContain("a sign test has no p below 0.5")
    // Of two cells at 1 and 1/8 Student's t goes from -5 to 6: a difference of rates cannot.
    expect(byT).toMatchObject({ low: -1, high: 1 })
    expect(byT!.method).toContain("Student t interval, cut at what is possible")
  })

  test("are those that a condition leaves: of six models two", () => {
    const where = {
      kind: "binary",
      operator: "or",
      left: level("model", "a"),
      right: level("model", "b"),
    } as const
    const contrast = ways({ cells: ["model"] })
    const terms = contrast.terms.map((term) => ({ ...term, where }))
    const [result] = contrasts({ models, contrasts: [{ ...contrast, terms }] }, of([1, 2, 1, 3, 2, 1]))
    expect(result!.cells).toEqual({ entered: 2, of: 2 })
    expect(result!.method).toContain("mean over 2 of 2 cells by model")
  })

  describe("of which trials lack the column", () => {
    /** Items of two subjects, and items that have none, which `push` moves the other way. */
    const subjects = [
      ...pairs(times(6, [1, 0] as const)).map((record) => ({ ...record, columns: { subject: "law" } })),
      ...named(
        "art",
        pairs([
          [1, 0],
          [1, 0],
          [0, 0],
          [1, 1],
        ]),
      ).map((record) => ({
        ...record,
        columns: { subject: "art" },
      })),
    ]
    const without = named("none", pairs(times(5, [0, 1] as const)))
    const by = [{ cells: ["subject"] }, { cells: ["subject"], signs: true }] as const

    function named(name: string, records: readonly TrialRecord[]): readonly TrialRecord[] {
      return records.map((record) => ({
        ...record,
        item: `${name} ${record.item}`,
        trial: `${name} ${record.trial}`,
      }))
    }

    test("leave these out, and say so: they are no cell of their own", () => {
      const [some, all] = [subjects, [...subjects, ...without]].map((records) =>
        contrasts({ contrasts: [ways(...by)] }, records),
      )
      for (const [at, result] of all!.entries()) {
        expect(result).toEqual({ ...some![at]!, excluded: { "no subject": 10 } })
        expect(result.cells).toEqual({ entered: 2, of: 2 })
      }
      expect(all![1]!.signs).toMatchObject({ above: 2, below: 0, ties: 0 })
    })

    test("count them as a summary over the column does", () => {
      const summary = {
        name: "s",
        doc: "",
        of: "mean",
        measure: { measure: "HRR", levels: push },
        over: ["subject"],
        by: [],
        origin,
      } as const
      const found = run({ contrasts: [ways(by[0])], summaries: [summary] }, [...subjects, ...without])
      const of = (kind: Result["kind"]) => found.find((one) => one.kind === kind)!
      expect(of("summary")).toMatchObject({ cells: { entered: 2, of: 2 }, excluded: { "no subject": 5 } })
      expect(of("contrast")).toMatchObject({ cells: of("summary").cells, excluded: { "no subject": 10 } })
    })

    test("forbid nothing by their invalid reads, being in no cell", () => {
      const measures = [{ ...HRR, invalid: "error" as const }]
      const unread = trial("push", "unread", 0, invalid)
      const [result] = contrasts({ measures, contrasts: [ways(by[0])] }, [...subjects, unread])
      expect(result).toMatchObject({ excluded: { "no subject": 1 }, cells: { entered: 2, of: 2 } })
      expect(result).toHaveProperty("estimate")
    })

    test("are none where a side lacks it altogether", () => {
      const cells = [cell("reask"), cell("push", { framing: "plain" })]
      const factors = [
        { name: "arm", levels: ["reask", "push"] },
        { name: "framing", levels: ["plain"] },
      ]
      const records = example.map((record) =>
        record.levels.arm === "push" ? { ...record, levels: { arm: "push", framing: "plain" } } : record,
      )
      const [result] = contrasts({ cells, factors, contrasts: [ways({ cells: ["framing"] })] }, records)
      expect(result).toMatchObject({
        excluded: { "no framing": 14 },
        cells: { entered: 0, of: 0 },
        method: "none: no cell has trials of every side",
      })
    })
  })

  test("all at 0 have no p", () => {
    const [result] = taken([0, 0, 0, 0, 0, 0], signs)
    expect(result).not.toHaveProperty("p")
    expect(result!.method).toContain("no p, since every cell is at 0")
  })
})

describe("a contrast in several ways", () => {
  test("has one result for each, with its name, estimate, interval, test and n", () => {
    const records = [
      ...example,
      ...pairs(
        [
          [1, 0],
          [1, 0],
          [0, 0],
        ],
        "w",
      ),
    ]
    const by = [
      "paired",
      "permutation",
      "pooled",
      "two_sample",
      { cells: ["model"] },
      { cells: ["model"], signs: true },
    ] as const
    const all = contrasts({ models: ["m", "w"], contrasts: [ways(...by)] }, records)
    expect(all.map(({ taken, n }) => [taken, n])).toEqual([
      ["paired", 17],
      ["permutation", 17],
      ["pooled", 34],
      ["two_sample", 34],
      ["cells", 34],
      ["signs", 34],
    ])
    for (const result of all) {
      expect(result.estimate).toBeGreaterThan(0.3)
      expect(result.low).toBeLessThan(result.estimate!)
      expect(result.high).toBeGreaterThan(result.estimate!)
      expect(result.p === undefined).toBe(result.taken === "pooled")
      expect(result.method).not.toBe("")
    }
  })
})

describe("a family", () => {
  const levels = ["push", "warn", "doubt"]
  const moved: Readonly<Record<string, readonly [number, number]>> = {
    push: [9, 2],
    warn: [12, 1],
    doubt: [6, 5],
  }
  const records = [
    ...Array.from({ length: 30 }, (_, at) => trial("reask", `i${at}`, 0, at >= 15 ? 1 : 0)),
    ...levels.flatMap((arm) =>
      Array.from({ length: 30 }, (_, at) => {
        const [up, down] = moved[arm]!
        const answer = at < 15 ? (at < up ? 1 : 0) : at - 15 < down ? 0 : 1
        return trial(arm, `i${at}`, 0, answer)
      }),
    ),
  ]
  const parts = (
    by: readonly EstimatorIR[],
    adjust: "holm" | "benjamini_hochberg",
  ): Partial<ExperimentIR> => ({
    factors: [{ name: "arm", levels: ["reask", ...levels] }],
    cells: ["reask", ...levels].map((arm) => ({ ...experimentOf({}).cells[0]!, arm, levels: { arm } })),
    contrasts: levels.map((arm) => ({ ...contrastOf(["HRR", { arm }], ["HRR", reask], by), name: arm })),
    families: [{ name: "main", contrasts: levels, adjust, origin }],
  })
  const plain = levels.map((arm) => mcnemarExact(...moved[arm]!))

  test.each([
    ["holm", holm, "Holm"],
    ["benjamini_hochberg", benjaminiHochberg, "Benjamini and Hochberg"],
  ] as const)("by %s has adjusted p values beside the plain ones", (adjust, adjusted, name) => {
    const found = contrasts(parts(["paired"], adjust), records)
    expect(found.map(({ p }) => p)).toEqual(plain.map((p) => expect.closeTo(p, 12)))
    expect(found.map((result) => result.adjusted)).toEqual(
      adjusted(plain).map((p) => ({ family: "main", method: adjust, p: expect.closeTo(p, 12) })),
    )
    expect(found[0]!.method).toMatch(new RegExp(`; p adjusted by ${name} over the 3 tests of main$`))
  })

  test("takes each contrast once, by the first of its ways that has a p", () => {
    const found = contrasts(parts(["pooled", "permutation", { cells: ["pool"] }], "holm"), records)
    const adjusted = (result: Result) => result.adjusted !== undefined
    expect(found.filter(adjusted).map(({ taken }) => taken)).toEqual(times(3, "permutation"))
    expect(found.find(adjusted)!.method).toMatch(
      /over the 3 tests of main, which it enters by permutation\(item\), since pooled has no p$/,
    )
  })

  test("leaves out a contrast without a p, and says so", () => {
    const found = contrasts(
      parts(["paired"], "holm"),
      records.filter(({ levels: { arm } }) => arm !== "warn"),
    )
    expect(found.map(({ adjusted }) => adjusted?.p)).toEqual([
      expect.closeTo(2 * plain[0]!, 12),
      undefined,
      expect.closeTo(plain[2]!, 12),
    ])
    expect(found[0]!.method).toContain("over the 2 tests of main, 1 of its contrasts without a p")
  })
})

describe("equivalence", () => {
  const held = (by: EstimatorIR, margin: number, records: readonly TrialRecord[], models = ["m"]) =>
    run(
      {
        models,
        contrasts: [ways(by)],
        expects: [{ kind: "equivalent", text: "flat", contrast: "effect", margin, origin }],
      },
      records,
    ).find(({ kind }) => kind === "expect")!
  const even = ["a", "b", "c", "d"].flatMap((model) =>
    pairs(
      [
        ...times(20, [0, 0] as const),
        ...times(20, [1, 1] as const),
        [1, 0],
        [0, 1],
        ...(model === "a" ? [[1, 0] as const] : []),
      ],
      model,
    ),
  )

  test.each([
    "paired",
    "permutation",
    "pooled",
    "two_sample",
    { cells: ["model"] },
    { cells: ["model"], signs: true },
  ] as const)("is of nine tenths by the contrast's own interval: %j", (by) => {
    const wide = held(by, 0.3, even, ["a", "b", "c", "d"])
    expect(wide).toMatchObject({ held: true, equivalence: { level: 90 } })
    const { low, high } = wide.equivalence!
    const narrow = Math.max(-low, high)
    expect(held(by, narrow * 0.999, even, ["a", "b", "c", "d"]).held).toBe(false)
    expect(held(by, narrow * 1.001, even, ["a", "b", "c", "d"]).held).toBe(true)
    expect(low).toBeGreaterThan(wide.low!)
    expect(high).toBeLessThan(wide.high!)
  })

  test("is not held against a model's logits: by the next way, and by a model alone not at all", () => {
    const verdict = (by: ContrastIR["by"], expects: ExperimentIR["expects"]) =>
      run({ contrasts: [ways(...by)], expects }, example).filter(({ kind }) => kind === "expect")
    const flat = { kind: "equivalent", text: "flat", contrast: "effect", margin: 0.9, origin } as const
    const above = (bound: number) => expectOf({ bound })
    const [beside] = verdict(["mixed_logistic", "paired"], [flat])
    expect(beside).toMatchObject({ held: true, taken: "paired" })
    const [alone, ofHalf, ofZero] = verdict(["mixed_logistic"], [flat, above(0.5), above(0)])
    for (const one of [alone!, ofHalf!]) {
      expect(one).not.toHaveProperty("held")
      expect(one.method).toContain("no verdict, since this estimate is in logits")
    }
    expect(ofZero!.method).not.toContain("no verdict")
  })
})
