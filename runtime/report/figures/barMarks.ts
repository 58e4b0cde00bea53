/** What upright and lying bars and dots share: their order, their places, their looks. */
import { measureText, printed } from "../format.ts"
import { possibleRange } from "../unit.ts"
import { type Axis, labelsOf } from "./axis.ts"
import { hatchPaint } from "./key.ts"
import { lookOf } from "./palette.ts"
import { drawnEnds } from "./range.ts"
import { SMALL } from "./sizes.ts"
import { widest } from "./text.ts"
import type { Mark, MeasuredFigure } from "./view.ts"
import type { Stroke } from "./whisker.ts"

/** A mark with its place in pixels, across the axis of numbers, and its own width. */
export interface Placed {
  readonly mark: Mark
  readonly at: number
  readonly wide: number
  /** Number of its series. */
  readonly series: number
}

export type Known = Placed & { readonly value: number }

/** Size of the numbers at marks. */
export const NUMBER = 12

export interface Group {
  readonly level: string
  readonly marks: readonly Mark[]
}

export function groupsOf(figure: MeasuredFigure, marks: readonly Mark[]): readonly Group[] {
  const rank = ({ color }: Mark) => figure.colors.indexOf(color ?? "")
  return figure.levels.flatMap((level) => {
    const own = marks.filter((mark) => mark.level === level).sort((a, b) => rank(a) - rank(b))
    return own.length === 0 ? [] : [{ level, marks: own }]
  })
}

export const numberOf = (figure: MeasuredFigure, { result }: Mark): string =>
  result.estimate === undefined ? "no value" : printed(measureText(result.estimate, figure.measure, result))

export const numbersWidth = (figure: MeasuredFigure, marks: readonly Mark[]): number =>
  widest(
    marks.map((mark) => numberOf(figure, mark)),
    NUMBER,
  )

export const leftOf = (axis: Axis): number => Math.max(24, widest(labelsOf(axis), SMALL) + 12)

export const seriesOf = (figure: MeasuredFigure, { color }: Mark): number =>
  color === undefined ? 0 : figure.colors.indexOf(color)

export const knownOf = (placed: readonly Placed[]): readonly Known[] =>
  placed.flatMap((one) => {
    const value = one.mark.result.estimate
    return value === undefined ? [] : [{ ...one, value }]
  })

/** Whiskers, no longer than the measure can be. */
export const strokesOf = (figure: MeasuredFigure, known: readonly Known[]): readonly Stroke[] =>
  known.flatMap(({ mark: { result }, at }) => {
    const ends = drawnEnds(result, possibleRange(figure.measure))
    return ends === undefined ? [] : [{ at, ...ends }]
  })

/** Marks by series: all of one look are one mark of the plot. */
export function eachSeries(
  figure: MeasuredFigure,
  known: readonly Known[],
): readonly (readonly [number, readonly Known[]])[] {
  return Array.from({ length: Math.max(1, figure.colors.length) }, (_, series) => [
    series,
    known.filter((one) => one.series === series),
  ])
}

/** The ground of a bar, and the hatching over it. */
export const paints = (series: number): readonly string[] => {
  const look = lookOf(series)
  return look.hatch === 0 ? [look.shade] : [look.shade, hatchPaint(look)]
}
