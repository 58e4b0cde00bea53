/** Bars and dots with their intervals, one group for each level: upright where all names and numbers have room, else lying, a row for each. */
import * as Plot from "@observablehq/plot"
import { grouped, intervalText, measureText, printed } from "../format.ts"
import { unitOf } from "../unit.ts"
import { type Axis, axisOf, labelsOf, thinned } from "./axis.ts"
import { baseX, baseY, lying, upright } from "./axisMarks.ts"
import { type Part, stacked, words } from "./frame.ts"
import { DOT, hatchings, hatchPaint, legend } from "./key.ts"
import { FAINT, INK, lookOf, PAGE } from "./palette.ts"
import { heading, panelGrid } from "./panels.ts"
import { plotted } from "./plot.ts"
import { FONT, SMALL, WIDTH } from "./sizes.ts"
import { brokenText, fits, widest, widthOf } from "./text.ts"
import type { Mark, MeasuredFigure } from "./view.ts"
import { type Stroke, sideStrokes, upStrokes } from "./whisker.ts"
import { tooltip } from "./words.ts"

/** A mark with its place in pixels, across the axis of numbers, and its own width. */
interface Placed {
  readonly mark: Mark
  readonly at: number
  readonly wide: number
  /** Number of its series. */
  readonly series: number
}

type Known = Placed & { readonly value: number }

const HEIGHT = 260
const NUMBER = 12

export function barsPart(figure: MeasuredFigure): Part {
  const axis = axisOf(endsOf(figure.marks), unitOf(figure.measure))
  const panel = (marks: readonly Mark[], width: number) =>
    standing(figure, marks, axis, width) ?? lyingPanel(figure, marks, axis, width)
  const least = leastWidth(figure, axis)
  return stacked([
    {
      ...heading(figure.measure.name),
      markup: [
        figure.mark === "bar" ? hatchings(figure.colors.length) : "",
        heading(figure.measure.name).markup,
      ].join(""),
    },
    ...(figure.colors.length === 0
      ? []
      : [legend(figure.colors, figure.mark === "bar" ? "bar" : "dot", WIDTH)]),
    figure.panels.length === 0
      ? panel(figure.marks, WIDTH)
      : panelGrid(figure.panels, least, (name, width) =>
          panel(
            figure.marks.filter((mark) => mark.panel === name),
            width,
          ),
        ),
  ])
}

/** Every number that an axis must hold. */
export const endsOf = (marks: readonly Mark[]): readonly number[] =>
  marks.flatMap(({ result }) =>
    [result.estimate, result.low, result.high].filter((value) => value !== undefined),
  )

interface Group {
  readonly level: string
  readonly marks: readonly Mark[]
}

function groupsOf(figure: MeasuredFigure, marks: readonly Mark[]): readonly Group[] {
  const rank = ({ color }: Mark) => figure.colors.indexOf(color ?? "")
  return figure.levels.flatMap((level) => {
    const own = marks.filter((mark) => mark.level === level).sort((a, b) => rank(a) - rank(b))
    return own.length === 0 ? [] : [{ level, marks: own }]
  })
}

const numberOf = (figure: MeasuredFigure, { result }: Mark): string =>
  result.estimate === undefined ? "no value" : printed(measureText(result.estimate, figure.measure))

const numbersWidth = (figure: MeasuredFigure, marks: readonly Mark[]): number =>
  widest(
    marks.map((mark) => numberOf(figure, mark)),
    NUMBER,
  )

const leftOf = (axis: Axis): number => Math.max(24, widest(labelsOf(axis), SMALL) + 12)

/** Below this a panel's bars would lie. */
function leastWidth(figure: MeasuredFigure, axis: Axis): number {
  const most = Math.max(
    1,
    ...groupsOf(figure, figure.marks).map(({ marks }) => marks.length / Math.max(1, figure.panels.length)),
  )
  const number = numbersWidth(figure, figure.marks) + 10
  const step = Math.max(Math.ceil(most) * number + 14, 70)
  return Math.max(220, leftOf(axis) + figure.levels.length * step + 6)
}

