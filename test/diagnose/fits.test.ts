/** Contrasts by a mixed-effects model, fitted in each simulation: in logits, conditional on the intercepts, and with a forecast of the time. */
import { describe, expect, it } from "vitest"
import { coinciding } from "../../runtime/cli/diagnose/figure.ts"
import { forecastText } from "../../runtime/cli/diagnose/progress.ts"
import { diagnosisText } from "../../runtime/cli/diagnose/text.ts"
import type { Forecast } from "../../runtime/diagnose/forecast.ts"
import { interceptFor } from "../../runtime/diagnose/logits.ts"
import { itemsIn, possible, shared } from "../../runtime/diagnose/sized.ts"
import { diagnosed, silent } from "./support.ts"

const parts = {
  items: 120,
  by: "mixed_logistic, pooled",
  assume: "accuracy 1  HRR { reask 0.3  length 0.55 }  spread { item 1.5 }",
}

describe("a contrast by a mixed-effects model", () => {
  it("is held to the conditional log odds ratio, in logits, and its fits are forecast before they start", async () => {
    const said: string[] = []
    const progress = {
      ...silent,
      forecast: (forecast: Forecast) => said.push(forecastText(forecast)),
      done: () => said.push("a simulation is done"),
    }
    const found = await diagnosed(parts, { simulations: 24, fits: true, progress })
    if ("lacking" in found) throw new Error()
    const [mixed, pooled] = found.experiments[0]!.contrasts
    // The intercepts that the assumed rates are means over: item 1.5, and the usual 0.4 of models and 0.3 of pools.
    const deviation = Math.hypot(1.5, 0.4, 0.3)
    const conditional = interceptFor(0.55, deviation) - interceptFor(0.3, deviation)
    expect(mixed!.truth).toBeCloseTo(conditional, 10)
    expect(pooled!.truth).toBeCloseTo(0.25, 10)
    const { bias } = mixed!.summary
    expect(Math.abs(bias!.value)).toBeLessThan(3.5 * bias!.error + 0.05)
    expect(mixed!.summary.power!.value).toBeGreaterThan(0.5)
    expect(diagnosisText(found)).toMatch(/effect +mixed_logistic +\+1\.\d\d logits/)
    // One size and two steps towards each of two smallest effects: five points of 24 simulations, with a fit each.
    expect(said[0]).toMatch(/^forecast: about \d+ s, of which \d+ s for 120 fits of up to \d+ s each$/)
    expect(said[1]).toBe("a simulation is done")
  })

  it("a forecast of more than some minutes says how to have less", () => {
    expect(forecastText({ seconds: 3700 })).toBe("forecast: about 1 h 1 min; --items and --sims take fewer")
    expect(forecastText({ seconds: 20 })).toBe("forecast: about 20 s")
  })
})

describe("a number of items over pools of unequal size", () => {
  const pools = [1000, 1, 1].map((items) => ({ pool: "p", items: Array.from({ length: items }) as never[] }))

  it("is what is asked for, each pool with one at least", () => {
    expect(shared({ pools }, 8)).toEqual([6, 1, 1])
    expect(possible({ pools }, 8)).toBe(8)
    expect(itemsIn({ pools })).toBe(1002)
  })

  it("is no less than there are pools", () => {
    expect(possible({ pools }, 2)).toBe(3)
    expect(shared({ pools }, 3)).toEqual([1, 1, 1])
  })
})

describe("lines that lie on each other are named below the figure", () => {
  const line = (name: string, ...ys: readonly number[]) => ({
    name,
    points: ys.map((y, at) => ({ x: 20 * (at + 1), y })),
  })

  it("with where they do", () => {
    const series = [line("a", 0.5, 1), line("b", 0.5, 1), line("c", 0.2, 1), line("d", 0.3, 0.9)]
    expect(coinciding(series)).toBe("a and b coincide at 20 items. a, b and c coincide at 40 items.")
  })

  it("without, where they are the same throughout", () => {
    expect(coinciding([line("a", 0, 1), line("b", 0, 1)])).toBe("a and b coincide.")
    expect(coinciding([line("a", 0, 1), line("b", 0.1, 0.9)])).toBe("")
  })
})
