import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { HoleIR } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import type { Reading, Trial } from "../../compiler/trial.ts"
import { readingAsShown, readingInPool } from "../../runtime/run/poolOrder.ts"

const hole: HoleIR = { name: "a0", turn: "ask", type: "option" }

const shuffled = fc.integer({ min: 2, max: 8 }).chain((count) =>
  fc.shuffledSubarray(
    Array.from({ length: count }, (_, n) => n),
    { minLength: count },
  ),
)

const trialOf = (original: readonly number[]): Trial => {
  const options = original.map((place) => `option ${place}`)
  const item: Item = {
    id: "1",
    question: "?",
    options,
    labels: options.map((_, index) => "ABCDEFGH"[index] as string),
    gold: 0,
    original,
    columns: {},
  }
  return { item, others: {} } as unknown as Trial
}

describe("a reading in the order of the pool", () => {
  it("gives each option of the pool the probability that it had where it was shown", () => {
    fc.assert(
      fc.property(shuffled, fc.nat(7), (original, at) => {
        const trial = trialOf(original)
        const index = at % original.length
        const probabilities = original.map((_, shown) => shown / 100)
        const reading: Reading = { status: "value", value: "A", index, probabilities, mass: 1 }
        const recorded = readingInPool(trial, hole, reading)
        if (recorded.status !== "value") throw new Error("no value")
        for (const [shown, place] of original.entries()) {
          expect(recorded.probabilities[place]).toBe(probabilities[shown])
        }
        expect(`option ${recorded.index}`).toBe(trial.item.options[index])
        expect(recorded.value).toBe("A")
      }),
    )
  })

  it("names what a server did not list by its place in the pool", () => {
    const trial = trialOf([2, 0, 1])
    const censored = { labels: [0, 2], below: 0.02 }
    const reading: Reading = {
      status: "value",
      value: "B",
      index: 1,
      probabilities: [0, 1, 0],
      mass: 1,
      censored,
    }
    expect(readingInPool(trial, hole, reading)).toMatchObject({ censored: { labels: [1, 2], below: 0.02 } })
  })

  it("leads back to what was shown", () => {
    fc.assert(
      fc.property(shuffled, fc.nat(7), (original, at) => {
        const trial = trialOf(original)
        const index = at % original.length
        const value: Reading = {
          status: "value",
          value: "A",
          index,
          probabilities: original.map((_, shown) => shown / 100),
          mass: 1,
          placebo: 0.01,
          censored: { labels: [at % original.length], below: 0.02 },
        }
        const answer: Reading = { status: "answer", value: "A", index }
        expect(readingAsShown(trial, hole, readingInPool(trial, hole, value))).toEqual(value)
        const found: HoleIR = {
          name: "a0",
          turn: "ask",
          type: "extract",
          from: "reply",
          pattern: "x",
          which: "last",
          as: { type: "option" },
        }
        expect(readingAsShown(trial, found, readingInPool(trial, found, answer))).toEqual(answer)
      }),
    )
  })

  it("leaves labels and integers as they are", () => {
    const trial = trialOf([1, 0])
    const label: HoleIR = { name: "v", turn: "ask", type: "label", labels: ["yes", "no"] }
    const reading: Reading = { status: "value", value: "no", index: 1, probabilities: [0.2, 0.8], mass: 1 }
    expect(readingInPool(trial, label, reading)).toEqual(reading)
  })
})
