import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  type Bootstrapped,
  bootstrapMean,
  bootstrapTerms,
  DRAWS,
  quantile,
  type Share,
} from "../../runtime/measure/bootstrap.ts"
import { wilson } from "../../runtime/measure/proportion.ts"
import { bootstrapStream, fastStream, xoshiro } from "../../runtime/measure/random.ts"

function interval(of: Bootstrapped) {
  if ("none" in of) throw new Error(of.none)
  return of
}

const stream = (declaration: string) => fastStream({ seed: 0, declaration })

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

  test("of a bootstrap depends on the seed and on how many items there are, so that the same data draw the same", () => {
    const words = [bootstrapStream(0, 8), bootstrapStream(0, 8), bootstrapStream(1, 8), bootstrapStream(0, 9)]
    const [first, again, otherSeed, moreItems] = words.map(({ next }) => next())
    expect(again).toBe(first)
    expect(new Set([first, otherSeed, moreItems]).size).toBe(3)
  })

  test("gives each of n choices its share", () => {
    const { below } = stream("shares")
    const counts = [0, 0, 0, 0, 0, 0, 0]
    for (let i = 0; i < 70_000; i++) counts[below(7)]!++
    // Chi-squared with 6 degrees of freedom: 22.5 is its 0.999 quantile.
    const chi = counts.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0)
    expect(chi).toBeLessThan(22.5)
  })
})

describe("the quantile of sorted values", () => {
  test("interpolates as R's default does: quantile(c(1, 2, 4, 8), c(0, .1, .5, .9, 1))", () => {
    expect([0, 0.1, 0.5, 0.9, 1].map((p) => quantile([1, 2, 4, 8], p))).toEqual([
      1,
      1.3,
      3,
      expect.closeTo(6.8, 12),
      8,
    ])
  })
})

/** The naive twin: rows are resampled, item by item, and the mean is taken over all of them afresh. */
function naive(items: readonly (readonly number[])[], level: number, declaration: string) {
  const { below } = stream(declaration)
  const values: number[] = []
  for (let draw = 0; draw < DRAWS; draw++) {
    const rows: number[] = []
    for (let i = 0; i < items.length; i++) rows.push(...items[below(items.length)]!)
    values.push(rows.reduce((sum, value) => sum + value, 0) / rows.length)
  }
  values.sort((a, b) => a - b)
  const tail = (1 - level / 100) / 2
  return { low: quantile(values, tail), high: quantile(values, 1 - tail) }
}

const sums = (rows: readonly number[]) => ({
  sum: rows.reduce((sum, value) => sum + value, 0),
  count: rows.length,
})

interface Sides {
  readonly left: Share
  readonly right: Share
}

const bootstrapDifference = (items: readonly Sides[], level: number, of: ReturnType<typeof stream>) =>
  bootstrapTerms(
    items.map(({ left, right }) => [left, right]),
    [1, -1],
    level,
    of,
  )

describe("the cluster bootstrap", () => {
  test("by sums of items equals the naive twin that resamples their rows", () => {
    const rows = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(rows, { minLength: 2, maxLength: 12 }), (items) => {
        const clever = bootstrapMean(items.map(sums), 90, stream("twin"))
        const twin = naive(items, 90, "twin")
        if ("none" in clever) {
          expect(clever.none).toBe("equal draws")
          expect(twin.high).toBeCloseTo(twin.low, 9)
          return
        }
        expect(clever.low).toBeCloseTo(twin.low, 9)
        expect(clever.high).toBeCloseTo(twin.high, 9)
        expect(clever.draws).toBe(DRAWS)
      }),
      { numRuns: 8 },
    )
  })

  test("of single trials is close to Wilson's interval: 81 of 263", () => {
    const items = Array.from({ length: 263 }, (_, at) => sums([at < 81 ? 1 : 0]))
    const { low, high } = interval(bootstrapMean(items, 95, stream("close")))
    const score = wilson(81, 263, 95)
    expect(Math.abs(low - score.low)).toBeLessThan(0.012)
    expect(Math.abs(high - score.high)).toBeLessThan(0.012)
  })

  test("does not take four trials of one item for four items", () => {
    const values = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 0 : 1))
    const of = (copies: number) =>
      interval(
        bootstrapMean(
          values.map((value) => sums(Array(copies).fill(value))),
          95,
          stream("alone"),
        ),
      )
    const [alone, fourfold] = [of(1), of(4)]
    expect(fourfold.high - fourfold.low).toBeCloseTo(alone.high - alone.low, 12)
  })

  test("of a difference draws both sides of an item together: what items share cancels", () => {
    const items = Array.from({ length: 30 }, (_, at) => ({
      left: sums([at / 30 + (at % 2 === 0 ? 0.1 : 0.11)]),
      right: sums([at / 30]),
    }))
    const { low, high } = interval(bootstrapDifference(items, 95, stream("cancels")))
    expect(low).toBeGreaterThan(0.1)
    expect(high).toBeLessThan(0.11)
  })

  test("has no interval where all draws are equal, to rounding: no width is not certainty", () => {
    const pairs = Array.from({ length: 30 }, (_, at) => ({
      left: sums([at / 30 + 0.1]),
      right: sums([at / 30]),
    }))
    expect(bootstrapDifference(pairs, 95, stream("equal"))).toEqual({ none: "equal draws" })
    const ones = Array.from({ length: 6 }, () => sums([1]))
    expect(bootstrapMean(ones, 95, stream("equal"))).toEqual({ none: "equal draws" })
    const tenths = Array.from({ length: 7 }, () => sums([0.1, 0.2]))
    expect(bootstrapMean(tenths, 95, stream("equal"))).toEqual({ none: "equal draws" })
  })

  test("leaves out draws in which a side has no trial, and counts them", () => {
    const empty = { sum: 0, count: 0 }
    const items = [
      { left: sums([1]), right: empty },
      { left: empty, right: sums([0]) },
    ]
    // Half of the draws hold both items, and all of these give the same difference.
    expect(bootstrapDifference(items, 95, stream("sides"))).toEqual({ none: "equal draws" })
    const three = [...items, { left: sums([0]), right: empty }]
    const { draws } = interval(bootstrapDifference(three, 95, stream("sides")))
    // 1 - (2/3)^3 - (1/3)^3 of 2000.
    expect(draws).toBeGreaterThan(1250)
    expect(draws).toBeLessThan(1420)
    expect(bootstrapDifference([items[0]!, items[0]!], 95, stream("sides"))).toEqual({ none: "no draws" })
  })

  test("needs two items", () => {
    expect(bootstrapMean([sums([1, 0])], 95, stream("one"))).toEqual({ none: "one item" })
    const pair = { left: sums([1]), right: sums([0]) }
    expect(bootstrapDifference([pair], 95, stream("one"))).toEqual({ none: "one item" })
  })
})
