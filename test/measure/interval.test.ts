import { describe, expect, test } from "vitest"
import type { MeasureIR } from "../../compiler/ir.ts"
import { effectiveTrials, measureInterval } from "../../runtime/measure/interval.ts"
import { Draws } from "../../runtime/statistics/draws.ts"
import { wilson } from "../../runtime/statistics/proportion.ts"
import { fastStream } from "../../runtime/statistics/random.ts"
import { deltaP, HRR } from "./sample.ts"

const share = (sum: number, count: number) => ({ sum, count, trials: count, values: [], others: [] })
const intervalOf = (measure: MeasureIR, items: readonly ReturnType<typeof share>[], seed = 0) => {
  const [sum, count] = [
    items.reduce((all, item) => all + item.sum, 0),
    items.reduce((all, item) => all + item.count, 0),
  ]
  const draws = new Draws(new Int32Array(items.length), seed)
  return measureInterval(measure, { items, ranks: [...items.keys()] }, sum / count, draws)
}
const wilsonOf = (items: readonly ReturnType<typeof share>[]) => intervalOf(HRR, items)

describe("the number of effective trials", () => {
  test("by hand: of 4, 0 and 0 out of 4 each it is 2, for a variance of 1/9 and a share of 1/3", () => {
    expect(effectiveTrials([share(4, 4), share(0, 4), share(0, 4)])).toBeCloseTo(2, 12)
  })

  test("is never more than the trials, however alike items are", () => {
    expect(effectiveTrials([share(1, 2), share(1, 2), share(2, 2), share(1, 2), share(1, 2)])).toBe(10)
  })

  test("is the number of items where nothing varies between them", () => {
    expect(effectiveTrials([share(0, 6), share(0, 6), share(0, 3)])).toBe(3)
    expect(effectiveTrials([share(6, 6), share(6, 6)])).toBe(2)
    expect(effectiveTrials([share(1, 3), share(2, 6), share(1, 3)])).toBe(3)
    expect(effectiveTrials([share(2, 3)])).toBe(1)
  })
})

describe("the interval of a rate", () => {
  test("is Wilson's over trials where each item gives one", () => {
    expect(wilsonOf([share(1, 1), share(0, 1), share(0, 1)])).toEqual({
      ends: { ...wilson(1, 3, 95), level: 95 },
      words: "Wilson",
    })
  })

  test("is Wilson's over the effective trials where items give several, and says so", () => {
    const { ends, words } = wilsonOf([share(4, 4), share(0, 4), share(0, 4)])
    expect(words).toBe("Wilson over 2.0 effective trials, since trials share items")
    expect(ends.low).toBeCloseTo(wilson(2 / 3, 2, 95).low, 12)
    expect(ends.high).toBeCloseTo(wilson(2 / 3, 2, 95).high, 12)
  })

  test("of trials that all agree is as wide as that of as many items", () => {
    expect(wilsonOf([share(0, 6), share(0, 6), share(0, 6)]).ends).toEqual({
      ...wilson(0, 3, 95),
      level: 95,
    })
  })

  test("holds the true share about as often as it says, where Wilson over all trials does not", () => {
    const { next } = fastStream({ seed: 0, declaration: "coverage" })
    const uniform = () => next() / 2 ** 32
    const [runs, items, each, p] = [1000, 40, 6, 0.3]
    const held = { plain: 0, effective: 0 }
    for (let run = 0; run < runs; run++) {
      // In two thirds of the items all six trials are copies of one.
      const shares = Array.from({ length: items }, () => {
        if (uniform() < 2 / 3) return share(uniform() < p ? each : 0, each)
        return share(Array.from({ length: each }, () => (uniform() < p ? 1 : 0)).reduce<number>(add, 0), each)
      })
      const plain = wilson(shares.map(({ sum }) => sum).reduce(add, 0), items * each, 95)
      const { low = 1, high = 0 } = wilsonOf(shares).ends
      if (plain.low <= p && p <= plain.high) held.plain++
      if (low <= p && p <= high) held.effective++
    }
    expect(held.plain / runs).toBeLessThan(0.75)
    expect(held.effective / runs).toBeGreaterThan(0.925)
    expect(held.effective / runs).toBeLessThan(0.975)
  })
})

describe("the interval of a mean", () => {
  test("is the same for the same data, whatever the measure is called", () => {
    const items = Array.from({ length: 12 }, (_, at) => share(at / 12, 1))
    const first = intervalOf(deltaP, items)
    expect(first.words).toBe("cluster bootstrap by item, 2000 draws")
    expect(intervalOf({ ...deltaP, name: "other" }, items)).toEqual(first)
    expect(intervalOf(deltaP, items, 1).ends).not.toEqual(first.ends)
  })

  test("may be BCa, which skewed data move", () => {
    const items = Array.from({ length: 20 }, (_, at) => share(Math.exp(at / 4) / 100, 1))
    const plain = intervalOf(deltaP, items)
    const moved = intervalOf({ ...deltaP, interval: { method: "bca", level: 95 } }, items)
    expect(moved.words).toBe("BCa cluster bootstrap by item, 2000 draws")
    expect(moved.ends.low).toBeGreaterThan(plain.ends.low!)
    expect(moved.ends.high).toBeGreaterThan(plain.ends.high!)
  })

  test("is absent of three items: one draw in 27 is of one item alone, so that its ends are the outermost of them", () => {
    const words = "no interval, since a bootstrap of 3 items ends at the outermost of them"
    const three = [share(0.1, 1), share(0.5, 1), share(0.9, 1)]
    expect(intervalOf(deltaP, three)).toEqual({ ends: {}, words })
    expect(intervalOf({ ...deltaP, interval: { method: "bca", level: 95 } }, three)).toEqual({
      ends: {},
      words,
    })
  })

  test("is absent of four items among others, of which a draw may have as few, and there of five and of four that are a whole pool", () => {
    const of = (values: readonly number[], pools: readonly number[]) => {
      const items = values.map((value) => share(value, 1))
      return measureInterval(deltaP, { items, ranks: [...items.keys()] }, 0.5, new Draws(pools, 0))
    }
    const among = (others: number) => Array.from({ length: 400 }, (_, at) => (at < 400 - others ? 0 : 1))
    const [four, five] = [
      [0.1, 0.4, 0.6, 0.9],
      [0.1, 0.4, 0.5, 0.6, 0.9],
    ]
    expect(of(four, among(0))).toEqual({
      ends: {},
      words:
        "no interval, since a bootstrap of 4 items among others ends at the outermost of them or close by",
    })
    expect(of(five, among(0)).words).toContain("over 5 items only")
    expect(of(four, among(396)).words).toBe(
      "cluster bootstrap by item, 2000 draws, over 4 items only, so that the interval is likely too narrow",
    )
  })

  test("is absent, with the reason, where no draw differs", () => {
    expect(intervalOf(deltaP, [share(1, 1), share(1, 1), share(1, 1), share(1, 1)])).toEqual({
      ends: {},
      words: "no interval, since all 2000 draws of a cluster bootstrap by item are equal",
    })
  })
})

const add = (a: number, b: number) => a + b
