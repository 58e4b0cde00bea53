/** Reads of every type, and what else a trial has: as columns, in expressions, and as reasons why a trial does not enter. */
import { describe, expect, test } from "vitest"
import type { ExprIR, HoleIR, MeasureIR } from "../../compiler/ir.ts"
import type { Reading } from "../../compiler/trial.ts"
import { compileExpression, rowFunction } from "../../runtime/measure/expression.ts"
import { outcomes, schemaOf } from "../../runtime/measure/outcome.ts"
import { printExpression } from "../../runtime/measure/print.ts"
import type { TrialRecord } from "../../runtime/record.ts"
import {
  a0,
  a1,
  answer,
  binary,
  cell,
  experimentOf,
  gold,
  HRR,
  number,
  programOf,
  reading,
  skipped,
  trial,
} from "./sample.ts"
import { columnsOf, csvOf, measure, trialsOf } from "./tables.ts"

const reply: HoleIR = {
  name: "reply",
  turn: "said",
  type: "text",
  max: 40,
  until: [],
  temperature: 0,
  topP: 1,
  refusal: ["I cannot"],
}
const verdict: HoleIR = { name: "v0", turn: "v0", type: "label", labels: ["same", "different"], gold: "same" }
const found: HoleIR = {
  name: "found",
  turn: "said",
  type: "extract",
  from: "reply",
  pattern: "(\\w)",
  which: "last",
  as: { type: "option" },
}
const polite: HoleIR = {
  name: "polite",
  turn: "said",
  type: "rule",
  from: "reply",
  test: { pattern: "please" },
  labels: ["yes", "no"],
}
const turned: HoleIR = { name: "turned", turn: "v1", type: "label", labels: ["different", "same"] }
const k0: HoleIR = { name: "k0", turn: "v1", type: "integer", low: 0, high: 3 }
const k1: HoleIR = { ...k0, name: "k1", low: 1 }
const holes = [a0, reply, found, polite, verdict, turned, k0, k1, a1]

const text = (written: string): Reading => ({ status: "text", text: written, tokens: 7, stop: "until" })
const refusal: Reading = { status: "refused", text: "I cannot say.", tokens: 4, marker: "I cannot" }
const says = (value: string, index: number): Reading => ({ status: "answer", value, index })
const label = (index: 0 | 1): Reading => ({
  status: "value",
  value: index === 0 ? "same" : "different",
  index,
  probabilities: index === 0 ? [0.8, 0.2] : [0.3, 0.7],
  mass: 0.9,
})

const protocol = { ...experimentOf({}).protocol, holes, roles: ["other"] }
const experiment = experimentOf({ protocol, models: ["m", "w"] })

const record = (
  item: string,
  readings: Readonly<Record<string, Reading>>,
  parts: Partial<TrialRecord> = {},
) => {
  const plain = trial("push", item, 0, 1, parts)
  return {
    ...plain,
    readings: { ...plain.readings, ...readings },
    prompts: {
      ...plain.prompts,
      reply: `${item} reply`,
      v0: `${item} judge`,
      ...Object.fromEntries(["turned", "k0", "k1"].map((hole) => [hole, `${item} ${hole}`])),
    },
    columns: { subject: "law", year: "1995" },
    attributes: { family: "Llama", size: 0.1 },
    roles: { other: "w" },
    lines: { words: 4.5, answerIndex: 3 },
    ...parts,
  }
}

const whole = record("i1", {
  reply: text("Maybe it is B. Perhaps, please!"),
  found: says("B", 1),
  polite: says("yes", 0),
  v0: label(1),
  turned: says("different", 0),
  k0: says("2", 2),
  k1: says("2", 1),
})

const resultOf = (expression: ExprIR, of: TrialRecord = whole): unknown => {
  const trials = trialsOf(experiment, [of])
  const schema = schemaOf(trials, false)
  return trials.table.derive({ value: rowFunction(compileExpression(expression, schema)) }).get("value", 0)
}

const hedges = ["maybe", "perhaps"]
const column = (name: string): ExprIR => ({ kind: "column", column: name })
const string = (value: string): ExprIR => ({ kind: "string", value })
const state = (hole: string, of: "value" | "invalid" | "refused" | "skipped"): ExprIR => ({
  kind: "state",
  hole,
  state: of,
})

