/** Statistics that are taken over cells of a design, or over pairs of trials, against base R and by hand. */
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import type { ExperimentIR, MeasureIR, SummaryIR } from "../../compiler/ir.ts"
import { overCells } from "../../runtime/measure/cellwise.ts"
import { drawsOf } from "../../runtime/measure/draws.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { aurocOf, ranked, weightedAuroc } from "../../runtime/statistics/auroc.ts"
import { quantile } from "../../runtime/statistics/quantile.ts"
import { twoWay } from "../../runtime/statistics/twoWay.ts"
import {
  binary,
  cell,
  deltaP,
  experimentOf,
  HRR,
  invalid,
  level,
  number,
  origin,
  programOf,
  reading,
  trial,
} from "./sample.ts"
import { measure, trialsOf as trialsOfRecords } from "./tables.ts"

/** Base R: `cells.R`. */
const truths = JSON.parse(readFileSync(new URL("cells.json", import.meta.url), "utf8")) as {
  readonly auroc: readonly { truths: number[]; scores: number[]; auroc: number }[]
  readonly correlation: readonly {
    x: number[]
    y: number[]
    pearson: number
    p: number
    spearman: number
    rank_p: number
  }[]
  readonly twoWay: readonly {
    row: number[]
    column: number[]
    value: number[]
    rows: number
    columns: number
    residual: number
  }[]
}

const run = (parts: Partial<ExperimentIR>, records: readonly TrialRecord[]) =>
  measure(programOf(experimentOf(parts)), records)

describe("AUROC", () => {
  test.each(truths.auroc)("is Mann and Whitney's U over the number of pairs, as R has it", (truth) => {
    expect(aurocOf(truth.truths, truth.scores)).toBeCloseTo(truth.auroc, 12)
  })

  test("by hand: of two that came about at 0.9 and 0.4 and two that did not at 0.4 and 0.1, 3.5 of 4 pairs", () => {
    expect(aurocOf([1, 1, 0, 0], [0.9, 0.4, 0.4, 0.1])).toBe(3.5 / 4)
  })

  test("has no value where all came out alike", () => {
    expect(aurocOf([1, 1], [0.2, 0.3])).toBeUndefined()
    expect(aurocOf([0], [0.2])).toBeUndefined()
  })

  test("an item that is drawn twice counts as two with its trials", () => {
    const items = [
      { values: [1, 0], others: [0.9, 0.8] },
      { values: [0], others: [0.95] },
      { values: [1, 1], others: [0.2, 0.8] },
    ]
    const twice = [items[0]!, items[0]!, items[2]!]
    expect(weightedAuroc(ranked(items), [2, 0, 1])).toBeCloseTo(
      aurocOf(
        twice.flatMap(({ values }) => values),
        twice.flatMap(({ others }) => others),
      )!,
      12,
    )
  })
})

describe("over cells", () => {
  test.each(truths.correlation)("correlations are those of R", ({ x, y, pearson, spearman }) => {
    expect(overCells("correlation", x, y)).toBeCloseTo(pearson, 12)
    expect(overCells("rank_correlation", x, y)).toBeCloseTo(spearman, 12)
  })

  test("by hand, of 1, 2, 4 and 9", () => {
    const values = [4, 1, 9, 2]
    expect(overCells("mean", values)).toBe(4)
    expect(overCells("median", values)).toBe(3)
    expect(overCells("min", values)).toBe(1)
    expect(overCells("max", values)).toBe(9)
    expect(overCells("range", values)).toBe(8)
    expect(overCells("sd", values)).toBeCloseTo(Math.sqrt((9 + 4 + 0 + 25) / 3), 12)
  })

  test("one cell has no range and no standard deviation, and cells that do not vary no correlation", () => {
    expect(overCells("range", [1])).toBeUndefined()
    expect(overCells("sd", [1])).toBeUndefined()
    expect(overCells("correlation", [1, 1, 1], [1, 2, 3])).toBeUndefined()
  })

  test("that are equal but for rounding do not vary, and share their rank", () => {
    const dust = 0.1 + 0.2 - 0.3
    expect(overCells("correlation", [dust, 0, -dust], [1, 2, 3])).toBeUndefined()
    expect(overCells("rank_correlation", [dust, 0, -dust], [1, 2, 3])).toBeUndefined()
    const [x, y] = [
      [0.1 + 0.2, 0.3, 0.5, 0.9],
      [4, 1, 2, 3],
    ]
    expect(overCells("rank_correlation", x, y)).toBe(overCells("rank_correlation", [0.3, 0.3, 0.5, 0.9], y))
  })
})

