/**
 * The statistics of a measure over the trials that enter.
 *
 * Most are of two sums over trials, so that an item is its share of each: a rate and a mean divide the sum of values by how many there are (with
 * weights, the sum of weighted values by that of the weights), a ratio divides one sum by another, a sum and a count are the first alone. A
 * quantile, a kappa, an AUROC and a difference of groups need every value.
 */
import type { MeasureIR } from "../../compiler/ir.ts"
import { aurocOf } from "../statistics/auroc.ts"
import { differenceOfGroups, halvesOf } from "../statistics/difference.ts"
import { kappaOf } from "../statistics/kappa.ts"
import { type Ordered, quantile } from "../statistics/quantile.ts"

/** What an item adds to both sums. */
export interface Share {
  readonly sum: number
  readonly count: number
}

/** What an item contributes: its share of both sums, its trials, and where the statistic needs them its values, each with its other value. */
export interface Item extends Share {
  readonly trials: number
  readonly values: readonly number[]
  /** Of an AUROC the scores, of a difference which group each belongs to; else none. */
  readonly others: readonly number[]
}

export type Statistic = MeasureIR["statistic"]

/** Whether a statistic needs every value, and not their sums alone. */
export function needsValues(statistic: Statistic): boolean {
  return statistic === "kappa" || keepsOthers(statistic) || typeof statistic === "object"
}

/** Whether it needs what stands beside each value. */
export function keepsOthers(statistic: Statistic): boolean {
  return statistic === "auroc" || statistic === "difference"
}

/** What one value adds to both sums. `other`: its weight, or the other number of a ratio; 1 where there is none. */
export function addends(statistic: Statistic, value: number, other = 1): Share {
  return statistic === "ratio" ? { sum: value, count: other } : { sum: value * other, count: other }
}

/** The share of some trials. `others`: of each value its weight, or the other number of a ratio or an AUROC. */
export function itemOf(statistic: Statistic, values: readonly number[], others?: readonly number[]): Item {
  const isPaired = keepsOthers(statistic)
  let [sum, count] = [0, 0]
  for (const [at, value] of values.entries()) {
    const share = addends(statistic, value, isPaired ? 1 : others?.[at])
    sum += share.sum
    count += share.count
  }
  const kept = needsValues(statistic)
  return {
    sum,
    count,
    trials: values.length,
    values: kept ? values : [],
    others: isPaired ? (others ?? []) : [],
  }
}

/** The items' values in ascending order, each with its item's number. */
export function orderedValues(items: readonly (readonly number[])[]): Ordered {
  const pairs = items
    .flatMap((values, item) => values.map((value) => ({ value, item })))
    .sort((a, b) => a.value - b.value)
  return { values: pairs.map(({ value }) => value), items: pairs.map(({ item }) => item) }
}

/** The estimate over at least one trial; undefined where there is none, as `whyNoEstimate` says. */
export function estimateOf(statistic: Statistic, items: readonly Item[]): number | undefined {
  if (statistic === "kappa") return kappaOf(items.flatMap(({ values }) => values))
  if (statistic === "auroc")
    return aurocOf(
      items.flatMap(({ values }) => values),
      items.flatMap(({ others }) => others),
    )
  if (statistic === "difference") return differenceOfGroups(items.map(halvesOf))
  if (typeof statistic === "object") {
    const { values } = orderedValues(items.map((item) => item.values))
    return quantile(values, statistic.quantile)
  }
  let [sum, count] = [0, 0]
  for (const share of items) {
    sum += share.sum
    count += share.count
  }
  return overSums(statistic, sum, count)
}

/** A statistic of both sums; undefined where the second, which the first is divided by, is 0. */
export function overSums(statistic: Statistic, sum: number, count: number): number | undefined {
  if (statistic === "sum" || statistic === "count") return sum
  return count === 0 ? undefined : sum / count
}

/** Why there is no estimate although trials entered. */
export function whyNoEstimate({ statistic }: Pick<MeasureIR, "statistic">): string {
  switch (statistic) {
    case "kappa":
      return "none: both codings put every trial into one category, so that agreement by chance is certain"
    case "auroc":
      return "none: all trials came out alike, so that none can be ranked above another"
    case "difference":
      return "none: one of the two groups has no trial"
    case "ratio":
      return "none: the sum that is divided by is 0"
    default:
      return "none: the weights of all trials are 0"
  }
}

/** "rate", "mean", "sum", "kappa", "quantile 0.5". */
export function statisticName(statistic: Statistic): string {
  return typeof statistic === "object" ? `quantile ${statistic.quantile}` : statistic
}

/** A statistic as a definition starts: "rate", "quantile 0.5 of". */
export function statisticWords(statistic: Statistic): string {
  return typeof statistic === "object" ? `${statisticName(statistic)} of` : statistic
}
