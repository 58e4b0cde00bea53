/** Lines over numbers: doses, lengths, numbers of items. */
import * as Plot from "@observablehq/plot"
import { fixed, printed } from "../format.ts"
import { scaleOf } from "../scale.ts"
import { type Axis, axisOf, labelsOf, plainLabel } from "./axis.ts"
import { ACROSS, upright } from "./axisMarks.ts"
import { framed, moved, type Part, paragraph, stacked, words } from "./frame.ts"
import { DOT, KEY_WIDTHS, keyMark, legend } from "./key.ts"
import { APART, drawsBands } from "./levels.ts"
import { FAINT, INK, lookOf } from "./palette.ts"
import { plotted } from "./plot.ts"
import { FONT, SMALL, WIDTH } from "./sizes.ts"
import { brokenText, cut, widest, widthOf } from "./text.ts"

export interface Point {
  /** `APART` where it stands left of the axis and no line leads to it. */
  readonly x: number
  readonly y: number
  /** Ends of its interval, where it has one. */
  readonly low?: number
  readonly high?: number
  /** What a reader sees who points at it. */
  readonly title?: string
}

export interface Series {
  readonly name: string
  /** In the order of x. */
  readonly points: readonly Point[]
}

/** A chart of its own, with what its axes are called. */
export interface LineChart {
  readonly title: string
  readonly x: { readonly label: string }
  /** `share`: numbers are fractions of 1, shown in percent. */
  readonly y: { readonly label: string; readonly share?: boolean }
  readonly series: readonly Series[]
  /** Values of y with a line across, such as the power that is wanted. */
  readonly marked?: readonly { readonly y: number; readonly label: string }[]
  /** What else a reader must know, below the chart. */
  readonly note?: string
  /** Unique in the document that the chart is put into. */
  readonly id?: string
}

/** The whole SVG element: every number stands in its description. */
export function lineChart(chart: LineChart): string {
  const { title, x, y, series, marked = [], note = "", id = "chart" } = chart
  const values = [
    ...series.flatMap(({ points }) => points.flatMap((point) => [point.y, point.low, point.high])),
    ...marked.map((line) => line.y),
  ].filter((value) => value !== undefined)
  const axis = axisOf(values, y.share ? "rate" : "mean")
  const show = (value: number) => (y.share ? `${fixed(value * 100, 1)}%` : printed(fixed(value, 3)))
  const part = stacked([
    paragraph(y.label, WIDTH, { bold: true }),
    linesPart({ width: WIDTH, series, axis, ticks: ticksOf(series), label: x.label, marked }),
    paragraph(note, WIDTH, { faint: true, size: SMALL }),
  ])
  const desc = series.flatMap(({ name, points }) =>
    points.map((point) => {
      const ends =
        point.low === undefined || point.high === undefined
          ? ""
          : ` [${show(point.low)}, ${show(point.high)}]`
      return `${name === "" ? "" : `${name}, `}${x.label} ${fixedX(point.x)}: ${show(point.y)}${ends}.`
    }),
  )
  return framed(
    padded(part),
    { title, desc: [`${y.label} by ${x.label}.`, ...desc, note].join(" ").trim() },
    id,
  )
}

/** Room around a figure, so that nothing touches its edge. */
export const padded = (part: Part, by = 10): Part => ({
  width: part.width + 2 * by,
  height: part.height + 2 * by,
  markup: moved(part.markup, by, by),
})

const fixedX = (value: number) => printed(String(Number(value.toPrecision(12))))

/** Where an axis of x has its labels, which may be of two lines: a number or level, and how many there are. */
export interface Tick {
  readonly x: number
  readonly label: string
  readonly below?: string
}

/** Every x where they are few, else round numbers between them. */
function ticksOf(series: readonly Series[]): readonly Tick[] {
  const xs = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b)
  if (xs.length <= 12) return xs.map((x) => ({ x, label: fixedX(x) }))
  const { ticks } = scaleOf(xs, 8)
  const label = plainLabel(ticks)
  return ticks.filter((x) => x >= xs[0]! && x <= xs.at(-1)!).map((x) => ({ x, label: label(x) }))
}

