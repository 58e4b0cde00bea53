/** Levels of a line: those that are numbers, or that hold one, and how their intervals are drawn. */
import type { MeasuredFigure } from "./view.ts"

/**
 * The numbers of a figure's levels: `10`, or the one number of `distinct(6)`. None where a level has no number or several, or where two levels of
 * one line have the same.
 */
export function numbersOf({
  levels,
  marks,
}: Pick<MeasuredFigure, "levels" | "marks">): readonly number[] | undefined {
  const numbers = levels.map((level) => {
    const bare = /^\s*(-?\d+(?:\.\d+)?)\s*$/.exec(level) ?? /^[\w ]+\(\s*(-?\d+(?:\.\d+)?)\s*\)$/.exec(level)
    return bare === null ? Number.NaN : Number(bare[1])
  })
  if (levels.length < 2 || !numbers.every(Number.isFinite)) return undefined
  const seen = new Set<string>()
  for (const { level, color, panel } of marks) {
    const key = JSON.stringify([numbers[levels.indexOf(level)], color, panel])
    if (seen.has(key)) return undefined
    seen.add(key)
  }
  return numbers
}

/** Whether intervals are bands, by the points of each line; else they are whiskers. */
export const drawsBands = (points: readonly number[]): boolean =>
  points.length <= 3 && points.every((count) => count >= 5)
