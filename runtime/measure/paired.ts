/** A contrast within pairs: one item that all sides have. */
import { mcnemarExact } from "../statistics/binomial.ts"
import { CHOICES, turnSigns } from "../statistics/permutation.ts"
import { newcombePaired, type Pairs } from "../statistics/proportion.ts"
import { fastStream } from "../statistics/random.ts"
import { ratioOf, studentTest } from "../statistics/student.ts"
import { drawsOf } from "./draws.ts"
import { estimates, FORBIDDEN, type Given, headOf } from "./given.ts"
import { bootstrapInterval, type Made } from "./interval.ts"
import { SAME_PROMPT } from "./outcome.ts"
import type { Result } from "./result.ts"
import { groupBy, pairKey, type Row, reasonOf, type Side, shareOf, weightWords } from "./sides.ts"
import type { Item, Share } from "./statistic.ts"

interface Pair {
  /** The item's number among those of the experiment. */
  readonly rank: number
  /** By side. */
  readonly shares: readonly Share[]
  /** Whether all sides look at the same reads: then no difference can come out. */
  readonly same: boolean
  /** Trials that are left out, since another of their side and item is the same observation. */
  readonly repeats: number
}

/** `by`: which test goes with it. */
export function paired(given: Given, by: "paired" | "permutation"): Result {
  const { trials, sides, forbidden, level } = given
  const { pairs, excluded } = pairsOf(sides)
  const head = headOf(given, by, pairs.length, excluded)
  if (forbidden) return { ...head, method: FORBIDDEN }
  if (pairs.length === 0) return { ...head, method: "none: no pair entered" }

  const differences = pairs.map(({ rank, shares }) => ({
    rank,
    ...one(sides.reduce((sum, { sign }, at) => sum + sign * mean(shares[at]!), 0)),
  }))
  const estimate = mean(total(differences))
  const byItem = [...groupBy(differences, ({ rank }) => String(rank)).values()]
    .map((group) => ({ rank: group[0]!.rank, ...total(group) }))
    .sort((a, b) => a.rank - b.rank)
  const { method } = sides[0]!.measure.interval
  const why = whyNotMcNemar(sides, pairs)
  const table = why === undefined ? tableOf(pairs) : undefined
  const nothing = pairs.every(({ same }) => same)
  const made: Made = nothing
    ? { ends: {}, words: "no interval and no p, since both sides are the same prompts" }
    : table !== undefined && method === "wilson"
      ? {
          ends: { ...newcombePaired(table, level), level },
          words: "Newcombe's score interval for paired proportions",
        }
      : bootstrapInterval(
          [
            {
              sign: 1,
              statistic: "mean",
              placed: { items: byItem.map(itemOf), ranks: byItem.map(({ rank }) => rank) },
            },
          ],
          estimate,
          { method, level },
          drawsOf(trials),
        )
  const test: Test = nothing
    ? { words: [] }
    : by === "permutation"
      ? byTurning(given, byItem)
      : table !== undefined
        ? { p: mcnemarExact(table.left, table.right), words: ["p by exact McNemar"] }
        : byStudent(byItem, sides.every(isRate) ? why : undefined)
  const same = pairs.filter((pair) => pair.same).length
  const repeats = pairs.reduce((sum, pair) => sum + pair.repeats, 0)
  return {
    ...head,
    estimate,
    ...made.ends,
    method: [
      "paired by item",
      ...weightWords(sides),
      made.words,
      ...test.words,
      ...(same === 0 || nothing ? [] : [`in ${same} of the pairs both sides are the same prompt`]),
      ...(repeats === 0
        ? []
        : [`trials of one side, item and prompt count once, which leaves out ${repeats}`]),
    ].join("; "),
    ...(test.p === undefined ? {} : { p: test.p }),
    ...estimates(
      sides,
      sides.map((_, at) => mean(total(pairs.map(({ shares }) => one(mean(shares[at]!)))))),
    ),
    ...(table === undefined ? {} : { discordant: { left: table.left, right: table.right } }),
  }
}

interface Test {
  readonly p?: number
  readonly words: readonly string[]
}

