/**
 * Sums of restricted measures, each with its sign: a difference has two, left minus right, a difference of differences four.
 *
 * `paired`: a pair is one item (of one pool, under one model) that has a value on every side; with a condition in the measure, all sides'
 * conditions hold. A side with several trials of the item stands with their mean. The estimate is the mean difference over pairs.
 * Where there are two sides, both are rates and each item gives one pair of single trials, the p is McNemar's, exact, and the interval
 * Newcombe's, unless the measure asks for a bootstrap: a bootstrap of pairs that all agree has no width, as if nothing else could have come
 * out. Both would be too small where several models' pairs share an item, so there items are resampled and the p is left out, with the reason.
 *
 * `pooled`: the signed sum of the sides' statistics over their trials. Items are resampled with all their trials of all sides.
 *
 * `cells`: that sum within each crossing of columns, and the unweighted mean over those in which every side has a trial, with an interval by
 * Student's t. Cells without a value are counted.
 *
 * On each side, trials of one item that are one observation count once.
 */
import type { ContrastIR, EstimatorIR } from "../../compiler/ir.ts"
import { bootstrapQuantiles, bootstrapTerms } from "./bootstrap.ts"
import { estimates, FORBIDDEN, type Given, headOf } from "./given.ts"
import { bootstrapped, cellInterval } from "./interval.ts"
import { bootstrapKappas } from "./kappa.ts"
import { NO_FIT } from "./left.ts"
import type { Outcome, Trials } from "./outcome.ts"
import { paired } from "./paired.ts"
import { bootstrapStream } from "./random.ts"
import { bootstrapResampled, type Resampled, resampled } from "./resampled.ts"
import type { Result } from "./result.ts"
import { groupBy, hasInvalid, itemKey, type Side, shareOf, sidesOf } from "./sides.ts"
import { estimateOf, type Item, orderedValues, whyNoEstimate } from "./statistic.ts"
import { levelOf, unitsOf } from "./units.ts"

type Tables = ReadonlyMap<string, Outcome>

/** One result for each contrast and each of its `by`, in the order written. */
export function contrastsOf(trials: Trials, tables: Tables): readonly Result[] {
  return trials.experiment.contrasts.flatMap((contrast) =>
    contrast.by.map((by) => contrastOf(trials, contrast, by, tables)),
  )
}

/** A contrast in one way, with an interval at its first measure's level, in percent, or at another. */
export function contrastOf(
  trials: Trials,
  contrast: ContrastIR,
  by: EstimatorIR,
  tables: Tables,
  level?: number,
): Result {
  const sides = sidesOf(trials, contrast, tables, typeof by === "string" ? [] : by.cells)
  const forbidden = sides.some(({ measure, rows }) => measure.invalid === "error" && hasInvalid(rows))
  const given = { trials, contrast, sides, forbidden, level: level ?? sides[0]!.measure.interval.level }
  if (by === "paired") return paired(given)
  if (by === "pooled") return pooled(given)
  if (by === "mixed_logistic") return fitted(given)
  if (by === "permutation" || by === "two_sample")
    return { ...headOf(given, by, 0, new Map()), method: "not computed" }
  return overCells(given, by.cells)
}

function pooled(given: Given): Result {
  const { trials, sides, forbidden, level } = given
  const shares = sides.map(({ rows, measure }) => shareOf(rows, measure))
  const n = shares.reduce((sum, { trials }) => sum + trials, 0)
  const head = headOf(given, "pooled", n, reasonsOf(sides))
  if (forbidden) return { ...head, method: FORBIDDEN }
  if (shares.some(({ trials }) => trials === 0)) return { ...head, method: "none: a side has no trial" }

  const groups = sides.map(({ rows }) => groupBy(rows, itemKey))
  const clusters = [...new Set(groups.flatMap((group) => [...group.keys()]))]
    .sort()
    .map((item) => groups.map((group, at) => shareOf(group.get(item) ?? [], sides[at]!.measure)))
    .filter((cluster) => cluster.some(({ trials }) => trials > 0))
  const signs = sides.map(({ sign }) => sign)
  const stream = bootstrapStream(trials.experiment.seed, clusters.length)
  const { statistic } = sides[0]!.measure
  const each = estimatesOf(sides, shares)
  if (each === undefined) return { ...head, method: whyNoEstimate(sides[0]!.measure) }
  const interval =
    statistic === "kappa"
      ? bootstrapKappas(
          sides.map((_, at) => clusters.map((cluster) => cluster[at]!.values)),
          signs,
          clusters.length,
          level,
          stream,
        )
      : typeof statistic === "object"
        ? bootstrapQuantiles(
            sides.map((_, at) => orderedValues(clusters.map((cluster) => cluster[at]!.values))),
            signs,
            statistic.quantile,
            clusters.length,
            level,
            stream,
          )
        : statistic === "auroc"
          ? bootstrapResampled(signedResampled(sides, clusters), clusters.length, level, stream)
          : bootstrapTerms(
              clusters,
              signs,
              level,
              stream,
              statistic === "sum" || statistic === "count" ? "sums" : "means",
            )
  const { ends, words } = bootstrapped(interval, level)
  return {
    ...head,
    estimate: signedSum(sides, each),
    ...ends,
    method: `pooled over trials; ${words}; no p, since McNemar's test is for pairs`,
    ...estimates(sides, each),
  }
}

