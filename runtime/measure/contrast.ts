/**
 * Differences between two restricted measures, left minus right.
 *
 * `paired`: a pair is one item (of one pool, under one model) that has a value on both sides; with a condition in the measure, both sides'
 * conditions hold. A side with several trials of the item stands with their mean. The estimate is the mean difference over pairs.
 * The p is McNemar's, exact, where both sides are rates and each item gives one pair of single trials; it would be too small
 * where several models' pairs share an item, so there it is left out.
 *
 * `pooled`: the difference of the two sides' means over their trials. Items are resampled with all their trials of both sides.
 */
import type { ColumnTable } from "arquero"
import type { ContrastIR, MeasureIR, RestrictedIR } from "../../compiler/ir.ts"
import { type Bootstrapped, bootstrapDifference, bootstrapMean, DRAWS, type Share } from "./bootstrap.ts"
import { column } from "./expression.ts"
import { REASON, type Trials, VALUE } from "./outcome.ts"
import { mcnemarExact } from "./proportion.ts"
import { fastStream } from "./random.ts"
import type { Result } from "./result.ts"
import { factorColumn } from "./table.ts"

/** One result for each contrast and each of its `by`, in the order written. */
export function contrastsOf(trials: Trials, tables: ReadonlyMap<string, ColumnTable>): readonly Result[] {
  return trials.experiment.contrasts.flatMap((contrast) => {
    const left = sideOf(trials, contrast.left, tables)
    const right = sideOf(trials, contrast.right, tables)
    return contrast.by.map((by) => {
      const forbidden = [left, right].some(
        ({ measure, rows }) => measure.invalid === "error" && hasInvalid(rows),
      )
      return by === "paired"
        ? paired(trials, contrast, left, right, forbidden)
        : pooled(trials, contrast, left, right, forbidden)
    })
  })
}

interface Row {
  readonly model: string
  readonly pool: string
  readonly item: string
  readonly value: number | null
  readonly reason: string | null
}

interface Side {
  readonly measure: MeasureIR
  readonly rows: readonly Row[]
}

function sideOf(trials: Trials, of: RestrictedIR, tables: ReadonlyMap<string, ColumnTable>): Side {
  const measure = trials.experiment.measures.find(({ name }) => name === of.measure)
  const table = tables.get(of.measure)
  if (measure === undefined || table === undefined)
    throw new Error(`no measure ${of.measure} in ${trials.experiment.name}`)
  const conditions = Object.entries(of.levels).map(
    ([factor, level]) => `${column(factorColumn(factor))} === ${JSON.stringify(level)}`,
  )
  const kept = conditions.length === 0 ? table : table.filter(`d => ${conditions.join(" && ")}`)
  const rows = kept
    .select("model", "pool", "item", { [VALUE]: "value", [REASON]: "reason" })
    .orderby("pool", "item", "model")
    .objects() as Row[]
  return { measure, rows }
}

function hasInvalid(rows: readonly Row[]): boolean {
  return rows.some(({ reason }) => reason?.startsWith("invalid ") ?? false)
}

function paired(trials: Trials, contrast: ContrastIR, left: Side, right: Side, forbidden: boolean): Result {
  const lefts = groupBy(left.rows, pairKey)
  const rights = groupBy(right.rows, pairKey)
  const excluded = new Map<string, number>()
  const pairs: { readonly item: string; readonly left: Share; readonly right: Share }[] = []
  for (const key of new Set([...lefts.keys(), ...rights.keys()])) {
    const sides = [lefts.get(key) ?? [], rights.get(key) ?? []] as const
    const lacking = sides.find((rows) => rows.length === 0)
      ? "unpaired"
      : sides.map(reasonOf).find((reason) => reason !== undefined)
    if (lacking === undefined) {
      pairs.push({ item: itemKey(sides[0][0]!), left: shareOf(sides[0]), right: shareOf(sides[1]) })
    } else excluded.set(lacking, (excluded.get(lacking) ?? 0) + 1)
  }
  const head = headOf(contrast, trials, "paired", pairs.length, excluded)
  if (forbidden) return { ...head, method: FORBIDDEN }
  if (pairs.length === 0) return { ...head, method: "none: no pair entered" }

  const differences = pairs.map((pair) => ({
    item: pair.item,
    sum: mean(pair.left) - mean(pair.right),
    count: 1,
  }))
  const byItem = [...groupBy(differences, ({ item }) => item).values()].map(total)
  const interval = bootstrapMean(byItem, left.measure.interval.level, streamOf(trials, contrast, "paired"))
  const test = discordance(left, right, pairs)
  const p = test === undefined ? undefined : mcnemarExact(test.left, test.right)
  return {
    ...head,
    estimate: mean(total(differences)),
    ...intervalOf(interval, left.measure.interval.level),
    method: `paired by item; ${intervalWords(interval)}${p === undefined ? "" : "; p by exact McNemar"}`,
    ...(p === undefined ? {} : { p }),
    sides: {
      left: mean(total(pairs.map((pair) => ({ sum: mean(pair.left), count: 1 })))),
      right: mean(total(pairs.map((pair) => ({ sum: mean(pair.right), count: 1 })))),
    },
    ...(test === undefined ? {} : { discordant: test }),
  }
}

