/** How far a quantity can reach, and what it is where there is nothing to see. */
import type { Result } from "../../measure/result.ts"
import type { MeasuredFigure } from "./view.ts"

/** Between which numbers a quantity can be. */
export type Range = readonly [number, number]

/** The ends of an interval as they are drawn: no further than the quantity can be. None without an interval. */
export function drawnEnds(
  { low, high }: Pick<Result, "low" | "high">,
  range: Range | undefined,
): { readonly low: number; readonly high: number } | undefined {
  if (low === undefined || high === undefined) return undefined
  if (range === undefined) return { low, high }
  const within = (value: number) => Math.min(range[1], Math.max(range[0], value))
  return { low: within(low), high: within(high) }
}

/** Whether an interval reaches further than it is drawn. */
export const isCut = ({ low, high }: Pick<Result, "low" | "high">, range: Range | undefined): boolean =>
  range !== undefined && low !== undefined && high !== undefined && (low < range[0] || high > range[1])

/** What an AUROC is where scores say nothing. */
export const CHANCE = 0.5

export const hasChance = ({ measure }: Pick<MeasuredFigure, "measure">): boolean =>
  measure.statistic === "auroc"