export interface Lines {
  readonly width: number
  readonly height?: number
  readonly series: readonly Series[]
  readonly axis: Axis
  readonly ticks: readonly Tick[]
  /** Of the axis of x. */
  readonly label: string
  readonly marked?: readonly { readonly y: number; readonly label: string }[]
  /** Whether names stand elsewhere: panels share a key. */
  readonly keyElsewhere?: boolean
}

const HEIGHT = 270
const TICK_ROW = 16
/** Least distance in pixels between what stands apart and the least number. */
const GAP = 56

/** Lines with their intervals: bands where few lines have many points, whiskers else, beside each other where several lines have one x. */
export function linesPart(lines: Lines): Part {
  const { width, series, axis, label, marked = [], height = HEIGHT } = lines
  const names = series.map(({ name }) => name)
  const named = names.some((name) => name !== "") && lines.keyElsewhere !== true
  const atEnds = named && series.length * 17 <= height
  const room = Math.min(width * 0.3, widest(names, FONT) + 2)
  const right = atEnds ? KEY_WIDTHS.line + 22 + room : 18
  const left = widest(labelsOf(axis), SMALL) + 12
  const inner = width - left - right
  const xs = [...series.flatMap(({ points }) => points.map(({ x }) => x)), ...lines.ticks.map(({ x }) => x)]
  const numbers = xs.filter((x) => x !== APART)
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const counts = lines.ticks.map(({ below }) => below ?? "")
  const gap = xs.includes(APART) ? Math.max(GAP, widest(counts, SMALL) + 16) : 0
  const [from, span] = [left + gap, inner - gap]
  const beside = series.length > 1
  const pad = Math.min(40, 12 + 3 * series.length)
  const xAt = (x: number) => {
    if (x === APART) return left + pad
    return most === least ? from + span / 2 : from + pad + ((x - least) / (most - least)) * (span - 2 * pad)
  }
  const yAt = (y: number) => 8 + (height - 16) * (1 - (y - axis.low) / (axis.high - axis.low))
  const distinct = [...new Set(xs)].sort((a, b) => a - b).map(xAt)
  const nearest = Math.min(60, ...distinct.slice(1).map((x, at) => x - distinct[at]!))
  const bands = drawsBands(series.map(({ points }) => points.map(({ x }) => x)))
  const apart = !beside || bands ? 0 : Math.min(7, (nearest * 0.7) / series.length)
  const shift = (at: number) => (at - (series.length - 1) / 2) * apart
  const rows = series.map(({ points }, at) =>
    points.map((point) => ({ ...point, px: xAt(point.x) + shift(at) })),
  )
  const { shown, deep } = tickRows(
    lines.ticks,
    xAt,
    nearestOf(
      lines.ticks.map(({ x }) => xAt(x)),
      inner,
    ),
  )
  const body = plotted({
    width,
    height,
    marginTop: 8,
    marginBottom: 8,
    marginLeft: left,
    marginRight: right,
    x: { domain: [left, width - right], axis: null },
    y: { domain: [axis.low, axis.high], axis: null },
    marks: [
      ...upright(axis),
      ...marked.flatMap((line) => [
        Plot.ruleY([line.y], { stroke: FAINT.light, strokeDasharray: "5 3", strokeWidth: 1 }),
        Plot.text([line.label], {
          x: [left],
          y: [line.y],
          dx: 4,
          dy: -7,
          textAnchor: "start",
          fill: FAINT.light,
          fontSize: SMALL,
        }),
      ]),
      ...(axis.low < 0 ? [Plot.ruleY([0], { stroke: INK.light })] : []),
      ...(gap > 0
        ? [Plot.ruleX([left + pad + gap / 2], { stroke: FAINT.light, strokeDasharray: "2 4" })]
        : []),
      ...rows.flatMap((row, at) => (bands ? [band(row, at)] : whiskers(row, at))),
      ...rows.map((row, at) =>
        Plot.line(
          row.filter(({ x }) => x !== APART),
          {
            x: "px",
            y: "y",
            stroke: lookOf(at).shade,
            strokeWidth: 2,
            ...(lookOf(at).dash === "" ? {} : { strokeDasharray: lookOf(at).dash }),
          },
        ),
      ),
      ...rows.map((row, at) =>
        Plot.dot(row, {
          x: "px",
          y: "y",
          r: DOT,
          symbol: lookOf(at).symbol,
          fill: lookOf(at).shade,
          ...(row.some(({ title }) => title !== undefined) ? { title: "title" } : {}),
        }),
      ),
    ],
  })
  const ends = atEnds
    ? spread(
        rows.flatMap((row, at) => (row.length === 0 ? [] : [{ at, y: yAt(row.at(-1)!.y) }])),
        height,
      ).map(({ at, y }) =>
        [
          keyMark("line", lookOf(at), width - right + 12, y),
          words(width - right + 12 + KEY_WIDTHS.line + 6, y + 4.5, cut(names[at]!, room, FONT)),
        ].join("\n"),
      )
    : []
  const foot = height + deep
  return stacked([
    ...(named && !atEnds ? [legend(names, "line", width)] : []),
    {
      width,
      height: foot + 24,
      markup: [
        body,
        ...ends,
        moved(shown, 0, height),
        words(left + inner / 2, foot + 17, cut(label, width, FONT), { anchor: "middle", bold: true }),
      ].join("\n"),
    },
  ])
}