/** The signed sum of the sides' estimates over resampled clusters. */
function signedResampled(sides: readonly Side[], clusters: readonly (readonly Item[])[]): Resampled {
  const each = sides.map(({ measure }, at) =>
    resampled(
      measure.statistic,
      clusters.map((cluster) => cluster[at]!),
    ),
  )
  return (weights) => {
    let sum = 0
    for (const [at, estimate] of each.entries()) {
      const value = estimate(weights)
      if (value === undefined) return undefined
      sum += sides[at]!.sign * value
    }
    return sum
  }
}

function overCells(given: Given, columns: readonly string[]): Result {
  const { trials, contrast, sides, forbidden, level } = given
  const groups = sides.map(({ rows }) => groupBy(rows, ({ cell }) => cell))
  const planned = plannedCells(trials, contrast, columns)
  const found = [...planned].sort().flatMap((cell) => {
    const shares = groups.map((group, at) => shareOf(group.get(cell) ?? [], sides[at]!.measure))
    const each = shares.some(({ trials }) => trials === 0) ? undefined : estimatesOf(sides, shares)
    return each === undefined ? [] : [{ shares, each }]
  })
  const n = found.reduce((sum, { shares }) => sum + shares.reduce((all, { trials }) => all + trials, 0), 0)
  const cells = { entered: found.length, of: planned.size }
  const head = { ...headOf(given, "cells", n, reasonsOf(sides)), cells }
  if (forbidden) return { ...head, method: FORBIDDEN }
  if (found.length === 0) return { ...head, method: "none: no cell has trials of every side" }
  const values = found.map(({ each }) => signedSum(sides, each))
  const { ends, words } = cellInterval(values, level)
  return {
    ...head,
    estimate: average(values),
    ...ends,
    method: `mean over ${cells.entered} of ${cells.of} cells by ${columns.join(" and ")}; ${words}; no p`,
    ...estimates(
      sides,
      sides.map((_, at) => average(found.map(({ each }) => each[at]!))),
    ),
  }
}

/** The cells that have trials of every side by the design, whatever came of them. */
function plannedCells(
  { experiment, columns: ofTrials }: Trials,
  { terms }: ContrastIR,
  columns: readonly string[],
): ReadonlySet<string> {
  const units = unitsOf(experiment, ofTrials)
  const [first, ...others] = terms.map(
    ({ levels }) =>
      new Set(
        units
          .filter((unit) =>
            Object.entries(levels).every(([factor, level]) => levelOf(unit, factor) === level),
          )
          .map((unit) => JSON.stringify(columns.map((column) => levelOf(unit, column) ?? null))),
      ),
  )
  return new Set([...(first ?? [])].filter((cell) => others.every((other) => other.has(cell))))
}

function fitted(given: Given): Result {
  const n = given.sides.reduce((sum, { rows, measure }) => sum + shareOf(rows, measure).trials, 0)
  return { ...headOf(given, "mixed_logistic", n, reasonsOf(given.sides)), method: NO_FIT }
}

/** Why trials of any side do not enter. */
function reasonsOf(sides: readonly Side[]): ReadonlyMap<string, number> {
  const excluded = new Map<string, number>()
  for (const { reason } of sides.flatMap(({ rows }) => rows)) {
    if (reason !== null) excluded.set(reason, (excluded.get(reason) ?? 0) + 1)
  }
  return excluded
}

/** The sides' own estimates; undefined where one of them has none. */
function estimatesOf(sides: readonly Side[], shares: readonly Item[]): readonly number[] | undefined {
  const each = sides.flatMap(({ measure }, at) => estimateOf(measure.statistic, [shares[at]!]) ?? [])
  return each.length === sides.length ? each : undefined
}

function signedSum(sides: readonly Side[], each: readonly number[]): number {
  return sides.reduce((sum, { sign }, at) => sum + sign * each[at]!, 0)
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