describe("two ways", () => {
  test.each(truths.twoWay)("shares are those of aov, over both orders of rows and columns", (truth) => {
    const cells = truth.value.map((value, at) => ({
      row: truth.row[at]!,
      column: truth.column[at]!,
      value,
    }))
    const shares = twoWay(cells) as Record<string, number>
    expect(shares.rows).toBeCloseTo(truth.rows, 10)
    expect(shares.columns).toBeCloseTo(truth.columns, 10)
    expect(shares.residual).toBeCloseTo(truth.residual, 10)
    expect(shares.rows! + shares.columns! + shares.residual!).toBeCloseTo(1, 12)
  })

  test("by hand: rows 0 and 2, columns 0 and 4 add up without residual, a fifth and four fifths", () => {
    const cells = [0, 2].flatMap((r, row) => [0, 4].map((c, column) => ({ row, column, value: r + c })))
    expect(twoWay(cells)).toEqual({ rows: 0.2, columns: 0.8, residual: expect.closeTo(0, 12) })
  })

  test.each([
    [
      "one row",
      [
        [0, 0],
        [0, 1],
        [0, 2],
      ],
      "it takes two rows and two columns with a number",
    ],
    [
      "two parts",
      [
        [0, 0],
        [0, 1],
        [1, 2],
        [1, 3],
        [2, 2],
        [2, 3],
        [3, 0],
        [3, 1],
      ],
      "its cells fall into parts that share neither a row nor a column, which cannot be compared",
    ],
    [
      "nothing left over",
      [
        [0, 0],
        [0, 1],
        [1, 1],
      ],
      "it has as many rows and columns as cells, so that nothing is left to be residual",
    ],
  ] as const)("refuses %s, and says why", (_, places, none) => {
    expect(twoWay(places.map(([row, column], value) => ({ row, column, value })))).toEqual({ none })
  })

  test("refuses cells that are all equal", () => {
    const cells = [0, 1].flatMap((row) => [0, 1].map((column) => ({ row, column, value: 0.1 + 0.2 })))
    expect(twoWay(cells)).toEqual({ none: "all its cells are equal" })
  })
})

// ---------------------------------------------------------------- measures

const weightOf = (name: string): MeasureIR["value"] => ({ kind: "column", column: name })

