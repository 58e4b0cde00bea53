/** What a diagnosis must come to where it is known by other means. */
import { describe, expect, it } from "vitest"
import { diagnosisText } from "../../runtime/cli/diagnose/text.ts"
import type { Found } from "../../runtime/diagnose/summary.ts"
import { mcnemarExact } from "../../runtime/statistics/binomial.ts"
import { normalTail } from "../../runtime/statistics/normal.ts"
import { contrastsIn, diagnosed, PLAIN, summedUp } from "./support.ts"

/** With `CFX_POWER` as many simulations as are written, else a third: what is near is judged by Monte Carlo errors, which widen. */
const sims = (many: number): number => (process.env.CFX_POWER === undefined ? Math.ceil(many / 3) : many)

/** Whether a simulated number is within so many Monte Carlo errors of another, and a little for what is no error of simulation. */
const near = (found: Found | undefined, value: number, besides = 0): void => {
  expect(found).toBeDefined()
  expect(Math.abs(found!.value - value)).toBeLessThan(3.5 * found!.error + besides)
}

/** The exact power of McNemar's exact test over n pairs whose sides are independent, by adding up all tables of discordant pairs. */
function mcnemarPower(n: number, left: number, right: number): number {
  const [b, c] = [left * (1 - right), right * (1 - left)]
  const factorials = [0]
  for (let i = 1; i <= n; i++) factorials.push(factorials[i - 1]! + Math.log(i))
  let power = 0
  for (let i = 0; i <= n; i++) {
    for (let j = 0; i + j <= n; j++) {
      if (mcnemarExact(i, j) >= 0.05) continue
      const ways = factorials[n]! - factorials[i]! - factorials[j]! - factorials[n - i - j]!
      power += Math.exp(ways + i * Math.log(b) + j * Math.log(c) + (n - i - j) * Math.log(1 - b - c))
    }
  }
  return power
}

/** The power of a z test on the difference of two independent proportions over n trials each, variances unpooled. */
function zPower(n: number, left: number, right: number): number {
  const error = Math.sqrt((left * (1 - left) + right * (1 - right)) / n)
  const z = (left - right) / error
  return normalTail(1.959964 - z) + normalTail(1.959964 + z)
}

const only = <Contrast>(contrasts: readonly Contrast[]): Contrast => {
  expect(contrasts).toHaveLength(1)
  return contrasts[0]!
}

describe("without random intercepts", () => {
  const assume = (left: number, right: number) =>
    `accuracy 1  HRR { length ${left}  reask ${right} }  ${PLAIN}`

  it("power of a paired contrast is that of McNemar's exact test", async () => {
    const one = only(summedUp({ items: 60, assume: assume(0.5, 0.3) }, sims(600)))
    expect(one.truth).toBeCloseTo(0.2, 12)
    expect(one.summary.decides).toBe("p")
    near(one.summary.power, mcnemarPower(60, 0.5, 0.3))
    near(one.summary.bias, 0)
  })

  it("without an effect, too, where it is no more than alpha", async () => {
    const one = only(summedUp({ items: 60, assume: assume(0.4, 0.4) }, sims(600)))
    const alpha = mcnemarPower(60, 0.4, 0.4)
    expect(alpha).toBeLessThan(0.05)
    near(one.summary.power, alpha)
    expect(one.summary.typeS).toBeUndefined()
    expect(one.summary.typeM).toBeUndefined()
  })

  it("power of a pooled contrast is that of a z test for two proportions, and alpha without an effect", async () => {
    const by = "pooled"
    const found = only(summedUp({ items: 200, by, assume: assume(0.45, 0.3) }, sims(400)))
    expect(found.summary.decides).toBe("interval")
    near(found.summary.power, zPower(200, 0.45, 0.3), 0.01)
    near(found.summary.coverage, 0.95, 0.01)
    const none = only(summedUp({ items: 200, by, assume: assume(0.3, 0.3) }, sims(400)))
    near(none.summary.power, 0.05, 0.01)
  })

  it("a large design finds the right sign, unexaggerated; a small one exaggerates what it finds", async () => {
    const large = only(summedUp({ items: 800, assume: assume(0.5, 0.35) }, sims(60)))
    expect(large.summary.power?.value).toBe(1)
    expect(large.summary.typeS?.value).toBe(0)
    near(large.summary.typeM, 1)
    const small = only(summedUp({ items: 20, assume: assume(0.5, 0.45) }, 600))
    expect(small.summary.typeM!.value).toBeGreaterThan(3)
    expect(small.summary.typeS!.value).toBeGreaterThan(0)
  })
})

