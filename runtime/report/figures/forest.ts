/** Contrasts one under the other, each estimate with its interval against the line of no difference; odds ratios apart, on a logarithmic axis. */
import * as Plot from "@observablehq/plot"
import { oddsText } from "../contrastGrid.ts"
import { overText } from "../format.ts"
import { scaleOf } from "../scale.ts"
import { type Axis, plainLabel, thinned } from "./axis.ts"
import { baseX, lying } from "./axisMarks.ts"
import { type Part, stacked, words } from "./frame.ts"
import { DOT } from "./key.ts"
import { lookOf } from "./palette.ts"
import { plotted } from "./plot.ts"
import { drawnEnds } from "./range.ts"
import { FONT, SMALL, WIDTH } from "./sizes.ts"
import { brokenText, widest } from "./text.ts"
import type { ForestFigure, ForestRow } from "./view.ts"
import { sideStrokes } from "./whisker.ts"
import { contrastText, effectText } from "./words.ts"

const ROW = 22
const NUMBER = 12

/** Rows that can share an axis. */
interface Block {
  readonly title: string
  readonly rows: readonly ForestRow[]
  /** The three numbers that are drawn. */
  readonly ends: (row: ForestRow) => {
    readonly estimate: number
    readonly low?: number
    readonly high?: number
  }
  readonly text: (row: ForestRow) => string
  readonly axis: Axis
  readonly log: boolean
}

export function forestPart(figure: ForestFigure): Part {
  const blocks = blocksOf(figure)
  const texts = blocks.flatMap(({ rows, text }) => rows.map(text))
  const counts = figure.rows.map(({ result }) => overText(result))
  // All axes begin and end at the same places.
  const left =
    Math.min(
      230,
      Math.max(
        ...figure.rows.flatMap(({ contrast, by }) => [widest([contrast], FONT), widest([by], SMALL) + 12]),
      ) + 2,
    ) + 14
  const columns = { text: widest(texts, NUMBER), n: Math.max(widest(["over", ...counts], NUMBER), 12) }
  const right = columns.text + columns.n + 34
  const drawn = blocks.map((block) => blockPart(block, left, right))
  const without = figure.rows.filter(({ result }) => result.estimate === undefined)
  return stacked([...drawn, ...(without.length === 0 ? [] : [missing(without)])], 22)
}

function blocksOf({ rows }: ForestFigure): readonly Block[] {
  const known = rows.filter(({ result }) => result.estimate !== undefined)
  const odds = known.filter(({ result }) => result.odds !== undefined)
  const differences = known.filter(({ result }) => result.odds === undefined)
  const shares = differences.filter(({ unit }) => unit === "rate")
  const others = differences.filter(({ unit }) => unit !== "rate")
  const ends = ({ result, range }: ForestRow) => ({ estimate: result.estimate!, ...drawnEnds(result, range) })
  const oddsOf = ({ result }: ForestRow) => result.odds!
  const block = (
    title: string,
    own: readonly ForestRow[],
    axis: (values: readonly number[]) => Axis,
  ): Block[] =>
    own.length === 0
      ? []
      : [{ title, rows: own, ends, text: effectText, axis: axis(numbersIn(own, ends)), log: false }]
  return [
    ...block("Difference in percentage points", shares, (values) => {
      const scale = scaleOf(values, 6)
      const points = plainLabel(scale.ticks.map((tick) => Number((tick * 100).toPrecision(12))))
      return { ...scale, label: (value) => `${value > 0 ? "+" : ""}${points(value * 100)}` }
    }),
    ...block("Difference", others, (values) => {
      const scale = scaleOf(values, 6)
      const plain = plainLabel(scale.ticks)
      return { ...scale, label: (value) => `${value > 0 ? "+" : ""}${plain(value)}` }
    }),
    ...(odds.length === 0
      ? []
      : [
          {
            title: "Odds ratio (logarithmic axis)",
            rows: odds,
            ends: oddsOf,
            text: (row: ForestRow) => oddsText(row.result.odds!),
            axis: ratioAxis(numbersIn(odds, oddsOf)),
            log: true,
          },
        ]),
  ]
}

const numbersIn = (rows: readonly ForestRow[], ends: Block["ends"]): readonly number[] =>
  rows.flatMap((row) => {
    const { estimate, low, high } = ends(row)
    return [estimate, low, high].filter((value) => value !== undefined)
  })

