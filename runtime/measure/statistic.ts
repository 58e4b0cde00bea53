/** The statistics of a measure over the trials that enter. */
import type { MeasureIR } from "../../compiler/ir.ts"
import { type Ordered, quantile, type Share } from "./bootstrap.ts"
import { kappaOf } from "./kappa.ts"

/** What an item contributes: its sum and count, and for a quantile or a kappa its values. */
export interface Item extends Share {
  readonly values: readonly number[]
}

export type Statistic = MeasureIR["statistic"]

/** The items' values in ascending order, each with its item's number. */
export function orderedValues(items: readonly (readonly number[])[]): Ordered {
  const pairs = items
    .flatMap((values, item) => values.map((value) => ({ value, item })))
    .sort((a, b) => a.value - b.value)
  return { values: pairs.map(({ value }) => value), items: pairs.map(({ item }) => item) }
}

/** The estimate over at least one value; undefined for a kappa that there is none of. */
export function estimateOf(statistic: Statistic, items: readonly Item[]): number | undefined {
  if (statistic === "kappa") return kappaOf(items.flatMap(({ values }) => values))
  if (typeof statistic === "object") {
    const { values } = orderedValues(items.map((item) => item.values))
    return quantile(values, statistic.quantile)
  }
  const total = items.reduce((sum, share) => sum + share.sum, 0)
  if (statistic === "sum") return total
  return total / items.reduce((count, share) => count + share.count, 0)
}

/** Why there is no estimate although trials entered. */
export const CHANCE_IS_CERTAIN =
  "none: both sides put every trial into one category, so that agreement by chance is certain"

/** "rate", "mean", "sum", "kappa", "quantile 0.5". */
export function statisticName(statistic: Statistic): string {
  return typeof statistic === "object" ? `quantile ${statistic.quantile}` : statistic
}

/** A statistic as a definition starts: "rate", "quantile 0.5 of". */
export function statisticWords(statistic: Statistic): string {
  return typeof statistic === "object" ? `${statisticName(statistic)} of` : statistic
}
