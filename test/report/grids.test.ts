/** Tables that every form of a report has: contrasts, models, numbers over cells, shares of variance, published numbers, reasons. */
import { describe, expect, test } from "vitest"
import type { ExperimentIR } from "../../compiler/ir.ts"
import type { Result } from "../../runtime/measure/result.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { contrastGrid } from "../../runtime/report/contrastGrid.ts"
import { decompositionGrid, fitViews } from "../../runtime/report/fitGrids.ts"
import { nText } from "../../runtime/report/format.ts"
import type { Grid } from "../../runtime/report/grid.ts"
import { htmlReport } from "../../runtime/report/html.ts"
import type { ReportInput } from "../../runtime/report/input.ts"
import { paint } from "../../runtime/report/layout.ts"
import { markdownReport } from "../../runtime/report/markdown.ts"
import { type ContrastView, summaries } from "../../runtime/report/summary.ts"
import { publishedGrid, summaryGrid } from "../../runtime/report/summaryGrids.ts"
import { terminalReport } from "../../runtime/report/terminal.ts"
import { gridLines } from "../../runtime/report/terminalGrid.ts"
import { unitWords } from "../../runtime/report/unit.ts"
import { contrastOf, deltaP, HRR, invalid, k0, origin } from "../measure/sample.ts"
import { inputOf, program, quickstart } from "./sample.ts"

const head = { experiment: "quickstart", by: {}, n: 600, excluded: {} }

/** By head, the texts of a column. */
const column = (grid: Grid, name: string): readonly string[] => {
  const at = grid.heads.findIndex(({ text }) => text === name)
  if (at === -1) throw new Error(`no column ${name} among ${grid.heads.map(({ text }) => text).join(", ")}`)
  return grid.rows.map((row) => row[at]!.text)
}

const declared = {
  ...contrastOf(["HRR", { framing: "experts" }], ["HRR", { framing: "no_source" }]),
  name: "authority",
  by: ["paired", { cells: ["model", "pool"], signs: true }, "mixed_logistic"] as const,
}
const view = (result: Partial<Result>): ContrastView => ({
  contrast: declared,
  result: { ...head, kind: "contrast", name: "authority", method: "none", ...result },
  unit: "rate",
  words: "HRR[framing = experts] - HRR[framing = no_source]",
})

describe("the table of contrasts", () => {
  const experiment: ExperimentIR = {
    ...quickstart,
    contrasts: [declared],
    families: [{ name: "main", contrasts: ["authority"], adjust: "holm", origin }],
  }
  const grid = contrastGrid(experiment, [
    view({
      taken: "paired",
      n: 100,
      estimate: 0.444,
      low: 0.33,
      high: 0.53,
      level: 95,
      p: 0.00001,
      adjusted: { family: "main", method: "holm", p: 0.02 },
      sides: { left: 0.85, right: 0.406 },
      method: "paired by item; Newcombe's score interval for paired proportions; p by exact McNemar",
    }),
    view({
      taken: "signs",
      columns: ["model", "pool"],
      cells: { entered: 41, of: 42 },
      estimate: 0.129,
      low: 0.05,
      high: 0.2,
      level: 95,
      p: 0.034,
      signs: { above: 30, below: 10, ties: 1, pAbove: 0.001 },
      method: "mean over 41 of 42 cells by model and pool; Student t interval; p by the exact sign test",
    }),
    view({
      taken: "mixed_logistic",
      estimate: 0.875,
      low: 0.81,
      high: 0.94,
      level: 95,
      odds: { estimate: 2.4, low: 2.25, high: 2.57 },
      p: 0.0001,
      method: "Laplace approximation; p by Wald's z",
      cautions: ["large spread: the standard deviation of item is 9.4 logits"],
    }),
  ])!

  test("has the estimators of one contrast side by side, each under its name and in its unit", () => {
    expect(column(grid, "contrast")).toEqual(["authority", "authority", "authority"])
    expect(column(grid, "estimator")).toEqual([
      "paired by item",
      "signs of cells by model and pool",
      "mixed logistic model",
    ])
    expect(column(grid, "estimate")).toEqual(["+44.4 pp", "+12.9 pp", "+0.875 logits"])
    expect(column(grid, "95% interval")).toEqual(["[33.0, 53.0]", "[5.0, 20.0]", "[0.810, 0.940]"])
    expect(column(grid, "odds ratio")).toEqual(["", "", "2.40 [2.25, 2.57]"])
  })

  test("has the test, its p and that of the family, and what n counts", () => {
    expect(column(grid, "p")).toEqual(["< 0.001", "0.034", "< 0.001"])
    expect(column(grid, "test")).toEqual([
      "exact McNemar",
      "the exact sign test; 30 cells above 0, 10 below, 1 at 0; one-sided p = 0.001 for above 0",
      "Wald's z",
    ])
    expect(column(grid, "adjusted p")[0]).toBe("0.020 (Holm, main)")
    expect(column(grid, "n")).toEqual(["100 pairs", "600 in 41 of 42 cells", "600 trials"])
    expect(grid.notes).toContain("Family main: the p of authority, adjusted together by Holm.")
  })

  test("has the cautions of a model with its notes", () => {
    expect(grid.notes).toContain(
      "authority, by the model: large spread: the standard deviation of item is 9.4 logits.",
    )
  })

  test("has no column without anything in it", () => {
    expect(grid.heads.map(({ text }) => text)).not.toContain("not counted")
  })
})