/** Ratios from 1 in both directions, ticks at 1, 2 and 5 times powers of ten, or at powers alone where those are many. */
export function ratioAxis(values: readonly number[]): Axis {
  const within = values.filter((value) => value > 0 && Number.isFinite(value))
  const [least, most] = [Math.min(0.5, ...within), Math.max(2, ...within)]
  // Beyond these an interval runs off the axis, as one of separated data does.
  const [low, high] = [Math.max(1e-4, least), Math.min(1e4, most)]
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))]
  const powers = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  const all = (last - first > 3 ? [1] : [1, 2, 5]).flatMap((times) =>
    powers.map((power) => Number((times * 10 ** power).toPrecision(3))),
  )
  const sorted = all.sort((a, b) => a - b)
  const below = sorted.filter((tick) => tick <= low).at(-1) ?? low
  const above = sorted.find((tick) => tick >= high) ?? high
  const ticks = sorted.filter((tick) => tick >= below && tick <= above)
  return { low: below, high: above, ticks, label: (value) => String(value) }
}

function blockPart(block: Block, left: number, right: number): Part {
  const { rows, axis, ends, text, log } = block
  const names: string[] = []
  const placed: { readonly at: number; readonly row: ForestRow }[] = []
  let y = 6
  for (const [at, row] of rows.entries()) {
    if (rows[at - 1]?.contrast !== row.contrast) {
      const lines = brokenText(row.contrast, left - 14, FONT, 2)
      names.push(...lines.map((line, which) => words(0, y + 14 + which * 16, line, { bold: true })))
      y += lines.length * 16 + 3
    }
    names.push(words(12, y + 14.5, brokenText(row.by, left - 26, SMALL, 1)[0]!, { faint: true, size: SMALL }))
    placed.push({ at: y + 10.5, row })
    y += ROW
    if (rows[at + 1]?.contrast !== row.contrast) y += 5
  }
  const height = y + 2
  const none = log ? 1 : 0
  const clamp = (value: number) => Math.min(axis.high, Math.max(axis.low, value))
  const strokes = placed.flatMap(({ at, row }) => {
    const { low, high } = ends(row)
    return low === undefined || high === undefined ? [] : [{ at, low: clamp(low), high: clamp(high) }]
  })
  const look = lookOf(0)
  const body = plotted({
    width: WIDTH,
    height: height + 24,
    marginTop: 0,
    marginBottom: 24,
    marginLeft: left,
    marginRight: right,
    x: { type: log ? "log" : "linear", domain: [axis.low, axis.high], axis: null },
    y: { domain: [height, 0], axis: null },
    marks: [
      ...lying(log ? axis : thinned(axis, WIDTH - left - right)),
      baseX(none),
      ...sideStrokes(strokes),
      Plot.dot(placed, {
        x: ({ row }) => clamp(ends(row).estimate),
        y: "at",
        r: DOT + 0.5,
        symbol: "square",
        fill: look.shade,
        title: ({ row }) => `${row.contrast}, ${row.by}: ${contrastText(row)}`,
      }),
    ],
  })
  const x = WIDTH - right + 14
  return {
    width: WIDTH,
    height: 22 + height + 24,
    markup: [
      words(left, 13, block.title, { bold: true }),
      words(WIDTH, 13, "over", { anchor: "end", faint: true, size: NUMBER }),
      `<g transform="translate(0 22)">`,
      body,
      ...names,
      ...placed.flatMap(({ at, row }) => [
        words(x, at + 4.5, text(row), { size: NUMBER }),
        words(WIDTH, at + 4.5, overText(row.result), { anchor: "end", faint: true, size: NUMBER }),
      ]),
      "</g>",
    ].join("\n"),
  }
}

/** Contrasts without a number, each with why. */
function missing(rows: readonly ForestRow[]): Part {
  let y = 0
  const markup = rows.flatMap(({ contrast, by, result }) =>
    brokenText(`${contrast}, ${by}: no value (${result.method})`, WIDTH, SMALL, 3).map((line) => {
      y += 16
      return words(0, y - 3, line, { faint: true, size: SMALL })
    }),
  )
  return { width: WIDTH, height: y, markup: markup.join("\n") }
}
