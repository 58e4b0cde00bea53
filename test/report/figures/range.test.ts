/** Axes and whiskers keep to what a quantity can be, and an AUROC is drawn against chance. */
import { describe, expect, test } from "vitest"
import { figureSvg } from "../../../runtime/report/figures/figure.ts"
import { measuredAxis } from "../../../runtime/report/figures/measuredAxis.ts"
import { drawnEnds } from "../../../runtime/report/figures/range.ts"
import { captionOf } from "../../../runtime/report/figures/words.ts"
import { possibleRange } from "../../../runtime/report/unit.ts"
import { deltaP, HRR } from "../../measure/sample.ts"
import { FRAMINGS, measuredOf } from "./sample.ts"

const auroc = { ...HRR, name: "ranks", statistic: "auroc" } as const

describe("an axis", () => {
  const near = (level: number) => 0.8 + level / 50
  test("of bars begins at 0, of dots and lines where their numbers are", () => {
    const axis = (mark: "bar" | "dot" | "line") =>
      measuredAxis(measuredOf({ mark, levels: FRAMINGS, value: near }))
    expect(axis("bar").low).toBe(0)
    for (const mark of ["dot", "line"] as const) {
      expect(axis(mark).low).toBeGreaterThan(0.6)
      expect(axis(mark).high).toBeLessThanOrEqual(1)
    }
  })
  test("of an AUROC holds chance, which is drawn and said", () => {
    const figure = measuredOf({ mark: "line", levels: FRAMINGS, measure: auroc, value: near })
    expect(measuredAxis(figure).low).toBeLessThanOrEqual(0.5)
    expect(measuredAxis(figure).high).toBeLessThanOrEqual(1)
    expect(figureSvg(figure, "f")).toContain(">chance<")
    expect(captionOf(figure)).toContain("Dashed: chance, 0.5.")
  })
})

describe("a whisker", () => {
  test("ends where the quantity does, and the caption says so", () => {
    expect(possibleRange(HRR)).toEqual([0, 1])
    expect(possibleRange(deltaP)).toEqual([-1, 1])
    expect(drawnEnds({ low: -0.2, high: 1.1 }, possibleRange(HRR))).toEqual({ low: 0, high: 1 })
    const figure = measuredOf({ mark: "dot", levels: FRAMINGS, value: () => 0.98 })
    expect(captionOf(figure)).toContain("Where an interval reaches further than HRR can be")
    expect(measuredAxis(figure).high).toBeLessThanOrEqual(1)
  })
})
