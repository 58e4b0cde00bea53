/** Marks stand where the numbers say: each position is read off the axis of the figure itself, from its labels. */
import { describe, expect, test } from "vitest"
import { figureSvg } from "../../../runtime/report/figures/figure.ts"
import { HEATS, lookOf, SHADES } from "../../../runtime/report/figures/palette.ts"
import type { DistributionFigure, FigureView, MeasuredFigure } from "../../../runtime/report/figures/view.ts"
import { captionOf } from "../../../runtime/report/figures/words.ts"
import { deltaP } from "../../measure/sample.ts"
import {
  distributionOf,
  FRAMINGS,
  forest,
  LONG,
  MANY,
  MODELS,
  measuredOf,
  resultOf,
  rowOf,
} from "./sample.ts"
import { axisFrom, type Dot, type Read, readSvg, wellFormed } from "./svg.ts"

const drawn = (figure: FigureView): Read => readSvg(figureSvg(figure, "f"))

const shadeOf = (series: number): string => lookOf(series).shade
const boxesOf = (read: Read, series = 0) =>
  read.boxes.filter(({ fill, title }) => fill === shadeOf(series) && title !== "")
const dotsOf = (read: Read, series = 0): readonly Dot[] =>
  read.dots.filter(({ fill, title }) => fill === shadeOf(series) && title !== "")
/** Strokes of intervals and their page-coloured edges lie on one another: those in ink. */
const INK = "#1b1f24"

const estimates = (figure: MeasuredFigure, color?: string) =>
  figure.marks.filter((mark) => mark.color === color).map(({ result }) => result.estimate!)

describe("numbers that are hardly told from 0", () => {
  const placebo = measuredOf({
    mark: "dot",
    levels: ["x", "y"],
    measure: { ...deltaP, value: { kind: "mass", hole: "a0" } },
    value: (at) => (at + 1) * 1e-8,
  })
  const small = {
    ...placebo,
    marks: placebo.marks.map((mark) => ({
      ...mark,
      result: { ...mark.result, low: mark.result.estimate! * 0.8, high: mark.result.estimate! * 1.2 },
    })),
  }

  test("have an axis on which no two ticks say the same, and are written as powers of ten", () => {
    const { words } = drawn(small)
    const texts = words.map(({ text }) => text)
    const ticks = texts.filter((text) => /^[\d.]+e-\d+$|^0$/.test(text))
    expect(ticks.length).toBeGreaterThan(2)
    expect(new Set(ticks).size).toBe(ticks.length)
    expect(figureSvg(small, "f")).toContain("1.0e-8 [8.0e-9, 1.2e-8]")
  })
})