describe("statistics of a measure, by hand", () => {
  const flips: MeasureIR = { ...HRR, interval: { method: "bootstrap", level: 95 } }
  const of = (one: MeasureIR, records: readonly TrialRecord[]) =>
    run({ measures: [one], cells: [cell("push")] }, records)[0]!

  test("a count is how many are true", () => {
    const records = [0, 1, 2, 0, 0].map((second, at) => trial("push", `i${at}`, 0, second))
    const count = of({ ...flips, statistic: "count" }, [...records, trial("push", "i9", 1, 1)])
    expect(count).toMatchObject({ n: 5, estimate: 2, excluded: { given: 1 } })
    expect(count).not.toHaveProperty("k")
    expect(count.low).toBeGreaterThanOrEqual(0)
    expect(count.high).toBeLessThanOrEqual(5)
  })

  test("a ratio divides one sum by another: (0.9 + 0.7) / (0.5 + 0.3)", () => {
    const ratio: MeasureIR = {
      ...deltaP,
      statistic: "ratio",
      value: { kind: "confidence", hole: "a1" },
      other: { kind: "confidence", hole: "a0" },
    }
    const records = [
      trial("push", "i1", reading(0, 0.5), reading(1, 0.9)),
      trial("push", "i2", reading(0, 0.3), reading(1, 0.7)),
    ]
    expect(of(ratio, records)).toMatchObject({ n: 2, estimate: expect.closeTo(2, 12) })
    const none = of({ ...ratio, other: number(0) }, records)
    expect(none).not.toHaveProperty("estimate")
    expect(none.method).toBe("none: the sum that is divided by is 0")
  })

  test("a ratio of truth values counts them: 3 harmful changes for 2 beneficial ones", () => {
    const changed = (from: "==" | "!=", to: "==" | "!=") =>
      binary(
        binary({ kind: "answer", hole: "a0" }, from, { kind: "gold" }),
        "and",
        binary({ kind: "answer", hole: "a1" }, to, { kind: "gold" }),
      )
    const { given: _, ...unconditional } = flips
    const ratio: MeasureIR = {
      ...unconditional,
      statistic: "ratio",
      value: changed("==", "!="),
      other: changed("!=", "=="),
    }
    const answers = [
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 0],
      [2, 0],
      [0, 0],
      [1, 2],
    ] as const
    const records = answers.map(([first, second], at) => trial("push", `i${at}`, first, second))
    const result = of(ratio, [...records, trial("push", "i9", 0, invalid)])
    expect(result).toMatchObject({ n: 7, estimate: 1.5, excluded: { "invalid a1": 1 } })
    // Changes that are harmful, over the confidence of the first answers: a truth value over a number.
    const mixed = of({ ...ratio, other: { kind: "confidence", hole: "a0" } }, [
      trial("push", "i1", reading(0, 0.5), 1),
      trial("push", "i2", reading(0, 0.75), 0),
    ])
    expect(mixed).toMatchObject({ n: 2, estimate: expect.closeTo(1 / 1.25, 12) })
    const none = of(ratio, records.slice(0, 3))
    expect(none.method).toBe("none: the sum that is divided by is 0")
  })

  const auroc: MeasureIR = {
    ...flips,
    statistic: "auroc",
    other: binary(number(1), "-", { kind: "confidence", hole: "a0" }),
  }

  test("an AUROC: flips at 0.4 and 0.7, held at 0.7 and 0.9, win 3.5 of 4 pairs", () => {
    const records = [
      trial("push", "i1", reading(0, 0.4), 1),
      trial("push", "i2", reading(0, 0.7), 2),
      trial("push", "i3", reading(0, 0.7), 0),
      trial("push", "i4", reading(0, 0.9), 0),
    ]
    const result = of(auroc, records)
    expect(result).toMatchObject({ n: 4, k: 2, estimate: 3.5 / 4 })
    expect(result.method).toMatch(
      /^cluster bootstrap by item, 2000 draws, \d+ of them with a value, over 4 items only/,
    )
    expect(of(auroc, records.slice(0, 2)).method).toBe(
      "none: all trials came out alike, so that none can be ranked above another",
    )
  })

  test("an invalid read is excluded, forbidden, or an answer that is no option, as its measure says", () => {
    const records = [trial("push", "i1", 0, invalid), trial("push", "i2", 0, 1), trial("push", "i3", 0, 0)]
    const count = { ...flips, statistic: "count" as const }
    expect(of(count, records)).toMatchObject({ n: 2, estimate: 1, excluded: { "invalid a1": 1 } })
    expect(of({ ...count, invalid: "wrong" }, records)).toMatchObject({ n: 3, estimate: 2, excluded: {} })
    const forbidden = of({ ...count, invalid: "error" }, records)
    expect(forbidden).not.toHaveProperty("estimate")
    expect(forbidden.method).toBe("none: 1 trials with an invalid read, which the measure forbids")
  })

  describe("with weights", () => {
    const weighted = (weights: readonly (number | string)[]) =>
      weights.map((weight, at) => trial("push", `i${at}`, 0, at === 0 ? 1 : 0, { columns: { weight } }))
    const rate: MeasureIR = {
      ...HRR,
      weight: weightOf("weight"),
      interval: { method: "bootstrap", level: 95 },
    }

    test("a rate is the weight of what is true over all weight: 3 of 4", () => {
      const result = of(rate, weighted([3, 0.5, 0.5]))
      expect(result).toMatchObject({ n: 3, k: 1, estimate: 0.75 })
    })

    test("a mean is the weighted mean: (3 x 0.9 + 1 x 0.5) / 4", () => {
      const mean: MeasureIR = {
        ...deltaP,
        value: { kind: "confidence", hole: "a1" },
        weight: weightOf("weight"),
      }
      const records = [
        trial("push", "i1", 0, reading(1, 0.9), { columns: { weight: "3" } }),
        trial("push", "i2", 0, reading(1, 0.5), { columns: { weight: 1 } }),
      ]
      expect(of(mean, records)).toMatchObject({ n: 2, estimate: expect.closeTo(0.8, 12) })
    })

    test("weights that are equal change no rate, whatever their size", () => {
      const [one, seven] = [of(rate, weighted([1, 1, 1, 1])), of(rate, weighted([7, 7, 7, 7]))]
      expect(seven.estimate).toBeCloseTo(one.estimate!, 12)
      expect(seven.low).toBeCloseTo(one.low!, 12)
      expect(one.estimate).toBeCloseTo(of(HRR, weighted([1, 1, 1, 1])).estimate!, 12)
    })

    test("what is no weight is counted by its reason", () => {
      expect(of(rate, weighted([-1, "heavy", 2])).excluded).toEqual({ "no value": 1, "weight below 0": 1 })
      expect(of(rate, weighted([0, 0])).method).toBe("none: the weights of all trials are 0")
    })
  })
})

