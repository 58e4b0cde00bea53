/** Labels and levels that are numbers: records are held to them as they are spelt. */
import { describe, expect, test } from "vitest"
import { temporary } from "../run/temporary.ts"
import { estimateOf, found, HRR, scored } from "./support.ts"

const folder = temporary()

const spec = (entries: string, analysis = ""): string => `${HRR}experiment scored {
  records {
    item = id
    gold = key
    a0: option = before
    a1: option = after
    ${entries}
  }
  measure HRR
  ${analysis}
}
`

const csv = (...rows: readonly string[]): string => ["id,key,before,after,price", ...rows].join("\n")

const answers = csv("q1,01,01,01,0.10", "q2,02,02,10,0.10", "q3,10,10,01,0.20", "q4,01,01,01,0.20")

describe("labels with zeros in front", () => {
  test("are those of the items where they are declared, with quotation marks or without", async () => {
    for (const labels of ["01, 02, 10", '"01", "02", "10"']) {
      const own = await scored(folder, spec(`labels { ${labels} }`), "answers.csv", answers)
      expect(found(own)).toEqual([])
      expect(estimateOf(own, "HRR")).toBe(0.5)
    }
  })

  test("have the probabilities that are given for them", async () => {
    const rows = ["id,key,before,after,p01,p10", "q1,01,01,01,0.75,0.25", "q2,10,10,01,0.25,0.75"].join("\n")
    const parts = "labels { 01, 10 }\n    a0.p(01) = p01\n    a0.p(10) = p10"
    const confidence = "metric sure(read = a0) { mean read.confidence interval bootstrap 95 }"
    const text = `${confidence}${spec(parts, "measure sure")}`
    const own = await scored(folder, text, "answers.csv", rows)
    expect(found(own)).toEqual([])
    expect(estimateOf(own, "sure")).toBe(0.75)
  })

  test("are those of a read of labels", async () => {
    const own = await scored(
      folder,
      `
metric first_code(read = x) { rate read == "01" interval wilson 95 }
experiment scored {
  records { item = id x: label(01, 02, 10) = before }
  measure first_code
}`,
      "answers.csv",
      answers,
    )
    expect(found(own)).toEqual([])
    expect(estimateOf(own, "first_code")).toBe(0.5)
  })
})

describe("levels that are numbers", () => {
  const contrast = "contrast dearer = HRR[price = 0.20] - HRR[price = 0.10] by pooled"
  const levels = { "0.10": 0.5, "0.20": 0.5 }

  test("stand in the file as they stand in the spec", async () => {
    const entries = "labels { 01, 02, 10 }\n    price = price { 0.10, 0.20 }"
    const own = await scored(folder, spec(entries, contrast), "answers.csv", answers)
    expect(found(own)).toEqual([])
    expect(own.experiment.factors).toEqual([{ name: "price", levels: Object.keys(levels) }])
    for (const [price, rate] of Object.entries(levels)) expect(estimateOf(own, "HRR", { price })).toBe(rate)
  })

  test("stand for what the file has", async () => {
    const entries = 'labels { 01, 02, 10 }\n    price = price { 1 = 0.10, "2" = 0.20 }'
    const own = await scored(folder, spec(entries), "answers.csv", answers)
    expect(found(own)).toEqual([])
    expect(own.experiment.factors).toEqual([{ name: "price", levels: ["1", "2"] }])
  })

  test("are named as the file has them where none are declared", async () => {
    const entries = "labels { 01, 02, 10 }\n    price = price"
    const own = await scored(folder, spec(entries, contrast), "answers.csv", answers)
    expect(own.facts.unseen).toEqual([])
    const other = await scored(folder, spec(entries, contrast.replace("0.20", "0.2")), "answers.csv", answers)
    expect(other.facts.unseen).toMatchObject([{ factor: "price", level: "0.2" }])
  })
})
