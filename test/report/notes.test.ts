/** What stands above and below a table so that its numbers are not misread, in every form of the report. */
import { describe, expect, test } from "vitest"
import type { ExperimentIR, MeasureIR } from "../../compiler/ir.ts"
import { lackingNotes } from "../../runtime/report/lacking.ts"
import { latexReport } from "../../runtime/report/latex.ts"
import { terminalReport } from "../../runtime/report/terminal.ts"
import { intervalKinds } from "../../runtime/report/words.ts"
import { deltaP, HRR } from "../measure/sample.ts"
import { filesOf, inputOf } from "./sample.ts"

const withParts = (parts: Partial<ExperimentIR>) => {
  const { program } = inputOf()
  return inputOf({ program: { ...program, experiments: [{ ...program.experiments[0]!, ...parts }] } })
}

const formsOf = (parts: Partial<ExperimentIR>): readonly string[] => {
  const input = withParts({ contrasts: [], expects: [], figures: [], ...parts })
  const files = filesOf(input)
  return [
    files["report.md"]!,
    files["report.html"]!,
    latexReport(input),
    terminalReport(input, { columns: 200, color: false }),
  ]
}

const main = { name: "main", columns: ["HRR"], average: "pooled" } as const

describe("a dash in place of a level", () => {
  const note = "under framing: the arms reask and length, taken together, which have no framing."
  test("is told to pool the arms that it pools", () => {
    for (const text of formsOf({ tables: [{ ...main, rows: ["framing"] }] })) expect(text).toContain(note)
  })
  test("needs no word in rows that name their arm", () => {
    for (const text of formsOf({ tables: [{ ...main, rows: ["arm", "framing"] }] }))
      expect(text).not.toContain("under framing")
  })
  test("is told in the caption of a figure too", () => {
    const figures = [{ name: "floor", mark: "bar", measure: "HRR", by: "framing" }] as const
    const [markdown] = formsOf({ tables: [], figures })
    expect(markdown).toContain(note)
  })
  test("stands for items, where a column of items is empty", () => {
    const group = { levels: {}, view: { by: {}, units: [] } }
    expect(lackingNotes(inputOf().program.experiments[0]!, ["subject"], [group])).toEqual([
      "– under subject: items that have none.",
    ])
  })
})

describe("the caption's intervals", () => {
  const resultOf = (method: string, low: number | undefined = 0) => ({
    ...inputOf().results[0]!,
    low: low as number,
    high: 1,
    level: 95,
    method,
  })
  const kindsOf = (measures: readonly MeasureIR[], ...rows: readonly (readonly string[])[]) =>
    intervalKinds({
      measures,
      rows: rows.map((methods) => ({
        levels: [],
        cautions: [],
        results: methods.map((one) => resultOf(one)),
      })),
    })
  test("go by the method that made them, with its draws", () => {
    const kinds = kindsOf(
      [HRR, deltaP],
      ["BCa cluster bootstrap by item, 2000 draws", "cluster bootstrap by item, 2000 draws"],
      [
        "BCa cluster bootstrap by item, 2000 draws, 1990 of them with a value",
        "cluster bootstrap by item, 2000 draws",
      ],
    )
    expect(kinds).toBe(
      "HRR: 95% BCa intervals from a cluster bootstrap by item, 2000 draws; delta_p_pushed: 95% percentile intervals from a cluster bootstrap by item, 2000 draws",
    )
  })
  test("are of no kind where none has one", () => {
    const { low: _, ...bare } = resultOf("no interval, since one item does not vary")
    expect(
      intervalKinds({ measures: [HRR], rows: [{ levels: [], cautions: [], results: [bare] }] }),
    ).toBeUndefined()
  })
})

describe("a number that is missing", () => {
  // Baselines push nothing: there all trials come out alike.
  const auroc: MeasureIR = {
    ...HRR,
    name: "ranks",
    statistic: "auroc",
    other: { kind: "confidence", hole: "a0" },
    interval: { method: "bootstrap", level: 95 },
  }
  test("has a letter, and the letter the reason, once", () => {
    for (const text of formsOf({
      measures: [auroc],
      tables: [{ ...main, rows: ["arm", "framing"], columns: ["ranks"] }],
    })) {
      expect(text.replace(/<[^>]+>/g, "")).toContain("no value (a)")
      expect(text.split("No value: all trials came out alike").length - 1).toBe(1)
    }
  })
})