describe("upright bars", () => {
  const figure = measuredOf({ mark: "bar", levels: FRAMINGS, colors: MODELS.slice(0, 2) })
  const read = drawn(figure)
  const value = axisFrom(
    read.words.filter(({ text, size }) => size === 11.5 && text.endsWith("%")),
    "y",
  )

  test("stand on 0 and are as high as their rates", () => {
    for (const [series, color] of figure.colors.entries()) {
      const bars = boxesOf(read, series).sort((a, b) => a.left - b.left)
      expect(bars).toHaveLength(4)
      for (const [at, bar] of bars.entries()) {
        expect(value(bar.bottom)).toBeCloseTo(0, 3)
        expect(value(bar.top)).toBeCloseTo(estimates(figure, color)[at]!, 3)
      }
    }
  })

  test("have their intervals from end to end, in their middle", () => {
    const strokes = read.lines.filter(
      ({ stroke, x1, x2, y1, y2 }) => stroke === INK && x1 === x2 && y1 !== y2,
    )
    expect(strokes).toHaveLength(8)
    for (const [series, color] of figure.colors.entries()) {
      for (const bar of boxesOf(read, series)) {
        const middle = (bar.left + bar.right) / 2
        const stroke = strokes.find(({ x1 }) => Math.abs(x1 - middle) < 0.02)!
        const { low, high } = figure.marks.find(
          (mark) => mark.color === color && bar.title.startsWith(`${mark.level}, ${color}:`),
        )!.result
        const ends = [value(stroke.y1), value(stroke.y2)].sort((a, b) => a - b)
        expect(ends[0]).toBeCloseTo(low!, 3)
        expect(ends[1]).toBeCloseTo(high!, 3)
      }
    }
  })

  test("say their number above and n below", () => {
    for (const mark of figure.marks) {
      const text = `${(mark.result.estimate! * 100).toFixed(1)}%`
      const bar = read.boxes.find(({ title }) => title.startsWith(`${mark.level}, ${mark.color}:`))!
      const middle = (bar.left + bar.right) / 2
      const above = read.words.find((word) => word.text === text && Math.abs(word.x - middle) < 0.1)
      expect(above?.y).toBeLessThan(bar.top)
      expect(read.words.some((word) => word.text === "n = 480" && Math.abs(word.x - middle) < 0.1)).toBe(true)
    }
  })

  test("of the second colour and later are hatched as well", () => {
    const hatched = read.boxes.filter(({ fill }) => fill === "url(#f-hatch-1)")
    // Four bars, and the key.
    expect(hatched).toHaveLength(5)
  })

  test("go down from 0 where numbers are negative", () => {
    const moved = measuredOf({
      mark: "bar",
      levels: ["a", "b"],
      measure: deltaP,
      value: (at) => [-0.3, 0.5][at],
    })
    const [down, up] = boxesOf(drawn(moved)).sort((a, b) => a.left - b.left)
    expect(down!.top).toBeCloseTo(up!.bottom, 1)
    expect((down!.bottom - down!.top) / (up!.bottom - up!.top)).toBeCloseTo(0.6, 2)
  })
})

describe("lying bars", () => {
  const figure = measuredOf({ mark: "bar", levels: MANY })
  const read = drawn(figure)
  const value = axisFrom(
    read.words.filter(({ text, size }) => size === 11.5 && text.endsWith("%")),
    "x",
  )

  test("take the place of upright ones where those would touch, as long as their rates", () => {
    const bars = boxesOf(read).sort((a, b) => a.top - b.top)
    expect(bars).toHaveLength(40)
    for (const [at, bar] of bars.entries()) {
      expect(value(bar.left)).toBeCloseTo(0, 3)
      expect(value(bar.right)).toBeCloseTo(figure.marks[at]!.result.estimate!, 3)
    }
  })

  test("have level, number, interval and n in their row", () => {
    const bars = boxesOf(read).sort((a, b) => a.top - b.top)
    for (const [at, { top, bottom }] of bars.entries()) {
      const row = read.words.filter(({ y }) => y > top && y < bottom + 3).map(({ text }) => text)
      const { estimate } = figure.marks[at]!.result
      expect(row).toContain(figure.levels[at])
      expect(row).toContain(`${(estimate! * 100).toFixed(1)}%`)
      expect(row).toContain("n = 480")
    }
  })
})

describe("dots", () => {
  test("stand at their numbers, and differ in symbol as well as in colour", () => {
    const figure = measuredOf({ mark: "dot", levels: ["a", "b", "c"], colors: ["one", "two", "three"] })
    const read = drawn(figure)
    const value = axisFrom(
      read.words.filter(({ text, size }) => size === 11.5 && text.endsWith("%")),
      "y",
    )
    const symbols = figure.colors.map((color, series) => {
      const dots = [...dotsOf(read, series)].sort((a, b) => a.x - b.x)
      expect(dots.map(({ y }) => value(y)).map((y) => y.toFixed(3))).toEqual(
        estimates(figure, color).map((y) => y.toFixed(3)),
      )
      expect(new Set(dots.map(({ symbol }) => symbol)).size).toBe(1)
      return dots[0]!.symbol
    })
    expect(new Set(symbols).size).toBe(3)
  })
})

