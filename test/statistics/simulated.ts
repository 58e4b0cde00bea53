/** How often intervals hold what they are of, and tests reject what is true, in seeded simulations of known truths. */
import { cellwiseInterval } from "../../runtime/measure/cellwise.ts"
import { measureInterval } from "../../runtime/measure/interval.ts"
import { binomialTail, mcnemarExact } from "../../runtime/statistics/binomial.ts"
import { accelerationOf, bca, percentile, sumsOver } from "../../runtime/statistics/bootstrap.ts"
import { Draws } from "../../runtime/statistics/draws.ts"
import { fisherExact } from "../../runtime/statistics/fisher.ts"
import type { Interval } from "../../runtime/statistics/interval.ts"
import { normalQuantile } from "../../runtime/statistics/normal.ts"
import { turnSigns } from "../../runtime/statistics/permutation.ts"
import { newcombeIndependent, newcombePaired, wilson } from "../../runtime/statistics/proportion.ts"
import { fastStream } from "../../runtime/statistics/random.ts"
import {
  differenceOfMeans,
  meanOf,
  ratioOf,
  studentInterval,
  studentTest,
} from "../../runtime/statistics/student.ts"
import { HRR } from "../measure/sample.ts"

/** Random numbers of one simulated data set. */
export interface Chance {
  readonly uniform: () => number
  readonly normal: () => number
  readonly below: (bound: number) => number
}

function chanceOf(name: string, run: number): Chance {
  const { next, below } = fastStream({ seed: run, declaration: `coverage ${name}` })
  const uniform = () => (next() + 0.5) / 2 ** 32
  return { uniform, below, normal: () => normalQuantile(uniform()) }
}

/** An interval that is taken again and again of new data; `truth` is what it should hold. */
export interface Interval95 {
  readonly name: string
  readonly data: string
  readonly truth: number
  readonly interval: (chance: Chance, run: number) => Interval | undefined
}

/** A test of a hypothesis that is true. */
export interface Test5 {
  readonly name: string
  readonly data: string
  readonly p: (chance: Chance, run: number) => number | undefined
}

/** The share of runs whose interval holds the truth; a run without an interval does not. */
export function coverageOf({ name, data, truth, interval }: Interval95, runs: number): number {
  let held = 0
  for (let run = 0; run < runs; run++) {
    const found = interval(chanceOf(`${name} ${data}`, run), run)
    if (found !== undefined && found.low <= truth && truth <= found.high) held += 1
  }
  return held / runs
}

/** The share of runs that reject at 5 %. */
export function sizeOf({ name, data, p }: Test5, runs: number): number {
  let rejected = 0
  for (let run = 0; run < runs; run++)
    if ((p(chanceOf(`${name} ${data}`, run), run) ?? 1) <= 0.05) rejected += 1
  return rejected / runs
}

const times = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)

const keyed = (values: readonly number[], from = 0) =>
  new Map(values.map((value, at) => [from + at, value] as const))

/** The coverage of Wilson's interval as its binomial sum. */
export function wilsonCoverage(n: number, p: number): number {
  let coverage = 0
  for (let k = 0; k <= n; k++) {
    const { low, high } = wilson(k, n, 95)
    if (low <= p && p <= high) coverage += binomialTail(k, n, p) - binomialTail(k + 1, n, p)
  }
  return coverage
}

export const wilsonOf = (n: number, p: number): Interval95 => ({
  name: "Wilson",
  data: `${n} trials at ${p}`,
  truth: p,
  interval: ({ uniform }) => wilson(times(n).filter(() => uniform() < p).length, n, 95),
})

/** Items of 1 to 6 trials, whose values have a part in common; mean 0.3, and skewed where `skewed`. */
function clusters({ normal, below }: Chance, items: number, skewed: boolean) {
  return times(items).map(() => {
    const common = normal()
    const count = 1 + below(6)
    const values = times(count).map(() => {
      const z = 0.8 * common + 0.6 * normal()
      // exp(z) of mean exp(1/2).
      return skewed ? 0.3 * Math.exp(z - 0.5) : 0.3 + 0.4 * z
    })
    return { sum: values.reduce((sum, value) => sum + value, 0), count }
  })
}