// ---------------------------------------------------------------- summaries

const summary = (parts: Partial<SummaryIR>): SummaryIR => ({
  name: "s",
  doc: "",
  of: "median",
  measure: { measure: "HRR", levels: {} },
  over: ["model"],
  by: [],
  origin,
  ...parts,
})

describe("a summary", () => {
  /** Of model mX, `flips` of 4 items move. */
  const trialsOf = (flips: readonly number[], arm = "push") =>
    flips.flatMap((count, at) =>
      [0, 1, 2, 3].map((item) => trial(arm, `i${item}`, 0, item < count ? 1 : 0, { model: `m${at}` })),
    )
  const models = ["m0", "m1", "m2", "m3", "m4"]
  const of = (parts: Partial<SummaryIR>, records: readonly TrialRecord[], more: Partial<ExperimentIR> = {}) =>
    run({ models, summaries: [summary(parts)], ...more }, records).filter(({ kind }) => kind === "summary")

  test("is over the measure's value in each cell: the median of 0, 1/4, 1/4, 3/4 and 1", () => {
    const [result] = of({ measure: { measure: "HRR", levels: { arm: "push" } } }, trialsOf([0, 1, 1, 3, 4]))
    expect(result).toMatchObject({
      kind: "summary",
      name: "s",
      by: {},
      n: 20,
      estimate: 0.25,
      cells: { entered: 5, of: 5 },
      level: 95,
    })
    expect(result!.method).toBe(
      "median over 5 of 5 cells by model; cluster bootstrap by item, 2000 draws, over 4 items only, so that the interval is likely too narrow",
    )
  })

  test("names the cells that have no number, and counts them", () => {
    const records = trialsOf([0, 2, 3]).concat(
      [0, 1].map((item) => trial("push", `i${item}`, 1, 1, { model: "m3" })),
    )
    const [result] = of({ of: "range", measure: { measure: "HRR", levels: { arm: "push" } } }, records)
    expect(result).toMatchObject({
      estimate: 0.75,
      n: 12,
      cells: { entered: 3, of: 5 },
      excluded: { given: 2 },
    })
    expect(result!.method).toBe(
      "range over 3 of 5 cells by model; cluster bootstrap by item, 2000 draws, over 4 items only, so that the interval is likely too narrow; chance within cells makes their range larger; without a number: model = m3 (no trial entered), model = m4 (no trial entered)",
    )
  })

  test("is taken for each level of what it is by", () => {
    const records = [...trialsOf([1, 3]), ...trialsOf([0, 4], "reask")]
    const results = of({ of: "max", by: ["arm"] }, records, { models: ["m0", "m1"] })
    expect(results.map(({ by, estimate }) => [by, estimate])).toEqual([
      [{ arm: "reask" }, 1],
      [{ arm: "push" }, 0.75],
    ])
  })

  test("may be over some trials only, by the design or by what was read", () => {
    const sure = binary({ kind: "confidence", hole: "a0" }, ">", number(0.5))
    const records = [
      ...trialsOf([1, 3]),
      trial("push", "unsure", reading(0, 0.4), 1, { model: "m0" }),
      ...trialsOf([4, 4], "reask"),
    ]
    const by = { measure: "HRR", levels: {}, where: level("arm", "push") }
    const [result] = of({ of: "mean", measure: by, where: sure }, records, { models: ["m0", "m1"] })
    expect(result).toMatchObject({ n: 8, estimate: 0.5, where: "a0.confidence > 0.5" })
  })

  test("leaves out trials that lack a column, and counts them", () => {
    const cells = [cell("reask"), cell("push", { framing: "a" }), cell("push", { framing: "b" })]
    const records = [
      trial("reask", "i1", 0, 1),
      trial("push", "i1", 0, 1, { levels: { arm: "push", framing: "a" } }),
      trial("push", "i1", 0, 0, { levels: { arm: "push", framing: "b" } }),
    ]
    const factors = [
      { name: "arm", levels: ["reask", "push"] },
      { name: "framing", levels: ["a", "b"] },
    ]
    const [result] = of({ of: "sd", over: ["framing"] }, records, { models: ["m"], cells, factors })
    expect(result).toMatchObject({
      n: 2,
      estimate: Math.sqrt(0.5),
      cells: { entered: 2, of: 2 },
      excluded: { "no framing": 1 },
    })
    expect(result!.method).toContain("no interval, since one item does not vary")
  })

  test.each(truths.correlation.filter(({ x }) => x.length < 50))(
    "correlates two measures over cells, with R's p",
    ({ x, y, pearson, p, spearman, rank_p }) => {
      // Of model mX, hundredths of the items move when pushed, and of them when asked again.
      const names = x.map((_, at) => `m${at}`)
      const records = names.flatMap((model, at) =>
        [["push", x[at]!] as const, ["reask", y[at]!] as const].flatMap(([arm, share]) =>
          Array.from({ length: 100 }, (_, item) =>
            trial(arm, `i${item}`, 0, item < Math.round(100 * share) ? 1 : 0, { model }),
          ),
        ),
      )
      const side = (arm: string) => ({ measure: "HRR", levels: { arm } })
      const [result, ranks] = (["correlation", "rank_correlation"] as const).map(
        (kind) =>
          of({ of: kind, measure: side("push"), against: side("reask") }, records, { models: names })[0]!,
      )
      expect(result!.estimate).toBeCloseTo(pearson, 10)
      expect(result!.p).toBeCloseTo(p, 10)
      expect(ranks!.estimate).toBeCloseTo(spearman, 10)
      expect(ranks!.p).toBeCloseTo(rank_p, 10)
      expect(result!.method).toContain(`p by Student's t with ${x.length - 2} degrees of freedom`)
    },
  )

  test("of cells on a line has no p: an r of 1 but for rounding is no evidence of 1e-32", () => {
    // 0.1, 0.2, ... of 10 items, so that neither shares nor their products are exact.
    const counts = [1, 2, 3, 6, 7]
    const records = counts.flatMap((count, model) =>
      [["push", count] as const, ["reask", 10 - count] as const].flatMap(([arm, moved]) =>
        Array.from({ length: 10 }, (_, item) =>
          trial(arm, `i${item}`, 0, item < moved ? 1 : 0, { model: `m${model}` }),
        ),
      ),
    )
    const side = (arm: string) => ({ measure: "HRR", levels: { arm } })
    const [result] = of({ of: "correlation", measure: side("push"), against: side("reask") }, records)
    expect(result!.estimate).toBeCloseTo(-1, 12)
    expect(result).not.toHaveProperty("p")
    expect(result!.method).toContain("no p, since the cells lie on a line")
  })

  test("of extremes says which way chance moves it", () => {
    const said = (["max", "min", "range", "sd", "mean"] as const).map(
      (kind) =>
        of({ of: kind, measure: { measure: "HRR", levels: { arm: "push" } } }, trialsOf([0, 1, 3]))[0]!
          .method,
    )
    expect(said.map((method) => /chance within cells makes [^;]*/.exec(method)?.[0])).toEqual([
      "chance within cells makes the largest of them larger",
      "chance within cells makes the smallest of them smaller",
      "chance within cells makes their range larger",
      "chance within cells makes their sd larger",
      undefined,
    ])
  })

  test("of three cells has no p, and says so", () => {
    const records = [...trialsOf([0, 2, 4]), ...trialsOf([1, 2, 4], "reask")]
    const side = (arm: string) => ({ measure: "HRR", levels: { arm } })
    const [result] = of({ of: "correlation", measure: side("push"), against: side("reask") }, records, {
      models: ["m0", "m1", "m2"],
    })
    expect(result).not.toHaveProperty("p")
    expect(result!.method).toContain("no p, since it takes 4 cells")
  })

  test("its interval takes all cells anew from the same items: the naive twin finds the same ends", () => {
    const pattern = [
      [1, 0, 0, 1, 0, 1, 0],
      [1, 1, 0, 1, 0, 1, 0],
      [0, 0, 0, 1, 0, 1, 1],
      [1, 1, 1, 1, 0, 0, 0],
    ]
    const records = pattern.flatMap((flips, model) =>
      flips.map((flip, item) => trial("push", `i${item}`, 0, flip, { model: `m${model}` })),
    )
    const experiment = experimentOf({
      models: models.slice(0, 4),
      summaries: [summary({ of: "range", measure: { measure: "HRR", levels: { arm: "push" } } })],
    })
    const result = measure(programOf(experiment), records).find(({ kind }) => kind === "summary")!
    const trials = trialsOfRecords(experiment, records)
    const draws = drawsOf(trials)
    const ranges: number[] = []
    draws.each((weights, _, size) => {
      for (let draw = 0; draw < size; draw++) {
        const drawn = pattern[0]!.flatMap((_, item) =>
          new Array<number>(weights[item * size + draw]!).fill(item),
        )
        const rates = pattern.map(
          (flips) => drawn.reduce((sum, item) => sum + flips[item]!, 0) / drawn.length,
        )
        ranges.push(Math.max(...rates) - Math.min(...rates))
      }
    })
    ranges.sort((a, b) => a - b)
    expect(result.low).toBeCloseTo(quantile(ranges, 0.025), 12)
    expect(result.high).toBeCloseTo(quantile(ranges, 0.975), 12)
  })
})