describe("panels", () => {
  const figure = measuredOf({ mark: "dot", levels: ["a", "b"], panels: ["first", "second", "third"] })
  const read = drawn(figure)

  test("are in one figure, each under its level's name", () => {
    for (const panel of figure.panels) expect(read.words.some(({ text }) => text === panel)).toBe(true)
    expect(dotsOf(read)).toHaveLength(6)
  })

  test("have one scale", () => {
    const all = read.words.filter(({ text, size }) => size === 11.5 && text.endsWith("%"))
    const columns = [...new Set(all.map(({ x }) => x))]
    expect(columns.length).toBeGreaterThan(1)
    const value = axisFrom(
      all.filter(({ x }) => x === columns[0]),
      "y",
    )
    for (const dot of dotsOf(read)) {
      const mark = figure.marks.find(({ level, panel }) => dot.title.startsWith(`${level}, ${panel}:`))!
      expect(value(dot.y)).toBeCloseTo(mark.result.estimate!, 3)
    }
  })
})

describe("lines", () => {
  const levels = ["repeated(1)", "repeated(2)", "repeated(6)", "distinct(1)", "distinct(2)", "distinct(6)"]
  const figure = measuredOf({
    mark: "line",
    levels,
    colors: ["one_voice", "speakers"],
    has: (level, color) => level < 3 === (color === 0),
  })
  const read = drawn(figure)

  test("stand at the numbers of their levels: doses 1, 2 and 6 are one and four steps apart", () => {
    for (const series of [0, 1]) {
      const xs = dotsOf(read, series)
        .map(({ x }) => x)
        .sort((a, b) => a - b)
      expect((xs[2]! - xs[1]!) / (xs[1]! - xs[0]!)).toBeCloseTo(4, 2)
    }
    for (const label of ["1", "2", "6"]) expect(read.words.some(({ text }) => text === label)).toBe(true)
  })

  test("go through their estimates", () => {
    const value = axisFrom(
      read.words.filter(({ text, size }) => size === 11.5 && text.endsWith("%")),
      "y",
    )
    for (const [series, color] of figure.colors.entries()) {
      const heights = [...dotsOf(read, series)].sort((a, b) => a.x - b.x).map(({ y }) => value(y))
      for (const [at, height] of heights.entries())
        expect(height).toBeCloseTo(estimates(figure, color)[at]!, 3)
      const path = read.paths.find(({ stroke, points }) => stroke === shadeOf(series) && points.length === 3)!
      expect(path.points.map(([, y]) => value(y).toFixed(2))).toEqual(
        heights.map((height) => height.toFixed(2)),
      )
      expect(path.dash).toBe(lookOf(series).dash)
    }
  })

  test("have each interval from end to end", () => {
    const value = axisFrom(
      read.words.filter(({ text, size }) => size === 11.5 && text.endsWith("%")),
      "y",
    )
    for (const [series, color] of figure.colors.entries()) {
      const whiskers = read.lines.filter(({ stroke, y1, y2 }) => stroke === shadeOf(series) && y1 !== y2)
      const marks = figure.marks.filter((mark) => mark.color === color)
      expect(whiskers).toHaveLength(marks.length)
      const ends = whiskers.flatMap(({ y1, y2 }) => [value(y1), value(y2)]).map((end) => end.toFixed(3))
      expect(ends.sort()).toEqual(
        marks
          .flatMap(({ result }) => [result.low!, result.high!])
          .map((end) => end.toFixed(3))
          .sort(),
      )
    }
  })

  test("bear their names at their ends", () => {
    for (const [series, name] of figure.colors.entries()) {
      const last = [...dotsOf(read, series)].sort((a, b) => b.x - a.x)[0]!
      const word = read.words.find(({ text }) => text === name)!
      expect(word.left).toBeGreaterThan(last.x)
    }
  })

  test("that have no point are named below", () => {
    const some = measuredOf({
      mark: "line",
      levels: ["1", "2"],
      colors: ["known", "unknown"],
      value: (at, color) => (color === 1 ? undefined : 0.2 + 0.1 * at),
    })
    expect(drawn(some).words.some(({ text }) => text === "No value: unknown.")).toBe(true)
    expect(dotsOf(drawn(some))).toHaveLength(2)
  })

  describe.each([
    ["in one plot", []],
    ["in panels", ["first", "second", "third"]],
  ])("over doses, with a baseline that has none, %s", (_, panels) => {
    const figure = measuredOf({
      mark: "line",
      levels: ["–", "1", "3", "6"],
      colors: ["reask", "people"],
      panels,
      has: (level, color) => (level === 0) === (color === 0),
    })
    const read = drawn(figure)
    const plots = Math.max(1, panels.length)
    const byX = <Placed extends { readonly x: number }>(placed: readonly Placed[]) =>
      [...placed].sort((a, b) => a.x - b.x)
    const label = (text: string) => byX(read.words.filter((word) => word.size === 13 && word.text === text))

    test("keep the numbers where they are: 3 is two steps from 1, 6 is five", () => {
      const dots = byX(dotsOf(read, 1))
      expect(dots).toHaveLength(3 * plots)
      for (let plot = 0; plot < plots; plot++) {
        const [one, three, six] = dots.filter(
          ({ title }) => panels.length === 0 || title.includes(panels[plot]!),
        )
        expect((six!.x - one!.x) / (three!.x - one!.x)).toBeCloseTo(5 / 2, 2)
        const [at1, at3, at6] = ["1", "3", "6"].map((text) => label(text)[plot]!.x)
        expect((at6! - at1!) / (at3! - at1!)).toBeCloseTo(5 / 2, 2)
      }
    })

    test("have the baseline apart, left of a gap, with no line to it", () => {
      const apart = byX(dotsOf(read, 0))
      expect(apart).toHaveLength(plots)
      expect(label("–")).toHaveLength(plots)
      for (const [plot, dot] of apart.entries()) {
        expect(Math.abs(dot.x - label("–")[plot]!.x)).toBeLessThan(8)
        expect(label("1")[plot]!.x - dot.x).toBeGreaterThan(45)
      }
      const lines = read.paths.filter(({ stroke, points }) => stroke === shadeOf(1) && points.length > 2)
      expect(lines).toHaveLength(plots)
      for (const { points } of lines) expect(points).toHaveLength(3)
    })

    test("say so below", () => {
      expect(captionOf(figure)).toContain("– has no number and stands apart, left of the axis")
      expect(captionOf(figure)).toContain("Whiskers are 95% intervals")
    })
  })

  test("of one colour begin at their first number, not at what stands apart, and have no band to it", () => {
    const levels = ["–", "1", "2", "3", "6", "10"]
    const figure = measuredOf({ mark: "line", levels })
    const path = drawn(figure).paths.find(({ points }) => points.length > 3)!
    expect(path.points).toHaveLength(5)
    expect(figureSvg(figure, "f")).not.toContain("fill-opacity")
    expect(captionOf(figure)).toContain("Whiskers are 95% intervals")
    const without = measuredOf({ mark: "line", levels: levels.slice(1) })
    expect(figureSvg(without, "f")).toContain("fill-opacity")
    expect(captionOf(without)).toContain("Bands are 95% intervals")
  })

  test("have a label at each number, in whatever order the levels are declared", () => {
    const falling = drawn(measuredOf({ mark: "line", levels: ["distinct(6)", "distinct(3)", "distinct(1)"] }))
    const labels = falling.words.filter(({ text, size }) => size === 13 && /^\d$/.test(text))
    expect([...labels].sort((a, b) => a.x - b.x).map(({ text }) => text)).toEqual(["1", "3", "6"])
    expect(falling.words.filter(({ text }) => text === "n = 480")).toHaveLength(3)
  })

  test("over levels that are no numbers go by even steps", () => {
    const xs = dotsOf(drawn(measuredOf({ mark: "line", levels: FRAMINGS })))
      .map(({ x }) => x)
      .sort((a, b) => a - b)
    for (const at of [1, 2]) expect(xs[at + 1]! - xs[at]!).toBeCloseTo(xs[1]! - xs[0]!, 1)
  })
})

