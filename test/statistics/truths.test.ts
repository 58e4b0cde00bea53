/** Every formula against base R (`truths.R`) and against SciPy and statsmodels (`truths.py`), which say how their numbers were made. */
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { aurocOf } from "../../runtime/statistics/auroc.ts"
import { binomialTail, mcnemarExact, signTest } from "../../runtime/statistics/binomial.ts"
import { accelerationOf, bca } from "../../runtime/statistics/bootstrap.ts"
import { pearson, spearman } from "../../runtime/statistics/correlation.ts"
import { Draws } from "../../runtime/statistics/draws.ts"
import { benjaminiHochberg, holm } from "../../runtime/statistics/families.ts"
import { fisherExact } from "../../runtime/statistics/fisher.ts"
import { normalQuantile, normalTail } from "../../runtime/statistics/normal.ts"
import { turnSigns } from "../../runtime/statistics/permutation.ts"
import { newcombeIndependent, wilson } from "../../runtime/statistics/proportion.ts"
import { quantile } from "../../runtime/statistics/quantile.ts"
import { fastStream } from "../../runtime/statistics/random.ts"
import {
  differenceOfMeans,
  type Estimated,
  meanOf,
  ratioOf,
  studentInterval,
  studentQuantile,
  studentTail,
  studentTest,
} from "../../runtime/statistics/student.ts"

interface Count {
  readonly k: number
  readonly n: number
}

interface Mean extends Estimated {
  readonly p: number
  readonly low: number
  readonly high: number
}

interface Sides {
  readonly first: readonly number[]
  readonly second: readonly number[]
}

interface OfR {
  readonly normal: readonly { z: number; tail: number }[]
  readonly quantiles: readonly { p: number; z: number }[]
  readonly student: readonly { t: number; freedom: number; tail: number }[]
  readonly studentQuantiles: readonly { p: number; freedom: number; t: number }[]
  readonly binomial: readonly (Count & { p: number; tail: number })[]
  readonly wilson: readonly (Count & { level: number; low: number; high: number })[]
  readonly fisher: readonly { first: Count; second: Count; p: number }[]
  readonly signs: readonly { above: number; below: number; twoSided: number; greater: number; less: number }[]
  readonly means: {
    readonly one: Mean & { readonly values: readonly number[] }
    readonly paired: Mean & Sides
    readonly welch: Mean & Sides
  }
  readonly families: readonly { p: readonly number[]; holm: readonly number[]; bh: readonly number[] }[]
  readonly correlations: readonly {
    x: readonly number[]
    y: readonly number[]
    pearson: number
    spearman: number
  }[]
  readonly auroc: readonly { positive: readonly number[]; negative: readonly number[]; area: number }[]
  readonly quantile7: readonly { values: readonly number[]; p: number; quantile: number }[]
}

interface OfPython {
  readonly newcombe: readonly { first: Count; second: Count; low: number; high: number }[]
  readonly turned: readonly { differences: readonly number[]; p: number; exact: boolean }[]
  readonly accelerated: readonly {
    statistic: string
    draws: readonly number[]
    estimate: number
    without: readonly number[]
    acceleration: number
    intervals: readonly { level: number; low: number; high: number }[]
  }[]
  readonly clustered: readonly {
    groups: readonly number[]
    values: readonly number[]
    estimate: number
    standardError: number
  }[]
  readonly equivalent: readonly (Sides & { margin: number; p: number })[]
}

const read = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"))
const R: OfR = read("truths.R.json")
const python: OfPython = read("truths.py.json")

/** Equal but for so many parts of the larger; two zeros are equal. */
const close = (found: number | undefined, truth: number, within = 1e-12) => {
  if (found === undefined) throw new Error(`no number where ${truth} is expected`)
  const off = Math.abs(found - truth)
  expect(off, `${found} for ${truth}`).toBeLessThanOrEqual(within * Math.max(Math.abs(truth), 1e-300))
}

const keyed = (values: readonly number[], from = 0) =>
  new Map(values.map((value, at) => [from + at, value] as const))

describe("tails and quantiles", () => {
  test.each(R.normal)("P(Z > $z)", ({ z, tail }) => close(normalTail(z), tail))

  test.each(R.quantiles)("z at $p", ({ p, z }) => close(normalQuantile(p), z, 1e-13))

  test.each(R.student)("P(T > $t) at $freedom degrees of freedom", ({ t, freedom, tail }) =>
    close(studentTail(t, freedom), tail, 1e-11),
  )

  test.each(R.studentQuantiles)("t at $p and $freedom degrees of freedom", ({ p, freedom, t }) => {
    const found = studentQuantile(p, freedom)
    if (p === 0.5) expect(Math.abs(found)).toBeLessThan(1e-12)
    else close(found, t, 1e-11)
  })

  test.each(R.binomial)("P(X >= $k) of $n tries at $p", ({ k, n, p, tail }) =>
    close(binomialTail(k, n, p), tail, 1e-11),
  )

  test("there are none outside their range", () => {
    for (const p of [0, 1, -1, Number.NaN]) expect(() => normalQuantile(p)).toThrow(RangeError)
    for (const p of [0.4, 1]) expect(() => studentQuantile(p, 3)).toThrow(RangeError)
    expect(() => studentQuantile(0.9, 0)).toThrow(RangeError)
    expect(() => studentTail(1, 0)).toThrow(RangeError)
  })
})

