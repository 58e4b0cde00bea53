/**
 * One number over cells that have one each, with an interval: items are resampled, all cells are taken anew in each draw, and the ends are percentiles of
 * what they come to. A cell that has no number in a draw is left out of it, as one that has none is of the estimate: where cells are made of items (subjects,
 * say) few draws have some item of each, and the draws that do are no fair sample of all.
 *
 * What scatters within cells makes the extremes of cells, their range and their standard deviation larger than those of what the cells would come to over
 * ever more items; the draws are as much larger again. Nothing is taken off for that.
 */
import type { SummaryIR } from "../../compiler/ir.ts"
import { percentile } from "../statistics/bootstrap.ts"
import { pearson, spearman } from "../statistics/correlation.ts"
import type { Draws } from "../statistics/draws.ts"
import { average } from "../statistics/mean.ts"
import { quantile } from "../statistics/quantile.ts"
import { drawnOf, type Placed } from "./drawn.ts"
import { cautious, type Made, made, whyTooFew } from "./interval.ts"
import type { Statistic } from "./statistic.ts"

export type OverCells = SummaryIR["of"]

/** `against`: of each cell the other number of a correlation. Undefined where the cells are too few, or do not vary. */
export function overCells(
  of: OverCells,
  values: readonly number[],
  against: readonly number[] = [],
): number | undefined {
  const n = values.length
  if (n === 0) return undefined
  switch (of) {
    case "mean":
      return average(values)
    case "median":
      return quantile(
        [...values].sort((a, b) => a - b),
        0.5,
      )
    case "min":
      return Math.min(...values)
    case "max":
      return Math.max(...values)
    case "range":
      return n < 2 ? undefined : Math.max(...values) - Math.min(...values)
    case "sd": {
      if (n < 2) return undefined
      const mean = average(values)
      return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1))
    }
    case "correlation":
      return pearson(values, against)
    case "rank_correlation":
      return spearman(values, against)
  }
}

/** Why cells with numbers come to none. */
export function whyNoneOverCells(of: OverCells, cells: number): string {
  if (cells < 2)
    return `none: ${of === "correlation" || of === "rank_correlation" ? "a" : `the ${of} is over at least two cells, and a`} single cell has a number`
  return "none: the cells do not vary"
}

/** Which way chance within cells moves a number over them, as a method says it; of means, medians and correlations nothing. */
export function biasWords(of: OverCells): readonly string[] {
  switch (of) {
    case "max":
      return ["chance within cells makes the largest of them larger"]
    case "min":
      return ["chance within cells makes the smallest of them smaller"]
    case "range":
    case "sd":
      return [`chance within cells makes their ${of} larger`]
    default:
      return []
  }
}

/** A measure over each of some cells. */
export interface Series {
  readonly statistic: Statistic
  readonly cells: readonly Placed[]
}

/** The interval of what one series of cells comes to, or two of the same cells. `level` in percent. */
export function cellwiseInterval(
  of: OverCells,
  series: readonly Series[],
  draws: Draws,
  level: number,
): Made {
  const items = new Set(series.flatMap(({ cells }) => cells.flatMap(({ ranks }) => ranks)))
  const few = whyTooFew(items, draws)
  if (few !== undefined) return { ends: {}, words: few }
  const drawn = series.map(({ statistic, cells }) => cells.map((cell) => drawnOf(statistic, cell, draws)))
  const values = new Float64Array(draws.count)
  let isLacking = false
  for (let draw = 0; draw < values.length; draw++) {
    const now = drawn.map((cells) => cells.map((cell) => cell[draw]!))
    const lacks = now.some((cells) => cells.some(Number.isNaN))
    if (lacks) isLacking = true
    const whole = (_: number, at: number): boolean => now.every((cells) => !Number.isNaN(cells[at]!))
    const [first = [], second = []] = lacks ? now.map((cells) => cells.filter(whole)) : now
    values[draw] = overCells(of, first, second) ?? Number.NaN
  }
  const left = isLacking ? ", in each of which cells without a number are left out" : ""
  return cautious(
    made(percentile(values, level), level, `cluster bootstrap by item, ${draws.count} draws${left}`),
    items.size,
  )
}
