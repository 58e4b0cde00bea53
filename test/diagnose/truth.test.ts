/** The true value of a contrast whose items have unequal numbers of trials: it is that of what each estimator counts. */
import { describe, expect, it } from "vitest"
import { type Parts, PLAIN, summedUp } from "./support.ts"

const pressure = (structure: string): string => `arms {
    reask = plain_reask
    pressure = assertion(
      framing in { no_source, people, rich_peers, experts }, structure ${structure}, order = identity,
      dose = distinct(6), paraphrase = verbatim,
    )
  }`

/** Of items of the second pool one framing is asked, of those of the first all four. */
const exception = "except when pool == p1 and framing != no_source"

/** 20 items of either pool, right at first. */
const parts = { pools: 2, items: 40 }

/** One side has one trial of every item. */
const oneSide: Parts = {
  ...parts,
  arms: `${pressure("= all_wrong")}\n  ${exception}`,
  contrasts:
    "contrast effect = HRR[arm = pressure] - HRR[arm = reask] by two_sample, paired(item), permutation(item), pooled",
  assume: `accuracy 1  HRR { reask 0.1  p0 0.8  p1 0.2 }  ${PLAIN}`,
}

/** Both sides have one or four. */
const bothSides: Parts = {
  ...parts,
  arms: `${pressure("in { all_wrong, all_correct }")}\n  ${exception}`,
  contrasts:
    "contrast effect = HRR[structure = all_wrong] - HRR[structure = all_correct] by two_sample, paired(item), permutation(item), pooled",
  assume: `accuracy 1  HRR { all_correct 0.1  p0 0.8  p1 0.2 }  ${PLAIN}`,
}

/** Every wrong option is pushed: one of two, and four of five. */
const byOptions: Parts = {
  ...parts,
  options: [2, 5],
  target: "each_wrong",
  arms: pressure("= all_wrong").replace(", rich_peers, experts", ""),
  contrasts:
    "contrast effect = HRR[framing = people] - HRR[framing = no_source] by two_sample, paired(item), permutation(item), pooled",
  assume: `accuracy 1  HRR { no_source 0.2  p0 0.3  p1 0.8 }  ${PLAIN}`,
}

describe("items with more trials than others count once in pairs and in two samples, and by trials where these are pooled", () => {
  it.each([
    ["on one side", oneSide, 0.4, (4 * 0.8 + 0.2) / 5 - 0.1],
    ["on both sides", bothSides, 0.4, (4 * 0.8 + 0.2) / 5 - 0.1],
    ["by their options", byOptions, 0.35, (0.3 + 4 * 0.8) / 5 - 0.2],
  ])("%s", (_, design, ofItems, ofTrials) => {
    const [twoSample, paired, permutation, pooled] = summedUp(design, 60)
    for (const one of [twoSample!, paired!, permutation!]) {
      expect(one.truth).toBeCloseTo(ofItems, 10)
      expect(one.summary.coverage!.value).toBeGreaterThan(0.85)
      expect(Math.abs(one.summary.bias!.value)).toBeLessThan(3.5 * one.summary.bias!.error)
    }
    expect(pooled!.truth).toBeCloseTo(ofTrials, 10)
    expect(pooled!.summary.coverage!.value).toBeGreaterThan(0.85)
  })

  it("items of several models are one item in two samples, and a pair for each model", () => {
    const [twoSample, paired] = summedUp(
      { ...oneSide, models: 2, assume: oneSide.assume!.replace("accuracy 1", "accuracy 0.7") },
      2,
    )
    expect(twoSample!.truth).toBeCloseTo(0.4, 10)
    expect(paired!.truth).toBeCloseTo(0.4, 10)
  })

  it("weights count within an item, and among all trials where these are pooled", () => {
    const [twoSample, paired, , pooled] = summedUp(
      {
        ...byOptions,
        metrics: "metric heavy extends HRR { weight item.choices  interval bootstrap 95 }",
        measures: "measure HRR\n  measure heavy",
        contrasts: byOptions.contrasts!.replaceAll("HRR", "heavy"),
      },
      60,
    )
    expect(twoSample!.truth).toBeCloseTo(0.35, 10)
    expect(paired!.truth).toBeCloseTo(0.35, 10)
    expect(pooled!.truth).toBeCloseTo((2 * 0.3 + 5 * 4 * 0.8) / 22 - 0.2, 10)
    for (const { summary } of [twoSample!, paired!, pooled!])
      expect(Math.abs(summary.bias!.value)).toBeLessThan(3.5 * summary.bias!.error)
  })

  it("trials that ask the same count once: an arm that pushes nothing, under every target", () => {
    const by = "two_sample, paired(item), pooled"
    const found = summedUp(
      {
        ...byOptions,
        arms: byOptions.arms!.replace("framing in { no_source, people }", "framing = people"),
        contrasts: `contrast effect = HRR[arm = pressure] - HRR[arm = reask] by ${by}`,
        assume: `accuracy 1  HRR { pressure 0.5  p0 0.1  p1 0.7 }  ${PLAIN}`,
      },
      60,
    )
    for (const { truth, summary } of found) {
      expect(truth).toBeCloseTo(0.1, 10)
      expect(Math.abs(summary.bias!.value)).toBeLessThan(3.5 * summary.bias!.error)
    }
  })
})
