import { describe, expect, test } from "vitest"
import { figureSvg, describe as inWords } from "../../runtime/report/figure.ts"
import { scaleOf, shareScale } from "../../runtime/report/scale.ts"
import { type FigureView, summaries } from "../../runtime/report/summary.ts"
import { deltaP, HRR } from "../measure/sample.ts"
import { contrast } from "./contrast.ts"
import { inputOf } from "./sample.ts"

const floor = summaries(inputOf())[0]!.figures[0]!

const bar = (estimate: number, low: number, high: number, color?: string) => ({
  ...(color === undefined ? {} : { color }),
  result: {
    experiment: "e",
    kind: "measure" as const,
    name: "m",
    by: {},
    n: 40,
    excluded: { given: 2 },
    estimate,
    low,
    high,
    level: 95,
    method: "Wilson",
  },
})

const numbers = (svg: string, pattern: RegExp) => [...svg.matchAll(pattern)].map(([, value]) => Number(value))

describe("a figure", () => {
  const svg = figureSvg(floor, "f")

  test("draws each bar as high as its rate, from one base line", () => {
    const bars = [...svg.matchAll(/<rect class="cfx-s0"[^>]* y="([\d.]+)"[^>]* height="([\d.]+)"/g)]
    const heights = bars.map(([, , height]) => Number(height))
    const rates = floor.groups.map((group) => group.bars[0]!.result.estimate!)
    expect(heights).toHaveLength(4)
    for (const [at, height] of heights.entries()) expect(height / 280).toBeCloseTo(rates[at]!, 3)
    const bases = bars.map(([, y, height]) => Number(y) + Number(height))
    for (const base of bases) expect(base).toBeCloseTo(bases[0]!, 1)
  })

  test("draws each interval from its low to its high end", () => {
    const ends = [...svg.matchAll(/<path class="cfx-line"[^>]* d="M[\d.]+ ([\d.]+)V([\d.]+)M/g)]
    expect(ends).toHaveLength(4)
    for (const [at, [, low, high]] of ends.entries()) {
      const result = floor.groups[at]!.bars[0]!.result
      expect((Number(low) - Number(high)) / 280).toBeCloseTo(result.high! - result.low!, 3)
    }
  })

  test("names its axes and levels, and prints n below each", () => {
    for (const words of ["HRR", "framing", "no_source", "people", "rich_peers", "experts"]) {
      expect(svg).toContain(`>${words}</text>`)
    }
    expect(svg.match(/>n = 100<\/text>/g)).toHaveLength(4)
  })

  test("says all its numbers in words to who cannot see it", () => {
    expect(svg).toContain('role="img" aria-labelledby="f-title f-desc"')
    expect(svg).toContain('<title id="f-title">HRR by framing where arm == pressure</title>')
    expect(inWords(floor)).toMatch(/no_source: [\d.]+% \[[\d.]+, [\d.]+\], n = 100\./)
    expect(inWords(floor)).toContain("Intervals: 95% (Wilson).")
  })

  test("keeps every bar, number and name inside its frame, also with negative means and long names", () => {
    const wide: FigureView = {
      name: "wide",
      mark: "dot",
      measure: deltaP,
      by: "framing",
      color: "model",
      colors: ["one", "two", "three"],
      groups: ["short", "a_level_with_a_very_long_name_indeed", "third"].map((level) => ({
        level,
        bars: [bar(-0.3, -0.4, -0.2, "one"), bar(0.1, -0.05, 0.25, "two"), bar(0.62, 0.5, 0.7, "three")],
      })),
    }
    const drawn = figureSvg(wide, "w")
    const [width] = numbers(drawn, / width="(\d+(?:\.\d+)?)" height/g)
    const xs = [...numbers(drawn, / c?x="(-?[\d.]+)"/g)]
    expect(Math.min(...xs)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...xs)).toBeLessThan(width!)
    const [height] = numbers(drawn, / height="(\d+(?:\.\d+)?)" font/g)
    const ys = numbers(drawn, / c?y="(-?[\d.]+)"/g)
    expect(Math.min(...ys)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...ys)).toBeLessThan(height!)
    expect(drawn).toContain("−0.3")
  })

  test("has colours that stand out from the ground by 3 to 1, on a light page and on a dark one (WCAG 2.2, 1.4.11)", () => {
    // What is printed is what the light page shows.
    const [dark, light] = svg.split("@media print")
    for (const [style, ground] of [
      [light!, "#ffffff"],
      [dark!, "#15181c"],
    ] as const) {
      const shades = [...style.matchAll(/cfx-s\d \{ fill: (#[0-9a-f]{6})/g)].map(([, shade]) => shade!)
      expect(new Set(shades).size).toBe(6)
      for (const shade of shades) expect(contrast(shade, ground), shade).toBeGreaterThanOrEqual(3)
    }
  })

  test("tells colours apart by shape as well, in dots", () => {
    const dots: FigureView = {
      ...floor,
      mark: "dot",
      color: "model",
      colors: ["one", "two", "three"],
      measure: HRR,
      groups: [{ level: "x", bars: ["one", "two", "three"].map((color) => bar(0.5, 0.4, 0.6, color)) }],
    }
    const drawn = figureSvg(dots, "d")
    expect(drawn).toMatch(/<circle class="cfx-s0"/)
    expect(drawn).toMatch(/<rect class="cfx-s1"/)
    expect(drawn).toMatch(/<path class="cfx-s2"/)
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
})