describe("a matrix", () => {
  const figure = measuredOf({
    mark: "matrix",
    levels: ["a", "b", "c"],
    colors: ["b", "c", "d", "e"],
    value: (row, column) => (row === 0 && column === 3 ? undefined : (4 * row + column) / 12),
  })
  const read = drawn(figure)
  const cells = read.boxes.filter(({ title }) => title !== "")

  test("has each number in the cell of its row and column", () => {
    for (const { level, color, result } of figure.marks) {
      if (result.estimate === undefined) continue
      const row = read.words.find(({ text, x }) => text === level && x < cells[0]!.left)!
      const column = read.words.filter(({ text }) => text === color).find(({ x }) => x > cells[0]!.left)!
      const cell = cells.find(
        ({ left, right, top, bottom }) =>
          column.x > left && column.x < right && row.y > top && row.y < bottom,
      )!
      const word = read.words.find(
        ({ x, y }) => x > cell.left && x < cell.right && y > cell.top && y < cell.bottom,
      )!
      expect(word.text).toBe((result.estimate * 100).toFixed(1))
      expect(cell.title.startsWith(`${level}, ${color}: ${(result.estimate * 100).toFixed(1)}%`)).toBe(true)
    }
    expect(cells).toHaveLength(11)
  })

  test("has the darker shade for the larger number", () => {
    const shade = (title: string) =>
      HEATS.findIndex(({ light }) => cells.find((cell) => cell.title.startsWith(title))!.fill === light)
    const shades = figure.marks
      .filter(({ result }) => result.estimate !== undefined)
      .map(({ level, color }) => shade(`${level}, ${color}:`))
    expect(shades).toEqual([...shades].sort((a, b) => a - b))
    expect(shades[0]).toBe(0)
    expect(new Set(shades).size).toBeGreaterThan(7)
  })

  test("has no shade where there is no number", () => {
    expect(read.words.some(({ text }) => text === "none")).toBe(true)
  })

  test("outlines the cells of a factor against itself", () => {
    const outlines = read.boxes.filter(({ fill }) => fill === "none")
    expect(outlines).toHaveLength(2)
    for (const { left, right, top, bottom } of outlines) {
      const cell = cells.find(
        (one) => left > one.left && right < one.right && top > one.top && bottom < one.bottom,
      )!
      expect(cell.title).toMatch(/^(b, b|c, c):/)
    }
  })
})