describe("a summary over a column of the items", () => {
  /** Twelve subjects of two items each: few draws of items have some of every subject. */
  const flips = Array.from({ length: 12 }, (_, subject) => [subject % 3 === 0 ? 1 : 0, subject % 2])
  const records = flips.flatMap((own, subject) =>
    own.map((flip, at) =>
      trial("push", `i${subject}-${at}`, 0, flip, { columns: { subject: `s${subject}` } }),
    ),
  )

  test.each(["mean", "range"] as const)(
    "its %s leaves out of each draw the subjects that have no item in it, as the naive twin does",
    (of) => {
      const experiment = experimentOf({
        models: ["m"],
        summaries: [summary({ of, over: ["subject"], measure: { measure: "HRR", levels: { arm: "push" } } })],
      })
      const result = measure(programOf(experiment), records).find(({ kind }) => kind === "summary")!
      expect(result.cells).toEqual({ entered: 12, of: 12 })
      expect(result.method).toContain(
        "cluster bootstrap by item, 2000 draws, in each of which cells without a number are left out",
      )
      const ids = records.map(({ item }) => item).sort()
      const found: number[] = []
      drawsOf(trialsOfRecords(experiment, records)).each((weights, _, size) => {
        for (let draw = 0; draw < size; draw++) {
          const rates = flips.flatMap((own, subject) => {
            const drawn = own.flatMap((flip, at) =>
              new Array<number>(weights[ids.indexOf(`i${subject}-${at}`) * size + draw]!).fill(flip),
            )
            return drawn.length === 0 ? [] : [drawn.reduce((sum, flip) => sum + flip, 0) / drawn.length]
          })
          expect(rates.length).toBeGreaterThan(1)
          found.push(overCells(of, rates)!)
        }
      })
      expect(found).toHaveLength(2000)
      found.sort((a, b) => a - b)
      expect(result.low).toBeCloseTo(quantile(found, 0.025), 12)
      expect(result.high).toBeCloseTo(quantile(found, 0.975), 12)
    },
  )
})