/** The panel with upright bars; nothing where names or numbers would touch. */
function standing(
  figure: MeasuredFigure,
  marks: readonly Mark[],
  axis: Axis,
  width: number,
): Part | undefined {
  const groups = groupsOf(figure, marks)
  const left = leftOf(axis)
  const inner = width - left - 6
  const step = inner / Math.max(1, groups.length)
  const most = Math.max(1, ...groups.map((group) => group.marks.length))
  const number = numbersWidth(figure, marks)
  const apart = Math.min(96, (step * 0.92) / most)
  if (apart < number + 8 || groups.some(({ level }) => !fits(level, step - 10, FONT, 3))) return undefined
  const placed = groups.flatMap((group, at) =>
    group.marks.map(
      (mark, index): Placed => ({
        mark,
        at: left + step * (at + 0.5) + (index - (group.marks.length - 1) / 2) * apart,
        wide: Math.min(64, apart * 0.82),
        series: seriesOf(figure, mark),
      }),
    ),
  )
  const top = 20
  const known = knownOf(placed)
  const above = known.map((one) => ({
    ...one,
    top: Math.max(one.value, one.mark.result.high ?? one.value, figure.mark === "bar" ? 0 : one.value),
  }))
  const body = plotted({
    width,
    height: top + HEIGHT,
    marginTop: top,
    marginBottom: 0.5,
    marginLeft: left,
    marginRight: 6,
    x: { domain: [left, width - 6], axis: null },
    y: { domain: [axis.low, axis.high], axis: null },
    marks: [
      ...upright(axis),
      ...(figure.mark === "bar"
        ? eachSeries(figure, known).flatMap(([series, own]) =>
            paints(series).map((fill, layer) =>
              Plot.rect(own, {
                x1: ({ at, wide }: Known) => at - wide / 2,
                x2: ({ at, wide }: Known) => at + wide / 2,
                y1: 0,
                y2: "value",
                fill,
                ...(layer === 0 ? { title: ({ mark }: Known) => tooltip(figure, mark) } : {}),
              }),
            ),
          )
        : []),
      ...upStrokes(strokesOf(known)),
      ...(figure.mark === "dot"
        ? eachSeries(figure, known).map(([series, own]) =>
            Plot.dot(own, {
              x: "at",
              y: "value",
              r: DOT + 1,
              symbol: lookOf(series).symbol,
              fill: lookOf(series).shade,
              title: ({ mark }: Known) => tooltip(figure, mark),
            }),
          )
        : []),
      baseY(),
      Plot.text(above, {
        x: "at",
        y: "top",
        text: ({ mark }: Known) => numberOf(figure, mark),
        dy: -9,
        fill: INK.light,
        stroke: PAGE.light,
        strokeWidth: 4,
        fontSize: NUMBER,
        fontWeight: 600,
      }),
      Plot.text(
        placed.filter(({ mark }) => mark.result.estimate === undefined),
        { x: "at", y: 0, text: () => "no value", dy: -9, fill: FAINT.light, fontSize: SMALL },
      ),
    ],
  })
  const bottom = top + HEIGHT
  const spelled = marks.every(({ result }) => widthOf(`n = ${grouped(result.n)}`, SMALL) <= apart - 4)
  const labels = groups.map(({ level }) => brokenText(level, step - 10, FONT, 3))
  const rows = Math.max(1, ...labels.map((lines) => lines.length))
  return {
    width,
    height: bottom + 20 + rows * 17 + 24,
    markup: [
      body,
      ...placed.map(({ mark, at }) =>
        words(at, bottom + 16, `${spelled ? "n = " : ""}${grouped(mark.result.n)}`, {
          anchor: "middle",
          faint: true,
          size: SMALL,
        }),
      ),
      ...(spelled ? [] : [words(left - 6, bottom + 16, "n", { anchor: "end", faint: true, size: SMALL })]),
      ...labels.flatMap((lines, at) =>
        lines.map((line, row) =>
          words(left + step * (at + 0.5), bottom + 35 + row * 17, line, { anchor: "middle" }),
        ),
      ),
      words(left + inner / 2, bottom + 20 + rows * 17 + 19, figure.by, { anchor: "middle", bold: true }),
    ].join("\n"),
  }
}

const ROW = 19
const BETWEEN = 9

