import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { ratioAxis } from "../../../runtime/report/figures/forest.ts"
import { APART, numbersOf } from "../../../runtime/report/figures/levels.ts"
import { brokenText, cut, fits, widthOf } from "../../../runtime/report/figures/text.ts"
import { scaleOf, shareScale } from "../../../runtime/report/scale.ts"
import { measuredOf } from "./sample.ts"

describe("broken text", () => {
  test("is broken after spaces and underscores and before parentheses", () => {
    expect(brokenText("rich_peers of people", 80, 13)).toEqual(["rich_peers", "of people"])
    expect(brokenText("repeated(10)", 60, 13)).toEqual(["repeated", "(10)"])
  })
  test("loses nothing but the spaces at its ends, and no line is too wide", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "W", "_", " ", "(", ")", "-", "日") })
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 200 }), (given, width) => {
        const lines = brokenText(given, width, 13, Number.POSITIVE_INFINITY)
        expect(lines.join("").replace(/ /g, "")).toBe(given.replace(/ /g, ""))
        for (const line of lines) expect(widthOf(line, 13)).toBeLessThanOrEqual(width)
      }),
    )
  })
  test("ends with an ellipsis where lines are too few", () => {
    const lines = brokenText("one two three four five", 60, 13, 2)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/…$/)
    expect(cut("abc", 100, 13)).toBe("abc")
    expect(fits("one two", 40, 13, 2)).toBe(true)
    expect(fits("unbreakable", 40, 13, 9)).toBe(false)
  })
})

describe("levels", () => {
  const of = (levels: readonly string[], colors?: readonly string[]) =>
    numbersOf(measuredOf({ mark: "line", levels, ...(colors === undefined ? {} : { colors }) }))
  test("are numbers where all of them are, or hold one", () => {
    expect(of(["1", "3", "10"])).toEqual([1, 3, 10])
    expect(of(["-1.5", "2"])).toEqual([-1.5, 2])
    expect(of(["distinct(1)", "distinct(6)"])).toEqual([1, 6])
  })
  test("are apart from the numbers where trials lack the factor", () => {
    expect(of(["–", "1", "3", "10"])).toEqual([APART, 1, 3, 10])
    expect(of(["–", "5"])).toBeUndefined()
    expect(of(["–", "1", "many"])).toBeUndefined()
  })
  test("are none where one has no number, or where two of a line would stand on one another", () => {
    expect(of(["1", "many"])).toBeUndefined()
    expect(of(["repeated(1)", "distinct(1)"])).toBeUndefined()
    expect(of(["5"])).toBeUndefined()
  })
})

describe("an axis", () => {
  test("of means has round ticks, 0 among them, and holds every value", () => {
    expect(scaleOf([0.02, 0.31])).toEqual({ low: 0, high: 0.4, ticks: [0, 0.1, 0.2, 0.3, 0.4] })
    expect(scaleOf([-0.12, 0.31]).ticks).toEqual([-0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4])
    expect(scaleOf([-3, -1])).toEqual({ low: -3, high: 0, ticks: [-3, -2, -1, 0] })
    expect(scaleOf([0]).high).toBeGreaterThan(0)
    expect(scaleOf([]).ticks.length).toBeGreaterThan(1)
  })
  test("of shares goes to 100 % unless all are small", () => {
    expect(shareScale([0.1, 0.51]).high).toBe(1)
    expect(shareScale([0.3]).high).toBe(0.5)
    expect(shareScale([]).high).toBe(0.25)
  })
  test("of ratios has 1 in it, ticks at 1, 2 and 5, and an end", () => {
    expect(ratioAxis([1.2, 3]).ticks).toEqual([0.5, 1, 2, 5])
    expect(ratioAxis([0.02]).ticks).toEqual([0.02, 0.05, 0.1, 0.2, 0.5, 1, 2])
    expect(ratioAxis([1e-30, 1e30])).toMatchObject({ low: 1e-4, high: 1e4 })
  })
})