describe("a model", () => {
  const fits: readonly Result[] = [
    {
      ...head,
      kind: "fit",
      name: "odds",
      part: "fixed",
      term: "framing = experts",
      estimate: 0.875,
      low: 0.81,
      high: 0.94,
      level: 95,
      standardError: 0.033,
      odds: { estimate: 2.4, low: 2.25, high: 2.57 },
      statistic: { name: "z", value: 26.5 },
      p: 1e-9,
      method: "Wald",
    },
    { ...head, kind: "fit", name: "odds", part: "spread", term: "item", estimate: 1.234, method: "Laplace" },
    {
      ...head,
      kind: "fit",
      name: "odds",
      part: "test",
      term: "framing",
      statistic: { name: "chi_squared", value: 12.3, freedom: 3 },
      p: 0.006,
      method: "likelihood ratio",
    },
    {
      ...head,
      kind: "fit",
      name: "odds",
      part: "model",
      estimate: -1234.5,
      cautions: ["singular: the standard deviation of pool is 0"],
      method: "Laplace approximation",
    },
  ]
  const [fit] = fitViews(quickstart, fits)

  const fixedOf = (...changed: readonly Partial<Result>[]): Grid =>
    fitViews(
      { ...quickstart, contrasts: [declared] },
      changed.map(
        (change): Result => ({
          ...head,
          kind: "fit",
          name: "odds",
          part: "fixed",
          method: "Wald",
          ...change,
        }),
      ),
    )[0]!.grids[0]!

  test("says of each coefficient what it compares with, or why it has no number", () => {
    const grid = fixedOf(
      {
        term: "framing = experts",
        against: "framing = no_source",
        method: "none: no finite estimate: separation",
      },
      { term: "framing = people * dose", against: "framing = no_source, dose one lower", estimate: 0.5 },
    )
    expect(column(grid, "against")).toEqual(["framing = no_source", "framing = no_source, dose one lower"])
    expect(column(grid, "estimate")).toEqual(["no value", "+0.500"])
    expect(column(grid, "how")).toEqual(["no finite estimate: separation", ""])
    expect(grid.notes).toHaveLength(2)
    expect(grid.notes[0]).toMatch(/^Where a factor or a number stands in a product/)
    expect(grid.notes[1]).toMatch(/^A contrast by mixed_logistic may differ/)
  })

  test("is told of once", () => {
    const method = "mixed-effects logistic regression of HRR on framing; no random effects"
    const model: Result = { ...head, kind: "fit", name: "odds", part: "model", estimate: -3, method }
    expect(fitViews(quickstart, [model])[0]!.words).toBe(
      "Mixed-effects logistic regression of HRR on framing; no random effects. 600 trials, log-likelihood -3.00.",
    )
  })

  test("has coefficients with odds ratios, what varies, its tests, and its cautions first", () => {
    const [fixed, spread, tested] = fit!.grids
    expect(column(fixed!, "term")).toEqual(["framing = experts"])
    expect(column(fixed!, "odds ratio")).toEqual(["2.40 [2.25, 2.57]"])
    expect(column(fixed!, "SE")).toEqual(["0.033"])
    expect(column(spread!, "estimate")).toEqual(["1.234"])
    expect(column(tested!, "chi squared")).toEqual(["12.30"])
    expect(column(tested!, "freedom")).toEqual(["3"])
    expect(fit!.cautions).toEqual(["singular: the standard deviation of pool is 0"])
    expect(fit!.words).toContain("600 trials, log-likelihood -1234.50")
  })

  test("stands in every form of the report with its cautions", () => {
    const input = { ...inputOf(), results: [...inputOf().results, ...fits] }
    for (const text of [
      terminalReport(input, { columns: 100, color: false }),
      markdownReport(input),
      htmlReport(input),
    ]) {
      expect(text.toLowerCase()).toContain("singular: the standard deviation of pool is 0")
      // On a page the interval may stand on a line of its own.
      expect(text.replace(/\\|<[^>]*>/g, "")).toContain("2.40 [2.25, 2.57]")
    }
  })
})

