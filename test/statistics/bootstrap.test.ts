/** The draws that bootstraps share, against twins that resample rows. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { bca, percentile, sumsOver, valuesOver } from "../../runtime/statistics/bootstrap.ts"
import { DRAWS, Draws } from "../../runtime/statistics/draws.ts"
import { quantile, weightedQuantile } from "../../runtime/statistics/quantile.ts"
import { fastStream, xoshiro } from "../../runtime/statistics/random.ts"

describe("the stream of numbers", () => {
  test("is xoshiro128**: from the state 1, 2, 3, 4 the first ten words of the reference implementation", () => {
    const { next } = xoshiro([1, 2, 3, 4])
    expect(Array.from({ length: 10 }, next)).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ])
  })

  test("depends on its key alone, and on all of it", () => {
    const first = (key: Parameters<typeof fastStream>[0]) => fastStream(key).next()
    expect(first({ seed: 0, declaration: "a" })).toBe(first({ seed: 0, declaration: "a" }))
    const others = [
      first({ seed: 0, declaration: "a" }),
      first({ seed: 1, declaration: "a" }),
      first({ seed: 0, declaration: "b" }),
      first({ seed: 0, declaration: "a", factors: { arm: "push" } }),
    ]
    expect(new Set(others).size).toBe(4)
  })

  test("gives each of n choices its share", () => {
    const { below } = fastStream({ seed: 0, declaration: "shares" })
    const counts = [0, 0, 0, 0, 0, 0, 0]
    for (let i = 0; i < 70_000; i++) counts[below(7)]!++
    // Chi-squared with 6 degrees of freedom: 22.5 is its 0.999 quantile.
    const chi = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)
    expect(chi).toBeLessThan(22.5)
  })
})

/** Of each draw how often each item is in it, by item. */
function weightsOf(draws: Draws): readonly (readonly number[])[] {
  const all = Array.from({ length: DRAWS }, () => new Array<number>(draws.items).fill(0))
  draws.each((weights, from, size) => {
    for (let item = 0; item < draws.items; item++) {
      for (let draw = 0; draw < size; draw++) all[from + draw]![item] = weights[item * size + draw]!
    }
  })
  return all
}

describe("draws", () => {
  const strata = [0, 0, 0, 1, 1, 2, 2, 2, 2]

  test("take as many items of each stratum as it has", () => {
    const add = (sum: number, weight: number) => sum + weight
    for (const weights of weightsOf(new Draws(strata, 0))) {
      expect(
        [weights.slice(0, 3), weights.slice(3, 5), weights.slice(5)].map((of) => of.reduce(add, 0)),
      ).toEqual([3, 2, 4])
    }
  })

  test("take each item as often as the others, with a binomial spread", () => {
    const counts = Array.from({ length: 9 }, (_, item) =>
      weightsOf(new Draws(strata, 0)).map((weights) => weights[item]!),
    )
    for (const of of counts) expect(of.reduce((sum, count) => sum + count, 0) / DRAWS).toBeCloseTo(1, 0.9)
    // One of three, three times: none at all in 8 of 27 draws.
    const none = counts[0]!.filter((count) => count === 0).length / DRAWS
    expect(Math.abs(none - 8 / 27)).toBeLessThan(0.04)
  })

  test("are the same for the same seed, and others for another", () => {
    expect(weightsOf(new Draws(strata, 3))).toEqual(weightsOf(new Draws(strata, 3)))
    expect(weightsOf(new Draws(strata, 3))).not.toEqual(weightsOf(new Draws(strata, 4)))
  })

  test("put items that are alone in their strata together, for alone they would not vary", () => {
    expect(new Draws([0, 1, 2], 0).strata.map((of) => [...of])).toEqual([[0, 1, 2]])
    expect(new Draws([0, 0, 1], 0).strata.map((of) => [...of])).toEqual([[0, 1, 2]])
    expect(new Draws([0, 0, 1, 2], 0).strata.map((of) => [...of])).toEqual([
      [0, 1],
      [2, 3],
    ])
  })

  test("are the same where they are too many to be kept", () => {
    const [few, many] = [new Draws(strata, 0), new Draws(strata, 0, 9 * 300)]
    let parts = 0
    many.each(() => {
      parts += 1
    })
    expect(parts).toBe(7)
    expect(weightsOf(many)).toEqual(weightsOf(few))
  })
})

/** The naive twin: the numbers of each draw's items, written out as often as they are drawn. */
const written = (weights: readonly number[], items: readonly number[], numbers: readonly number[]) =>
  items.flatMap((item, at) => new Array<number>(weights[item]!).fill(numbers[at]!))