describe("a table's median over cells", () => {
  test("is the median of the cells' values, with an interval by resampled items", () => {
    const records = [0, 1, 4].flatMap((count, at) =>
      [0, 1, 2, 3].map((item) => trial("push", `i${item}`, 0, item < count ? 1 : 0, { model: `m${at}` })),
    )
    const results = run(
      {
        models: ["m0", "m1", "m2"],
        tables: [{ name: "t", rows: ["arm"], columns: ["HRR"], average: { macro: ["model"], of: "median" } }],
      },
      records,
    )
    const median = results.find(({ average, by }) => average !== undefined && by.arm === "push")!
    expect(median).toMatchObject({ average: "median(model)", estimate: 0.25, cells: { entered: 3, of: 3 } })
    expect(median.method).toBe(
      "median over 3 of 3 cells by model; cluster bootstrap by item, 2000 draws, over 4 items only, so that the interval is likely too narrow",
    )
  })
})

// ---------------------------------------------------------------- matrices and published numbers

describe("a matrix", () => {
  const factors = [
    { name: "arm", levels: ["push"] },
    { name: "source", levels: ["s0", "s1", "s2"] },
  ]
  const cells = factors[1]!.levels.map((source) => cell("push", { source }))
  /** Of each source and model how many of four items move. */
  const recordsOf = (counts: readonly (readonly (number | undefined)[])[]) =>
    counts.flatMap((row, source) =>
      row.flatMap((count, model) =>
        count === undefined
          ? []
          : [0, 1, 2, 3].map((item) =>
              trial("push", `i${item}`, 0, item < count ? 1 : 0, {
                model: `m${model}`,
                levels: { arm: "push", source: `s${source}` },
              }),
            ),
      ),
    )
  const of = (counts: Parameters<typeof recordsOf>[0]) =>
    run(
      {
        models: ["m0", "m1", "m2"],
        factors,
        cells,
        figures: [{ name: "who", mark: "matrix", measure: "HRR", by: "source", color: "model" }],
      },
      recordsOf(counts),
    ).filter(({ kind }) => kind === "decomposition")

  test("has the shares of variance of its rows, its columns and the rest, by hand", () => {
    // Rows 0, 1, 2 and columns 0, 1, 2 quarters: additive, each half of the variance.
    const shares = of([
      [0, 1, 2],
      [1, 2, 3],
      [2, 3, 4],
    ])
    expect(shares.map(({ part, estimate }) => [part, estimate])).toEqual([
      ["rows", expect.closeTo(0.5, 12)],
      ["columns", expect.closeTo(0.5, 12)],
      ["residual", expect.closeTo(0, 12)],
    ])
    expect(shares[0]).toMatchObject({ name: "who", by: {}, n: 36, cells: { entered: 9, of: 9 } })
  })

  test("with gaps says that it has them, and its shares add up", () => {
    const shares = of([
      [undefined, 1, 3],
      [1, undefined, 4],
      [2, 3, undefined],
    ])
    expect(shares.map(({ estimate }) => estimate!).reduce((sum, one) => sum + one)).toBeCloseTo(1, 12)
    expect(shares[0]!.method).toContain("by least squares over 6 of 9 cells")
  })

  test("of which nothing was measured has no shares, and says why", () => {
    expect(of([])).toEqual([
      expect.objectContaining({ method: "none: no cell has a number", cells: { entered: 0, of: 0 } }),
    ])
  })
})