describe("a distribution", () => {
  /** Six values: half of them in the last twentieth. */
  const values = [0.12, 0.5, 0.52, 0.97, 0.98, 1]
  const figure: DistributionFigure = distributionOf(["one", "two"], { count: 6, values: (at) => values[at]! })
  const read = drawn(figure)
  const value = axisFrom(
    read.words.filter(({ size }) => size === 11.5),
    "x",
  )

  test("has bars as high as the share of the values between their edges", () => {
    const bars = boxesOf(read)
    expect(bars).toHaveLength(6)
    const rows = [...new Set(bars.map(({ bottom }) => bottom))].sort((a, b) => a - b)
    const first = bars.filter(({ bottom }) => bottom === rows[0]).sort((a, b) => a.left - b.left)
    // Bars leave half a pixel free on either side.
    expect(
      first.map(({ left, right }) => [value(left - 0.5).toFixed(2), value(right + 0.5).toFixed(2)]),
    ).toEqual([
      ["0.10", "0.15"],
      ["0.50", "0.55"],
      ["0.95", "1.00"],
    ])
    const heights = first.map(({ top, bottom }) => bottom - top)
    expect(heights[0]! / heights[2]!).toBeCloseTo(1 / 3, 2)
    expect(heights[1]! / heights[2]!).toBeCloseTo(2 / 3, 2)
  })

  test("marks the median, and says it with n", () => {
    const median = read.dots.filter(({ fill }) => fill === INK)
    expect(median).toHaveLength(2)
    for (const { x } of median) expect(value(x)).toBeCloseTo(0.745, 3)
    expect(read.words.filter(({ text }) => text === "n = 6")).toHaveLength(2)
    expect(read.words.filter(({ text }) => /^median 0.7[45]$/.test(text))).toHaveLength(2)
  })

  test("of many levels is a box each, from the lower quartile to the upper", () => {
    const many = drawn(distributionOf(MANY, { count: 6, values: (at) => values[at]! }))
    const scale = axisFrom(
      many.words.filter(({ size, text }) => size === 11.5 && /^\d/.test(text)),
      "x",
    )
    const boxes = boxesOf(many)
    expect(boxes).toHaveLength(40)
    for (const { left, right } of boxes) {
      expect(scale(left)).toBeCloseTo(0.505, 2)
      expect(scale(right)).toBeCloseTo(0.9775, 2)
    }
  })
})