describe("sums and values over draws", () => {
  const items = fc
    .uniqueArray(fc.integer({ min: 0, max: 19 }), { minLength: 1, maxLength: 20 })
    .chain((some) =>
      fc.tuple(
        fc.constant(some),
        fc.array(fc.constantFrom(0, 1, -0.5, 0.25, 3), { minLength: some.length, maxLength: some.length }),
      ),
    )
  const draws = new Draws(
    Int32Array.from({ length: 20 }, (_, at) => at % 3),
    1,
  )
  const weights = weightsOf(draws)

  test("equal those of the naive twin that writes out what is drawn", () => {
    fc.assert(
      fc.property(items, ([some, numbers]) => {
        const sums = sumsOver(draws, some, numbers)
        const ordered = {
          items: [...numbers.keys()].sort((a, b) => numbers[a]! - numbers[b]!),
          values: [...numbers].sort((a, b) => a - b),
        }
        const medians = valuesOver(draws, some, (own) => weightedQuantile(ordered, own, 0.5))
        for (const [draw, of] of weights.entries()) {
          const drawn = written(of, some, numbers).sort((a, b) => a - b)
          expect(sums[draw]).toBeCloseTo(
            drawn.reduce((sum, value) => sum + value, 0),
            9,
          )
          if (drawn.length === 0) expect(medians[draw]).toBeNaN()
          else expect(medians[draw]).toBeCloseTo(quantile(drawn, 0.5), 9)
        }
      }),
      { numRuns: 5 },
    )
  })
})

describe("intervals of drawn values", () => {
  test("leave out draws without a value, and count the others", () => {
    const found = percentile(Float64Array.of(3, Number.NaN, 1, 2), 50)
    expect(found).toEqual({ low: 1.5, high: 2.5, draws: 3 })
  })

  test("are none where all draws are equal, to rounding: no width is not certainty", () => {
    expect(percentile(Float64Array.of(0.1, 0.1 + 1e-16, 0.1), 95)).toEqual({ none: "equal draws" })
    expect(percentile(Float64Array.of(Number.NaN), 95)).toEqual({ none: "no draws" })
    expect(bca(Float64Array.of(2, 2), 2, 0, 95)).toEqual({ none: "equal draws" })
  })

  test("by BCa are none where the acceleration turns the order of its ends", () => {
    const values = Float64Array.from({ length: 2000 }, (_, at) => at - 999.5)
    expect(bca(values, 0, 0.6, 95)).toEqual({ none: "wrapped" })
    expect(bca(values, 0, -0.6, 95)).toEqual({ none: "wrapped" })
    expect(bca(values, 0, 0.4, 95)).toMatchObject({ draws: 2000 })
  })

  test("by BCa are the percentiles where there is neither bias nor acceleration", () => {
    const values = Float64Array.from({ length: 2000 }, (_, at) => at - 999.5)
    const [moved, plain] = [bca(values, 0, 0, 90), percentile(values, 90)]
    if ("none" in moved || "none" in plain) throw new Error("no interval")
    expect(moved.low).toBeCloseTo(plain.low, 6)
    expect(moved.high).toBeCloseTo(plain.high, 6)
  })

  test("by BCa take a draw that is equal to the estimate but for rounding for a tie", () => {
    // 14 of 20 less 8 of 20, of which draws come to 0.3 as 0.7 - 0.4, as 0.6 - 0.3 and as 0.9 - 0.6.
    const draws = Array.from({ length: 2000 }, (_, at) => [8 + (at % 11), 2 + (at % 7) + (at % 5)] as const)
    const apart = Float64Array.from(draws, ([left, right]) => left / 20 - right / 20)
    const exact = Float64Array.from(draws, ([left, right]) => (left - right) / 20)
    expect(apart).not.toEqual(exact)
    const [found, truth] = [bca(apart, 14 / 20 - 8 / 20, 0, 95), bca(exact, 6 / 20, 0, 95)]
    if ("none" in found || "none" in truth) throw new Error("no interval")
    expect(found.low).toBeCloseTo(truth.low, 12)
    expect(found.high).toBeCloseTo(truth.high, 12)
    // All ties: none is below, and none above.
    expect(bca(Float64Array.of(0.3, 0.1 + 0.2, 1), 0.3, 0, 95)).toMatchObject({ draws: 3 })
  })
})

test("what all items of a stratum have in common adds up without going through draws, and 0 stays 0", () => {
  const draws = new Draws([0, 0, 0, 0, 1, 1, 1], 5)
  const everywhere = sumsOver(draws, [0, 1, 2, 3, 4, 5, 6], [1, 1, 1, 1, 2, 2, 2])
  expect(new Set(everywhere)).toEqual(new Set([10]))
  // Half or more of the draws of a stratum of four may lack an item that alone has a weight.
  const tenth = sumsOver(draws, [0, 1, 2, 3], [0.1, 0.1, 0.1, 0])
  const lacking = weightsOf(draws).flatMap(([a, b, c], draw) => (a! + b! + c! === 0 ? [tenth[draw]] : []))
  expect(lacking.length).toBeGreaterThan(0)
  expect(new Set(lacking)).toEqual(new Set([0]))
})