describe("numbers over cells and published ones", () => {
  const experiment: ExperimentIR = {
    ...quickstart,
    summaries: (["median", "range", "correlation"] as const).map((of) => ({
      name: of,
      doc: "",
      of,
      measure: { measure: "HRR", levels: {} },
      ...(of === "correlation" ? { against: { measure: "BenR", levels: {} } } : {}),
      over: ["framing"],
      by: [],
      origin,
    })),
    published: [
      {
        text: "HRR[framing = experts] equals 79.4 pp within 0.5 pp",
        measure: { measure: "HRR", levels: { framing: "experts" } },
        value: 0.794,
        within: 0.005,
        origin,
      },
    ],
  }

  test("have the unit that they are in: a median of rates is one, a range is in points, a correlation has none", () => {
    const grid = summaryGrid(
      experiment,
      ["median", "range", "correlation"].map((name) => ({
        ...head,
        kind: "summary",
        name,
        estimate: 0.364,
        method: "over cells",
      })),
    )!
    expect(column(grid, "estimate")).toEqual(["36.4%", "36.4 pp", "0.364"])
    expect(column(grid, "of")).toEqual([
      "median HRR over framing",
      "range HRR over framing",
      "correlation HRR against BenR over framing",
    ])
  })

  test("that were published stand beside what was found, with how far apart they are and may be", () => {
    const grid = publishedGrid(experiment, [
      {
        ...head,
        kind: "expect",
        name: "HRR[framing = experts] equals 79.4 pp within 0.5 pp",
        estimate: 0.85,
        published: { value: 0.794, within: 0.005 },
        held: false,
        method: "Wilson",
      },
    ])!
    expect(
      ["as published", "found", "apart", "allowed", "verdict"].map((name) => column(grid, name)[0]),
    ).toEqual(["79.4%", "85.0%", "5.60 pp", "0.50 pp", "did not hold"])
  })

  test("of a matrix are shares of its variance", () => {
    const grid = decompositionGrid([
      { ...head, kind: "decomposition", name: "cross", part: "rows", estimate: 0.615, method: "m" },
    ])!
    expect(column(grid, "share of variance")).toEqual(["61.5%"])
  })

  test("of a matrix in panels say which panel each share is of", () => {
    const grid = decompositionGrid(
      ["1", "3"].map((k) => ({
        ...{ ...head, kind: "decomposition" as const, name: "cross", part: "rows" as const, method: "m" },
        ...{ by: { k }, estimate: 0.5 },
      })),
    )!
    expect(column(grid, "panel")).toEqual(["k = 1", "k = 3"])
  })
})

describe("why reads have no value", () => {
  const changed = (change: (record: TrialRecord, at: number) => TrialRecord): ReportInput =>
    inputOf({ records: inputOf().records.map(change) })

  test("is told by read, arm and reason, with how many of how many, the most frequent first", () => {
    const input = changed((record, at) => {
      if (record.levels.arm !== "reask") return record
      const a1 =
        at % 10 === 0
          ? ({ status: "refused", text: "I will not", tokens: 3, marker: "will not" } as const)
          : at % 2 === 0
            ? invalid
            : record.readings.a1!
      return { ...record, readings: { ...record.readings, a1 } }
    })
    const grid = summaries(input)[0]!.reasons!
    expect(grid.heads.map(({ text }) => text)).toEqual(["read", "arm", "came out", "reason", "trials", "of"])
    expect(grid.rows.map((row) => row.map(({ text }) => text))).toEqual([
      ["a1", "reask", "invalid", "the engine gave no usable number", "48", "120"],
      ["a1", "reask", "refused", 'it says "will not"', "12", "120"],
    ])
    for (const text of [terminalReport(input, { columns: 100, color: false }), markdownReport(input)])
      expect(text).toContain("the engine gave no usable number")
  })

  test("is put together where reasons are many", () => {
    const input = changed((record, at) => ({
      ...record,
      readings: { ...record.readings, a1: { status: "invalid", why: `reason ${at % 30}` } },
    }))
    const grid = summaries(input)[0]!.reasons!
    const reask = grid.rows.filter((row) => row[1]!.text === "reask")
    expect(reask).toHaveLength(9)
    expect(reask.at(-1)![3]!.text).toBe("22 other reasons, which trials.csv has")
    expect(reask.reduce((sum, row) => sum + row[4]!.value!, 0)).toBe(120)
  })

  test("is nothing where every read has one, or is not asked yet", () => {
    expect(summaries(inputOf())[0]!.reasons).toBeUndefined()
    const waiting = changed((record) => ({
      ...record,
      readings: { ...record.readings, a1: { status: "skipped", why: "not asked yet" } },
    }))
    expect(summaries(waiting)[0]!.reasons).toBeUndefined()
  })
})

