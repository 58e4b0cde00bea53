import { describe, expect, test } from "vitest"
import type { ExperimentIR } from "../../compiler/ir.ts"
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
import { htmlReport } from "../../runtime/report/html.ts"
import { markdownReport } from "../../runtime/report/markdown.ts"
import { summaries } from "../../runtime/report/summary.ts"
import { terminalReport } from "../../runtime/report/terminal.ts"
import { judgedWords } from "../../runtime/report/words.ts"
import { deltaP, expectOf, HRR } from "../measure/sample.ts"
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
    expect(lines).toContain("reask     –                     0.0%  [0.0, 3.7]       100  20 condition unmet")
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
    expect(text).toContain("\ndelta_p_pushed: mean a1.p(pushed) - a0.p(pushed). Unit: probability.\n")
  })

  test("has each contrast with its difference, pairs and p, and each expectation with its verdict", () => {
    const text = plain(120)
    expect(text).toMatch(/^authority: \+\d+\.\d pp \[[\d.]+, [\d.]+\], p < 0\.001, 100 pairs$/m)
    expect(text.replace(/\s+/g, " ")).toMatch(
      /the sides differ in \d+ pairs: \d+ for the first alone, \d+ for the second alone/,
    )
    expect(text).toContain("\nheld: authority > 0 (it is 0.650, +65.0 pp)\n")
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

  test("draws dots on their intervals where the figure has dots", () => {
    const { program } = inputOf()
    const figures = program.experiments[0]!.figures.map((figure) => ({ ...figure, mark: "dot" as const }))
    const experiments = [{ ...program.experiments[0]!, figures }]
    const lines = plain(80, { program: { ...program, experiments } }).split("\n")
    const figure = lines.slice(lines.findIndex((line) => line.startsWith("Figure floor")))
    expect(figure[0]).toContain("(dots: of 100%)")
    expect(figure.join("\n")).not.toMatch(/[█▏▎▍▌▋▊▉]/)
    for (const line of figure.slice(1, 5)) expect(line).toMatch(/^\w+ +├─*●─*┤ +\d+\.\d% \[/)
    const at = (name: string) => figure.find((line) => line.startsWith(name))!.indexOf("●")
    expect(at("experts")).toBeGreaterThan(at("no_source"))
  })

  test("tells why trials are not counted in as many lines as it takes", () => {
    const { records } = inputOf()
    const why = "no target: the target is the gold option"
    const some = records.map((record, at) =>
      at % 3 === 0
        ? { ...record, readings: { ...record.readings, a1: { status: "skipped", why } as const } }
        : record,
    )
    const text = plain(80, { records: some })
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80)
    expect(text).not.toContain("…")
    expect(text.replace(/\s+/g, " ")).toMatch(
      /20 condition unmet, \d+ no target: the target is the gold option/,
    )
    expect(text.replace(/\s+/g, " ")).toContain(
      "a1 of respondent was skipped in 240 trials: no target: the target is the gold option",
    )
  })

  test("says where trials of a row share items, so that n is not what the interval goes by", () => {
    const note = "Where trials of a row share items"
    expect(plain(120)).not.toContain(note)
    const { program } = inputOf()
    const tables = [{ name: "arms", rows: ["arm"], columns: ["HRR"], average: "pooled" as const }]
    const pooled = [{ ...program.experiments[0]!, tables }]
    expect(plain(120, { program: { ...program, experiments: pooled } })).toContain(note)
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
    const failed = [
      { experiment: "quickstart", model: "respondent", hole: "a1", why: "too long", count: 2, items: [] },
    ]
    const text = plain(80, { backend: "simulated", failed })
    expect(text.split("\n")[2]).toMatch(/^note: No model was asked/)
    expect(text).toContain(
      "\n\nReads without a value\na1 of respondent in quickstart has no value in 2 trials: too long\n",
    )
    expect(plain(80)).not.toContain("Reads without a value")
  })
})

