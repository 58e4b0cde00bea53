/**
 * A statistic over the draws of a bootstrap, and without each item. Most are of two sums over items, and so are their values in all draws at once;
 * a kappa is of the counts of its pairs; a quantile and an AUROC are taken anew in each draw.
 */
import { ranked, weightedAuroc } from "../statistics/auroc.ts"
import { sumsOver, valuesOver } from "../statistics/bootstrap.ts"
import { differenceOfGroups, type Halves, halvesOf } from "../statistics/difference.ts"
import type { Draws } from "../statistics/draws.ts"
import { kappaOfCounts } from "../statistics/kappa.ts"
import { weightedQuantile } from "../statistics/quantile.ts"
import { type Item, needsValues, orderedValues, overSums, type Statistic } from "./statistic.ts"

/** What items contribute, and of each its number among those of the experiment. */
export interface Placed {
  readonly items: readonly Item[]
  readonly ranks: readonly number[]
}

/** Of each draw the statistic over what is drawn of these items; NaN where there is none. */
export function drawnOf(statistic: Statistic, { items, ranks }: Placed, draws: Draws): Float64Array {
  if (statistic === "kappa") {
    const { codes, counts } = pairCounts(items)
    const drawn = counts.map((ofItems) => sumsOver(draws, ranks, ofItems))
    const now = new Float64Array(codes.length)
    return Float64Array.from({ length: draws.count }, (_, draw) => {
      for (let at = 0; at < now.length; at++) now[at] = drawn[at]![draw]!
      return kappaOfCounts(codes, now) ?? Number.NaN
    })
  }
  if (statistic === "difference") {
    const halves = items.map(halvesOf)
    const of = (half: keyof Halves) =>
      sumsOver(
        draws,
        ranks,
        Float64Array.from(halves, (one) => one[half]),
      )
    const [inSums, inCounts, outSums, outCounts] = [of("inSum"), of("inCount"), of("outSum"), of("outCount")]
    // 0 / 0 is NaN: a draw without a trial of a group has no value.
    return inSums.map((sum, draw) => sum / inCounts[draw]! - outSums[draw]! / outCounts[draw]!)
  }
  if (statistic === "auroc" || typeof statistic === "object")
    return valuesOver(draws, ranks, weightedOf(statistic, items))
  const sums = sumsOver(
    draws,
    ranks,
    Float64Array.from(items, ({ sum }) => sum),
  )
  if (statistic === "sum" || statistic === "count") return sums
  const counts = sumsOver(
    draws,
    ranks,
    Float64Array.from(items, ({ count }) => count),
  )
  return sums.map((sum, draw) => overSums(statistic, sum, counts[draw]!) ?? Number.NaN)
}

/** The statistic without each item of the experiment in turn; NaN where there is none. */
export function withoutEach(statistic: Statistic, { items, ranks }: Placed, all: number): Float64Array {
  if (isOfSums(statistic)) return withoutSums(statistic, { items, ranks }, all)
  const weighted = weightedOf(statistic, items)
  const weights = new Int32Array(items.length).fill(1)
  const without = new Float64Array(all).fill(weighted(weights) ?? Number.NaN)
  for (const [at, rank] of ranks.entries()) {
    weights[at] = 0
    without[rank] = weighted(weights) ?? Number.NaN
    weights[at] = 1
  }
  return without
}

const isOfSums = (statistic: Statistic): boolean => !needsValues(statistic)

function withoutSums(statistic: Statistic, { items, ranks }: Placed, all: number): Float64Array {
  const total = { sum: 0, count: 0 }
  for (const { sum, count } of items) {
    total.sum += sum
    total.count += count
  }
  const of = (sum: number, count: number) => overSums(statistic, sum, count) ?? Number.NaN
  const without = new Float64Array(all).fill(of(total.sum, total.count))
  for (const [at, rank] of ranks.entries())
    without[rank] = of(total.sum - items[at]!.sum, total.count - items[at]!.count)
  return without
}

/** A statistic that needs values, by how often each item counts; undefined where there is none. */
function weightedOf(
  statistic: Statistic,
  items: readonly Item[],
): (weights: Int32Array) => number | undefined {
  if (statistic === "auroc") {
    const trials = ranked(items)
    return (weights) => weightedAuroc(trials, weights)
  }
  if (typeof statistic === "object") {
    const ordered = orderedValues(items.map(({ values }) => values))
    return (weights) => weightedQuantile(ordered, weights, statistic.quantile)
  }
  if (statistic === "kappa") {
    const { codes, counts } = pairCounts(items)
    const now = new Float64Array(codes.length)
    return (weights) => {
      for (const [at, ofItems] of counts.entries()) now[at] = dot(weights, ofItems)
      return kappaOfCounts(codes, now)
    }
  }
  if (statistic === "difference") {
    const halves = items.map(halvesOf)
    return (weights) => differenceOfGroups(halves, (item) => weights[item]!)
  }
  throw new Error(`${JSON.stringify(statistic)} is of sums`)
}

/** The pairs of categories that there are, and of each how often every item has it. */
function pairCounts(items: readonly Item[]) {
  const codes = [...new Set(items.flatMap(({ values }) => values))]
  const places = new Map(codes.map((code, place) => [code, place]))
  const counts = codes.map(() => new Float64Array(items.length))
  for (const [item, { values }] of items.entries()) {
    for (const code of values) counts[places.get(code)!]![item]! += 1
  }
  return { codes, counts }
}

function dot(weights: ArrayLike<number>, numbers: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < weights.length; at++) sum += weights[at]! * numbers[at]!
  return sum
}
