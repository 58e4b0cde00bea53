/** What every form of a report says of averages over cells, panels, equivalence, and what is not computed. */
import { describe, expect, test } from "vitest"
import type { ExperimentIR } from "../../compiler/ir.ts"
import { htmlReport } from "../../runtime/report/html.ts"
import type { ReportInput } from "../../runtime/report/input.ts"
import { markdownReport } from "../../runtime/report/markdown.ts"
import { terminalReport } from "../../runtime/report/terminal.ts"
import { origin } from "../measure/sample.ts"
import { inputOf, program, quickstart, records } from "./sample.ts"

/** The sample with two models, half of the items for each. */
const models = ["respondent", "other"]
const split = records.map((record) => {
  const model = Number(record.item.slice(-3)) % 2 === 0 ? "respondent" : "other"
  return { ...record, model, trial: record.trial.replace("respondent", model) }
})

const inputWith = (parts: Partial<ExperimentIR>, more: Partial<ReportInput> = {}): ReportInput =>
  inputOf({
    program: {
      ...program,
      experiments: [{ ...quickstart, models, tables: [], figures: [], expects: [], ...parts }],
    },
    records: split,
    ...more,
  })

/** Whatever is said, on one line each. */
const everyForm = (input: ReportInput): readonly string[] =>
  [
    terminalReport(input, { columns: 400, color: false }),
    markdownReport(input),
    htmlReport(input).replace(/<[^>]*>/g, ""),
  ].map((text) => text.replace(/\\/g, ""))

describe("a table of averages over cells", () => {
  const tables: ExperimentIR["tables"] = [
    { name: "main", rows: ["arm"], columns: ["HRR"], average: { macro: ["model"] } },
  ]
  test("says how it is averaged, how many cells have a number, and by what its intervals go", () => {
    for (const text of everyForm(inputWith({ tables }))) {
      expect(text.toLowerCase()).toContain("mean over cells by model, each pooled over its trials")
      expect(text).toContain("in 2 of 2 cells")
    }
    expect(markdownReport(inputWith({ tables }))).toContain("95% intervals by Student's t over cells")
  })
})

describe("what is not computed", () => {
  test("stands under a heading of its own, with why", () => {
    const head = { experiment: "quickstart", by: {}, n: 720, excluded: {} }
    const input = inputWith(
      {},
      {
        results: [
          ...inputWith({}).results,
          { ...head, kind: "fit" as const, name: "odds", method: "not computed: every trial is false" },
        ],
      },
    )
    for (const text of everyForm(input)) {
      expect(text).toContain("Not computed")
      expect(text.toLowerCase()).toContain("the model odds is not computed: every trial is false")
    }
  })

  test("is no heading where all is", () => {
    for (const text of everyForm(inputWith({}))) expect(text).not.toContain("Not computed")
  })
})

describe("an equivalence", () => {
  test("is judged by its own interval and margin", () => {
    const expects: ExperimentIR["expects"] = [
      {
        kind: "equivalent",
        text: "attribution equivalent within 3 pp",
        contrast: "attribution",
        margin: 0.03,
        origin,
      },
    ]
    for (const text of everyForm(inputWith({ expects }))) {
      expect(text).toContain("attribution equivalent within 3 pp")
      expect(text).toMatch(/its 90% interval is \[.*\] pp, the margin 3 pp/)
    }
  })
})

describe("items that were made up", () => {
  test("are said to be before any number", () => {
    for (const text of everyForm(inputWith({}, { invented: ["arc"] })))
      expect(text).toContain("The data of arc were not at hand: its items are made up")
  })
})
