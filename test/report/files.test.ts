import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Reading } from "../../compiler/trial.ts"
import type { Result } from "../../runtime/measure/result.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import { resultsJson } from "../../runtime/report/resultsJson.ts"
import {
  a0,
  a1,
  cell,
  experimentOf,
  invalid,
  k0,
  option,
  programOf,
  reading,
  trial,
} from "../measure/sample.ts"
import { csvOf } from "../measure/tables.ts"
import { filesOf, inputOf } from "./sample.ts"

/** RFC 4180, read strictly: what a quoted field holds is text, an unquoted empty field is null. */
function readCsv(text: string): readonly (readonly (string | null)[])[] {
  const rows: (string | null)[][] = []
  let row: (string | null)[] = []
  let at = 0
  while (at < text.length) {
    let value: string | null
    if (text[at] === '"') {
      let end = at + 1
      while (text[end] !== '"' || text[end + 1] === '"') end += text[end] === '"' ? 2 : 1
      value = text.slice(at + 1, end).replaceAll('""', '"')
      at = end + 1
    } else {
      const end = at + /[,\r]|$/.exec(text.slice(at))!.index
      value = end === at ? null : text.slice(at, end)
      at = end
    }
    row.push(value)
    if (text[at] === ",") at += 1
    else {
      expect(text.slice(at, at + 2)).toBe("\r\n")
      at += 2
      rows.push(row)
      row = []
    }
  }
  return rows
}

const program = programOf(experimentOf({ cells: [cell("push")] }))

describe("trials.csv", () => {
  test("of one trial, in full", () => {
    const record = trial("push", "i1", reading(0, 0.7), invalid, {
      labels: ["A", "B"],
      readings: {
        a0: { status: "value", value: "A", index: 0, probabilities: [0.7, 0.3], mass: 0.99 },
        a1: invalid,
      },
    })
    const [head, row, ...rest] = readCsv(csvOf(program, [record]))
    expect(rest).toEqual([])
    expect(Object.fromEntries(head!.map((name, index) => [name, row![index]]))).toEqual({
      experiment: "sample",
      model: "m",
      pool: "kinds",
      item: "i1",
      arm: "push",
      gold: "A",
      "gold.option": "0",
      target: "B",
      "target.option": "1",
      "target.kind": "option",
      "target.why": null,
      pushed: "B",
      "pushed.option": "1",
      "pushed.kind": "option",
      "pushed.why": null,
      "a0.status": "value",
      "a0.why": null,
      "a0.prompt": "1",
      "a0.answer": "A",
      "a0.option": "0",
      "a0.confidence": "0.7",
      "a0.mass": "0.99",
      "a0.near_tie": "false",
      "a0.low_mass": "false",
      "a0.p0": "0.7",
      "a0.p1": "0.3",
      "a1.status": "invalid",
      "a1.why": "the engine gave no usable number",
      "a1.prompt": "1",
      "a1.answer": null,
      "a1.option": null,
      "a1.confidence": null,
      "a1.mass": null,
      "a1.near_tie": null,
      "a1.low_mass": null,
      "a1.p0": null,
      "a1.p1": null,
      trial: "sample/m/kinds/i1/push/{}",
    })
  })

  test("numbers the prompts of each item, so that trials that share a read can be told", () => {
    const of = (item: string, a1: string | undefined) => ({
      ...trial("push", item, 0, 0),
      prompts: { a0: "first", ...(a1 === undefined ? {} : { a1 }) },
    })
    const [head, ...rows] = readCsv(
      csvOf(program, [of("i1", "x"), of("i1", "y"), of("i2", "y"), of("i1", "x"), of("i1", undefined)]),
    )
    const at = (name: string) => rows.map((row) => row[head!.indexOf(name)])
    expect(at("a0.prompt")).toEqual(["1", "1", "1", "1", "1"])
    expect(at("a1.prompt")).toEqual(["1", "2", "1", "1", null])
  })

  test("gives back every text and every double to the last bit", () => {
    const double = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: "grapheme" }), double, double), { maxLength: 8 }),
        (drawn) => {
          const records = drawn.map(
            ([item, p, mass]): TrialRecord =>
              trial(
                "push",
                item,
                { status: "value", value: "A", index: 0, probabilities: [p, 1 - p], mass },
                0,
              ),
          )
          const [head, ...rows] = readCsv(csvOf(program, records))
          const column = (name: string) => rows.map((row) => row[head!.indexOf(name)])
          expect(column("item")).toEqual(drawn.map(([item]) => item))
          expect(column("a0.p0").map(Number)).toEqual(drawn.map(([, p]) => p))
          expect(column("a0.mass").map(Number)).toEqual(drawn.map(([, , mass]) => mass))
        },
      ),
    )
  })

  test("keeps commas, quotes, line breaks and empty texts apart from missing values", () => {
    const records = ['a,b "c"\r\nd', "", "e"].map((item) => trial("push", item, 0, 0))
    const rows = readCsv(csvOf(program, records)).slice(1)
    expect(rows.map((row) => row[3])).toEqual(['a,b "c"\r\nd', "", "e"])
  })

  test("of several experiments has the columns of all", () => {
    const other = experimentOf({
      name: "other",
      factors: [{ name: "dose", levels: ["one", "two"] }],
      protocol: { ...experimentOf({}).protocol, holes: [k0, a0] },
    })
    const records = [
      trial("push", "i1", 0, 0),
      trial("push", "i1", 0, 0, { experiment: "other", levels: { arm: "push", dose: "two" } }),
    ]
    const [head, first, second] = readCsv(csvOf(programOf(program.experiments[0]!, other), records))
    const at = (name: string) => [first, second].map((row) => row![head!.indexOf(name)])
    expect(at("dose")).toEqual([null, "two"])
    expect(at("k0.status")).toEqual([null, "skipped"])
    expect(head!.filter((name) => /^k0\.p\d+$/.test(name!))).toHaveLength(10)
    expect(head!.at(-1)).toBe("trial")
    expect(new Set(head).size).toBe(head!.length)
  })

  test("of experiments whose reads share a name has each probability under its own integer", () => {
    const { protocol } = experimentOf({})
    const asking = (name: string, low: number, high: number) =>
      experimentOf({
        name,
        protocol: { ...protocol, holes: [{ name: "k0", turn: "first", type: "integer", low, high }] },
      })
    const read = (probabilities: readonly number[], value: string): Reading => ({
      status: "value",
      value,
      index: 0,
      probabilities,
      mass: 1,
    })
    const of = (experiment: string, reading: Reading) =>
      trial("push", "i1", 0, 0, { experiment, readings: { k0: reading } })
    const csv = csvOf(
      programOf(
        asking("low", 1, 2),
        asking("high", 3, 4),
        experimentOf({ name: "options", protocol: { ...protocol, holes: [{ ...a0, name: "k0" }] } }),
      ),
      [
        of("low", read([0.9, 0.1], "1")),
        of("high", read([0.7, 0.3], "3")),
        of("options", read([0.4, 0.3, 0.2, 0.1], "A")),
      ],
    )
    const [head, ...rows] = readCsv(csv)
    const at = (name: string) => rows.map((row) => row[head!.indexOf(name)])
    expect(at("k0.answer")).toEqual(["1", "3", "A"])
    expect(at("k0.p0")).toEqual([null, null, "0.4"])
    expect(at("k0.p1")).toEqual(["0.9", null, "0.3"])
    expect(at("k0.p3")).toEqual([null, "0.7", "0.1"])
    expect(at("k0.p4")).toEqual([null, "0.3", null])
  })
})