describe("with random intercepts", () => {
  const assume = "accuracy 0.7  HRR { length 0.5  reask 0.3 }  spread { item 1.2  model 0.8  pool 0.5 }"
  const parts = { models: 4, pools: 2, items: 120, by: "paired(item), pooled, cells(model, pool)", assume }

  it("rates are those that are assumed, and intervals hold them as often as they say", async () => {
    const contrasts = summedUp(parts, sims(300))
    for (const { truth, summary } of contrasts) {
      // Cells and strata count alike or by how often they enter: neither changes what each expects.
      expect(truth).toBeCloseTo(0.2, 6)
      near(summary.bias, 0)
    }
    const [paired, pooled] = contrasts
    for (const { summary } of [paired!, pooled!]) {
      expect(summary.coverageHere!.value).toBeGreaterThan(0.91)
      expect(summary.coverageHere!.value).toBeLessThan(0.985)
    }
  })

  it("an interval over items says nothing of models that answer each arm in their own way", async () => {
    const apart = assume.replace("model 0.8", "model 0  arm 0.8")
    const [pooled] = summedUp({ ...parts, by: "pooled, cells(model)", assume: apart }, sims(150))
    expect(pooled!.summary.coverageHere!.value).toBeGreaterThan(0.9)
    expect(pooled!.summary.coverage!.value).toBeLessThan(0.7)
  })
})

describe("what is asked for", () => {
  const assume = "accuracy 0.8  HRR { length 0.5  reask 0.35 }"

  it("comes to the same numbers with the same seed, and to others with another", async () => {
    const [one, same, other] = await Promise.all(
      [5, 5, 6].map((seed) => contrastsIn({ items: 50, assume }, { simulations: sims(40), seed })),
    )
    expect(one).toEqual(same)
    expect(one).not.toEqual(other)
  })

  it("the first simulations are the same however many there are", async () => {
    const { Simulator } = await import("../../runtime/diagnose/worker.ts")
    const { designed } = await import("./support.ts")
    const { program, items, scope } = designed({ items: 30, assume })
    const request = { scope, models: program.models, items }
    const whole = new Simulator({ request, seed: 1 }).run({ point: { items: 30 }, from: 0, to: 6 })
    const parts = new Simulator({ request, seed: 1 })
    const last = parts.run({ point: { items: 30 }, from: 3, to: 6 })
    expect([...parts.run({ point: { items: 30 }, from: 0, to: 3 }), ...last]).toEqual(whole)
  })

  it("more items find smaller effects, and the effect that is named is found in 80 % of simulations", async () => {
    const found = []
    for (const items of [60, 120, 240]) {
      const one = only(await contrastsIn({ items, assume: `${assume} ${PLAIN}` }, { simulations: sims(300) }))
      if ("none" in one.smallest) throw new Error(one.smallest.none)
      found.push(one.smallest.value)
    }
    expect(found).toEqual([...found].sort((a, b) => b - a))
    const right = 0.35
    const again = only(
      await contrastsIn(
        { items: 120, assume: `accuracy 0.8  HRR { length ${right + found[1]!}  reask ${right} } ${PLAIN}` },
        { simulations: sims(400), seed: 9 },
      ),
    )
    near(again.summary.power, 0.8, 0.03)
  })

  it("power is said for every number of items that is asked for, and for no other; the largest stands for the design", async () => {
    const found = await diagnosed({ items: 40, assume }, { simulations: sims(60), sizes: [30, 10] })
    if ("lacking" in found) throw new Error()
    const [experiment] = found.experiments
    const one = only(experiment!.contrasts)
    expect(one.sizes.map(({ items }) => items)).toEqual([10, 30])
    expect(one.sizes[1]!.summary).toEqual(one.summary)
    expect(one.sizes[0]!.summary.power!.value).toBeLessThan(one.summary.power!.value)
    expect(experiment).toMatchObject({ items: 30, designItems: 40, trials: 60 })
    expect(diagnosisText(found)).toContain(
      "of 30 items, as --items says (the design has 40), and 1 model; its contrasts look at 60 trials",
    )
  })

  it("where nobody says, the design's own number of items, and shares of it", async () => {
    const { designItems, items, contrasts } = await (async () => {
      const found = await diagnosed({ items: 40, assume }, { simulations: 2, sizes: undefined as never })
      if ("lacking" in found) throw new Error()
      return found.experiments[0]!
    })()
    expect([designItems, items]).toEqual([40, 40])
    expect(contrasts[0]!.sizes.map((one) => one.items)).toEqual([10, 20, 40, 80])
  })
})
