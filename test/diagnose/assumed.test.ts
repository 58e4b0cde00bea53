/** What is assumed: its lacks, its defaults, what is drawn apart, what is left out, and what a pilot run shows. */
import { describe, expect, it } from "vitest"
import type { HoleIR } from "../../compiler/ir.ts"
import { diagnosisText, lackingText } from "../../runtime/cli/diagnose/text.ts"
import { drawTrials } from "../../runtime/diagnose/draw.ts"
import { expected, interceptFor, logistic } from "../../runtime/diagnose/logits.ts"
import { pilotIn } from "../../runtime/diagnose/pilot.ts"
import { itemsIn, sizedTo } from "../../runtime/diagnose/sized.ts"
import { tablesOf } from "../../runtime/measure/table.ts"
import { experimentOf, programOf, trial } from "../measure/sample.ts"
import { recordsIn } from "./naive.ts"
import { contrastsIn, designed, diagnosed, PLAIN, summedUp } from "./support.ts"

describe("a mean over normal intercepts", () => {
  // scipy 1.15: quad(lambda z: expit(b + s * z) * norm.pdf(z), -inf, inf, epsabs=1e-13)
  it.each([
    [1, 1, 0.6967346701436938],
    [-2, 0.5, 0.1290065363772216],
    [0.5, 3, 0.5572182216794168],
  ])("of logistic(%d + %d Z)", (intercept, deviation, value) => {
    expect(expected((z) => logistic(intercept + deviation * z))).toBeCloseTo(value, 10)
    expect(interceptFor(value, deviation)).toBeCloseTo(intercept, 8)
  })
})

describe("what a spec lacks is said as lines that can be put into it", () => {
  const lacking = async (assume: string, more = {}) => {
    const found = await diagnosed({ assume, ...more })
    return "lacking" in found ? lackingText(found.lacking, "x.cfx") : ""
  }

  it("everything", async () => {
    const text = await lacking("")
    expect(text).toContain("    assume {\n")
    expect(text).toContain("accuracy 0.7\n")
    expect(text).toContain("HRR { reask 0.5  length 0.5 }\n")
  })

  it("one level of a measure", async () => {
    const text = await lacking("accuracy 0.7  HRR { reask 0.3 }")
    expect(text).toContain("add `HRR { length 0.5 }`")
    expect(text).not.toContain("accuracy")
  })

  it("nothing of a measure that no contrast looks at", async () => {
    const measures = "measure HRR\n  measure BenR"
    expect(await lacking("accuracy 0.7  HRR { reask 0.3  length 0.4 }", { measures })).toBe("")
  })
})

it("spreads that nobody declares are the usual ones, and are said to be", async () => {
  const found = await diagnosed(
    { assume: "accuracy 0.8  HRR { reask 0.2  length 0.4 }  spread { item 2 }" },
    { simulations: 20 },
  )
  if ("lacking" in found) throw new Error()
  const { assumptions } = found.experiments[0]!
  expect(assumptions).toContainEqual({ name: "spread item", value: 2, from: "assume" })
  expect(assumptions).toContainEqual({ name: "spread model", value: 0.4, from: "default" })
  expect(diagnosisText(found)).toMatch(/spread model +0\.4 +\(nothing says: taken as usual\)/)
})

describe("numbers of a read", () => {
  const drawnApart = (measure: string, assume: string) => ({
    items: 60,
    models: 2,
    measures: `measure ${measure}`,
    contrasts: `contrast effect = ${measure}[arm = length] - ${measure}[arm = reask] by paired(item), pooled`,
    assume: `accuracy 0.7  ${assume}`,
  })

  it("a mean comes to what is assumed of it, between its bounds", async () => {
    const parts = drawnApart("delta_p_pushed", "delta_p_pushed { reask 0.05  length 0.3 }")
    for (const { truth, summary } of summedUp(parts, 150)) {
      expect(truth).toBeCloseTo(0.25, 8)
      expect(Math.abs(summary.bias!.value)).toBeLessThan(4 * summary.bias!.error)
    }
    const { design } = designed(parts)
    const sized = sizedTo(design, itemsIn(design))
    const { values } = drawTrials(sized, 0, 0).outcomes.get("delta_p_pushed")!
    expect(Math.max(...values)).toBeLessThan(1)
    expect(Math.min(...values)).toBeGreaterThan(-1)
  })

  it("what conditions on one is not simulated, and that is said", async () => {
    const found = await diagnosed(drawnApart("off_ceiling_HRR", ""), { simulations: 5 })
    if ("lacking" in found) throw new Error()
    expect(found.experiments[0]!.contrasts).toEqual([])
    expect(found.experiments[0]!.left[0]!.why).toContain("hangs on a number of a read")
  })
})

