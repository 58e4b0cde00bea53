/** Bars and dots in rows, each with its level to the left and its numbers to the right. */
import * as Plot from "@observablehq/plot"
import { grouped, intervalText, printed } from "../format.ts"
import { unitOf } from "../unit.ts"
import type { Axis } from "./axis.ts"
import { baseX, chanceX } from "./axisMarks.ts"
import {
  eachSeries,
  groupsOf,
  type Known,
  knownOf,
  NUMBER,
  numberOf,
  type Placed,
  paints,
  seriesOf,
  strokesOf,
} from "./barMarks.ts"
import { type Part, words } from "./frame.ts"
import { DOT } from "./key.ts"
import { lyingBody, NUMBERS } from "./lyingBody.ts"
import { lookOf } from "./palette.ts"
import { CHANCE, hasChance } from "./range.ts"
import { FONT } from "./sizes.ts"
import { brokenText, widest } from "./text.ts"
import type { Mark, MeasuredFigure } from "./view.ts"
import { sideStrokes } from "./whisker.ts"
import { tooltip } from "./words.ts"

const ROW = 19
const BETWEEN = 9

/** The panel with a row for each bar: its level to the left, its numbers to the right. */
export function lyingPanel(figure: MeasuredFigure, marks: readonly Mark[], axis: Axis, width: number): Part {
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
  const body = lyingBody({ width, height, left, right, axis }, [
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
    ...sideStrokes(strokesOf(figure, known)),
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
    ...(axis.low > 0 ? [] : [baseX()]),
    ...(hasChance(figure) ? chanceX(CHANCE) : []),
  ])
  return {
    width,
    height: top + height + NUMBERS,
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