/** That sides might change places within each item, with all its pairs together. */
function byTurning({ sides, trials }: Given, items: readonly Share[]): Test {
  const { p, how } = turnSigns(
    items.map(({ sum }) => sum),
    () =>
      fastStream({
        seed: trials.experiment.seed,
        declaration: `permutation of ${items.length} items`,
      }),
  )
  const what = sides.length === 2 ? "swapping the sides within items" : "turning signs within items"
  return { p, words: [`p by ${what}, ${how === "exact" ? "exact" : `${CHOICES} choices drawn`}`] }
}

/** That the mean difference is 0, by its standard error over items; of rates, `why` McNemar's test does not do. */
function byStudent(items: readonly Share[], why: string | undefined): Test {
  const estimated = ratioOf(items)
  if (estimated !== undefined) {
    const since = why === undefined ? "" : `, since ${why}`
    return { p: studentTest(estimated), words: [`p by Student's t over items${since}`] }
  }
  return { words: [`no p, since ${items.length < 2 ? "one item does not vary" : "all items differ alike"}`] }
}

function pairsOf(sides: readonly Side[]) {
  const groups = sides.map(({ rows }) => groupBy(rows, pairKey))
  const excluded = new Map<string, number>()
  const pairs: Pair[] = []
  for (const key of new Set(groups.flatMap((group) => [...group.keys()]))) {
    const rows = groups.map((group) => group.get(key) ?? [])
    const shares = rows.map((side, at) => shareOf(side, sides[at]!.measure))
    const lacking = rows.some((side) => side.length === 0)
      ? "unpaired"
      : (rows.map(reasonOf).find((reason) => reason !== undefined) ??
        (shares.some(({ count }) => count === 0) ? "weights of 0" : undefined))
    if (lacking !== undefined) {
      excluded.set(lacking, (excluded.get(lacking) ?? 0) + 1)
      continue
    }
    pairs.push({
      rank: rows[0]![0]!.rank,
      shares,
      // Observations are numbered within one measure.
      same:
        sides.every(({ measure }) => measure === sides[0]!.measure) &&
        rows.every((side) => haveSameObservations(side, rows[0]!)),
      repeats: rows.flat().filter(({ reason }) => reason === SAME_PROMPT).length,
    })
  }
  return { pairs, excluded }
}

function haveSameObservations(side: readonly Row[], other: readonly Row[]): boolean {
  const observations = (rows: readonly Row[]) =>
    new Set(rows.flatMap(({ reason, observation }) => (reason === null ? [observation] : [])))
  const [one, two] = [observations(side), observations(other)]
  return one.size === two.size && [...one].every((observation) => two.has(observation))
}

/** Why McNemar's test does not apply; undefined where it does. */
function whyNotMcNemar(sides: readonly Side[], pairs: readonly Pair[]): string | undefined {
  if (sides.length !== 2 || sides[0]!.sign !== 1) return "McNemar's test is for one measure less another"
  if (!sides.every(isRate)) return "McNemar's test is for rates"
  if (sides.some(({ measure }) => measure.weight !== undefined)) return "trials are weighted"
  if (pairs.some(({ shares }) => shares.some(({ count }) => count !== 1)))
    return "a side has several trials of an item, and McNemar's test takes one"
  if (new Set(pairs.map(({ rank }) => rank)).size !== pairs.length)
    return "several pairs share an item, and McNemar's test takes one"
  return undefined
}

function tableOf(pairs: readonly Pair[]): Pairs {
  const count = (left: number, right: number) =>
    pairs.filter(({ shares }) => shares[0]!.sum === left && shares[1]!.sum === right).length
  return { both: count(1, 1), left: count(1, 0), right: count(0, 1), neither: count(0, 0) }
}

const isRate = ({ measure }: Side): boolean => measure.statistic === "rate"

const one = (sum: number): Share => ({ sum, count: 1 })

const itemOf = ({ sum, count }: Share): Item => ({ sum, count, trials: count, values: [], others: [] })

function total(shares: readonly Share[]): Share {
  return shares.reduce((all, share) => ({ sum: all.sum + share.sum, count: all.count + share.count }), {
    sum: 0,
    count: 0,
  })
}

function mean(share: Share): number {
  return share.sum / share.count
}