/** The panel with a row for each bar: its level to the left, its numbers to the right. */
function lyingPanel(figure: MeasuredFigure, marks: readonly Mark[], axis: Axis, width: number): Part {
  const groups = groupsOf(figure, marks)
  const columns = columnsOf(figure, marks)
  const right = columns.reduce((sum, { wide }) => sum + wide + 12, 4)
  const left = Math.min(width * 0.32, Math.max(widest([...figure.levels, figure.by], FONT), 30) + 2) + 12
  const placed: Placed[] = []
  const names: string[] = []
  let y = 0
  for (const { level, marks: own } of groups) {
    const lines = brokenText(level, left - 12, FONT, Math.max(2, own.length))
    const deep = Math.max(own.length * ROW, lines.length * 16)
    for (const [at, mark] of own.entries()) {
      const middle = y + deep / 2 + (at - (own.length - 1) / 2) * ROW
      placed.push({ mark, at: middle, wide: 13, series: seriesOf(figure, mark) })
    }
    for (const [at, line] of lines.entries()) {
      names.push(
        words(left - 10, y + deep / 2 + 4.5 + (at - (lines.length - 1) / 2) * 16, line, { anchor: "end" }),
      )
    }
    y += deep + BETWEEN
  }
  const height = Math.max(20, y - BETWEEN) + 8
  const known = knownOf(placed)
  const top = 20
  const body = plotted({
    width,
    height: height + 24,
    marginTop: 0,
    marginBottom: 24,
    marginLeft: left,
    marginRight: right,
    x: { domain: [axis.low, axis.high], axis: null },
    y: { domain: [height, 0], axis: null },
    marks: [
      ...lying(thinned(axis, width - right - left)),
      ...(figure.mark === "bar"
        ? eachSeries(figure, known).flatMap(([series, own]) =>
            paints(series).map((fill, layer) =>
              Plot.rect(own, {
                y1: ({ at, wide }: Known) => at - wide / 2,
                y2: ({ at, wide }: Known) => at + wide / 2,
                x1: 0,
                x2: "value",
                fill,
                ...(layer === 0 ? { title: ({ mark }: Known) => tooltip(figure, mark) } : {}),
              }),
            ),
          )
        : []),
      ...sideStrokes(strokesOf(known)),
      ...(figure.mark === "dot"
        ? eachSeries(figure, known).map(([series, own]) =>
            Plot.dot(own, {
              y: "at",
              x: "value",
              r: DOT + 0.5,
              symbol: lookOf(series).symbol,
              fill: lookOf(series).shade,
              title: ({ mark }: Known) => tooltip(figure, mark),
            }),
          )
        : []),
      baseX(),
    ],
  })
  return {
    width,
    height: top + height + 24,
    markup: [
      words(left - 10, 13, figure.by, { anchor: "end", bold: true }),
      `<g transform="translate(0 ${top})">`,
      body,
      ...names,
      ...placed.flatMap(({ mark, at }) => {
        let x = width - right + 4
        return columns.map(({ wide, text }) => {
          x += wide + 12
          return words(x, at + 4.5, text(mark), {
            anchor: "end",
            size: NUMBER,
            faint: mark.result.estimate === undefined,
          })
        })
      }),
      "</g>",
    ].join("\n"),
  }
}

/** The numbers beside lying bars: estimate, interval and n, each in a column that ends at one place. */
function columnsOf(figure: MeasuredFigure, marks: readonly Mark[]) {
  const texts = [
    (mark: Mark) => numberOf(figure, mark),
    ({ result }: Mark) => printed(intervalText(result, unitOf(figure.measure))),
    ({ result }: Mark) => `n = ${grouped(result.n)}`,
  ]
  return texts.map((text) => ({ text, wide: widest(marks.map(text), NUMBER) })).filter(({ wide }) => wide > 0)
}

const seriesOf = (figure: MeasuredFigure, { color }: Mark): number =>
  color === undefined ? 0 : figure.colors.indexOf(color)

const knownOf = (placed: readonly Placed[]): readonly Known[] =>
  placed.flatMap((one) => {
    const value = one.mark.result.estimate
    return value === undefined ? [] : [{ ...one, value }]
  })

const strokesOf = (known: readonly Known[]): readonly Stroke[] =>
  known.flatMap(({ mark: { result }, at }) =>
    result.low === undefined || result.high === undefined ? [] : [{ at, low: result.low, high: result.high }],
  )

/** Marks by series: all of one look are one mark of the plot. */
function eachSeries(
  figure: MeasuredFigure,
  known: readonly Known[],
): readonly (readonly [number, readonly Known[]])[] {
  return Array.from({ length: Math.max(1, figure.colors.length) }, (_, series) => [
    series,
    known.filter((one) => one.series === series),
  ])
}

/** The ground of a bar, and the hatching over it. */
const paints = (series: number): readonly string[] => {
  const look = lookOf(series)
  return look.hatch === 0 ? [look.shade] : [look.shade, hatchPaint(look)]
}