type Placed = Point & { readonly px: number }

const withEnds = (row: readonly Placed[]) =>
  row.filter(({ low, high }) => low !== undefined && high !== undefined)

const band = (row: readonly Placed[], at: number) =>
  Plot.areaY(withEnds(row), { x: "px", y1: "low", y2: "high", fill: lookOf(at).shade, fillOpacity: 0.18 })

function whiskers(row: readonly Placed[], at: number): Plot.Markish[] {
  const stroke = lookOf(at).shade
  const ends = withEnds(row)
  return [
    Plot.ruleX(ends, { x: "px", y1: "low", y2: "high", stroke, strokeWidth: 1.25 }),
    ...["low", "high"].map((y) => Plot.dot(ends, { x: "px", y, symbol: ACROSS, stroke, strokeWidth: 1.25 })),
  ]
}

function nearestOf(xs: readonly number[], most: number): number {
  const sorted = [...xs].sort((a, b) => a - b)
  return Math.min(most, ...sorted.slice(1).map((x, at) => x - sorted[at]!))
}

/** Labels below an axis from left to right, broken into lines where the next is near; one that would touch the one before it is left out. */
function tickRows(
  ticks: readonly Tick[],
  xAt: (x: number) => number,
  near: number,
): { readonly shown: string; readonly deep: number } {
  const room = Math.max(near - 8, 34)
  let end = Number.NEGATIVE_INFINITY
  const inOrder = [...ticks].sort((a, b) => a.x - b.x)
  const kept = inOrder.flatMap(({ x, label, below }) => {
    const lines = brokenText(label, room, FONT)
    const half = Math.max(widest(lines, FONT), widthOf(below ?? "", SMALL)) / 2
    if (xAt(x) - half < end) return []
    end = xAt(x) + half + 6
    return [{ x: xAt(x), lines, below }]
  })
  const rows = Math.max(1, ...kept.map(({ lines }) => lines.length))
  const counted = kept.some(({ below }) => below !== undefined)
  const shown = kept.flatMap(({ x, lines, below }) => [
    ...lines.map((line, at) => words(x, 15 + at * TICK_ROW, line, { anchor: "middle" })),
    ...(below === undefined
      ? []
      : [words(x, 15 + rows * TICK_ROW, below, { anchor: "middle", faint: true, size: SMALL })]),
  ])
  return { shown: shown.join("\n"), deep: 6 + (rows + (counted ? 1 : 0)) * TICK_ROW }
}

/** Labels at their lines' ends, pushed apart until none covers another. */
function spread<Label extends { readonly y: number }>(
  labels: readonly Label[],
  height: number,
): readonly Label[] {
  const least = 17
  const placed = labels.map((label) => ({ label, y: label.y })).sort((a, b) => a.y - b.y)
  for (const [at, one] of placed.entries()) one.y = Math.max(one.y, at === 0 ? 8 : placed[at - 1]!.y + least)
  for (let at = placed.length - 1; at >= 0; at--) {
    const below = at === placed.length - 1 ? height - 2 : placed[at + 1]!.y - least
    placed[at]!.y = Math.min(placed[at]!.y, below)
  }
  return placed.map(({ label, y }) => ({ ...label, y }))
}
