/** Figures as text: each row says its number, and its shape goes by it. */
import { describe, expect, test } from "vitest"
import { figureLines } from "../../../runtime/report/figures/terminal.ts"
import type { FigureView } from "../../../runtime/report/figures/view.ts"
import { paint } from "../../../runtime/report/layout.ts"
import { deltaP } from "../../measure/sample.ts"
import { distributionOf, FRAMINGS, forest, LONG, MANY, MODELS, measuredOf } from "./sample.ts"

const lines = (figure: FigureView, width = 100) => figureLines(figure, width, paint(false))

test.each([60, 80, 120])("no line is wider than %d columns", (width) => {
  const figures = [
    measuredOf({ mark: "bar", levels: LONG, colors: MODELS, panels: LONG }),
    measuredOf({ mark: "dot", levels: MANY, measure: deltaP }),
    measuredOf({ mark: "line", levels: LONG, colors: MODELS }),
    measuredOf({ mark: "matrix", levels: MANY, colors: MANY }),
    distributionOf(LONG, { colors: MODELS }),
    forest,
  ]
  for (const figure of figures)
    for (const line of lines(figure, width)) expect(line.length, line).toBeLessThanOrEqual(width)
})

describe("bars and dots", () => {
  test("are as long as their numbers", () => {
    const rows = lines(measuredOf({ mark: "bar", levels: ["a", "b"], value: (at) => [0.25, 0.5][at] })).slice(
      -2,
    )
    const [one, other] = rows.map((row) => row.match(/█/g)!.length)
    expect(other).toBeCloseTo(2 * one!, -0.5)
    expect(rows[0]).toContain("25.0% [20.0, 30.0]")
  })
  test("have zero between negative and positive numbers", () => {
    const rows = lines(
      measuredOf({ mark: "dot", levels: ["a", "b"], measure: deltaP, value: (at) => [-0.3, 0.5][at] }),
    ).slice(-2)
    const zeros = rows.map((row) => row.indexOf("│"))
    expect(new Set(zeros).size).toBe(1)
    expect(rows[0]!.indexOf("●")).toBeLessThan(zeros[0]!)
    expect(rows[1]!.indexOf("●")).toBeGreaterThan(zeros[0]!)
  })
})

describe("lines", () => {
  test("go series by series, in the order of their numbers", () => {
    const figure = measuredOf({ mark: "line", levels: ["10", "1", "3"], colors: ["b", "a"] })
    expect(
      lines(figure)
        .slice(1)
        .map((row) => row.match(/^(\w, \d+)/)![1]),
    ).toEqual(["b, 1", "b, 3", "b, 10", "a, 1", "a, 3", "a, 10"])
  })
})

describe("a dash in place of a level", () => {
  const note = "– under framing: the arm reask, which has no framing."
  test.each(["bar", "dot", "line", "matrix"] as const)("has its note below, in a figure of %ss", (mark) => {
    const figure = measuredOf({ mark, levels: ["–", "1", "3"], colors: ["x", "y"] })
    expect(lines({ ...figure, lacking: [note] }).at(-1)).toBe(note)
    expect(lines(figure).join(" ")).not.toContain("– under")
  })
  test("has its note below a distribution too", () => {
    expect(lines({ ...distributionOf(["–", "a"]), lacking: [note] }).at(-1)).toBe(note)
  })
  test("goes before the numbers of its line, even negative ones", () => {
    const figure = measuredOf({ mark: "line", levels: ["–", "2", "-1"] })
    expect(
      lines(figure)
        .slice(1)
        .map((row) => row.split(" ")[0]),
    ).toEqual(["–", "-1", "2"])
  })
})

describe("a matrix", () => {
  test("is a table with a shade before each number, darker where it is larger", () => {
    const figure = measuredOf({
      mark: "matrix",
      levels: ["a", "b"],
      colors: ["x", "y"],
      value: (row, column) => (row === 1 && column === 1 ? undefined : [0.05, 0.5, 0.95][2 * row + column]),
    })
    const rows = lines(figure).slice(1)
    expect(rows[0]).toMatch(/^framing +x +y$/)
    expect(rows[1]).toMatch(/^a +5\.0 +▒ 50\.0$/)
    expect(rows[2]).toMatch(/^b +█ 95\.0 +none$/)
  })
  test("goes on below where its columns do not fit", () => {
    const rows = lines(measuredOf({ mark: "matrix", levels: ["a"], colors: MANY }), 60)
    for (const name of MANY) expect(rows.some((row) => row.split(/ +/).includes(name))).toBe(true)
  })
})

describe("a distribution", () => {
  test("is a row of blocks, highest where most values are, with median and n", () => {
    const rows = lines(
      distributionOf(["one"], { count: 4, values: (at) => [0.01, 0.99, 0.98, 0.97][at]! }),
    ).slice(1)
    expect(rows[0]).toMatch(/^one {2}▃ {18}█ {2}median 0\.97, n = 4$/)
    expect(rows.slice(1).join(" ")).toContain("the highest is 75.0% of its level's values")
  })
})

describe("a forest", () => {
  test("has odds ratios apart, and estimates on either side of no difference", () => {
    const text = lines(forest).join("\n")
    expect(text).toContain("odds ratio, on a logarithmic axis")
    const row = (start: string) => lines(forest).find((line) => line.startsWith(start))!
    const negative = row("attribution to people who a")
    expect(negative.indexOf("●")).toBeLessThan(negative.indexOf("│"))
    const positive = row("authority, paired")
    expect(positive.indexOf("●")).toBeGreaterThan(positive.indexOf("│"))
    expect(positive).toContain("+12.9 pp [10.0, 15.8]")
    expect(text).toContain("lost, two sample: no value (none: no trial entered on one side)")
  })
})

test("a figure without any number says so", () => {
  expect(lines(measuredOf({ mark: "line", levels: FRAMINGS, value: () => undefined })).join(" ")).toContain(
    "No value to draw",
  )
})