it("a finished run shows rates, accuracy and spreads", () => {
  const parts = {
    models: 8,
    pools: 1,
    items: 1200,
    measures: "measure HRR\n  measure BenR",
    contrasts:
      "contrast a = HRR[arm = length] - HRR[arm = reask] by pooled\n  contrast b = BenR[arm = length] - BenR[arm = reask] by pooled",
    assume:
      "accuracy 0.6  HRR { reask 0.2  length 0.5 }  BenR { reask 0.3  length 0.4 }  spread { item 1.2  model 0  pool 0 }",
  }
  const { program, design, ends } = designed(parts)
  const sized = sizedTo(design, itemsIn(design))
  const drawn = drawTrials(sized, 0, 0)
  const own = { ...program, experiments: [design.experiment] }
  const table = tablesOf(own, recordsIn(sized, drawn, ends)).get("e")!
  const { pilot, remarks } = pilotIn(program.experiments[0]!, table)
  expect(pilot.accuracy).toBeCloseTo(0.6, 1)
  const shares = program.experiments[0]!.cells.map((_, at) => pilot.shares.HRR![at])
  expect(shares[0]).toBeCloseTo(0.2, 1)
  expect(shares[1]).toBeCloseTo(0.5, 1)
  expect(Math.abs(pilot.spread.item! - 1.2)).toBeLessThan(0.15)
  expect(pilot.spread.model!).toBeLessThan(0.15)
  expect(pilot.spread.pool).toBeUndefined()
  expect(remarks[0]).toBe(`pilot e: accuracy ${pilot.accuracy!.toFixed(3)} from 9600 reads`)
})

it("first answers of a pilot may be labels, of which one counts as the gold answer", () => {
  const verdict: HoleIR = { name: "v0", turn: "judge", type: "label", labels: ["no", "yes"], gold: "yes" }
  const plain = experimentOf({})
  const experiment = { ...plain, measures: [], protocol: { ...plain.protocol, holes: [verdict] } }
  // Gold is the first option of every item, and the second label is right.
  const records = Array.from({ length: 9 }, (_, at) => {
    const said = at < 7 ? "yes" : "no"
    return {
      ...trial("push", `i${at}`, 0, 0),
      readings: { v0: { status: "answer", value: said, index: verdict.labels.indexOf(said) } as const },
      prompts: { v0: `i${at}` },
    }
  })
  const table = tablesOf(programOf(experiment), records).get(experiment.name)!
  expect(pilotIn(experiment, table).pilot.accuracy).toBeCloseTo(7.5 / 10, 12)
})

it("what a pilot shows stands before what is assumed", async () => {
  const pilot = { accuracy: 1, shares: { HRR: { 0: 0.5, 1: 0.5 } }, spread: { item: 0 } }
  const contrasts = await contrastsIn(
    { items: 60, assume: `accuracy 0.5  HRR { reask 0.1  length 0.9 }  ${PLAIN}` },
    { simulations: 20, pilots: new Map([["e", pilot]]) },
  )
  expect(contrasts[0]!.truth).toBeCloseTo(0, 12)
})

describe("what rates and means do not tell", () => {
  it.each([
    ["quantile 0.5 of second.confidence given first == item.gold", "middle is a quantile: "],
    ["kappa first, second", "middle is an agreement (kappa): "],
    ["auroc second != item.gold, 1 - first.confidence", "middle is an auroc: "],
  ])("%s is left out with its reason, and what to do instead", async (statistic, why) => {
    const found = await diagnosed(
      {
        metrics: `metric middle(first = a0, second = a1) { ${statistic} interval bootstrap 95 }`,
        measures: "measure middle  measure HRR",
        contrasts: `contrast spread = middle[arm = length] - middle[arm = reask] by pooled
  contrast rates = HRR[arm = length] - HRR[arm = reask] by pooled`,
        assume: `accuracy 0.7  HRR { reask 0.1  length 0.3 }`,
      },
      { simulations: 2 },
    )
    if ("lacking" in found) throw new Error()
    const [experiment] = found.experiments
    expect(experiment!.contrasts.map(({ contrast }) => contrast)).toEqual(["rates"])
    expect(experiment!.left).toEqual([{ contrast: "spread", why: expect.stringContaining(why) }])
    expect(diagnosisText(found)).toContain("what is not simulated, a pilot shows: cfx run SPEC --limit 30")
  })
})
