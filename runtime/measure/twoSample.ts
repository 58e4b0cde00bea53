/**
 * A contrast between items: those of one side and those of the other, such as items whose answers turned and items whose answers held. Each item counts
 * once on a side, with the mean of its trials there, whatever its pool and model.
 */
import { fisherExact } from "../statistics/fisher.ts"
import { average } from "../statistics/mean.ts"
import { newcombeIndependent } from "../statistics/proportion.ts"
import { differenceOfMeans, meanOf, studentInterval, studentTest } from "../statistics/student.ts"
import { drawsOf } from "./draws.ts"
import { estimates, FORBIDDEN, type Given, headOf, reasonsOf, whyOverlap } from "./given.ts"
import { bootstrapInterval, kept, type Made, possibleSum, type Term } from "./interval.ts"
import type { Result } from "./result.ts"
import { groupBy, type Side, shareOf, weightWords } from "./sides.ts"
import { whyNoEstimate } from "./statistic.ts"

/** Items of a side by their number, each with the mean of its trials. */
interface Sample {
  readonly means: ReadonlyMap<number, number>
  readonly trials: number
}

export function twoSample(given: Given): Result {
  const { sides, forbidden, level } = given
  const samples = sides.map(sampleOf)
  const n = samples.reduce((sum, { trials }) => sum + trials, 0)
  const head = headOf(given, "two_sample", n, reasonsOf(sides))
  if (forbidden) return { ...head, method: FORBIDDEN }
  const [first, second] = samples
  if (sides.length !== 2 || sides[0]!.sign !== 1 || first === undefined || second === undefined)
    return { ...head, method: "none: two samples are of one measure less another" }
  const empty = sides.find((_, at) => samples[at]!.means.size === 0)
  if (empty !== undefined) return { ...head, method: whyEmpty(empty) }

  const overlap = whyOverlap(sides)
  if (overlap !== undefined) return { ...head, method: overlap }

  const each = samples.map(({ means }) => average([...means.values()]))
  const estimate = each[0]! - each[1]!
  const several = samples.some(({ means, trials }) => trials > means.size)
  const shared = [...first.means.keys()].filter((item) => second.means.has(item)).length
  const { made, p, words } = isCounted(sides, samples, shared)
    ? byCounts(first, second, level)
    : byMeans(given, first, second, estimate)
  return {
    ...head,
    estimate,
    ...made.ends,
    method: [
      `two samples, of ${first.means.size} and ${second.means.size} items${shared === 0 ? "" : `, ${shared} of them on both sides`}${several ? ", each with the mean of its trials: sides and difference are means of these" : ""}`,
      ...weightWords(sides),
      made.words,
      words,
    ].join("; "),
    ...(p === undefined ? {} : { p }),
    ...estimates(sides, each),
  }
}

/** Why no item of a side has a mean. */
function whyEmpty({ rows, measure }: Side): string {
  return shareOf(rows, measure).trials === 0 ? "none: a side has no trial" : whyNoEstimate(measure)
}

interface Inferred {
  readonly made: Made
  readonly p?: number
  readonly words: string
}

/** Whether every item gives one truth value to one side, so that both sides are independent counts. */
function isCounted(sides: readonly Side[], samples: readonly Sample[], shared: number): boolean {
  return (
    shared === 0 &&
    sides.every(({ measure }) => measure.statistic === "rate" && measure.interval.method === "wilson") &&
    sides.every(({ measure }) => measure.weight === undefined) &&
    samples.every(({ means, trials }) => means.size === trials)
  )
}

function byCounts(first: Sample, second: Sample, level: number): Inferred {
  const [one, two] = [countOf(first), countOf(second)]
  return {
    made: {
      ends: { ...newcombeIndependent(one, two, level), level },
      words: "Newcombe's score interval for independent proportions",
    },
    p: fisherExact(one, two),
    words: "p by Fisher's exact test",
  }
}

function byMeans({ trials, sides, level }: Given, first: Sample, second: Sample, estimate: number): Inferred {
  const estimated = differenceOfMeans(first.means, second.means)
  const { method } = sides[0]!.measure.interval
  const why = whyNoSpread(first, second)
  const name =
    estimated === undefined || estimated.shared === 0 ? "Welch's t" : "the t of overlapping samples"
  const made: Made =
    method !== "wilson"
      ? bootstrapInterval(
          [termOf(first, 1), termOf(second, -1)],
          estimate,
          { method, level },
          drawsOf(trials),
        )
      : estimated === undefined
        ? { ends: {}, words: `no interval, since ${why}` }
        : kept(
            {
              ends: { ...studentInterval(estimated, level), level },
              words: `interval by ${name} over items`,
            },
            possibleSum(sides),
          )
  if (estimated === undefined) return { made, words: `no p, since ${why}` }
  return { made, p: studentTest(estimated), words: `p by ${name} over items` }
}

/** Why a difference of means has no standard error. */
function whyNoSpread(...samples: readonly Sample[]): string {
  if (samples.some(({ means }) => means.size < 2)) return "one item does not vary"
  return samples.every(({ means }) => meanOf([...means.values()]) === undefined)
    ? "items do not vary"
    : "all items differ alike"
}

function sampleOf({ rows, measure }: Side): Sample {
  const items = [...groupBy(rows, ({ rank }) => String(rank)).values()]
    .map((of) => ({ rank: of[0]!.rank, share: shareOf(of, measure) }))
    .filter(({ share }) => share.count > 0)
    .sort((a, b) => a.rank - b.rank)
  return {
    means: new Map(items.map(({ rank, share }) => [rank, share.sum / share.count])),
    trials: items.reduce((sum, { share }) => sum + share.trials, 0),
  }
}

const countOf = ({ means }: Sample) => ({
  k: [...means.values()].reduce((sum, value) => sum + value, 0),
  n: means.size,
})

const termOf = ({ means }: Sample, sign: 1 | -1): Term => ({
  sign,
  statistic: "mean",
  placed: {
    items: [...means.values()].map((sum) => ({ sum, count: 1, trials: 1, values: [], others: [] })),
    ranks: [...means.keys()],
  },
})
