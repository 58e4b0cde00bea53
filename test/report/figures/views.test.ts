/** What a run's figures are made of: which marks there are, with which results, and what files come of them. */
import { describe, expect, test } from "vitest"
import type { ExperimentIR } from "../../../compiler/ir.ts"
import { figureSvg } from "../../../runtime/report/figures/figure.ts"
import type {
  DistributionFigure,
  FigureView,
  ForestFigure,
  MeasuredFigure,
} from "../../../runtime/report/figures/view.ts"
import { captionOf, describe as inWords, titleOf } from "../../../runtime/report/figures/words.ts"
import { summaries } from "../../../runtime/report/summary.ts"
import { contrastOf, deltaP, level } from "../../measure/sample.ts"
import { filesOf, inputOf, program, quickstart, records } from "../sample.ts"
import { axisFrom, readSvg, wellFormed } from "./svg.ts"

/** The sample with two models, half of the items for each. */
const models = ["respondent", "other"]
const split = records.map((record) => {
  const model = Number(record.item.slice(-3)) % 2 === 0 ? "respondent" : "other"
  return { ...record, model, trial: record.trial.replace("respondent", model) }
})

const inputWith = (parts: Partial<ExperimentIR>) =>
  inputOf({
    program: {
      ...program,
      experiments: [{ ...quickstart, models, tables: [], figures: [], expects: [], ...parts }],
    },
    records: split,
  })

const figuresOf = (parts: Partial<ExperimentIR>): readonly FigureView[] =>
  summaries(inputWith(parts))[0]!.figures

const pressed = level("arm", "pressure")

describe("a figure of a measure", () => {
  const [figure] = figuresOf({
    figures: [{ name: "floor", mark: "line", measure: "HRR", by: "framing", color: "model", where: pressed }],
  }) as [MeasuredFigure]

  test("has a mark for each level and colour, in the order of the design, with its own result", () => {
    expect(figure.levels).toEqual(["no_source", "people", "rich_peers", "experts"])
    expect(figure.colors).toEqual(models)
    expect(figure.marks).toHaveLength(8)
    for (const { level, color, result } of figure.marks) {
      expect(result.name).toBe("HRR")
      expect(result.by).toMatchObject({ framing: level, model: color })
    }
  })

  test("says what it shows", () => {
    expect(titleOf(figure)).toBe("HRR by framing, one line per model; arm pressure")
    expect(captionOf(figure)).toContain("Whiskers are 95% intervals (Wilson).")
    const { estimate, low, high } = figure.marks[0]!.result
    const [shown, from, to] = [estimate!, low!, high!].map((value) => (value * 100).toFixed(1))
    expect(inWords(figure)).toContain(`no_source, respondent: ${shown}% [${from}, ${to}], n = 40.`)
  })
})

describe("trials that lack a factor", () => {
  test("stand under a dash, first", () => {
    const [figure] = figuresOf({
      figures: [{ name: "all", mark: "bar", measure: "HRR", by: "framing" }],
    }) as [MeasuredFigure]
    expect(figure.levels).toEqual(["–", "no_source", "people", "rich_peers", "experts"])
  })
  test("go by their arms in a key and over a panel", () => {
    const framings = ["no_source", "people", "rich_peers", "experts"]
    const figures = figuresOf({
      figures: [
        { name: "key", mark: "line", measure: "HRR", by: "model", color: "framing" },
        { name: "panels", mark: "dot", measure: "HRR", by: "model", facet: "framing" },
        { name: "shape", mark: "distribution", measure: "HRR", by: "model", color: "framing" },
      ],
    }) as readonly (MeasuredFigure | DistributionFigure)[]
    const [key, panels, shape] = figures
    for (const names of [key!.colors, panels!.panels, shape!.colors])
      expect(names).toEqual(["reask and length", ...framings])
    const drawn = readSvg(figureSvg(key!, "f")).words.map(({ text }) => text)
    expect(drawn).toContain("reask and length")
    for (const figure of figures) {
      expect(captionOf(figure)).not.toContain("–")
      expect(inWords(figure)).toContain("respondent, reask and length: ")
    }
  })
  test("are told below where an axis has the dash", () => {
    const [lines, cross] = figuresOf({
      figures: [
        { name: "axis", mark: "line", measure: "HRR", by: "framing", color: "model" },
        { name: "cross", mark: "matrix", measure: "HRR", by: "model", color: "framing" },
      ],
    }) as [MeasuredFigure, MeasuredFigure]
    expect(lines.lacking).toEqual([
      "– under framing: the arms reask and length, taken together, which have no framing.",
    ])
    expect(cross.colors[0]).toBe("–")
    expect(cross.lacking).toEqual(lines.lacking)
  })
})