describe("an expression over a trial", () => {
  test.each<[string, ExprIR, unknown]>([
    ["words(reply)", { kind: "measured", hole: "reply", of: "words" }, 6],
    ["sentences(reply)", { kind: "measured", hole: "reply", of: "sentences" }, 2],
    ["tokens(reply)", { kind: "measured", hole: "reply", of: "tokens" }, 7],
    [
      'count({ "maybe" "perhaps" }, reply)',
      { kind: "lexicon", hole: "reply", of: "count", terms: hedges },
      2,
    ],
    [
      'density({ "maybe" "perhaps" }, reply)',
      { kind: "lexicon", hole: "reply", of: "density", terms: hedges },
      100 / 3,
    ],
    ['contains(reply, "it is")', { kind: "found", hole: "reply", of: "contains", text: "it is" }, true],
    ['starts(reply, "Perhaps")', { kind: "found", hole: "reply", of: "starts", text: "Perhaps" }, false],
    ['v0 == "different"', binary({ kind: "label", hole: "v0" }, "==", string("different")), true],
    ["v0.confidence", { kind: "confidence", hole: "v0" }, 0.7],
    ["found == a1", binary(answer("found"), "==", answer("a1")), true],
    ["found == item.gold", binary(answer("found"), "==", gold), false],
    ['polite != "no"', binary({ kind: "label", hole: "polite" }, "!=", string("no")), true],
    ["reply is value", state("reply", "value"), true],
    ["reply is refused", state("reply", "refused"), false],
    ['item.subject == "law"', binary(column("subject"), "==", string("law")), true],
    ["item.year >= 1990", binary(column("year"), ">=", number(1990)), true],
    ["item.year == 1995", binary(column("year"), "==", number(1995)), true],
    ["item.year - 1990", binary(column("year"), "-", number(1990)), 5],
    ["item.choices", { kind: "choices" }, 4],
    ["model.size * 10", binary({ kind: "attribute", attribute: "size" }, "*", number(10)), 1],
    ["line.words", { kind: "lines", of: "words" }, 4.5],
    ["line.answer_index", { kind: "lines", of: "answer_index" }, 3],
    ["other == w", binary({ kind: "role", role: "other" }, "==", string("w")), true],
    [
      "other == model",
      binary({ kind: "role", role: "other" }, "==", { kind: "level", factor: "model" }),
      false,
    ],
    [
      'item.subject in { "art", "law" }',
      { kind: "among", value: column("subject"), levels: ["art", "law"] },
      true,
    ],
    [
      "arm in { reask, length }",
      { kind: "among", value: { kind: "level", factor: "arm" }, levels: ["reask", "length"] },
      false,
    ],
    ["changes(a0, a1, found)", { kind: "sequence", of: "changes", holes: ["a0", "a1", "found"] }, 1],
    ["first_change(a0, a0, a1)", { kind: "sequence", of: "first_change", holes: ["a0", "a0", "a1"] }, 2],
    ["first_change(a0, a0)", { kind: "sequence", of: "first_change", holes: ["a0", "a0"] }, null],
    // By what they say: `different` is the second label of the one and the first of the other.
    ["changes(v0, turned)", { kind: "sequence", of: "changes", holes: ["v0", "turned"] }, 0],
    ["changes(v0, polite)", { kind: "sequence", of: "changes", holes: ["v0", "polite"] }, 1],
    ["changes(k0, k1)", { kind: "sequence", of: "changes", holes: ["k0", "k1"] }, 0],
  ])("%s", (words, expression, value) => {
    expect(resultOf(expression)).toEqual(typeof value === "number" ? expect.closeTo(value, 12) : value)
    expect(printExpression(expression)).toBe(words)
  })

  test("has no value of a text that was refused, and of no more than whether it was where it was not asked", () => {
    const refused = record("i1", { reply: refusal, found: skipped })
    expect(resultOf({ kind: "measured", hole: "reply", of: "words" }, refused)).toBe(null)
    expect(resultOf(state("reply", "refused"), refused)).toBe(true)
    expect(resultOf(state("found", "skipped"), refused)).toBe(true)
    expect(resultOf(state("found", "invalid"), refused)).toBe(null)
    const waiting = record("i1", { reply: { status: "skipped", why: "not asked yet" } })
    expect(resultOf(state("reply", "skipped"), waiting)).toBe(null)
  })
})

describe("the trial table", () => {
  test("has the columns of each read by its type, and of all else that a trial has", () => {
    const names = [...columnsOf([whole], experiment).keys()]
    expect(names.slice(4, 11)).toEqual([
      "arm",
      "item.subject",
      "item.year",
      "model.family",
      "model.size",
      "other.model",
      "line.words",
    ])
    const of = (read: string) =>
      names.filter((name) => name.startsWith(`${read}.`)).map((name) => name.slice(read.length + 1))
    expect(of("reply")).toEqual(["status", "why", "prompt", "text", "tokens", "stop"])
    expect(of("found")).toEqual(["status", "why", "prompt", "answer", "option"])
    expect(of("v0")).toEqual([
      ...["status", "why", "prompt", "answer", "option"],
      ...["confidence", "mass", "near_tie", "low_mass", "p.same", "p.different"],
    ])
  })

  test("says of a text that it is a value, and of a refusal what it says", () => {
    const columns = columnsOf([whole, record("i2", { reply: refusal })], experiment)
    expect(columns.get("reply.status")).toEqual(["value", "refused"])
    expect(columns.get("reply.why")).toEqual([null, 'it says "I cannot"'])
    expect(columns.get("reply.text")).toEqual(["Maybe it is B. Perhaps, please!", "I cannot say."])
    expect(columns.get("reply.stop")).toEqual(["until", null])
    expect(columns.get("found.status")).toEqual(["value", "skipped"])
  })

  test("numbers options in the pool's order, whatever letters they were shown under", () => {
    const turned = record(
      "i1",
      { a0: { ...reading(2), value: "B" } as Reading },
      { shown: ["D", "C", "B", "A"] },
    )
    const columns = columnsOf([whole, turned], experiment)
    expect(columns.get("a0.answer")).toEqual(["A", "C"])
    expect(columns.get("a0.option")).toEqual([0, 2])
    expect(columns.get("shown")).toEqual(["A B C D", "D C B A"])
    expect(columnsOf([whole], experiment).has("shown")).toBe(false)
  })

  test("goes whole into trials.csv", () => {
    const csv = csvOf(programOf(experiment), [whole])
    const [head, row] = csv.split("\r\n")
    expect(head).toContain(
      "item.subject,item.year,model.family,model.size,other.model,line.words,line.answer_index",
    )
    expect(row).toContain('"Maybe it is B. Perhaps, please!",7,until')
  })
})

