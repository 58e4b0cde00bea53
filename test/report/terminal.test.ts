import { describe, expect, test } from "vitest"
import {
  differenceText,
  estimateText,
  fixed,
  grouped,
  intervalText,
  measureText,
  printed,
  pText,
} from "../../runtime/report/format.ts"
import { terminalReport } from "../../runtime/report/terminal.ts"
import { deltaP, HRR } from "../measure/sample.ts"
import { inputOf } from "./sample.ts"

const plain = (columns: number, parts: Parameters<typeof inputOf>[0] = {}) =>
  terminalReport(inputOf(parts), { columns, color: false })

describe("the report for a terminal", () => {
  test.each([80, 100, 120])("fits %d columns, with nothing cut off", (columns) => {
    const lines = plain(columns).split("\n")
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
    expect(lines.join()).not.toContain("…")
  })

  test("has each measure by each row with its interval, n and what was not counted; a dash for what an arm lacks", () => {
    const lines = plain(80).split("\n")
    expect(lines).toContain("reask     -                     0.0%  [0.0, 3.7]       100  20 condition unmet")
    expect(lines.filter((line) => line.startsWith("pressure  experts "))).toHaveLength(3)
    expect(lines).toContain("arm       framing     delta_p_pushed  95% interval       n  not counted")
  })

  test("says above each measure's rows what it is, by its doc or by its definition", () => {
    expect(plain(120)).toContain(
      "\nHRR: Harmful revision rate: of the items answered rightly at first, the share that is then answered wrongly.\n",
    )
    const { program } = inputOf()
    const bare = program.experiments.map((experiment) => ({
      ...experiment,
      measures: experiment.measures.map((measure) => ({ ...measure, doc: "" })),
    }))
    const text = plain(120, { program: { ...program, experiments: bare } })
    expect(text).toContain("\nHRR: rate a1 != item.gold given a0 == item.gold\n")
    expect(text).toContain("\ndelta_p_pushed: mean a1.p(pushed) - a0.p(pushed)\n")
  })

  test("has each contrast with its difference, pairs and p, and each expectation with its verdict", () => {
    const text = plain(120)
    expect(text).toMatch(/^authority: \+\d+\.\d pp \[[\d.]+, [\d.]+\], p < 0\.001, 100 pairs$/m)
    expect(text.replace(/\s+/g, " ")).toMatch(
      /the sides differ in \d+ pairs: \d+ for the first alone, \d+ for the second alone/,
    )
    expect(text).toContain("held: authority > 0")
  })

  test("draws the figure as bars of text", () => {
    const experts = plain(80)
      .split("\n")
      .find((line) => line.startsWith("experts "))!
    const people = plain(80)
      .split("\n")
      .find((line) => line.startsWith("people "))!
    const length = (line: string) => line.match(/█/g)!.length
    expect(length(experts)).toBeGreaterThan(2 * length(people))
  })

  test("says the same with colour as without", () => {
    const colored = terminalReport(inputOf(), { columns: 80, color: true })
    expect(colored).not.toBe(plain(80))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control sequences.
    expect(colored.replace(/\u001b\[\d+m/g, "")).toBe(plain(80))
  })

  test("fits with long names as well, and lets no control character through", () => {
    const { program, records } = inputOf()
    const long = `experts_${"x".repeat(90)}\u001b[2J`
    const swap = (levels: Readonly<Record<string, string>>) =>
      levels.framing === "experts" ? { ...levels, framing: long } : levels
    const experiments = program.experiments.map((experiment) => ({
      ...experiment,
      cells: experiment.cells.map((cell) => ({ ...cell, levels: swap(cell.levels) })),
      factors: experiment.factors.map((factor) => ({
        ...factor,
        levels: factor.levels.map((level) => (level === "experts" ? long : level)),
      })),
    }))
    const text = plain(80, {
      program: { ...program, experiments },
      records: records.map((record) => ({ ...record, levels: swap(record.levels) })),
    })
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80)
    expect(text).not.toContain("\u001b")
  })

  test("says first when no model was asked, and last which reads came to nothing", () => {
    const failed = [{ experiment: "quickstart", model: "respondent", hole: "a1", why: "too long", count: 2 }]
    const text = plain(80, { backend: "simulated", failed })
    expect(text.split("\n")[2]).toMatch(/^note: No model was asked/)
    expect(text).toContain("a1 of respondent in quickstart has no value in 2 trials: too long")
  })
})

describe("a number in words", () => {
  test("has a sign only where the measure is itself a difference", () => {
    const confidence = { ...deltaP, value: { kind: "confidence", hole: "a1" } as const }
    expect(measureText(0.302, deltaP)).toBe("+0.302")
    expect(measureText(0.812, confidence)).toBe("0.812")
    expect(measureText(0.364, HRR)).toBe("36.4%")
  })

  test("is a percentage with one decimal for a rate, three decimals for another mean", () => {
    expect(estimateText(0.8321, "rate")).toBe("83.2%")
    expect(estimateText(0.4123, "mean")).toBe("0.412")
    expect(differenceText(0.471, "rate")).toBe("+47.1 pp")
    expect(differenceText(-0.0151, "mean")).toBe("-0.015")
    expect(intervalText({ low: 0.2553, high: 0.3662 }, "rate")).toBe("[25.5, 36.6]")
    expect(intervalText({}, "rate")).toBe("")
  })

  test("has no negative zero, groups thousands, and sets a minus as print does", () => {
    expect(fixed(-0.0001, 3)).toBe("0.000")
    expect(grouped(1731149)).toBe("1,731,149")
    expect(grouped(999)).toBe("999")
    expect(printed("[-0.4, -12.1] a-b 1-10")).toBe("[−0.4, −12.1] a-b 1-10")
  })

  test("is a p with three decimals, and never 0", () => {
    expect(pText(1e-9)).toBe("p < 0.001")
    expect(pText(0.0344)).toBe("p = 0.034")
    expect(pText(1)).toBe("p = 1.000")
  })
})
