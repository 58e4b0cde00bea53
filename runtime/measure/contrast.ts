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
import type { ColumnTable } from "arquero"
import type { ContrastIR, EstimatorIR } from "../../compiler/ir.ts"
import { bootstrapMean, bootstrapQuantiles, bootstrapTerms, type Share } from "./bootstrap.ts"
import { bootstrapped, cellInterval, type Made } from "./interval.ts"
import { NO_FIT } from "./left.ts"
import { SAME_PROMPT, type Trials } from "./outcome.ts"
import { mcnemarExact, newcombePaired, type Pairs } from "./proportion.ts"
import { bootstrapStream } from "./random.ts"
import type { Result } from "./result.ts"
import { groupBy, hasInvalid, itemKey, pairKey, reasonOf, type Side, shareOf, sidesOf } from "./sides.ts"
import { estimateOf, orderedValues } from "./statistic.ts"
import { levelOf, unitsOf } from "./units.ts"

type Tables = ReadonlyMap<string, ColumnTable>

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
  return by === "mixed_logistic" ? fitted(given) : overCells(given, by.cells)
}

interface Given {
  readonly trials: Trials
  readonly contrast: ContrastIR
  readonly sides: readonly Side[]
  /** Whether a measure forbids an invalid read that there is. */
  readonly forbidden: boolean
  readonly level: number
}

interface Pair {
  readonly item: string
  /** By side. */
  readonly shares: readonly Share[]
  /** Whether all sides look at the same reads: then no difference can come out. */
  readonly same: boolean
  /** Trials that are left out, since another of their side and item is the same observation. */
  readonly repeats: number
}

function paired(given: Given): Result {
  const { trials, sides, forbidden, level } = given
  const { pairs, excluded } = pairsOf(sides)
  const head = headOf(given, "paired", pairs.length, excluded)
  if (forbidden) return { ...head, method: FORBIDDEN }
  if (pairs.length === 0) return { ...head, method: "none: no pair entered" }

  const differences = pairs.map((pair) => ({
    item: pair.item,
    sum: sides.reduce((sum, { sign }, at) => sum + sign * mean(pair.shares[at]!), 0),
    count: 1,
  }))
  const byItem = [...groupBy(differences, ({ item }) => item).values()].map(total)
  const { method } = sides[0]!.measure.interval
  const noTest = whyNoTest(sides, pairs)
  const table = noTest === undefined ? tableOf(pairs) : undefined
  const nothing = pairs.every(({ same }) => same)
  const made: Made = nothing
    ? { ends: {}, words: "no interval and no p, since both sides are the same prompts" }
    : table !== undefined && method === "wilson"
      ? {
          ends: { ...newcombePaired(table, level), level },
          words: "Newcombe's score interval for paired proportions",
        }
      : bootstrapped(
          bootstrapMean(byItem, level, bootstrapStream(trials.experiment.seed, byItem.length)),
          level,
        )
  const p = table === undefined || nothing ? undefined : mcnemarExact(table.left, table.right)
  const same = pairs.filter((pair) => pair.same).length
  const repeats = pairs.reduce((sum, pair) => sum + pair.repeats, 0)
  return {
    ...head,
    estimate: mean(total(differences)),
    ...made.ends,
    method: [
      "paired by item",
      made.words,
      ...(p === undefined ? [] : ["p by exact McNemar"]),
      ...(noTest === undefined || nothing ? [] : [`no p, since ${noTest}`]),
      ...(same === 0 || nothing ? [] : [`in ${same} of the pairs both sides are the same prompt`]),
      ...(repeats === 0
        ? []
        : [`trials of one side, item and prompt count once, which leaves out ${repeats}`]),
    ].join("; "),
    ...(p === undefined ? {} : { p }),
    ...estimates(
      sides,
      sides.map((_, at) => mean(total(pairs.map(({ shares }) => ({ sum: mean(shares[at]!), count: 1 }))))),
    ),
    ...(table === undefined ? {} : { discordant: { left: table.left, right: table.right } }),
  }
}

function pairsOf(sides: readonly Side[]) {
  const groups = sides.map(({ rows }) => groupBy(rows, pairKey))
  const excluded = new Map<string, number>()
  const pairs: Pair[] = []
  for (const key of new Set(groups.flatMap((group) => [...group.keys()]))) {
    const rows = groups.map((group) => group.get(key) ?? [])
    const lacking = rows.some((side) => side.length === 0)
      ? "unpaired"
      : rows.map(reasonOf).find((reason) => reason !== undefined)
    if (lacking !== undefined) {
      excluded.set(lacking, (excluded.get(lacking) ?? 0) + 1)
      continue
    }
    const observations = rows.map((side) =>
      JSON.stringify(
        side
          .flatMap(({ reason, observation }) => (reason === null ? [observation] : []))
          .sort((a, b) => a - b),
      ),
    )
    pairs.push({
      item: itemKey(rows[0]![0]!),
      shares: rows.map(shareOf),
      // Observations are numbered within one measure.
      same:
        sides.every(({ measure }) => measure === sides[0]!.measure) &&
        observations.every((one) => one === observations[0]),
      repeats: rows.flat().filter(({ reason }) => reason === SAME_PROMPT).length,
    })
  }
  return { pairs, excluded }
}

