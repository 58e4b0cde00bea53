/** Families of which some contrasts are not simulated: power is not that of a smaller family. */
import { describe, expect, it } from "vitest"
import { diagnosisText } from "../../runtime/cli/diagnose/text.ts"
import { diagnosed } from "./support.ts"

const assume = "accuracy 0.8  HRR { reask 0.3  length 0.6 }  BenR { reask 0.3  length 0.3 }"

/** Of one contrast taken in these ways, of a family with these others. */
const found = async (by: string, others: Readonly<Record<string, string>>) => {
  const names = Object.keys(others)
  const all = await diagnosed(
    {
      items: 60,
      measures: "measure HRR\n  measure BenR\n  measure middle",
      metrics:
        "metric middle(first = a0, second = a1) { quantile 0.5 of second.confidence given first == item.gold interval bootstrap 95 }",
      contrasts: [
        `contrast one = HRR[arm = length] - HRR[arm = reask] by ${by}`,
        ...names.map((name) => `contrast ${name} = ${others[name]}`),
        ...(names.length === 0 ? [] : [`family all = one, ${names.join(", ")} by holm`]),
      ].join("\n  "),
      assume,
    },
    { simulations: 80 },
  )
  if ("lacking" in all) throw new Error(JSON.stringify(all.lacking))
  const [experiment] = all.experiments
  return { families: experiment!.families, text: diagnosisText(all), contrasts: experiment!.contrasts }
}

const powerOf = ({ contrasts }: Awaited<ReturnType<typeof found>>): number =>
  contrasts[0]!.summary.power!.value

const benefit = (by: string): string => `BenR[arm = length] - BenR[arm = reask] by ${by}`

describe("a contrast that is not simulated", () => {
  it("counts among the tests of its family with a p of 1, and that is said", async () => {
    const alone = await found("paired(item)", {})
    const ofThree = await found("paired(item)", {
      two: benefit("mixed_logistic"),
      three: "middle[arm = length] - middle[arm = reask] by cells(pool)",
    })
    expect(powerOf(ofThree)).toBeLessThan(powerOf(alone) - 0.05)
    expect(ofThree.families).toEqual([{ family: "all", contrasts: 3, notSimulated: ["two", "three"] }])
    expect(ofThree.text).toContain(
      "family all: 2 of its 3 contrasts enter it by what is not simulated (two, three), here with a p of 1: power of the others is no more than a run has",
    )
  })

  it("does not count where no way of taking it has a p, as in a run", async () => {
    const alone = await found("paired(item)", {})
    const other = "middle[arm = length] - middle[arm = reask] by pooled"
    const ofTwo = await found("paired(item)", { two: other })
    expect(powerOf(ofTwo)).toBe(powerOf(alone))
    expect(ofTwo.families).toEqual([])
  })

  it("in the way by which it enters, leaves its other ways out of the family, as a run does", async () => {
    const [alone, other] = [await found("paired(item)", {}), { two: benefit("paired(item)") }]
    const byModel = await found("mixed_logistic, paired(item)", other)
    expect(powerOf(byModel)).toBe(powerOf(alone))
    expect(byModel.families).toEqual([{ family: "all", contrasts: 2, notSimulated: ["one"] }])
    const byPairs = await found("paired(item), mixed_logistic", other)
    expect(powerOf(byPairs)).toBeLessThan(powerOf(alone))
    expect(byPairs.families).toEqual([])
  })
})

it("a family that is simulated whole is as in a run, and nothing is said of it", async () => {
  const { families, text } = await found("paired(item)", { two: benefit("paired(item)") })
  expect(families).toEqual([])
  expect(text).not.toContain("family all")
})
