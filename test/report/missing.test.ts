/** Numbers that are not there: whatever is without one says why in every form of a report, and no cell of numbers is left empty. */
import { describe, expect, test } from "vitest"
import type { ExperimentIR } from "../../compiler/ir.ts"
import type { Result } from "../../runtime/measure/result.ts"
import { htmlReport } from "../../runtime/report/html.ts"
import type { ReportInput } from "../../runtime/report/input.ts"
import { latexReport } from "../../runtime/report/latex.ts"
import { markdownReport } from "../../runtime/report/markdown.ts"
import { terminalReport } from "../../runtime/report/terminal.ts"
import { origin } from "../measure/sample.ts"
import { inputOf, program, quickstart } from "./sample.ts"

const forms: Readonly<Record<string, (input: ReportInput) => string>> = {
  terminal: (input) => terminalReport(input, { columns: 400, color: false }),
  "narrow terminal": (input) => terminalReport(input, { columns: 60, color: false }).replace(/\s+/g, " "),
  markdown: (input) => markdownReport(input).replace(/\\/g, ""),
  html: (input) => htmlReport(input).replace(/<[^>]*>/g, ""),
  latex: latexReport,
}

/** In each form's own cells, how many of them are to hold numbers and are empty. */
const emptyCells: Readonly<Record<string, (input: ReportInput) => number>> = {
  markdown: (input) => {
    const lines = markdownReport(input).split("\n")
    let numbers: readonly number[] = []
    return lines.reduce((count, line) => {
      if (!line.startsWith("|")) numbers = []
      if (!line.startsWith("|")) return count
      const cells = line.split(/(?<!\\)\|/).slice(1, -1)
      if (/^\| -/.test(line)) numbers = cells.flatMap((cell, at) => (cell.includes("--:") ? [at] : []))
      return count + numbers.filter((at) => cells[at]!.trim() === "").length
    }, 0)
  },
  html: (input) =>
    [...htmlReport(input).matchAll(/<td class="number[^>]*>(.*?)<\/td>/g)].filter(
      ([, inner]) => inner!.replace(/<span class="below">.*?<\/span>|<[^>]*>/g, "") === "",
    ).length,
  latex: (input) =>
    [
      ...latexReport(input).matchAll(
        /\\begin\{tabular\}\{([lr]+)\}[\s\S]*?\\midrule([\s\S]*?)\\end\{tabular\}/g,
      ),
    ].reduce(
      (count, [, columns, body]) =>
        count +
        body!
          .split("\n")
          .filter((line) => line.includes(" & "))
          .flatMap((line) => line.replace(/ \\\\$/, "").split(" & "))
          .filter((cell, at) => columns![at % columns!.length] === "r" && cell.trim() === "").length,
      0,
    ),
}

const head = { experiment: "quickstart", by: {}, n: 600, excluded: {} }
const WHY = "since this test takes it away"
const numbers = { estimate: 0.364, low: 0.2, high: 0.5, level: 95 }

const declared: ExperimentIR = {
  ...quickstart,
  summaries: ["typical", "other"].map((name) => ({
    name,
    doc: "",
    of: "median" as const,
    measure: { measure: "HRR", levels: {} },
    over: ["framing"],
    by: [],
    origin,
  })),
  published: ["one", "two"].map((text) => ({
    text,
    measure: { measure: "HRR", levels: {} },
    value: 0.4,
    within: 0.1,
    origin,
  })),
}

const published = { published: { value: 0.4, within: 0.1 } }
const fit = { ...head, kind: "fit" as const, name: "odds" }
/** Each beside one of its kind that has everything, so that the columns are there. */
const whole: readonly Result[] = [
  { ...head, kind: "summary", name: "typical", ...numbers, method: "median" },
  { ...head, kind: "summary", name: "other", ...numbers, method: "median" },
  { ...head, kind: "expect", name: "one", ...numbers, ...published, held: true, method: "Wilson" },
  { ...head, kind: "expect", name: "two", ...numbers, ...published, held: true, method: "Wilson" },
  { ...fit, part: "model", estimate: -3, method: "a model" },
  { ...fit, part: "fixed", term: "framing = people", ...numbers, p: 0.1, standardError: 0.1, method: "Wald" },
  {
    ...fit,
    part: "fixed",
    term: "framing = experts",
    ...numbers,
    p: 0.1,
    standardError: 0.1,
    method: "Wald",
  },
  { ...fit, part: "spread", term: "item", ...numbers, method: "standard deviation" },
  { ...fit, part: "spread", term: "model", ...numbers, method: "standard deviation" },
  { ...head, kind: "decomposition", name: "cross", part: "rows", ...numbers, method: "squares" },
  { ...head, kind: "decomposition", name: "cross", part: "columns", ...numbers, method: "squares" },
]

/** The sample with more of everything, and one of its results changed. */
function inputWith(changed: (result: Result) => boolean, change: (result: Result) => Result): ReportInput {
  const input = inputOf({ program: { ...program, experiments: [declared] } })
  const measured = input.results.filter(({ kind, published: of }) => kind !== "summary" && of === undefined)
  const all = [...measured, ...whole]
  const at = all.findIndex(changed)
  return { ...input, results: all.map((result, index) => (index === at ? change(result) : result)) }
}

const withoutValue = ({ experiment, kind, name, by, n, excluded, ...more }: Result): Result => {
  const { where, average, taken, part, term, published: of } = more
  const kept = { where, average, taken, part, term, published: of }
  const known = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
  return { experiment, kind, name, by, n, excluded, ...known, method: `none: ${WHY}` }
}
const withoutInterval = ({ low: _low, high: _high, ...rest }: Result): Result => ({
  ...rest,
  method: `taken so; no interval, ${WHY}`,
})
const withoutP = ({ p: _p, ...rest }: Result): Result => ({ ...rest, method: `taken so; no p, ${WHY}` })

const is =
  (parts: Partial<Result>) =>
  (result: Result): boolean =>
    Object.entries(parts).every(([key, value]) => result[key as keyof Result] === value)

describe.each([
  ["a number of a table", is({ kind: "measure", name: "HRR" }), [withoutValue, withoutInterval]],
  ["a contrast", is({ kind: "contrast", name: "attribution" }), [withoutValue, withoutInterval, withoutP]],
  ["a number over cells", is({ kind: "summary", name: "other" }), [withoutValue, withoutInterval]],
  ["a published number", is({ kind: "expect", name: "two" }), [withoutValue, withoutInterval]],
  ["a coefficient", is({ part: "fixed", term: "framing = experts" }), [withoutValue]],
  ["a spread", is({ part: "spread", term: "model" }), [withoutValue]],
  ["a share of variance", is({ part: "columns" }), [withoutValue, withoutInterval]],
] as const)("%s", (_, changed, changes) => {
  test.each(changes.map((change) => [change.name, change] as const))("%s says why", (_name, change) => {
    const input = inputWith(changed, change)
    for (const [form, print] of Object.entries(forms)) expect(print(input), form).toContain(WHY)
    for (const [form, count] of Object.entries(emptyCells)) expect(count(input), form).toBe(0)
  })
})

describe("an expectation without a number", () => {
  test.each([withoutValue, withoutInterval])("says why in every form that has expectations", (change) => {
    const expects = declared.expects.map((one) => ({ ...one, of: "low" as const }))
    const input = inputWith(is({ kind: "expect", name: "authority > 0" }), change)
    const asked = { ...input, program: { ...program, experiments: [{ ...declared, expects }] } }
    for (const [form, print] of Object.entries(forms))
      if (form !== "latex")
        expect(print(asked).replace(/\s+/g, " "), form).toMatch(new RegExp(`authority.*\\(.*${WHY}\\)`))
  })
})