describe("proportions", () => {
  test.each(R.wilson)("Wilson: $k of $n at $level %", ({ k, n, level, low, high }) => {
    const found = wilson(k, n, level)
    expect(Math.abs(found.low - low)).toBeLessThan(1e-14)
    expect(Math.abs(found.high - high)).toBeLessThan(1e-14)
    if (k === 0) expect(found.low).toBe(0)
    if (k === n) expect(found.high).toBe(1)
  })

  test("Wilson: none of none", () => {
    expect(() => wilson(0, 0, 95)).toThrow("no Wilson interval of 0 out of 0")
    expect(() => wilson(3, 2, 95)).toThrow(RangeError)
  })

  test.each(python.newcombe)("Newcombe: $first.k of $first.n against $second.k of $second.n", (one) => {
    const found = newcombeIndependent(one.first, one.second, 95)
    close(found.low, one.low, 1e-10)
    close(found.high, one.high, 1e-10)
  })

  test.each(R.fisher)("Fisher: $first.k of $first.n against $second.k of $second.n", (one) => {
    close(fisherExact(one.first, one.second), one.p, 1e-10)
    close(fisherExact(one.second, one.first), one.p, 1e-10)
  })

  test.each(R.signs)("signs: $above above and $below below", ({ above, below, ...truth }) => {
    const values = [...Array(above).fill(0.25), ...Array(below).fill(-2), 0, 0, 0]
    const found = signTest(values)!
    expect(found).toMatchObject({ above, below, ties: 3 })
    close(found.twoSided, truth.twoSided)
    close(found.greater, truth.greater)
    close(found.less, truth.less)
    close(mcnemarExact(above, below), truth.twoSided)
  })

  test("signs: none where every value is 0", () => {
    expect(signTest([0, 0])).toBeUndefined()
  })
})

describe("means", () => {
  const same = (found: Estimated | undefined, truth: Mean) => {
    close(found?.estimate, truth.estimate)
    close(found?.standardError, truth.standardError)
    close(found?.freedom, truth.freedom)
    close(studentTest(found!), truth.p, 1e-10)
    const { low, high } = studentInterval(found!, 95)
    close(low, truth.low, 1e-10)
    close(high, truth.high, 1e-10)
  }

  test("of one sample: t.test(extra)", () => same(meanOf(R.means.one.values), R.means.one))

  test("of pairs: t.test(paired = TRUE), and the same as two samples that overlap wholly", () => {
    const { first, second } = R.means.paired
    same(meanOf(first.map((value, at) => value - second[at]!)), R.means.paired)
    same(differenceOfMeans(keyed(first), keyed(second)), R.means.paired)
  })

  test("of two samples: Welch's t.test", () => {
    const { first, second } = R.means.welch
    const found = differenceOfMeans(keyed(first), keyed(second, first.length))
    same(found, R.means.welch)
    expect(found!.shared).toBe(0)
  })

  test("of samples that overlap in part lie between: more in common, less variance", () => {
    const { first, second } = R.means.paired
    const errors = [0, 3, 7, 10].map((shared) => {
      const own = new Map(second.map((value, at) => [at < shared ? at : 100 + at, value]))
      return differenceOfMeans(keyed(first), own)!.standardError
    })
    expect(errors).toEqual([...errors].sort((a, b) => b - a))
  })

  test("none where nothing varies, nor of one value", () => {
    expect(meanOf([0.1, 0.1, 0.1])).toBeUndefined()
    expect(meanOf([1])).toBeUndefined()
    expect(differenceOfMeans(keyed([1, 1]), keyed([1, 1], 5))).toBeUndefined()
    expect(differenceOfMeans(keyed([1]), keyed([0, 2], 5))).toBeUndefined()
  })

  test("none of two samples of the same who all differ alike, which the paired t has none of either", () => {
    const first = [0.31, 0.42, 0.57, 0.66, 0.93]
    const second = first.map((value) => value - 0.1)
    expect(meanOf(first.map((value, at) => value - second[at]!))).toBeUndefined()
    expect(differenceOfMeans(keyed(first), keyed(second))).toBeUndefined()
  })

  test.each(python.clustered)("over trials of items: standard errors clustered by item", (one) => {
    const items = new Map<number, { sum: number; count: number }>()
    for (const [at, group] of one.groups.entries()) {
      const { sum, count } = items.get(group) ?? { sum: 0, count: 0 }
      items.set(group, { sum: sum + one.values[at]!, count: count + 1 })
    }
    const found = ratioOf([...items.values()])
    close(found?.estimate, one.estimate)
    close(found?.standardError, one.standardError)
  })

  test.each(python.equivalent)("two one-sided tests within $margin: p $p", ({ first, second, margin, p }) => {
    const mean = meanOf(first.map((value, at) => value - second[at]!))!
    const { low, high } = studentInterval(mean, 90)
    expect(low > -margin && high < margin).toBe(p < 0.05)
    const larger = Math.max(
      studentTail((mean.estimate + margin) / mean.standardError, mean.freedom),
      studentTail((margin - mean.estimate) / mean.standardError, mean.freedom),
    )
    close(larger, p, 1e-10)
  })
})

