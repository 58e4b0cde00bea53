/** Spreads that are planted come back, as far as outcomes can tell them. */
import { describe, expect, it } from "vitest"
import { interceptFor, logistic } from "../../runtime/diagnose/logits.ts"
import { MOST, type Seen, spreadIn } from "../../runtime/diagnose/moments.ts"
import { normalQuantile } from "../../runtime/statistics/normal.ts"
import { fastStream } from "../../runtime/statistics/random.ts"

/** Rates as far apart as those of arms are: two controls that move nobody, and pressure that moves most. */
const RATES = [0.01, 0.02, 0.15, 0.4, 0.45, 0.6, 0.7, 0.85]

/** Outcomes of items in eight arms, by a logistic model with normal intercepts of items and models. */
function planted({
  items,
  item,
  model = 0,
  models = 1,
}: Record<"items" | "item", number> & {
  readonly model?: number
  readonly models?: number
}): Seen {
  const stream = fastStream({ seed: 1, declaration: `planted ${item} ${model}`, replicate: 0 })
  const uniform = () => (stream.next() + 0.5) / 2 ** 32
  const intercepts = Array.from({ length: models }, () => model * normalQuantile(uniform()))
  const total = Math.hypot(item, model)
  return Array.from({ length: items }, (_, at) => {
    const own = item * normalQuantile(uniform())
    return intercepts.flatMap((intercept, of) =>
      RATES.map((rate) => ({
        ...{ model: `m${of}`, pool: "p", item: `q${at}`, cell: String(rate) },
        value: Number(uniform() < logistic(interceptFor(rate, total) + own + intercept)),
      })),
    )
  }).flat()
}

describe("the spread of items", () => {
  it.each([
    [1, 0.1],
    [3, 0.25],
    [8, 1.2],
  ])("of %d logits is found within %d, though arms have rates from 0.01 to 0.85", (item, within) => {
    const { deviation, beyond } = spreadIn([planted({ items: 1500, item })]).item!
    expect(Math.abs(deviation - item)).toBeLessThan(within)
    expect(beyond).toBe(false)
  })

  it("is found beside that of models", () => {
    const spread = spreadIn([planted({ items: 200, item: 2, models: 30, model: 1.5 })])
    expect(Math.abs(spread.item!.deviation - 2)).toBeLessThan(0.35)
    expect(Math.abs(spread.model!.deviation - 1.5)).toBeLessThan(0.5)
  })

  it("is no more than a bound where each item is all or nothing", () => {
    const seen = Array.from({ length: 30 }, (_, at) =>
      ["a", "b", "c"].map((cell) => ({ model: "m", pool: "p", item: `q${at}`, cell, value: at % 2 })),
    ).flat()
    const { deviation, beyond } = spreadIn([seen]).item!
    expect(beyond).toBe(true)
    expect(deviation).toBe(MOST)
  })

  it("is none where items come out alike", () => {
    expect(spreadIn([planted({ items: 800, item: 0 })]).item!.deviation).toBeLessThan(0.2)
  })
})
