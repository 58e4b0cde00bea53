/**
 * Sums of restricted measures, each with its sign: a difference has two, left minus right, a difference of differences four.
 *
 * `paired`: a pair is one item (of one pool, under one model) that has a value on every side; with a condition in the measure, all sides'
 * conditions hold. A side with several trials of the item stands with their mean. The estimate is the mean difference over pairs.
 * Where there are two sides, both are rates and each item gives one pair of single trials, the p is McNemar's, exact, and the interval
 * Newcombe's, unless the measure asks for a bootstrap: a bootstrap of pairs that all agree has no width, as if nothing else could have come
 * out. Else items are resampled, and the p is that of the mean difference over its standard error between items, by Student's t.
 *
 * `permutation`: the same estimate and interval, with the p of a test that swaps the sides within items.
 *
 * `pooled`: the signed sum of the sides' statistics over their trials. Items are resampled with all their trials of all sides. No p.
 *
 * `two_sample`: the difference of means over items, each side over its own; `twoSample.ts`.
 *
 * `cells`: that sum within each crossing of columns, and the unweighted mean over those in which every side has a trial, with an interval and a p by
 * Student's t; with `signs` the p is that of a sign test. Cells without a value are counted. A trial that lacks a column is in no cell.
 * Fewer than 5 cells are said to be few.
 *
 * `mixed_logistic`: the difference in logits by a mixed-effects logistic regression; `fitted.ts`.
 *
 * On each side, trials of one item that are one observation count once.
 */
import type { ContrastIR, EstimatorIR } from "../../compiler/ir.ts"
import { signTest } from "../statistics/binomial.ts"
import { average } from "../statistics/mean.ts"
import { meanOf, studentTest } from "../statistics/student.ts"
import { amongOf } from "./crossing.ts"
import type { Placed } from "./drawn.ts"
import { drawsOf } from "./draws.ts"
import { withFamilies } from "./families.ts"
import type { FitProgress } from "./fits.ts"
import { fitted } from "./fitted.ts"
import { estimates, FORBIDDEN, type Given, headOf, reasonsOf, whyOverlap } from "./given.ts"
import { bootstrapInterval, cellInterval, fewCells, kept, possibleSum } from "./interval.ts"
import type { Outcome, Trials } from "./outcome.ts"
import { paired } from "./paired.ts"
import type { Result } from "./result.ts"
import { groupBy, hasInvalid, type Row, type Side, shareOf, sidesOf } from "./sides.ts"
import { estimateOf, type Item, whyNoEstimate } from "./statistic.ts"
import { twoSample } from "./twoSample.ts"
import { levelOf } from "./units.ts"

type Tables = ReadonlyMap<string, Outcome>

/** One result for each contrast and each of its `by`, in the order written. `progress` is told of those by a model while they are fitted. */
export const contrastsOf = (trials: Trials, tables: Tables, progress?: FitProgress): readonly Result[] =>
  withFamilies(trials.experiment, unadjusted(trials, tables, progress))

/** These before p values are adjusted for one another. */
export function unadjusted(trials: Trials, tables: Tables, progress?: FitProgress): readonly Result[] {
  return trials.experiment.contrasts.flatMap((contrast) => {
    // Gathered once for all ways that do not go by cells.
    let sides: readonly Side[] | undefined
    return contrast.by.map((by) => {
      const columns = cellsOf(by)
      if (columns.length > 0) return taken(trials, contrast, by, sidesOf(trials, contrast, tables, columns))
      sides ??= sidesOf(trials, contrast, tables)
      return taken(trials, contrast, by, sides, undefined, progress)
    })
  })
}

/** A contrast in one way, with an interval at its first measure's level, in percent, or at another. */
export function contrastOf(
  trials: Trials,
  contrast: ContrastIR,
  by: EstimatorIR,
  tables: Tables,
  level?: number,
): Result {
  return taken(trials, contrast, by, sidesOf(trials, contrast, tables, cellsOf(by)), level)
}

const cellsOf = (by: EstimatorIR): readonly string[] => (typeof by === "string" ? [] : by.cells)

function taken(
  trials: Trials,
  contrast: ContrastIR,
  by: EstimatorIR,
  sides: readonly Side[],
  level?: number,
  progress?: FitProgress,
): Result {
  const forbidden = sides.some(({ measure, rows }) => measure.invalid === "error" && hasInvalid(rows))
  const given = {
    ...{ trials, contrast, sides, forbidden },
    level: level ?? sides[0]!.measure.interval.level,
    ...(progress === undefined ? {} : { progress }),
  }
  if (by === "paired" || by === "permutation") return paired(given, by)
  if (by === "pooled") return pooled(given)
  if (by === "two_sample") return twoSample(given)
  return by === "mixed_logistic" ? fitted(given) : overCells(given, by)
}

function pooled(given: Given): Result {
  const { trials, sides, forbidden, level } = given
  const shares = sides.map(({ rows, measure }) => shareOf(rows, measure))
  const n = shares.reduce((sum, { trials }) => sum + trials, 0)
  const head = headOf(given, "pooled", n, reasonsOf(sides))
  if (forbidden) return { ...head, method: FORBIDDEN }
  if (shares.some(({ trials }) => trials === 0)) return { ...head, method: "none: a side has no trial" }
  const overlap = whyOverlap(sides)
  if (overlap !== undefined) return { ...head, method: overlap }
  const each = estimatesOf(sides, shares)
  if ("none" in each) return { ...head, method: `none: ${each.none}` }
  const estimate = signedSum(sides, each.estimates)
  const { method } = sides[0]!.measure.interval
  const { ends, words } = bootstrapInterval(
    sides.map(({ sign, measure, rows }) => ({
      sign,
      statistic: measure.statistic,
      placed: placed(rows, measure),
    })),
    estimate,
    { method, level },
    drawsOf(trials),
  )
  return {
    ...head,
    estimate,
    ...ends,
    method: `pooled over trials; ${words}; no p, since trials of an item are no independent tests`,
    ...estimates(sides, each.estimates),
  }
}

