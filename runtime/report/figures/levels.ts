/** Levels of a line: those that are numbers, or that hold one, and how their intervals are drawn. */
import { type MeasuredFigure, NONE } from "./view.ts"

/** The x of what has no number on an axis of numbers: left of all that have one, behind a gap. */
export const APART = Number.NEGATIVE_INFINITY

/**
 * The numbers of a figure's levels: `10`, or the one number of `distinct(6)`; `APART` for trials that lack the factor. None where another level
 * has no number or several, where fewer than two have one, or where two levels of one line have the same.
 */
export function numbersOf({
  levels,
  marks,
}: Pick<MeasuredFigure, "levels" | "marks">): readonly number[] | undefined {
  const numbers = levels.map((level) => {
    if (level === NONE) return APART
    const bare = /^\s*(-?\d+(?:\.\d+)?)\s*$/.exec(level) ?? /^[\w ]+\(\s*(-?\d+(?:\.\d+)?)\s*\)$/.exec(level)
    return bare === null ? Number.NaN : Number(bare[1])
  })
  if (numbers.some(Number.isNaN) || numbers.filter(Number.isFinite).length < 2) return undefined
  const seen = new Set<string>()
  for (const { level, color, panel } of marks) {
    const key = JSON.stringify([numbers[levels.indexOf(level)], color, panel])
    if (seen.has(key)) return undefined
    seen.add(key)
  }
  return numbers
}

/** Whether intervals are bands, by the x of each line's points; else they are whiskers, as they must be where a point stands apart. */
export const drawsBands = (lines: readonly (readonly number[])[]): boolean =>
  lines.length <= 3 && lines.every((xs) => xs.length >= 5 && !xs.includes(APART))