describe("a forest", () => {
  const read = drawn(forest)
  const signed = read.words.filter(({ text, size }) => size === 11.5 && /^[+−]?\d+$/.test(text))
  const row = (text: string) => read.words.find((word) => word.text.startsWith(text))!
  const dotAt = (y: number) => read.dots.find((dot) => dot.title !== "" && Math.abs(dot.y - y + 4.5) < 0.1)!

  test("has each estimate on the axis, its interval around it, and both in words beside it", () => {
    const value = axisFrom(
      signed.filter(({ y }) => y < row("mass").y),
      "x",
    )
    const { y } = row("+12.9 pp [10.0, 15.8]")
    expect(value(dotAt(y).x)).toBeCloseTo(12.9, 1)
    const stroke = read.lines.find(
      ({ y1, y2, x1, x2, stroke }) =>
        stroke === INK && y1 === y2 && x1 !== x2 && Math.abs(y1 - y + 4.5) < 0.1,
    )!
    expect(value(Math.min(stroke.x1, stroke.x2))).toBeCloseTo(10, 1)
    expect(value(Math.max(stroke.x1, stroke.x2))).toBeCloseTo(15.8, 1)
    const negative = row("−2.1 pp")
    expect(value(dotAt(negative.y).x)).toBeCloseTo(-2.1, 1)
    const zero = read.lines.find(
      ({ stroke, x1, x2, y1, y2 }) => stroke === INK && x1 === x2 && Math.abs(y1 - y2) > 60,
    )!
    expect(value(zero.x1)).toBeCloseTo(0, 2)
  })

  test("has odds ratios on an axis of their own, on which 0.5 is as far from 1 as 2", () => {
    const odds = read.words.filter(
      ({ text, size, y }) => size === 11.5 && y > row("Odds ratio").y && /^[\d.]+$/.test(text),
    )
    expect(odds.map(({ text }) => text)).toEqual(["0.5", "1", "2", "5"])
    const log = axisFrom(odds, "x", (label) => Math.log(Number(label)))
    expect(log(odds[1]!.x)).toBeCloseTo(0, 2)
    expect(log(dotAt(row("2.31 [1.82, 2.94]").y).x)).toBeCloseTo(Math.log(2.31), 2)
    expect(log(dotAt(row("0.90 [0.71, 1.14]").y).x)).toBeCloseTo(Math.log(0.9), 2)
  })

  test("names what has no value, and why", () => {
    expect(
      read.words.some(
        ({ text }) => text === "lost, two sample: no value (none: no trial entered on one side)",
      ),
    ).toBe(true)
  })

  test("keeps an interval of separated data on its axis", () => {
    const read = drawn({
      ...forest,
      rows: [rowOf("separated", "mixed", { estimate: 9, odds: { estimate: 8103, low: 1e-9, high: 1e22 } })],
    })
    const [dot] = read.dots.filter(({ title }) => title !== "")
    expect(dot!.x).toBeLessThan(read.width)
    for (const { x1, x2 } of read.lines) expect(Math.max(x1, x2)).toBeLessThanOrEqual(read.width)
  })
})

