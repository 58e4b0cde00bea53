/** A matrix: levels of one factor against those of another, each cell's number in it over a shade. */
import * as Plot from "@observablehq/plot"
import { estimateText, measureText, printed } from "../format.ts"
import { unitOf } from "../unit.ts"
import { axisOf, percent } from "./axis.ts"
import { moved, type Part, paragraph, stacked, words } from "./frame.ts"
import { FAINT, HEATS, INK } from "./palette.ts"
import { heading } from "./panels.ts"
import { plotted } from "./plot.ts"
import { FONT, SMALL, WIDTH } from "./sizes.ts"
import { brokenText, cut, fits, widest } from "./text.ts"
import type { Mark, MeasuredFigure } from "./view.ts"
import { tooltip } from "./words.ts"

const CELL_TEXT = 12

export function matrixPart(figure: MeasuredFigure): Part {
  const estimates = figure.marks.flatMap(({ result }) => result.estimate ?? [])
  const range = rangeOf(figure, estimates)
  const panels = figure.panels.length === 0 ? [undefined] : figure.panels
  const drawn = panels.map((panel) => {
    const marks = figure.marks.filter((mark) => mark.panel === panel)
    return stacked([
      ...(panel === undefined ? [] : [paragraph(panel, WIDTH, { bold: true, most: 2 })]),
      cells(figure, marks, range),
    ])
  })
  return stacked([heading(figure.measure.name), ...drawn, shadeKey(figure, range)], 14)
}

interface Range {
  readonly low: number
  readonly high: number
}

/** Shares begin at 0; other numbers at their least. */
function rangeOf(figure: MeasuredFigure, estimates: readonly number[]): Range {
  if (unitOf(figure.measure) === "rate") return axisOf(estimates, "rate")
  const [low, high] = [Math.min(...estimates), Math.max(...estimates)]
  return low === high ? { low: Math.min(0, low), high: Math.max(low, 0) || 1 } : { low, high }
}

/** Which of the shades stands for a value. */
export function shadeOf(value: number, { low, high }: Range): number {
  const at = Math.floor(((value - low) / (high - low)) * HEATS.length)
  return Math.max(0, Math.min(HEATS.length - 1, at))
}

interface Cell {
  readonly mark: Mark
  readonly x: number
  readonly y: number
  readonly text: string
  /** -1 without a number. */
  readonly shade: number
}