function bootstrapped(
  items: readonly { sum: number; count: number }[],
  run: number,
  method: "percentile" | "bca",
) {
  const draws = new Draws(new Int32Array(items.length), run)
  const places = times(items.length)
  const [sums, counts] = [items.map(({ sum }) => sum), items.map(({ count }) => count)]
  const drawn = sumsOver(draws, places, counts)
  const values = sumsOver(draws, places, sums).map((sum, draw) => sum / drawn[draw]!)
  if (method === "percentile") return within(percentile(values, 95))
  const [sum, count] = [total(sums), total(counts)]
  const without = items.map((item) => (sum - item.sum) / (count - item.count))
  return within(bca(values, sum / count, accelerationOf(draws, without), 95))
}

const within = (found: ReturnType<typeof percentile>): Interval | undefined =>
  "none" in found ? undefined : found

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Each item is in one cell, so that a draw may have none of a cell's. Cells in which no item enters are none. */
function overCellsOfItems(
  { uniform }: Chance,
  cells: number,
  each: number,
  run: number,
): Interval | undefined {
  const found = times(cells).map((cell) => {
    const p = 0.2 + (0.6 * cell) / (cells - 1)
    const ranks = times(each).flatMap((at) => (uniform() < 0.7 ? cell * each + at : []))
    const items = ranks.map(() => ({
      sum: uniform() < p ? 1 : 0,
      count: 1,
      trials: 1,
      values: [],
      others: [],
    }))
    return { items, ranks }
  })
  const series = [{ statistic: "rate" as const, cells: found.filter(({ ranks }) => ranks.length > 0) }]
  const { low, high } = cellwiseInterval("mean", series, new Draws(times(cells * each), run), 95).ends
  return low === undefined || high === undefined ? undefined : { low, high }
}

/** Two answers of an item that agree more often than by chance; each is true with its own probability. */
function pairOf({ uniform }: Chance, left: number, right: number) {
  const same = uniform() < 0.5
  const first = uniform()
  return [first < left, (same ? first : uniform()) < right] as const
}

function pairTable(chance: Chance, n: number, left: number, right: number) {
  const table = { both: 0, left: 0, right: 0, neither: 0 }
  for (let at = 0; at < n; at++) {
    const [one, other] = pairOf(chance, left, right)
    table[one ? (other ? "both" : "left") : other ? "right" : "neither"] += 1
  }
  return table
}

export const intervals: readonly Interval95[] = [
  ...[false, true].flatMap((skewed): readonly Interval95[] => {
    const data = `50 items of 1 to 6 trials${skewed ? ", skewed" : ""}`
    return [
      {
        name: "cluster bootstrap, percentiles",
        data,
        truth: 0.3,
        interval: (chance, run) => bootstrapped(clusters(chance, 50, skewed), run, "percentile"),
      },
      {
        name: "cluster bootstrap, BCa",
        data,
        truth: 0.3,
        interval: (chance, run) => bootstrapped(clusters(chance, 50, skewed), run, "bca"),
      },
    ]
  }),
  {
    name: "Wilson over effective trials",
    data: "40 items of 6 trials, two thirds of them copies of one answer, share 0.3",
    truth: 0.3,
    interval: ({ uniform }) => {
      const items = times(40).map(() => {
        const answers = times(6).map(() => (uniform() < 0.3 ? 1 : 0))
        const sum = uniform() < 2 / 3 ? 6 * answers[0]! : total(answers)
        return { sum, count: 6, trials: 6, values: [], others: [] }
      })
      const share = total(items.map(({ sum }) => sum)) / 240
      const { low, high } = measureInterval(
        HRR,
        { items, ranks: times(40) },
        share,
        new Draws(times(40), 0),
      ).ends
      return low === undefined || high === undefined ? undefined : { low, high }
    },
  },
  ...[
    [20, 2],
    [20, 5],
  ].map(
    ([cells = 0, items = 0]): Interval95 => ({
      name: "bootstrap of a mean over cells of items",
      data: `${cells} cells of ${items} items, of which 0.7 enter, shares from 0.2 to 0.8`,
      truth: 0.5,
      interval: (chance, run) => overCellsOfItems(chance, cells, items, run),
    }),
  ),
  {
    name: "Student's t",
    data: "12 cells, normal",
    truth: 0.2,
    interval: ({ normal }) => studentInterval(meanOf(times(12).map(() => 0.2 + 0.1 * normal()))!, 95),
  },
  ...[
    [50, 0.8, 0.6],
    [200, 0.5, 0.5],
    [500, 0.1, 0.05],
  ].map(
    ([n = 0, left = 0, right = 0]): Interval95 => ({
      name: "Newcombe, paired",
      data: `${n} pairs, ${left} and ${right}`,
      truth: left - right,
      interval: (chance) => newcombePaired(pairTable(chance, n, left, right), 95),
    }),
  ),
  {
    name: "Student's t over items, paired means",
    data: "50 items of 1 to 6 pairs",
    truth: 0.3,
    interval: (chance) => studentInterval(ratioOf(clusters(chance, 50, false))!, 95),
  },
  ...[
    [50, 0.8, 80, 0.6],
    [200, 0.1, 300, 0.05],
  ].map(
    ([n = 0, p = 0, m = 0, q = 0]): Interval95 => ({
      name: "Newcombe, independent",
      data: `${n} at ${p} and ${m} at ${q}`,
      truth: p - q,
      interval: ({ uniform }) =>
        newcombeIndependent(
          { k: times(n).filter(() => uniform() < p).length, n },
          { k: times(m).filter(() => uniform() < q).length, n: m },
          95,
        ),
    }),
  ),
  {
    name: "Welch's t",
    data: "30 and 50 items, standard deviations 1 and 3",
    truth: 0.5,
    interval: ({ normal }) =>
      studentInterval(
        differenceOfMeans(
          keyed(times(30).map(() => 0.5 + normal())),
          keyed(
            times(50).map(() => 3 * normal()),
            30,
          ),
        )!,
        95,
      ),
  },
  {
    name: "t of overlapping samples",
    data: "60 and 50 items, 30 of them on both sides, correlation 0.7",
    truth: 0.5,
    interval: (chance) => studentInterval(overlapping(chance, 0.5)!, 95),
  },
]