describe("why a trial does not enter", () => {
  const reasons = (
    value: ExprIR,
    readings: Readonly<Record<string, Reading>>,
    parts: Partial<TrialRecord> = {},
  ) => {
    const one: MeasureIR = { ...HRR, statistic: "mean", value, interval: { method: "bootstrap", level: 95 } }
    const { given: _given, ...unconditional } = one
    const trials = trialsOf({ ...experiment, measures: [unconditional] }, [record("i1", readings, parts)])
    return outcomes(trials, unconditional).reasons.at(0)
  }
  const words: ExprIR = { kind: "measured", hole: "reply", of: "words" }

  test.each<[string, ExprIR, Readonly<Record<string, Reading>>, Partial<TrialRecord>]>([
    ["refused reply", words, { reply: refusal }, {}],
    ["invalid found", answer("found"), { found: { status: "invalid", why: "no match" } }, {}],
    ["skipped: its gate is closed", words, { reply: { status: "skipped", why: "its gate is closed" } }, {}],
    [
      "skipped: its gate is closed",
      state("reply", "refused"),
      { reply: { status: "skipped", why: "its gate is closed" } },
      {},
    ],
    ["no item.subject", column("subject"), {}, { columns: {} }],
    ["no model.size", { kind: "attribute", attribute: "size" }, {}, { attributes: {} }],
  ])("%s", (reason, value, readings, parts) => expect(reasons(value, readings, parts)).toBe(reason))

  test("an arm without lines has no words in them", () => {
    const { lines: _lines, ...block } = record("i1", {})
    const { given: _given, ...plain } = HRR
    const one: MeasureIR = { ...plain, statistic: "mean", value: { kind: "lines", of: "words" } }
    const trials = trialsOf({ ...experiment, measures: [one] }, [block])
    expect(outcomes(trials, one).reasons.at(0)).toBe("no lines")
  })

  test("lines that hold no answer have words, and no place of one among them", () => {
    const about = record("i1", {}, { lines: { words: 7 } })
    const { given: _given, ...plain } = HRR
    const [words, place] = (["words", "answer_index"] as const).map((of) => {
      const one: MeasureIR = { ...plain, statistic: "mean", value: { kind: "lines", of } }
      return outcomes(trialsOf({ ...experiment, measures: [one] }, [about]), one)
    })
    expect([words?.values[0], words?.reasons.at(0)]).toEqual([7, null])
    expect(place?.reasons.at(0)).toBe("no answer in its lines")
  })

  test("an invalid read in a list differs from all, where the measure takes it for wrong", () => {
    const invalid: Reading = { status: "invalid", why: "no label" }
    const { given: _given, ...plain } = HRR
    const changes = (holes: readonly string[], readings: Readonly<Record<string, Reading>>) => {
      const value: ExprIR = { kind: "sequence", of: "changes", holes }
      const one: MeasureIR = { ...plain, statistic: "mean", value, invalid: "wrong" }
      return outcomes(trialsOf({ ...experiment, measures: [one] }, [record("i1", readings)]), one).values[0]
    }
    expect(changes(["v0", "turned"], { v0: invalid, turned: invalid })).toBe(1)
    expect(changes(["k0", "k1"], { k0: invalid, k1: says("2", 1) })).toBe(1)
    expect(changes(["a0", "a1"], { a0: invalid, a1: invalid })).toBe(1)
  })

  test("two arms whose lines are as long are two observations of them", () => {
    const { given: _given, ...plain } = HRR
    const lines: MeasureIR = {
      ...plain,
      name: "words",
      statistic: "mean",
      value: { kind: "lines", of: "words" },
      interval: { method: "bootstrap", level: 95 },
    }
    const own = experimentOf({
      protocol,
      measures: [lines],
      cells: [cell("reask"), cell("push")],
      tables: [{ name: "t", rows: ["pool"], columns: ["words"], average: "pooled" }],
    })
    const records = ["reask", "push"].map((arm) => ({
      ...trial(arm, "i1", 0, 1),
      lines: { words: 4, answerIndex: 1 },
    }))
    const [all] = measure(programOf(own), records).filter(({ by }) => Object.keys(by).length === 0)
    expect(all).toMatchObject({ n: 2, estimate: 4, excluded: {} })
  })
})
