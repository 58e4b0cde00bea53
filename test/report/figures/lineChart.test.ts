import { describe, expect, test } from "vitest"
import { lineChart } from "../../../runtime/report/figures/lineChart.ts"
import { axisFrom, readSvg, wellFormed } from "./svg.ts"

const points = [50, 100, 200, 400, 800].map((x, at) => ({
  x,
  y: 0.15 + 0.2 * at,
  low: 0.1 + 0.2 * at,
  high: 0.19 + 0.2 * at,
}))
const chart = {
  title: "Power by number of items",
  x: { label: "items" },
  y: { label: "power", share: true },
  series: [{ name: "authority <b>", points }],
  marked: [{ y: 0.8, label: "80% power" }],
  note: "500 simulations each.",
  id: "power",
}

describe("a line chart", () => {
  const svg = lineChart(chart)
  const read = readSvg(svg)
  const ticks = read.words.filter(({ size }) => size === 11.5)
  const y = axisFrom(
    ticks.filter(({ text }) => /^\d+%$/.test(text)),
    "y",
  )
  const line = read.paths.find(({ points }) => points.length === 5)!

  test("has its points where both axes say", () => {
    const x = axisFrom(
      read.words.filter(({ text, size }) => size === 13 && /^\d+$/.test(text)),
      "x",
    )
    for (const [at, [px, py]] of line.points.entries()) {
      expect(x(px) / points[at]!.x).toBeCloseTo(1, 1)
      expect(y(py)).toBeCloseTo(points[at]!.y, 3)
    }
  })

  test("has a band from the low ends to the high ones", () => {
    const band = /<path[^>]*fill-opacity[^>]*>|<g[^>]*fill-opacity[^>]*>\s*<path d="[^"]*"/.exec(svg)
    expect(band).not.toBeNull()
    const numbers = svg
      .slice(band!.index)
      .match(/ d="([^"]*)"/)![1]!
      .match(/-?[\d.]+/g)!
      .map(Number)
    const ys = numbers.filter((_, at) => at % 2 === 1)
    // The path has its highs from left to right, then its lows back; it is shifted by the margins.
    const [top] = line.points.map(([, py]) => py).slice(-1)
    expect(Math.max(...ys) - Math.min(...ys)).toBeGreaterThan(0)
    expect(top).toBeGreaterThan(0)
  })

  test("has a line across where one is asked for", () => {
    const word = read.words.find(({ text }) => text === "80% power")!
    const across = read.lines.find(
      ({ y1, y2, x1, x2 }) => y1 === y2 && x2 - x1 > 100 && Math.abs(y(y1) - 0.8) < 0.001,
    )
    expect(across).toBeDefined()
    expect(word.y).toBeLessThan(across!.y1)
  })

  test("says all in words, as text", () => {
    wellFormed(svg)
    expect(svg).toContain("authority &lt;b&gt;, items 50: 15.0% [10.0%, 19.0%].")
    expect(svg).toContain('<title id="power-title">Power by number of items</title>')
  })

  test("draws negative numbers, single points, and none", () => {
    const other = (series: typeof chart.series) =>
      lineChart({ ...chart, y: { label: "difference", share: false }, series })
    wellFormed(other([{ name: "", points: [{ x: 1, y: -0.3, low: -0.5, high: 0.1 }] }]))
    wellFormed(other([{ name: "a", points: [] }]))
    expect(other([{ name: "", points: [{ x: 1, y: -0.3, low: -0.5, high: 0.1 }] }])).not.toContain("NaN")
    expect(other([{ name: "a", points: [] }])).not.toMatch(/NaN|Infinity/)
  })
})