describe("a published number", () => {
  const records = [0, 1, 2, 3, 4, 5, 6, 7].map((item) => trial("push", `i${item}`, 0, item < 3 ? 1 : 0))
  const of = (value: number, within: number, measured = "HRR") =>
    run(
      {
        published: [
          {
            text: "as printed",
            measure: { measure: measured, levels: { arm: "push" } },
            value,
            within,
            origin,
          },
        ],
      },
      records,
    ).find(({ kind }) => kind === "expect")!

  test("holds where the measure comes to it, give or take what is allowed", () => {
    expect(of(0.38, 0.005)).toMatchObject({
      name: "as printed",
      n: 8,
      k: 3,
      estimate: 0.375,
      published: { value: 0.38, within: 0.005 },
      held: true,
      level: 95,
    })
    expect(of(0.52, 0.005)).toMatchObject({ estimate: 0.375, published: { value: 0.52 }, held: false })
  })

  test("of a measure that has no number cannot be judged", () => {
    const none = run(
      {
        published: [
          {
            text: "none",
            measure: { measure: "HRR", levels: { arm: "reask" } },
            value: 0.5,
            within: 1,
            origin,
          },
        ],
      },
      records,
    ).find(({ kind }) => kind === "expect")!
    expect(none).not.toHaveProperty("held")
    expect(none.method).toBe("none: no trial entered")
  })
})