function overlapping({ normal }: Chance, difference: number) {
  const common = times(80).map(() => normal())
  const value = (at: number) => Math.sqrt(0.7) * common[at]! + Math.sqrt(0.3) * normal()
  const first = new Map(times(60).map((at) => [at, difference + value(at)] as const))
  const second = new Map(times(50).map((at) => [30 + at, value(30 + at)] as const))
  return differenceOfMeans(first, second)
}

export const tests: readonly Test5[] = [
  {
    name: "McNemar, exact",
    data: "50 pairs, 0.5 and 0.5",
    p: (chance) => {
      const { left, right } = pairTable(chance, 50, 0.5, 0.5)
      return mcnemarExact(left, right)
    },
  },
  {
    name: "Fisher, exact",
    data: "50 and 80 at 0.5",
    p: ({ uniform }) =>
      fisherExact(
        { k: times(50).filter(() => uniform() < 0.5).length, n: 50 },
        { k: times(80).filter(() => uniform() < 0.5).length, n: 80 },
      ),
  },
  {
    name: "permutation, exact",
    data: "12 items, skewed differences that are as likely up as down",
    p: ({ normal, uniform }, run) =>
      turnSigns(
        times(12).map(() => Math.exp(normal()) * (uniform() < 0.5 ? 1 : -1)),
        () => fastStream({ seed: run, declaration: "p" }),
      ).p,
  },
  {
    name: "permutation, drawn",
    data: "40 items, skewed differences that are as likely up as down",
    p: ({ normal, uniform }, run) =>
      turnSigns(
        times(40).map(() => Math.exp(normal()) * (uniform() < 0.5 ? 1 : -1)),
        () => fastStream({ seed: run, declaration: "p" }),
      ).p,
  },
  {
    name: "Student's t over items",
    data: "50 items of 1 to 6 pairs",
    p: (chance) => {
      const items = clusters(chance, 50, false).map(({ sum, count }) => ({ sum: sum - 0.3 * count, count }))
      return studentTest(ratioOf(items)!)
    },
  },
  {
    name: "Welch's t",
    data: "30 and 50 items, standard deviations 1 and 3",
    p: ({ normal }) =>
      studentTest(
        differenceOfMeans(
          keyed(times(30).map(() => normal())),
          keyed(
            times(50).map(() => 3 * normal()),
            30,
          ),
        )!,
      ),
  },
  {
    name: "t of overlapping samples",
    data: "60 and 50 items, 30 of them on both sides, correlation 0.7",
    p: (chance) => studentTest(overlapping(chance, 0)!),
  },
  {
    name: "two one-sided tests",
    data: "20 pairs, a true difference of just the margin",
    p: ({ normal }) => {
      const mean = meanOf(times(20).map(() => 0.2 + 0.3 * normal()))!
      const { low, high } = studentInterval(mean, 90)
      return low > -0.2 && high < 0.2 ? 0 : 1
    },
  },
]
