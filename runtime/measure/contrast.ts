/**
 * Differences between two restricted measures, left minus right.
 *
 * `paired`: a pair is one item (of one pool, under one model) that has a value on both sides; with a condition in the measure, both sides'
 * conditions hold. A side with several trials of the item stands with their mean. The estimate is the mean difference over pairs.
 * Where both sides are rates and each item gives one pair of single trials, the p is McNemar's, exact, and the interval Newcombe's, unless
 * the measure asks for a bootstrap: a bootstrap of pairs that all agree has no width, as if nothing else could have come out. Both would be
 * too small where several models' pairs share an item, so there items are resampled and the p is left out, with the reason.
 *
 * `pooled`: the difference of the two sides' means over their trials. Items are resampled with all their trials of both sides.
 *
 * On each side, trials of one item that are one observation count once.
 */
import type { ColumnTable } from "arquero"
import type { ContrastIR, MeasureIR, RestrictedIR } from "../../compiler/ir.ts"
import { bootstrapDifference, bootstrapMean, type Share } from "./bootstrap.ts"
import { column } from "./expression.ts"
import { bootstrapped, type Made } from "./interval.ts"
import { OBSERVATION, once, REASON, SAME_PROMPT, type Trials, VALUE } from "./outcome.ts"
import { mcnemarExact, newcombePaired, type Pairs } from "./proportion.ts"
import { bootstrapStream } from "./random.ts"
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
  readonly observation: number
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
    .select("model", "pool", "item", {
      [VALUE]: "value",
      [REASON]: "reason",
      [OBSERVATION]: "observation",
    })
    .orderby("pool", "item", "model")
    .objects() as Row[]
  return { measure, rows: once(rows) }
}

function hasInvalid(rows: readonly Row[]): boolean {
  return rows.some(({ reason }) => reason?.startsWith("invalid ") ?? false)
}

interface Pair {
  readonly item: string
  readonly left: Share
  readonly right: Share
  /** Whether both sides look at the same reads: then no difference can come out. */
  readonly same: boolean
  /** Trials that are left out, since another of their side and item is the same observation. */
  readonly repeats: number
}

function paired(trials: Trials, contrast: ContrastIR, left: Side, right: Side, forbidden: boolean): Result {
  const { pairs, excluded } = pairsOf(left, right)
  const head = headOf(contrast, trials, "paired", pairs.length, excluded)
  if (forbidden) return { ...head, method: FORBIDDEN }
  if (pairs.length === 0) return { ...head, method: "none: no pair entered" }

  const differences = pairs.map((pair) => ({
    item: pair.item,
    sum: mean(pair.left) - mean(pair.right),
    count: 1,
  }))
  const byItem = [...groupBy(differences, ({ item }) => item).values()].map(total)
  const { method, level } = left.measure.interval
  const noTest = whyNoTest(left, right, pairs)
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
    sides: {
      left: mean(total(pairs.map((pair) => ({ sum: mean(pair.left), count: 1 })))),
      right: mean(total(pairs.map((pair) => ({ sum: mean(pair.right), count: 1 })))),
    },
    ...(table === undefined ? {} : { discordant: { left: table.left, right: table.right } }),
  }
}

function pairsOf(left: Side, right: Side) {
  const lefts = groupBy(left.rows, pairKey)
  const rights = groupBy(right.rows, pairKey)
  const excluded = new Map<string, number>()
  const pairs: Pair[] = []
  for (const key of new Set([...lefts.keys(), ...rights.keys()])) {
    const sides = [lefts.get(key) ?? [], rights.get(key) ?? []] as const
    const lacking = sides.find((rows) => rows.length === 0)
      ? "unpaired"
      : sides.map(reasonOf).find((reason) => reason !== undefined)
    if (lacking !== undefined) {
      excluded.set(lacking, (excluded.get(lacking) ?? 0) + 1)
      continue
    }
    const [ones, others] = sides.map((rows) =>
      rows.flatMap(({ reason, observation }) => (reason === null ? [observation] : [])).sort((a, b) => a - b),
    )
    pairs.push({
      item: itemKey(sides[0][0]!),
      left: shareOf(sides[0]),
      right: shareOf(sides[1]),
      // Observations are numbered within one measure.
      same: left.measure === right.measure && JSON.stringify(ones) === JSON.stringify(others),
      repeats: sides.flat().filter(({ reason }) => reason === SAME_PROMPT).length,
    })
  }
  return { pairs, excluded }
}

/** Why McNemar's test does not apply; undefined where it does. */
function whyNoTest(left: Side, right: Side, pairs: readonly Pair[]): string | undefined {
  if (left.measure.statistic !== "rate" || right.measure.statistic !== "rate")
    return "McNemar's test is for rates"
  if (pairs.some((pair) => pair.left.count !== 1 || pair.right.count !== 1))
    return "a side has several trials of an item, and McNemar's test takes one"
  if (new Set(pairs.map(({ item }) => item)).size !== pairs.length)
    return "several pairs share an item, and McNemar's test takes one"
  return undefined
}

function tableOf(pairs: readonly Pair[]): Pairs {
  const count = (left: number, right: number) =>
    pairs.filter((pair) => pair.left.sum === left && pair.right.sum === right).length
  return { both: count(1, 1), left: count(1, 0), right: count(0, 1), neither: count(0, 0) }
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
  const stream = bootstrapStream(trials.experiment.seed, contributing.length)
  const { ends, words } = bootstrapped(bootstrapDifference(contributing, level, stream), level)
  return {
    ...head,
    estimate: mean(sides.left) - mean(sides.right),
    ...ends,
    method: `pooled over trials; ${words}; no p, since McNemar's test is for pairs`,
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