function cells(figure: MeasuredFigure, marks: readonly Mark[], range: Range): Part {
  const columns = figure.color === undefined ? [""] : figure.colors
  const rows = figure.levels
  const texts = marks.map((mark) => textOf(figure, mark))
  const least = widest(texts, CELL_TEXT) + 16
  const left = Math.min(190, Math.max(widest(rows, FONT), widest([figure.by], FONT)) + 2) + 12
  const wide = Math.max(least, Math.min(110, (WIDTH - left) / columns.length))
  const lying = columns.every((name) => fits(name, wide - 6, FONT, 3))
  const heads = columns.map((name) => (lying ? brokenText(name, wide - 6, FONT, 3) : [cut(name, 130, FONT)]))
  const deepest = Math.max(1, ...heads.map((lines) => lines.length))
  const slanted = widest(heads.flat(), FONT) * Math.SQRT1_2
  const top = 22 + (lying ? deepest * 16 : slanted + 14) + 4
  const tall = Math.max(30, Math.min(46, wide * 0.6))
  // A slanted name reaches beyond its column.
  const width = Math.max(WIDTH, left + columns.length * wide + (lying ? 0 : slanted))
  const made = marks.map((mark, at): Cell => {
    const { estimate } = mark.result
    return {
      mark,
      x: left + (columns.indexOf(mark.color ?? "") + 0.5) * wide,
      y: (rows.indexOf(mark.level) + 0.5) * tall,
      text: texts[at]!,
      shade: estimate === undefined ? -1 : shadeOf(estimate, range),
    }
  })
  const box = (inset: number) => ({
    x1: ({ x }: Cell) => x - wide / 2 + inset,
    x2: ({ x }: Cell) => x + wide / 2 - inset,
    y1: ({ y }: Cell) => y - tall / 2 + inset,
    y2: ({ y }: Cell) => y + tall / 2 - inset,
  })
  const shaded = HEATS.flatMap((heat, shade) => {
    const own = made.filter((cell) => cell.shade === shade)
    return own.length === 0
      ? []
      : [
          Plot.rect(own, { ...box(1), fill: heat.light, title: ({ mark }: Cell) => tooltip(figure, mark) }),
          Plot.text(own, {
            x: "x",
            y: "y",
            text: "text",
            fill: heat.ink.light,
            fontSize: CELL_TEXT,
            fontWeight: 600,
          }),
        ]
  })
  const bare = made.filter(({ shade }) => shade < 0)
  const own = made.filter(({ mark }) => mark.level === mark.color)
  const height = rows.length * tall
  const body = plotted({
    width,
    height,
    margin: 0,
    x: { domain: [0, width], axis: null },
    y: { domain: [height, 0], axis: null },
    marks: [
      ...shaded,
      Plot.text(bare, {
        x: "x",
        y: "y",
        text: "text",
        fill: FAINT.light,
        fontSize: SMALL,
        title: ({ mark }: Cell) => tooltip(figure, mark),
      }),
      Plot.rect(own, { ...box(1.75), stroke: INK.light, strokeWidth: 1.5 }),
    ],
  })
  return {
    width,
    height: top + height,
    markup: [
      ...(figure.color === undefined
        ? []
        : [words(left + (columns.length * wide) / 2, 14, figure.color, { anchor: "middle", bold: true })]),
      words(left - 10, top - 8, figure.by, { anchor: "end", bold: true }),
      ...heads.flatMap((lines, at) => {
        const x = left + (at + 0.5) * wide
        if (!lying)
          return [
            `<g transform="translate(${(x + 3).toFixed(1)} ${(top - 8).toFixed(1)}) rotate(-45)">${words(0, 0, lines[0]!)}</g>`,
          ]
        return lines.map((line, row) =>
          words(x, top - 8 - (lines.length - 1 - row) * 16, line, { anchor: "middle" }),
        )
      }),
      ...rows.flatMap((level, row) => {
        const lines = brokenText(level, left - 12, FONT, 2)
        return lines.map((line, at) =>
          words(left - 10, top + (row + 0.5) * tall + 4.5 + (at - (lines.length - 1) / 2) * 15, line, {
            anchor: "end",
          }),
        )
      }),
      moved(body, 0, top),
    ].join("\n"),
  }
}

/** Shares without their sign of percent, which the key has. */
function textOf(figure: MeasuredFigure, { result }: Mark): string {
  if (result.estimate === undefined) return "none"
  return printed(measureText(result.estimate, figure.measure, result)).replace(/%$/, "")
}

/** From the least shade to the most, with the numbers at both ends. */
function shadeKey(figure: MeasuredFigure, range: Range): Part {
  const box = 22
  const rate = unitOf(figure.measure) === "rate"
  const show = (value: number) =>
    rate ? percent(value) : printed(estimateText(value, unitOf(figure.measure)))
  const low = show(range.low)
  const from = widest([low], SMALL) + 8
  return {
    width: WIDTH,
    height: 20,
    markup: [
      words(0, 14, low, { faint: true, size: SMALL }),
      ...HEATS.map(
        ({ light }, at) =>
          `<rect class="cfx-f-h${at}" fill="${light}" x="${(from + at * box).toFixed(1)}" y="3" width="${box}" height="14"/>`,
      ),
      words(
        from + HEATS.length * box + 8,
        14,
        `${show(range.high)}${rate ? ", in cells without the sign" : ""}`,
        {
          faint: true,
          size: SMALL,
        },
      ),
    ].join("\n"),
  }
}