describe("results.json", () => {
  test("has one object per line with its keys in the documented order", () => {
    const result: Result = {
      held: true,
      p: 0.01,
      method: "Wilson",
      level: 95,
      high: 0.4,
      low: 0.2,
      estimate: 0.3,
      excluded: { given: 2 },
      k: 3,
      n: 10,
      by: { arm: "push" },
      name: "HRR",
      kind: "measure",
      experiment: "sample",
    }
    const text = resultsJson([result, result])
    expect(JSON.parse(text)).toEqual([result, result])
    expect(text.split("\n")[1]).toBe(
      '  {"experiment":"sample","kind":"measure","name":"HRR","by":{"arm":"push"},"n":10,"k":3,"excluded":{"given":2},"estimate":0.3,"low":0.2,"high":0.4,"level":95,"method":"Wilson","p":0.01,"held":true},',
    )
    expect(JSON.parse(resultsJson([]))).toEqual([])
  })
})

describe("the report's files", () => {
  test("are those that a run directory holds, the same at every writing", () => {
    const files = filesOf(inputOf())
    expect(Object.keys(files)).toEqual([
      "results.json",
      "trials.csv",
      "report.html",
      "report.md",
      "figures/floor.svg",
    ])
    expect(filesOf(inputOf())).toEqual(files)
  })

  test("name the experiment of a figure where there are several", () => {
    const { program, records } = inputOf()
    const twin = { ...program.experiments[0]!, name: "twin" }
    const both = [
      ...records,
      ...records.map((record) => ({ ...record, experiment: "twin", trial: `t${record.trial}` })),
    ]
    const names = Object.keys(
      filesOf(
        inputOf({ program: { ...program, experiments: [program.experiments[0]!, twin] }, records: both }),
      ),
    )
    expect(names).toContain("figures/quickstart-floor.svg")
    expect(names).toContain("figures/twin-floor.svg")
  })

  test("can be made of a run in which nothing was answered", () => {
    const files = filesOf(inputOf({ records: [], prompts: [] }))
    expect(files["report.html"]).toContain("no value")
    expect(files["figures/floor.svg"]).toContain("no value")
    expect(files["trials.csv"]!.split("\r\n")).toHaveLength(2)
  })

  test("hold a placebo target by its label, without an index", () => {
    const placebo = { kind: "placebo", label: "E" } as const
    const csv = readCsv(csvOf(program, [trial("push", "i1", 0, 0, { target: placebo, pushed: option(1) })]))
    const at = (name: string) => csv[1]![csv[0]!.indexOf(name)]
    expect([at("target"), at("target.option"), at("target.kind")]).toEqual(["E", null, "placebo"])
    expect([a0.name, a1.name].map((hole) => at(`${hole}.status`))).toEqual(["value", "value"])
  })
})
