/** The smallest effect that is found, where what is possible bounds it. */
import { describe, expect, it } from "vitest"
import { contrastsIn, type Parts, PLAIN } from "./support.ts"

const smallest = async (assume: string, parts: Parts = {}) => {
  const [one] = await contrastsIn(
    { items: 40, assume: `accuracy 1  ${assume}  ${PLAIN}`, ...parts },
    { simulations: 60 },
  )
  return one!.smallest
}

const value = async (...given: Parameters<typeof smallest>): Promise<number> => {
  const found = await smallest(...given)
  if ("none" in found) throw new Error(found.none)
  return found.value
}

describe("where the first guess is beyond what is possible", () => {
  it.each([0.74, 0.78])(
    "the largest effect is simulated before it is said that there is none: at %d",
    async (rate) => {
      const found = await value(`HRR { reask ${rate}  length ${rate} }`)
      expect(found).toBeGreaterThan(0.8 * (1 - rate))
      expect(found).toBeLessThan(1 - rate)
    },
  )

  it("an effect of the other direction is found where the true value is 0", async () => {
    expect(await value("HRR { reask 0.95  length 0.95 }")).toBeLessThan(-0.15)
  })

  it("but only where it is 0, and it is said which effects are meant", async () => {
    expect(await smallest("HRR { reask 0.95  length 0.97 }")).toEqual({
      none: "with 40 items no effect above 0 that is possible is found so often",
    })
  })

  it("few items find none in either direction", async () => {
    expect(await smallest("HRR { reask 0.5  length 0.5 }", { items: 4 })).toEqual({
      none: "with 4 items no effect above 0 that is possible is found so often, and no effect below 0 that is possible is found so often",
    })
  })
})

it("what is certain cannot be moved, and that is said", async () => {
  expect(await smallest("HRR { reask 1  length 1 }")).toEqual({
    none: "what is assumed of its first term is certain, which no number of logits moves",
  })
})

it("one model's trials are moved and not another's of the same arm", async () => {
  const found = await value("HRR { length 0.3 }", {
    models: 2,
    items: 60,
    contrasts: "contrast effect = HRR[arm = length, model = m0] - HRR[arm = length, model = m1] by pooled",
  })
  expect(found).toBeGreaterThan(0.1)
  expect(found).toBeLessThan(0.4)
})