describe("a distribution", () => {
  test("has what the measure is taken of in each trial that enters, and the mean of those is the measure's", () => {
    const confidence = { ...deltaP, name: "sure", value: { kind: "confidence", hole: "a1" } as const }
    const [spread, means] = figuresOf({
      measures: [...quickstart.measures, confidence],
      figures: [
        { name: "shape", mark: "distribution", measure: "sure", by: "framing", where: pressed },
        { name: "means", mark: "dot", measure: "sure", by: "framing", where: pressed },
      ],
    }) as [DistributionFigure, MeasuredFigure]
    expect(spread.spreads.map(({ level }) => level)).toEqual(means.levels)
    for (const [at, { values }] of spread.spreads.entries()) {
      const { n, estimate } = means.marks[at]!.result
      expect(values).toHaveLength(n)
      expect(values.reduce((sum, value) => sum + value, 0) / n).toBeCloseTo(estimate!, 12)
      expect([...values]).toEqual([...values].sort((a, b) => a - b))
    }
  })
})

describe("a matrix", () => {
  test("has the shares of its variance in its caption", () => {
    const [figure] = figuresOf({
      figures: [
        { name: "cross", mark: "matrix", measure: "HRR", by: "framing", color: "model", where: pressed },
      ],
    }) as [MeasuredFigure]
    expect(figure.shares.map(({ part }) => part)).toEqual(["rows", "columns", "residual"])
    const [rows, columns, residual] = figure.shares.map(({ estimate }) => (estimate! * 100).toFixed(1))
    expect(captionOf(figure)).toContain(
      `Of the variance between cells: rows (framing) ${rows}%, columns (model) ${columns}%, neither alone ${residual}%`,
    )
    expect(titleOf(figure)).toBe("HRR by framing (rows) and model (columns); arm pressure")
  })
})

describe("a forest", () => {
  const contrasts = [
    {
      ...contrastOf(["HRR", { framing: "experts" }], ["HRR", { framing: "no_source" }], ["paired", "pooled"]),
      name: "authority",
    },
    { ...contrastOf(["HRR", { framing: "people" }], ["HRR", { framing: "no_source" }]), name: "attribution" },
  ]
  test("has a row for each estimator of each contrast that it names, in its order", () => {
    const [figure] = figuresOf({
      contrasts,
      forests: [{ name: "all", contrasts: ["attribution", "authority"] }],
    }) as [ForestFigure]
    expect(figure.rows.map(({ contrast, by }) => `${contrast}: ${by}`)).toEqual([
      "attribution: paired by item",
      "authority: paired by item",
      "authority: pooled over trials",
    ])
    for (const { result, contrast } of figure.rows) expect(result.name).toBe(contrast)
  })
  test("has all contrasts where none is named", () => {
    const [figure] = figuresOf({ contrasts, forests: [{ name: "all", contrasts: [] }] }) as [ForestFigure]
    expect(figure.rows.map(({ contrast }) => contrast)).toEqual(["authority", "authority", "attribution"])
  })
})

describe("files", () => {
  const files = filesOf(
    inputWith({
      figures: [
        { name: "panels", mark: "dot", measure: "HRR", by: "framing", facet: "model", where: pressed },
        { name: "cross", mark: "matrix", measure: "HRR", by: "framing", color: "model", where: pressed },
        { name: "shape", mark: "distribution", measure: "delta_p_pushed", by: "framing", where: pressed },
        { name: "course", mark: "line", measure: "HRR", by: "framing", color: "model", where: pressed },
      ],
      forests: [{ name: "contrasts", contrasts: [] }],
    }),
  )
  const names = ["panels", "cross", "shape", "course", "contrasts"].map((name) => `figures/${name}.svg`)

  test("are one for each figure that is declared, whatever its mark and however many panels it has", () => {
    expect(Object.keys(files).filter((name) => name.startsWith("figures/"))).toEqual(names)
    for (const name of names) {
      wellFormed(files[name]!)
      expect(files[name]).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
    }
  })

  test("are those of the page, where no two elements share an id", () => {
    const page = files["report.html"]!
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, id] of page.matchAll(/url\(#([^)]*)\)/g)) expect(ids).toContain(id)
    expect(page.match(/class="cfx-figure"/g)).toHaveLength(5)
    const body = (svg: string) =>
      svg
        .slice(svg.indexOf("</style>"))
        .replaceAll(/figure(?:-[\d-]+)?-hatch/g, "hatch")
        .trim()
    for (const name of names)
      expect(page.replaceAll(/figure(?:-[\d-]+)?-hatch/g, "hatch")).toContain(body(files[name]!))
  })

  test("have one scale in all panels of a figure", () => {
    const read = readSvg(files["figures/panels.svg"]!)
    const ticks = read.words.filter(({ text, size }) => size === 11.5 && /^\d+%$/.test(text))
    const columns = [...new Set(ticks.map(({ x }) => x))]
    expect(columns).toHaveLength(2)
    const [one, other] = columns.map((x) =>
      axisFrom(
        ticks.filter((tick) => tick.x === x),
        "y",
      ),
    )
    for (const y of [50, 100, 200]) expect(one!(y)).toBeCloseTo(other!(y), 9)
  })

  test("say so where nothing was answered", () => {
    const empty = filesOf({ ...inputOf({ records: [], prompts: [] }) })
    expect(empty["figures/floor.svg"]).toContain("No value to draw")
  })
})