describe("families", () => {
  test.each(R.families)("p.adjust of $p", ({ p, holm: byHolm, bh }) => {
    for (const [at, adjusted] of holm(p).entries()) close(adjusted, byHolm[at]!)
    for (const [at, adjusted] of benjaminiHochberg(p).entries()) close(adjusted, bh[at]!)
  })

  test("of no test is none", () => {
    expect([holm([]), benjaminiHochberg([])]).toEqual([[], []])
  })
})

describe("ranks and correlations", () => {
  test.each(R.correlations)("cor", ({ x, y, ...truth }) => {
    close(pearson(x, y), truth.pearson)
    close(spearman(x, y), truth.spearman)
  })

  test("none where a side does not vary", () => {
    expect(pearson([1, 2, 3], [0.1, 0.1, 0.1])).toBeUndefined()
    expect(pearson([1], [2])).toBeUndefined()
  })

  test.each(R.auroc)("wilcox.test's W over the pairs", ({ positive, negative, area }) => {
    const truths = [...positive.map(() => 1), ...negative.map(() => 0)]
    close(aurocOf(truths, [...positive, ...negative]), area)
  })

  test.each(R.quantile7)("quantile at $p", ({ values, p, quantile: truth }) => {
    close(quantile(values, p), truth)
  })
})

describe("the test that turns signs", () => {
  const stream = () => fastStream({ seed: 0, declaration: "turn" })

  test.each(python.turned.filter(({ exact }) => exact))("of $differences.length items is exact", (one) => {
    const { p, how } = turnSigns(one.differences, stream)
    expect(how).toBe("exact")
    close(p, one.p)
  })

  test.each(python.turned.filter(({ exact }) => !exact))("of many is near a million draws' $p", (one) => {
    const { p, how } = turnSigns(one.differences, stream)
    expect(how).toBe("drawn")
    // Four standard errors of either.
    expect(Math.abs(p - one.p)).toBeLessThan(4 * Math.sqrt(one.p * (1 - one.p) * (1 / 9999 + 1e-6)))
  })

  test("of one difference per item, up or down, is McNemar's exact test, at any size", () => {
    for (const [b, c] of [
      [2, 9],
      [0, 7],
      [400, 500],
      [30_000, 30_500],
    ] as const) {
      const differences = [...Array(b).fill(1), ...Array(c).fill(-1), ...Array(50).fill(0)]
      close(turnSigns(differences, stream).p, mcnemarExact(b, c), 1e-11)
    }
  })

  test("never gives 0 by drawing, and 1 where no item differs", () => {
    const differences = Array.from({ length: 200 }, (_, at) => 1 + at / 1000)
    expect(turnSigns(differences, stream)).toEqual({ p: 1 / 10_000, how: "drawn" })
    expect(turnSigns([0, 0, 0], stream)).toEqual({ p: 1, how: "exact" })
  })

  test("takes differences of 0 but for rounding for none, as the sign test does", () => {
    const dust = 0.1 + 0.2 - 0.3
    expect(turnSigns(Array(10).fill(dust), stream)).toEqual({ p: 1, how: "exact" })
    const some = [0.2, 0.4, -0.1, 0.3]
    expect(turnSigns([...some, ...Array(10).fill(dust)], stream)).toEqual(turnSigns(some, stream))
  })
})

describe("the BCa interval", () => {
  test.each(python.accelerated)("of a $statistic is what SciPy makes of the same draws", (one) => {
    const draws = new Draws(new Int32Array(one.without.length), 0)
    const acceleration = accelerationOf(draws, one.without)
    close(acceleration, one.acceleration, 1e-9)
    for (const { level, low, high } of one.intervals) {
      const found = bca(Float64Array.from(one.draws), one.estimate, acceleration, level)
      if ("none" in found) throw new Error(found.none)
      close(found.low, low, 1e-9)
      close(found.high, high, 1e-9)
    }
  })

  test("has none where all draws lie on one side of the estimate", () => {
    expect(bca(Float64Array.of(1, 2, 3), 5, 0, 95)).toEqual({ none: "one side" })
  })
})