const FLOOR = {
  model: "respondent",
  cold: 1,
  repeated: 1,
  texts: 0,
  floor: 0.3,
  flips: 0,
  nearTies: { count: 0, of: 1, below: 0.001 },
  differing: [],
}

describe("a number that the engine could have moved by itself", () => {
  const input = inputOf({ floors: [FLOOR] })

  test("is marked in every form, with why; a rate is not, since the floor is one of probabilities", () => {
    const [table] = summaries(input)[0]!.tables
    const marked = table!.rows.map(({ cautions }) => cautions.map((caution) => caution !== undefined))
    // HRR, BenR, delta_p_pushed: twice the floor is 0.6.
    for (const [rate, other] of marked) expect([rate, other]).toEqual([false, false])
    expect(marked.map((row) => row[2])).toEqual(
      table!.rows.map(({ results }) => Math.abs(results[2]!.estimate!) < 0.6),
    )
    for (const text of [
      terminalReport(input, { columns: 100, color: false }),
      markdownReport(input),
      htmlReport(input),
    ])
      expect(text).toContain(
        "† Smaller than twice the engine's own floor (0.3).".replace(
          "'",
          text.startsWith("<") ? "&#39;" : "'",
        ),
      )
  })
})

describe("a contrast that is smaller than twice the engine's own floor", () => {
  const between = (name: string, left: string, right = left) => ({
    ...contrastOf([left, { framing: "experts" }], [right, { framing: "no_source" }], ["pooled"]),
    name,
  })
  const experiment: ExperimentIR = {
    ...quickstart,
    protocol: { ...quickstart.protocol, holes: [...quickstart.protocol.holes, k0] },
    measures: [HRR, deltaP, { ...deltaP, name: "said", value: { kind: "value", hole: "k0" } }],
    contrasts: [
      between("of_rates", "HRR"),
      between("of_probabilities", "delta_p_pushed"),
      between("of_numbers", "said"),
      between("of_both", "delta_p_pushed", "said"),
    ],
    tables: [],
    expects: [],
  }
  const input = inputOf({
    program: { ...program, experiments: [experiment] },
    records: inputOf().records.map((record) => ({
      ...record,
      readings: { ...record.readings, k0: { status: "answer", value: "7", index: 6 } },
      prompts: { ...record.prompts, k0: "first" },
    })),
    floors: [{ ...FLOOR, floor: 1000 }],
  })

  test("is marked where its numbers are probabilities, in which the floor is, and in no other unit", () => {
    const marked = summaries(input)[0]!.contrasts.map(({ contrast, caution }) => [
      contrast.name,
      caution !== undefined,
    ])
    expect(marked).toEqual([
      ["of_rates", false],
      ["of_probabilities", true],
      ["of_numbers", false],
      ["of_both", false],
    ])
  })
})

describe("labels that a server did not list", () => {
  test("make probabilities and confidence upper bounds, which is said where numbers rest on them", () => {
    const records = inputOf().records.map((record, at) => {
      const { a1 } = record.readings
      if (at % 4 !== 0 || a1?.status !== "value") return record
      const censored = { ...a1, censored: { labels: [3], below: 0.01 } }
      return { ...record, readings: { ...record.readings, a1: censored } }
    })
    const input = inputOf({ records })
    for (const text of [
      terminalReport(input, { columns: 400, color: false }),
      markdownReport(input).replaceAll("\\", ""),
      htmlReport(input),
    ]) {
      expect(text).toContain("a1: in 180 of 720 reads the server did not list every label.")
      expect(text).toContain("delta_p_pushed rests on probabilities of a1")
      expect(text).not.toContain("HRR rests on")
    }
    expect(htmlReport(inputOf())).not.toContain("did not list every label")
  })
})

