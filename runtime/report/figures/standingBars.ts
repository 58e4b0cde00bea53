/** Bars and dots upright, where all names and numbers have room. */
import * as Plot from "@observablehq/plot"
import { grouped } from "../format.ts"
import { possibleRange } from "../unit.ts"
import type { Axis } from "./axis.ts"
import { baseY, chanceY, upright } from "./axisMarks.ts"
import {
  eachSeries,
  groupsOf,
  type Known,
  knownOf,
  leftOf,
  NUMBER,
  numberOf,
  numbersWidth,
  type Placed,
  paints,
  seriesOf,
  strokesOf,
} from "./barMarks.ts"
import { type Part, words } from "./frame.ts"
import { DOT } from "./key.ts"
import { FAINT, INK, lookOf, PAGE } from "./palette.ts"
import { plotted } from "./plot.ts"
import { CHANCE, drawnEnds, hasChance } from "./range.ts"
import { FONT, SMALL } from "./sizes.ts"
import { brokenText, fits, widthOf } from "./text.ts"
import type { Mark, MeasuredFigure } from "./view.ts"
import { upStrokes } from "./whisker.ts"
import { tooltip } from "./words.ts"

const HEIGHT = 260
/** Below this a panel's bars would lie. */
export function leastWidth(figure: MeasuredFigure, axis: Axis): number {
  const most = Math.max(
    1,
    ...groupsOf(figure, figure.marks).map(({ marks }) => marks.length / Math.max(1, figure.panels.length)),
  )
  const number = numbersWidth(figure, figure.marks) + 10
  const step = Math.max(Math.ceil(most) * number + 14, 70)
  return Math.max(220, leftOf(axis) + figure.levels.length * step + 6)
}

/** The panel with upright bars; nothing where names or numbers would touch. */
export function standing(
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
    top: Math.max(
      one.value,
      drawnEnds(one.mark.result, possibleRange(figure.measure))?.high ?? one.value,
      figure.mark === "bar" ? 0 : one.value,
    ),
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
      ...upStrokes(strokesOf(figure, known)),
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
      ...(axis.low > 0 ? [] : [baseY()]),
      ...(hasChance(figure) ? chanceY(CHANCE) : []),
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
        {
          x: "at",
          y: Math.max(0, axis.low),
          text: () => "no value",
          dy: -9,
          fill: FAINT.light,
          fontSize: SMALL,
        },
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