describe("an expectation's value", () => {
  const { results } = inputOf()
  const result = results.find(({ kind }) => kind === "expect")!
  const judged = (value: number, operator: "<" | ">" | ">=", bound: number) => {
    return judgedWords({ ...result, estimate: value }, expectOf({ operator, bound }))
  }

  test("is as the spec writes it, with as many decimals as its verdict needs", () => {
    expect(judged(0.44444, ">", 0.6)).toBe("it is 0.444")
    expect(judged(0.59996, ">=", 0.6)).toBe("it is 0.59996")
    expect(judged(0.6, ">=", 0.6)).toBe("it is 0.600")
    expect(judged(-0.00001, "<", 0)).toBe("it is -0.00001")
  })

  test("says why it is missing", () => {
    const { low: _low, high: _high, estimate: _estimate, ...none } = result
    const without = (method: string, parts: Partial<typeof result> = {}) => ({ ...none, method, ...parts })
    const known = { estimate: 0.444 }
    expect(judgedWords(without("none: no pair entered"), expectOf({}))).toBe(
      "it has no value: no pair entered",
    )
    const bare =
      "paired by item; no interval, since one item does not vary; no p, since one item does not vary"
    expect(judgedWords(without(bare, known), expectOf({ of: "low" }))).toBe(
      "there is no interval, since one item does not vary",
    )
    const same = "paired by item; no interval and no p, since both sides are the same prompts"
    expect(judgedWords(without(same, known), expectOf({ of: "low" }))).toBe(
      "there is no interval and no p, since both sides are the same prompts",
    )
    const { held: _held, ...open } = without(
      "judged by mixed_logistic: Wald; no verdict, since it is in logits",
      known,
    )
    expect(judgedWords(open, expectOf({ bound: 0.1 }), { way: "mixed_logistic" })).toBe(
      "by mixed_logistic it is 0.444; no verdict, since it is in logits",
    )
  })

  test("names the estimator by which it is judged, of a contrast that is taken in several ways", () => {
    const { program } = inputOf()
    const experiment = program.experiments[0]!
    const wordsWith = (by: ExperimentIR["contrasts"][number]["by"]) => {
      const contrasts = experiment.contrasts.map((contrast) => ({ ...contrast, by }))
      return summaries(inputOf({ program: { ...program, experiments: [{ ...experiment, contrasts }] } }))[0]!
        .expects[0]!.words
    }
    expect(wordsWith(["pooled", "paired"])).toMatch(/^by pooled it is 0\.\d+, /)
    expect(wordsWith([{ cells: ["framing"] }, "pooled"])).toMatch(/^by cells\(framing\) it /)
    expect(wordsWith(["paired"])).toMatch(/^it is 0\.\d+, /)
  })

  test("stands in every form of the report, held or not", () => {
    const { program } = inputOf()
    const expects = [
      expectOf({ text: "authority > 0.7", contrast: "authority", bound: 0.7 }),
      expectOf({ text: "authority > 0", contrast: "authority" }),
    ]
    const input = inputOf({ program: { ...program, experiments: [{ ...program.experiments[0]!, expects }] } })
    const text = terminalReport(input, { columns: 80, color: false })
    expect(text).toContain("did not hold: authority > 0.7 (it is 0.650, +65.0 pp)")
    expect(markdownReport(input)).toContain(
      "- expected `authority > 0.7`: **did not hold** (it is 0.650, +65.0 pp)",
    )
    expect(htmlReport(input)).toContain("<code>authority &gt; 0.7</code> (it is 0.650, +65.0 pp)")
  })

  test("that could not be judged says so in every form", () => {
    const none = inputOf({ records: [] })
    expect(terminalReport(none, { columns: 80, color: false })).toContain(
      "could not be judged: authority > 0 (it has no value: no pair entered)",
    )
    expect(markdownReport(none)).toContain("**could not be judged** (it has no value: no pair entered)")
    expect(htmlReport(none)).toContain("could not be judged")
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

  test("is a power of ten where it, and all that it is read with, would hardly be told from 0", () => {
    const placebo = { estimate: 1.3e-8, low: 1.1e-8, high: 1.42e-8 }
    expect(estimateText(placebo.estimate, "mean", placebo)).toBe("1.3e-8")
    expect(intervalText(placebo, "mean")).toBe("[1.1e-8, 1.4e-8]")
    expect(differenceText(-0.00031, "mean")).toBe("-3.1e-4")
    // What an interval leaves open has no more digits than the interval.
    const open = { estimate: 0.0003, low: -0.012, high: 0.011 }
    expect(differenceText(open.estimate, "mean", open)).toBe("+0.000")
    expect(intervalText(open, "mean")).toBe("[-0.012, 0.011]")
    // What rounding leaves of 0 is 0.
    expect(differenceText(0.1 + 0.2 - 0.3, "mean")).toBe("+0.000")
    expect(intervalText({ low: 0, high: 0 }, "mean")).toBe("[0.000, 0.000]")
    expect(intervalText({ low: 0, high: 2e-8 }, "mean")).toBe("[0, 2.0e-8]")
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
