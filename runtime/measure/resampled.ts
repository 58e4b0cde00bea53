/**
 * Statistics over resampled items: each trial counts as often as its item was drawn. What a cluster bootstrap draws, and a jackknife, which leaves
 * one item out.
 */
import type { Stream } from "../../compiler/draw.ts"
import { ranked, weightedAuroc } from "./auroc.ts"
import { type Bootstrapped, percentiles, weightedQuantile } from "./bootstrap.ts"
import { kappaOfCounts } from "./kappa.ts"
import { type Item, orderedValues, overSums, type Statistic } from "./statistic.ts"

/** An estimate by how often each item stands; undefined where it has none. */
export type Resampled = (weights: Int32Array) => number | undefined

/** `places`: of each item its place among the weights; its own where they are left out. */
export function resampled(
  statistic: Statistic,
  items: readonly Item[],
  places?: readonly number[],
): Resampled {
  const at = Int32Array.from(items, (_, item) => places?.[item] ?? item)
  const ofItems = (numbers: readonly number[]) => numbers.map((item) => at[item]!)
  if (statistic === "auroc") {
    const all = ranked(items)
    const trials = { ...all, items: ofItems(all.items) }
    return (weights) => weightedAuroc(trials, weights)
  }
  if (typeof statistic === "object") {
    const all = orderedValues(items.map(({ values }) => values))
    const ordered = { values: all.values, items: ofItems(all.items) }
    return (weights) => weightedQuantile(ordered, weights, statistic.quantile)
  }
  if (statistic === "kappa") {
    const pairs = items.flatMap(({ values }, item) => values.map((code) => [code, at[item]!] as const))
    return (weights) => kappaOfCounts(pairs.map(([code, place]) => [code, weights[place]!] as const))
  }
  const sums = Float64Array.from(items, ({ sum }) => sum)
  const counts = Float64Array.from(items, ({ count }) => count)
  return (weights) => {
    let [sum, count, drawn] = [0, 0, 0]
    for (let item = 0; item < at.length; item++) {
      const weight = weights[at[item]!]!
      sum += weight * sums[item]!
      count += weight * counts[item]!
      drawn += weight
    }
    return drawn === 0 ? undefined : overSums(statistic, sum, count)
  }
}

/** The percentile interval of an estimate over so many items, drawn with replacement. */
export function bootstrapResampled(
  estimate: Resampled,
  items: number,
  level: number,
  stream: Stream,
): Bootstrapped {
  if (items < 2) return { none: "one item" }
  const weights = new Int32Array(items)
  return percentiles(level, () => {
    weights.fill(0)
    for (let drawn = 0; drawn < items; drawn++) weights[stream.below(items)]!++
    return estimate(weights)
  })
}