const every: Readonly<Record<string, FigureView>> = {
  "a bar": measuredOf({ mark: "bar", levels: ["only"] }),
  "two bars": measuredOf({ mark: "bar", levels: ["one", "two"] }),
  "bars in colours": measuredOf({ mark: "bar", levels: FRAMINGS, colors: MODELS }),
  "bars with long names": measuredOf({ mark: "bar", levels: LONG, colors: ["one", "two"] }),
  "dots of moved probability": measuredOf({
    mark: "dot",
    levels: LONG,
    colors: MODELS.slice(0, 3),
    measure: deltaP,
  }),
  "twelve bars": measuredOf({ mark: "bar", levels: MANY.slice(0, 12) }),
  "forty bars": measuredOf({ mark: "bar", levels: MANY }),
  "forty bars in two colours": measuredOf({ mark: "bar", levels: MANY, colors: ["one", "two"] }),
  "bars in panels": measuredOf({ mark: "bar", levels: FRAMINGS, colors: ["one", "two"], panels: LONG }),
  "two points": measuredOf({ mark: "line", levels: ["1", "10"] }),
  "lines of words": measuredOf({ mark: "line", levels: LONG, colors: MODELS }),
  "lines of numbers": measuredOf({
    mark: "line",
    levels: ["1", "2", "3", "5", "10"],
    colors: ["one", "two"],
  }),
  "lines beside what has no number": measuredOf({
    mark: "line",
    levels: ["–", "1", "3", "6"],
    colors: ["reask and length", ...MODELS],
    has: (level, color) => (level === 0) === (color === 0),
  }),
  "panels of lines beside what has no number": measuredOf({
    mark: "line",
    levels: ["–", "1", "3", "6"],
    colors: MODELS,
    panels: ["first", "second", "third"],
  }),
  "forty lines": measuredOf({ mark: "line", levels: ["1", "2", "3"], colors: MANY }),
  "lines over forty levels": measuredOf({ mark: "line", levels: MANY, colors: MODELS }),
  "lines in panels": measuredOf({
    mark: "line",
    levels: ["1", "3", "5", "10"],
    colors: MODELS,
    panels: ["first", "second"],
  }),
  "a small matrix": measuredOf({ mark: "matrix", levels: ["a", "b"], colors: ["a", "b"] }),
  "a matrix with long names": measuredOf({
    mark: "matrix",
    levels: LONG,
    colors: [...LONG, ...MODELS],
    measure: deltaP,
  }),
  "a large matrix": measuredOf({ mark: "matrix", levels: MANY, colors: MANY }),
  "a distribution": distributionOf(LONG),
  "a distribution in colours": distributionOf(FRAMINGS, { colors: MODELS.slice(0, 3) }),
  "distributions of forty": distributionOf(MANY, { colors: ["one", "two"] }),
  "a distribution of whole numbers": distributionOf(["a", "b"], { values: (at) => at % 7 }),
  "a forest": forest,
}