/** Why McNemar's test does not apply; undefined where it does. */
function whyNoTest(sides: readonly Side[], pairs: readonly Pair[]): string | undefined {
  if (sides.length !== 2 || sides[0]!.sign !== 1) return "McNemar's test is for one measure less another"
  if (sides.some(({ measure }) => measure.statistic !== "rate")) return "McNemar's test is for rates"
  if (pairs.some(({ shares }) => shares.some(({ count }) => count !== 1)))
    return "a side has several trials of an item, and McNemar's test takes one"
  if (new Set(pairs.map(({ item }) => item)).size !== pairs.length)
    return "several pairs share an item, and McNemar's test takes one"
  return undefined
}

function tableOf(pairs: readonly Pair[]): Pairs {
  const count = (left: number, right: number) =>
    pairs.filter(({ shares }) => shares[0]!.sum === left && shares[1]!.sum === right).length
  return { both: count(1, 1), left: count(1, 0), right: count(0, 1), neither: count(0, 0) }
}

function pooled(given: Given): Result {
  const { trials, sides, forbidden, level } = given
  const shares = sides.map(({ rows }) => shareOf(rows))
  const n = shares.reduce((sum, { count }) => sum + count, 0)
  const head = headOf(given, "pooled", n, reasonsOf(sides))
  if (forbidden) return { ...head, method: FORBIDDEN }
  if (shares.some(({ count }) => count === 0)) return { ...head, method: "none: a side has no trial" }

  const groups = sides.map(({ rows }) => groupBy(rows, itemKey))
  const clusters = [...new Set(groups.flatMap((group) => [...group.keys()]))]
    .sort()
    .map((item) => groups.map((group) => shareOf(group.get(item) ?? [])))
    .filter((cluster) => cluster.some(({ count }) => count > 0))
  const signs = sides.map(({ sign }) => sign)
  const stream = bootstrapStream(trials.experiment.seed, clusters.length)
  const { statistic } = sides[0]!.measure
  const interval =
    typeof statistic === "object"
      ? bootstrapQuantiles(
          sides.map((_, at) => orderedValues(clusters.map((cluster) => cluster[at]!.values))),
          signs,
          statistic.quantile,
          clusters.length,
          level,
          stream,
        )
      : bootstrapTerms(clusters, signs, level, stream, statistic === "sum" ? "sums" : "means")
  const { ends, words } = bootstrapped(interval, level)
  const each = sides.map(({ measure }, at) => estimateOf(measure.statistic, [shares[at]!]))
  return {
    ...head,
    estimate: signedSum(sides, each),
    ...ends,
    method: `pooled over trials; ${words}; no p, since McNemar's test is for pairs`,
    ...estimates(sides, each),
  }
}

function overCells(given: Given, columns: readonly string[]): Result {
  const { trials, contrast, sides, forbidden, level } = given
  const groups = sides.map(({ rows }) => groupBy(rows, ({ cell }) => cell))
  const planned = plannedCells(trials, contrast, columns)
  const found = [...planned].sort().flatMap((cell) => {
    const shares = groups.map((group) => shareOf(group.get(cell) ?? []))
    if (shares.some(({ count }) => count === 0)) return []
    return [{ shares, each: sides.map(({ measure }, at) => estimateOf(measure.statistic, [shares[at]!])) }]
  })
  const n = found.reduce((sum, { shares }) => sum + shares.reduce((all, { count }) => all + count, 0), 0)
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
  { experiment, records }: Trials,
  { terms }: ContrastIR,
  columns: readonly string[],
): ReadonlySet<string> {
  const units = unitsOf(experiment, records)
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
  const n = given.sides.reduce((sum, { rows }) => sum + shareOf(rows).count, 0)
  return { ...headOf(given, "mixed_logistic", n, reasonsOf(given.sides)), method: NO_FIT }
}

const FORBIDDEN = "none: trials with an invalid read, which the measure forbids"

function headOf(
  { contrast, trials }: Given,
  taken: NonNullable<Result["taken"]>,
  n: number,
  excluded: ReadonlyMap<string, number>,
) {
  const sorted = [...excluded].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    experiment: trials.experiment.name,
    kind: "contrast" as const,
    name: contrast.name,
    by: {},
    taken,
    n,
    excluded: Object.fromEntries(sorted),
  }
}

/** Why trials of any side do not enter. */
function reasonsOf(sides: readonly Side[]): ReadonlyMap<string, number> {
  const excluded = new Map<string, number>()
  for (const { reason } of sides.flatMap(({ rows }) => rows)) {
    if (reason !== null) excluded.set(reason, (excluded.get(reason) ?? 0) + 1)
  }
  return excluded
}

/** The sides' own estimates, as a result has them: of a difference as left and right. */
function estimates(sides: readonly Side[], each: readonly number[]): Pick<Result, "sides" | "terms"> {
  const [left, right] = each
  if (sides.length === 2 && sides[0]!.sign === 1 && left !== undefined && right !== undefined)
    return { sides: { left, right } }
  return { terms: each }
}

function signedSum(sides: readonly Side[], each: readonly number[]): number {
  return sides.reduce((sum, { sign }, at) => sum + sign * each[at]!, 0)
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function total(shares: readonly Share[]): Share {
  return shares.reduce((all, share) => ({ sum: all.sum + share.sum, count: all.count + share.count }), {
    sum: 0,
    count: 0,
  })
}

function mean(share: Share): number {
  return share.sum / share.count
}
