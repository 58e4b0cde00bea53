/** A contrast within pairs: one item that all sides have. */
import { bootstrapMean, type Share } from "./bootstrap.ts"
import { estimates, FORBIDDEN, type Given, headOf } from "./given.ts"
import { bootstrapped, type Made } from "./interval.ts"
import { SAME_PROMPT } from "./outcome.ts"
import { mcnemarExact, newcombePaired, type Pairs } from "./proportion.ts"
import { bootstrapStream } from "./random.ts"
import type { Result } from "./result.ts"
import { groupBy, itemKey, pairKey, reasonOf, type Side, shareOf } from "./sides.ts"

interface Pair {
  readonly item: string
  /** By side. */
  readonly shares: readonly Share[]
  /** Whether all sides look at the same reads: then no difference can come out. */
  readonly same: boolean
  /** Trials that are left out, since another of their side and item is the same observation. */
  readonly repeats: number
}

export function paired(given: Given): Result {
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
      shares: rows.map((side, at) => shareOf(side, sides[at]!.measure)),
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

function total(shares: readonly Share[]): Share {
  return shares.reduce((all, share) => ({ sum: all.sum + share.sum, count: all.count + share.count }), {
    sum: 0,
    count: 0,
  })
}

function mean(share: Share): number {
  return share.sum / share.count
}
