/** When a simulation finds an effect, and when an interval holds a value. */
import { describe, expect, it } from "vitest"
import { diagnosisText } from "../../runtime/cli/diagnose/text.ts"
import { sizedTo } from "../../runtime/diagnose/sized.ts"
import { finds, summaryOf } from "../../runtime/diagnose/summary.ts"
import { contrastsIn, designed, diagnosed, PLAIN } from "./support.ts"

const numbers = { estimate: 0.1, low: Number.NaN, high: Number.NaN, p: Number.NaN, here: 0.1 }
const DUST = 3e-17

describe("an end of an interval that rounding alone keeps from a number is at it", () => {
  it.each([
    [DUST, 0.2, false],
    [-0.2, -DUST, false],
    [0.001, 0.2, true],
    [-0.2, -0.001, true],
  ])("from %d to %d", (low, high, found) => {
    expect(finds({ ...numbers, low, high }, "interval")).toBe(found)
  })

  it("of the true value, too", () => {
    const { coverage, coverageHere } = summaryOf([{ ...numbers, low: 0.1 + DUST, high: 0.3 }], 0.1 - 2 * DUST)
    expect([coverage!.value, coverageHere!.value]).toEqual([1, 1])
  })
})

describe("what finds an effect is said, and hangs on no level where there is a p", () => {
  const parts = {
    metrics: "metric narrow extends HRR { interval wilson 80 }",
    measures: "measure HRR\n  measure narrow",
    assume: `accuracy 1  HRR { reask 0.4  length 0.6 }  ${PLAIN}`,
  }
  const ways = (by: string): string => `contrast wide = HRR[arm = length] - HRR[arm = reask] by ${by}
  contrast narrower = narrow[arm = length] - narrow[arm = reask] by ${by}`

  it("a p below 0.05", async () => {
    const [wide, narrower] = await contrastsIn(
      { ...parts, contrasts: ways("paired(item)") },
      { simulations: 60 },
    )
    expect(narrower!.summary.power).toEqual(wide!.summary.power)
    expect(narrower!.summary.coverage!.value).toBeLessThan(wide!.summary.coverage!.value)
  })

  it("or an interval at its level", async () => {
    const found = await diagnosed({ ...parts, contrasts: ways("pooled") }, { simulations: 10 })
    if ("lacking" in found) throw new Error()
    const text = diagnosisText(found)
    expect(text).toContain(
      "Power: simulations with a p below 0.05, or where there is no p, with an interval that leaves out 0.",
    )
    expect(text).toContain("wide by pooled is found where its 95 % interval leaves out 0")
    expect(text).toContain("narrower by pooled is found where its 80 % interval leaves out 0")
  })
})

it("items that come again have names of their own, whatever the others are called", () => {
  const { design } = designed({ items: 6, assume: "accuracy 1  HRR { reask 0.4  length 0.6 }" })
  const names = ["a", "a (2)", "a (2) (2)", "a ((2)", "b", "b (3)"]
  const pools = design.pools.map(({ pool, items }) => ({
    pool,
    items: items.map(({ item, kind }, at) => ({ item: { ...item, id: names[at]! }, kind })),
  }))
  const { trials } = sizedTo({ ...design, pools }, 24)
  const found = Array.from({ length: trials.rows }, (_, row) => trials.columns.get("item")!.at(row))
  expect(new Set(found).size).toBe(24)
})