describe("a unit", () => {
  test("is told where a measure's declaration has one", () => {
    const { kind: _kind, ...rest } = { kind: "x", ...deltaP }
    expect(unitWords(HRR)).toBe("%")
    expect(unitWords(deltaP)).toBe("probability")
    const mean = (value: typeof deltaP.value) => unitWords({ ...rest, value })
    expect(mean({ kind: "measured", hole: "reply", of: "words" })).toBe("words")
    expect(mean({ kind: "lexicon", hole: "reply", of: "density", terms: [] })).toBe("terms per 100 words")
    expect(mean({ kind: "value", hole: "k0" })).toBe("scale of k0")
    const one = { kind: "number", value: 1 } as const
    const confidence = { kind: "confidence", hole: "a0" } as const
    expect(mean({ kind: "binary", operator: "-", left: one, right: confidence })).toBe("probability")
    expect(mean({ kind: "binary", operator: "*", left: one, right: confidence })).toBeUndefined()
    expect(unitWords({ ...rest, statistic: "difference", value: HRR.value })).toBe("percentage points")
  })
})

describe("a wide table in a narrow terminal", () => {
  const grid: Grid = {
    id: "wide",
    title: "Wide",
    caption: "One row.",
    heads: [
      { text: "name", kind: "name" },
      ...Array.from({ length: 12 }, (_, at) => ({ text: `column ${at}`, kind: "number" as const })),
    ],
    rows: [[{ text: "authority" }, ...Array.from({ length: 12 }, (_, at) => ({ text: `${at}.000` }))]],
    notes: [],
  }

  test("has each row as lines of its own, with nothing cut off", () => {
    const lines = gridLines(grid, 60, paint(false))
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60)
    const text = lines.join(" ").replace(/\s+/g, " ")
    for (let at = 0; at < 12; at++) expect(text).toContain(`column ${at} ${at}.000`)
    expect(gridLines(grid, 200, paint(false))).toHaveLength(4)
  })

  test("of measures has its first factors as headings above their rows", () => {
    const { program, records } = inputOf()
    const long = "a_level_with_a_name_that_takes_much_room"
    const swap = (levels: Readonly<Record<string, string>>) =>
      levels.arm === "pressure" ? { ...levels, arm: long } : levels
    const experiment: ExperimentIR = {
      ...quickstart,
      figures: [],
      cells: quickstart.cells.map((cell) => ({
        ...cell,
        arm: swap(cell.levels).arm!,
        levels: swap(cell.levels),
      })),
      factors: quickstart.factors.map((factor) => ({
        ...factor,
        levels: factor.levels.map((level) => (level === "pressure" ? long : level)),
      })),
    }
    const input = inputOf({
      program: { ...program, experiments: [experiment] },
      records: records.map((record) => ({ ...record, levels: swap(record.levels) })),
    })
    const lines = terminalReport(input, { columns: 72, color: false }).split("\n")
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(72)
    const at = lines.indexOf(`arm = ${long}`)
    expect(at).toBeGreaterThan(0)
    expect(lines[at + 1]).toMatch(/^ {2}no_source +\d/)
  })
})

test("an AUROC's n has its events beside it, which it rests on; a rate's n has not", () => {
  const method = "Wilson"
  expect(nText({ n: 36, k: 4, method }, "auroc")).toBe("36, 4 events")
  expect(nText({ n: 36, k: 4, method }, "rate")).toBe("36")
})

test("an n whose interval is over fewer effective trials has them behind it, in every form of the report", () => {
  const method = "Wilson over 29.8 effective trials, since trials share items"
  expect(nText({ n: 1054, k: 4, method }, "rate")).toBe("1,054 (29.8)")
  const { program } = inputOf()
  const tables = [{ name: "arms", rows: ["arm"], columns: ["HRR"], average: "pooled" as const }]
  const input = inputOf({
    program: { ...program, experiments: [{ ...program.experiments[0]!, tables }] },
  })
  const found = input.results.find((one) => one.method.startsWith("Wilson over ") && one.name === "HRR")!
  const effective = /[\d.]+/.exec(found.method)![0]
  const shown = `${found.n} (${effective})`
  for (const text of [
    htmlReport(input),
    markdownReport(input),
    terminalReport(input, { columns: 80, color: false }),
  ]) {
    expect(text).toContain(shown)
    expect(text.replace(/\s+/g, " ")).toContain("in parentheses behind n")
  }
})