describe.each(Object.entries(every))("%s", (_, figure) => {
  const svg = figureSvg(figure, "one")
  const read = readSvg(svg)

  test("keeps everything within its frame", () => {
    for (const { text, left, right, y, turned } of read.words) {
      expect(left, text).toBeGreaterThanOrEqual(0)
      if (!turned) expect(right, text).toBeLessThanOrEqual(read.width)
      expect(y, text).toBeGreaterThan(0)
      expect(y, text).toBeLessThan(read.height)
    }
    for (const { left, right, top, bottom } of read.boxes) {
      expect(Math.min(left, top)).toBeGreaterThanOrEqual(0)
      expect(right).toBeLessThanOrEqual(read.width)
      expect(bottom).toBeLessThanOrEqual(read.height)
    }
  })

  test("has no two texts on one another", () => {
    const lying = read.words.filter(({ turned }) => !turned).sort((a, b) => a.y - b.y)
    for (const [at, one] of lying.entries()) {
      for (let next = at + 1; next < lying.length && lying[next]!.y - one.y < 9; next++) {
        const other = lying[next]!
        const apart = other.left >= one.right - 1 || other.right <= one.left + 1
        expect(apart, `${one.text} and ${other.text} at ${one.x}, ${one.y} and ${other.x}, ${other.y}`).toBe(
          true,
        )
      }
    }
  })

  test("is well-formed XML, with a name and every number in words", () => {
    wellFormed(svg)
    expect(svg).toContain('role="img" aria-labelledby="one-title one-desc"')
    const desc = /<desc id="one-desc">([^<]*)<\/desc>/.exec(svg)![1]!
    const counted =
      "marks" in figure
        ? figure.marks.length
        : "spreads" in figure
          ? figure.spreads.length
          : figure.rows.length
    expect(desc.match(/n = \d|over \d|no value/g)!.length).toBeGreaterThanOrEqual(counted)
  })

  test("is the same each time, and shares no id with another on its page", () => {
    expect(figureSvg(figure, "one")).toBe(svg)
    const ids = (text: string) => [...text.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id!)
    expect(new Set(ids(svg)).size).toBe(ids(svg).length)
    for (const id of ids(svg)) expect(id).toMatch(/^one-/)
    for (const [, id] of svg.matchAll(/url\(#([^)]*)\)/g)) expect(ids(svg)).toContain(id)
    expect(svg.replaceAll("one-", "two-")).toBe(figureSvg(figure, "two"))
  })

  test("has no script, no event, nothing to load", () => {
    expect(svg).not.toMatch(/<script|<foreignObject|<image|<a\b|\son\w+=|href=|@import|@font-face/i)
    expect(svg.replaceAll('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(/https?:|url\((?!#)/)
  })

  test("has a class on every colour, so that a dark page can change it", () => {
    const body = svg.slice(svg.indexOf("</style>"))
    for (const [tag, paint, color] of body.matchAll(/<[^>]*\s(fill|stroke)="(#[^"]*)"[^>]*>/g))
      expect(tag, color).toMatch(paint === "fill" ? /class="[^"]*cfx-f-/ : /class="[^"]*cfx-k-/)
    expect(body).not.toContain("currentColor")
  })
})

describe("hostile names", () => {
  const hostile = [
    '</text><script>alert("1")</script>',
    `x" onload='y`,
    "a & b < c",
    "\u202Egnp\u0000",
    "]]>",
    "\u0001",
  ]
  test.each(["bar", "dot", "line", "matrix"] as const)("stay text in a figure of %ss", (mark) => {
    const figure = measuredOf({ mark, levels: hostile, colors: [...hostile].reverse() })
    const svg = figureSvg({ ...figure, by: "<by>", color: '"&color' }, "h")
    wellFormed(svg)
    expect(svg).not.toMatch(/<script|<[^>]*\sonload=/)
    expect(svg).toContain("⟨U+202E⟩")
  })
  test("stay text in distributions and forests", () => {
    wellFormed(figureSvg(distributionOf(hostile), "h"))
    const rows = hostile.map((name) => rowOf(name, name, { estimate: 0.1, low: 0, high: 0.2, method: name }))
    wellFormed(figureSvg({ ...forest, rows: [...rows, rowOf("<none>", "&", { method: "<b>" })] }, "h"))
  })
})

describe("a figure without any number", () => {
  test.each(["bar", "dot", "line", "matrix"] as const)("of %ss says so, and why", (mark) => {
    const figure = measuredOf({ mark, levels: ["a", "b"], colors: ["x"], value: () => undefined })
    const words = drawn(figure)
      .words.map(({ text }) => text)
      .join(" ")
    expect(words).toContain("No value to draw: no trial enters HRR (not counted: 4 condition unmet).")
  })
  test("says so of distributions and forests", () => {
    const words = (figure: FigureView) =>
      drawn(figure)
        .words.map(({ text }) => text)
        .join(" ")
    expect(words(distributionOf(["a"], { count: 0 }))).toContain(
      "No value to draw: no trial enters flip_confidence",
    )
    expect(words({ ...forest, rows: [] })).toContain("No value to draw: there is no contrast.")
  })
  test("has one mark without a number among others as no value", () => {
    const figure = measuredOf({
      mark: "bar",
      levels: ["a", "b"],
      value: (at) => (at === 0 ? 0.5 : undefined),
    })
    expect(drawn(figure).words.some(({ text }) => text === "no value")).toBe(true)
    expect(resultOf(undefined).estimate).toBeUndefined()
  })
})

test("every colour of a series is used before one comes again", () => {
  expect(new Set(SHADES.map((_, at) => lookOf(at).shade)).size).toBe(SHADES.length)
})