/** Pairs that are true on one side only; absent where McNemar's test does not apply. */
function discordance(
  left: Side,
  right: Side,
  pairs: readonly { readonly item: string; readonly left: Share; readonly right: Share }[],
): { readonly left: number; readonly right: number } | undefined {
  if (left.measure.statistic !== "rate" || right.measure.statistic !== "rate") return undefined
  if (pairs.some((pair) => pair.left.count !== 1 || pair.right.count !== 1)) return undefined
  if (new Set(pairs.map(({ item }) => item)).size !== pairs.length) return undefined
  return {
    left: pairs.filter((pair) => pair.left.sum > pair.right.sum).length,
    right: pairs.filter((pair) => pair.right.sum > pair.left.sum).length,
  }
}

function pooled(trials: Trials, contrast: ContrastIR, left: Side, right: Side, forbidden: boolean): Result {
  const excluded = new Map<string, number>()
  for (const { reason } of [...left.rows, ...right.rows]) {
    if (reason !== null) excluded.set(reason, (excluded.get(reason) ?? 0) + 1)
  }
  const sides = { left: shareOf(left.rows), right: shareOf(right.rows) }
  const head = headOf(contrast, trials, "pooled", sides.left.count + sides.right.count, excluded)
  if (forbidden) return { ...head, method: FORBIDDEN }
  if (sides.left.count === 0 || sides.right.count === 0)
    return { ...head, method: "none: a side has no trial" }

  const lefts = groupBy(left.rows, itemKey)
  const rights = groupBy(right.rows, itemKey)
  const clusters = [...new Set([...lefts.keys(), ...rights.keys()])].sort().map((item) => ({
    left: shareOf(lefts.get(item) ?? []),
    right: shareOf(rights.get(item) ?? []),
  }))
  const contributing = clusters.filter((cluster) => cluster.left.count + cluster.right.count > 0)
  const { level } = left.measure.interval
  const interval = bootstrapDifference(contributing, level, streamOf(trials, contrast, "pooled"))
  return {
    ...head,
    estimate: mean(sides.left) - mean(sides.right),
    ...intervalOf(interval, level),
    method: `pooled over trials; ${intervalWords(interval)}`,
    sides: { left: mean(sides.left), right: mean(sides.right) },
  }
}

const FORBIDDEN = "none: trials with an invalid read, which the measure forbids"

function headOf(
  contrast: ContrastIR,
  trials: Trials,
  taken: "paired" | "pooled",
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

function streamOf(trials: Trials, contrast: ContrastIR, by: string) {
  const { seed, name } = trials.experiment
  return fastStream({ seed, declaration: `bootstrap ${name} contrast ${contrast.name} by ${by}` })
}

function intervalOf(interval: Bootstrapped | undefined, level: number) {
  return interval === undefined ? {} : { low: interval.low, high: interval.high, level }
}

/** How a bootstrap interval was made, in words. */
export function intervalWords(interval: Bootstrapped | undefined): string {
  if (interval === undefined) return "no interval, since one item does not vary"
  const words = `cluster bootstrap by item, ${DRAWS} draws`
  return interval.draws === DRAWS ? words : `${words}, ${interval.draws} of them with a value`
}

/** Why none of these trials of one item entered; undefined when some did. */
function reasonOf(rows: readonly Row[]): string | undefined {
  if (rows.some(({ reason }) => reason === null)) return undefined
  return rows[0]?.reason ?? undefined
}

function shareOf(rows: readonly Row[]): Share {
  const values = rows.flatMap(({ value }) => (value === null ? [] : [value]))
  return { sum: values.reduce((sum, value) => sum + value, 0), count: values.length }
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

function pairKey(row: Row): string {
  return JSON.stringify([row.pool, row.item, row.model])
}

function itemKey(row: Row): string {
  return JSON.stringify([row.pool, row.item])
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group === undefined) groups.set(keyOf(value), [value])
    else group.push(value)
  }
  return groups
}