/** What each item contributes to a side, in the order of items. */
function placed(rows: readonly Row[], measure: Side["measure"]): Placed {
  const items = [...groupBy(rows, ({ rank }) => String(rank)).values()]
    .map((of) => ({ rank: of[0]!.rank, item: shareOf(of, measure) }))
    .filter(({ item }) => item.trials > 0)
    .sort((a, b) => a.rank - b.rank)
  return { items: items.map(({ item }) => item), ranks: items.map(({ rank }) => rank) }
}

function overCells(given: Given, { cells: columns, signs: asked }: Cells): Result {
  const { trials, contrast, sides, forbidden, level } = given
  const groups = sides.map(({ rows }) => groupBy(rows, ({ cell }) => cell))
  const planned = plannedCells(trials, contrast, columns)
  const whole = [...planned].sort().flatMap((cell) => {
    const shares = groups.map((group, at) => shareOf(group.get(cell) ?? [], sides[at]!.measure))
    return shares.some(({ trials }) => trials === 0) ? [] : [{ shares, ...estimatesOf(sides, shares) }]
  })
  const found = whole.filter((cell) => "estimates" in cell)
  const n = found.reduce((sum, { shares }) => sum + shares.reduce((all, { trials }) => all + trials, 0), 0)
  const cells = { entered: found.length, of: planned.size }
  const taken = asked === true ? "signs" : "cells"
  const head = { ...headOf(given, taken, n, reasonsOf(sides)), columns, cells }
  if (forbidden) return { ...head, method: FORBIDDEN }
  const overlap = whyOverlap(sides)
  if (overlap !== undefined) return { ...head, method: overlap }
  if (found.length === 0)
    return { ...head, method: whyNoCell(whole.flatMap((cell) => ("none" in cell ? [cell.none] : []))) }
  const values = found.map(({ estimates }) => signedSum(sides, estimates))
  const estimate = average(values)
  const { ends, words } = kept(cellInterval(values, level), possibleSum(sides))
  const { method, ...test } = asked === true ? bySigns(values) : byStudent(values)
  return {
    ...head,
    estimate,
    ...ends,
    method: [
      `mean over ${cells.entered} of ${cells.of} cells by ${columns.join(" and ")}`,
      words,
      method,
      ...(ends.low === undefined && test.p === undefined
        ? []
        : fewCells(values.length, asked === true ? "signs" : "Student")),
    ].join("; "),
    ...test,
    ...estimates(
      sides,
      sides.map((_, at) => average(found.map(({ estimates }) => estimates[at]!))),
    ),
  }
}

type Cells = Extract<EstimatorIR, object>
type Test = Pick<Result, "method" | "p" | "signs">

function byStudent(cells: readonly number[]): Test {
  const mean = meanOf(cells)
  return mean === undefined
    ? { method: `no p, since ${cells.length === 1 ? "one cell does not vary" : "all cells are equal"}` }
    : { method: "p by Student's t over cells", p: studentTest(mean) }
}

function bySigns(cells: readonly number[]): Test {
  const found = signTest(cells)
  if (found === undefined) return { method: "no p, since every cell is at 0" }
  const { above, below, ties, twoSided, greater } = found
  const left = ties === 0 ? "" : `, ${ties} at 0 left out`
  return {
    method: `p by the exact sign test over cells, two-sided: ${above} above 0 and ${below} below${left}`,
    p: twoSided,
    signs: { above, below, ties, pAbove: greater },
  }
}

/** The cells that have trials of every side by the design, whatever came of them. */
function plannedCells(
  { experiment, columns: ofTrials }: Trials,
  { terms }: ContrastIR,
  columns: readonly string[],
): ReadonlySet<string> {
  const [first, ...others] = terms.map(
    (term) =>
      new Set(
        amongOf(experiment, ofTrials, term).units.flatMap((unit) => {
          const levels = columns.flatMap((column) => levelOf(unit, column) ?? [])
          return levels.length === columns.length ? [JSON.stringify(levels)] : []
        }),
      ),
  )
  return new Set([...(first ?? [])].filter((cell) => others.every((other) => other.has(cell))))
}

/** Why no cell has a number; `reasons`: of each cell that has trials of every side. */
function whyNoCell(reasons: readonly string[]): string {
  return reasons.length === 0
    ? "none: no cell has trials of every side"
    : `none: no cell has a number of every side: ${[...new Set(reasons)].join("; ")}`
}

/** The sides' own estimates over at least one trial each, or why the first that has none has none. */
function estimatesOf(
  sides: readonly Side[],
  shares: readonly Item[],
): { readonly estimates: readonly number[] } | { readonly none: string } {
  const estimates: number[] = []
  for (const [at, { measure }] of sides.entries()) {
    const estimate = estimateOf(measure.statistic, [shares[at]!])
    if (estimate === undefined) return { none: whyNoEstimate(measure).replace(/^none: /, "") }
    estimates.push(estimate)
  }
  return { estimates }
}

function signedSum(sides: readonly Side[], each: readonly number[]): number {
  return sides.reduce((sum, { sign }, at) => sum + sign * each[at]!, 0)
}
