/** A difference of two groups of trials, by hand and by another statistic that it must equal. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { recalibrated } from "../../compiler/recalibrated.ts"
import { estimateOf, itemOf } from "../../runtime/measure/statistic.ts"
import { differenceOfGroups, halvesOf } from "../../runtime/statistics/difference.ts"

describe("a difference of groups", () => {
  it("is the mean where something is true, less the mean where it is not", () => {
    // (2 + 5) / 2 - (1 + 3 + 2) / 3
    expect(
      estimateOf("difference", [
        itemOf("difference", [2, 1, 3], [1, 0, 0]),
        itemOf("difference", [5, 2], [1, 0]),
      ]),
    ).toBe(1.5)
  })

  it("is none where a group has no trial", () => {
    expect(estimateOf("difference", [itemOf("difference", [2, 1], [1, 1])])).toBeUndefined()
  })

  it("counts an item as often as it is drawn", () => {
    const items = [itemOf("difference", [1, 0], [1, 0]), itemOf("difference", [0, 0], [1, 0])]
    const twice = [items[0]!, items[0]!, items[1]!]
    expect(differenceOfGroups(items.map(halvesOf), (item) => [2, 1][item]!)).toBe(
      estimateOf("difference", twice),
    )
  })

  it("of truth values is twice their area under the curve less one, the groups being what comes about", () => {
    const trials = fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 1 })), {
      minLength: 2,
    })
    fc.assert(
      fc.property(trials, (pairs) => {
        const [values, groups] = [pairs.map(([value]) => value), pairs.map(([, group]) => group)]
        const area = estimateOf("auroc", [itemOf("auroc", groups, values)])
        const difference = estimateOf("difference", [itemOf("difference", values, groups)])
        if (area === undefined) expect(difference).toBeUndefined()
        else expect(difference).toBeCloseTo(2 * area - 1, 12)
      }),
    )
  })
})

describe("a confidence at another temperature", () => {
  it("is that of the logits divided by it", () => {
    const logits = [2, 0.5, -1, 0]
    const softmax = (all: readonly number[]) => {
      const powers = all.map(Math.exp)
      const sum = powers.reduce((a, b) => a + b)
      return powers.map((power) => power / sum)
    }
    for (const temperature of [0.5, 1, 2, 7])
      expect(recalibrated(softmax(logits), temperature)).toBeCloseTo(
        Math.max(...softmax(logits.map((logit) => logit / temperature))),
        12,
      )
  })

  it("goes to 1 and to an even share without underflow, and is none of nothing", () => {
    expect(recalibrated([0.6, 0.4, 0], 0.001)).toBe(1)
    expect(recalibrated([0.5, 0.25, 0.25], 1e6)).toBeCloseTo(1 / 3, 5)
    expect(recalibrated([], 2)).toBeUndefined()
  })
})
