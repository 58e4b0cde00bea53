import { describe, expect, test } from "vitest"
import type { ExprIR, HoleIR } from "../../compiler/ir.ts"
import { compileExpression, rowFunction } from "../../runtime/measure/expression.ts"
import { OPERATORS } from "../../runtime/measure/operators.ts"
import { printExpression } from "../../runtime/measure/print.ts"
import {
  a0,
  a1,
  answer,
  binary,
  experimentOf,
  gold,
  invalid,
  k0,
  level,
  number,
  option,
  pushed,
  reading,
  skipped,
  trial,
} from "./sample.ts"
import { columnsOf, trialsOf } from "./tables.ts"

const integer = {
  status: "value",
  value: "8",
  index: 7,
  probabilities: Array(10).fill(0.1),
  mass: 0.97,
} as const
const record = trial("push", "i1", reading(0, 0.7), reading(1, 0.6), {
  levels: { arm: "push", framing: 'quote " and \\ and \u2028' },
  readings: { a0: reading(0, 0.7), k0: integer, a1: reading(1, 0.6) },
})
const withHoles = (factors: readonly string[], holes: readonly HoleIR[]) => {
  const { protocol } = experimentOf({})
  return experimentOf({
    protocol: { ...protocol, holes },
    factors: factors.map((name) => ({ name, levels: [] })),
  })
}
const experiment = withHoles(["arm", "framing"], [a0, k0, a1])
const schema = {
  holes: new Map([
    ["a0", { hole: a0, alternatives: 4 }],
    ["k0", { hole: k0, alternatives: 10 }],
    ["a1", { hole: a1, alternatives: 4 }],
  ]),
  invalidIsWrong: false,
}

function evaluate(expression: ExprIR, of = record): unknown {
  const text = rowFunction(compileExpression(expression, schema))
  return trialsOf(experiment, [of]).table.derive({ value: text }).get("value", 0)
}

describe("an expression over a trial", () => {
  const p = (hole: string, of: ExprIR): ExprIR => ({ kind: "p", hole, option: of })

  test.each<[string, ExprIR, unknown]>([
    ["a1 != item.gold", binary(answer("a1"), "!=", gold), true],
    ["a0 == item.gold", binary(answer("a0"), "==", gold), true],
    ["a1 == pushed", binary(answer("a1"), "==", pushed), true],
    ["target == pushed", binary({ kind: "target" }, "==", pushed), true],
    ["a1.p(pushed)", p("a1", pushed), 0.6],
    ["a1.p(a0)", p("a1", answer("a0")), 0.4 / 3],
    ["a0.confidence", { kind: "confidence", hole: "a0" }, 0.7],
    ["a0.mass", { kind: "mass", hole: "a0" }, 0.99],
    // 0.7 and three times 0.1, squared and shared out anew.
    ["a0.recalibrated(0.5)", { kind: "recalibrated", hole: "a0", temperature: 0.5 }, 0.49 / 0.52],
    ["k0.value", { kind: "value", hole: "k0" }, 8],
    ["arm == push", level("arm", "push"), true],
    ["arm == distinct(6)", level("arm", "distinct(6)"), false],
    ["not arm == push", { kind: "unary", operator: "not", operand: level("arm", "push") }, false],
    [
      "-((2 + 3) * 4)",
      { kind: "unary", operator: "-", operand: binary(binary(number(2), "+", number(3)), "*", number(4)) },
      -20,
    ],
    ["1 - (2 - 3)", binary(number(1), "-", binary(number(2), "-", number(3))), 2],
    [
      "k0.value / 2 >= 4 and a0.mass < 1",
      binary(
        binary(binary({ kind: "value", hole: "k0" }, "/", number(2)), ">=", number(4)),
        "and",
        binary({ kind: "mass", hole: "a0" }, "<", number(1)),
      ),
      true,
    ],
    [
      "k0.value > 8 or k0.value <= 7",
      binary(
        binary({ kind: "value", hole: "k0" }, ">", number(8)),
        "or",
        binary({ kind: "value", hole: "k0" }, "<=", number(7)),
      ),
      false,
    ],
  ])("%s", (words, expression, value) => {
    expect(evaluate(expression)).toEqual(typeof value === "number" ? expect.closeTo(value, 12) : value)
    expect(printExpression(expression)).toBe(words)
  })

  test("quotes whatever a level is called", () => {
    expect(evaluate(level("framing", 'quote " and \\ and \u2028'))).toBe(true)
    expect(evaluate(level("framing", '"] === d["arm'))).toBe(false)
  })

  test("is missing where what it needs is missing, never 0 or false", () => {
    const without = trial("push", "i1", invalid, skipped)
    expect(evaluate(binary(answer("a1"), "==", gold), without)).toBe(null)
    expect(evaluate(binary(answer("a1"), "!=", gold), without)).toBe(null)
    expect(evaluate(binary({ kind: "confidence", hole: "a0" }, "<", number(0.9)), without)).toBe(null)
    expect(evaluate(level("framing", "experts"), without)).toBe(null)
    expect(evaluate(p("a0", pushed), { ...record, pushed: option(9) })).toBe(null)
  })

  test("that names a read which the table lacks is an error", () => {
    expect(() => compileExpression(answer("a7"), schema)).toThrow("a7")
  })
})

describe("missing truth", () => {
  const values = [true, false, null] as const
  const table = (operator: (a: boolean | null, b: boolean | null) => boolean | null) =>
    values.map((a) => values.map((b) => operator(a, b)))

  test("follows Kleene: Introduction to Metamathematics (1952), section 64", () => {
    expect(table(OPERATORS.cfx_and)).toEqual([
      [true, false, null],
      [false, false, false],
      [null, false, null],
    ])
    expect(table(OPERATORS.cfx_or)).toEqual([
      [true, true, true],
      [true, false, null],
      [true, null, null],
    ])
    expect(values.map(OPERATORS.cfx_not)).toEqual([false, true, null])
  })
})

describe("the trial table", () => {
  test("has a column for all that is known of a trial", () => {
    const columns = columnsOf([record], experiment)
    expect([...columns.keys()].filter((name) => !/\.p\d+$/.test(name))).toEqual([
      "experiment",
      "model",
      "pool",
      "item",
      "arm",
      "framing",
      "gold",
      "gold.option",
      ...["target", "pushed"].flatMap((name) => [name, `${name}.option`, `${name}.kind`, `${name}.why`]),
      ...["a0", "k0", "a1"].flatMap((hole) =>
        [
          ...["status", "why", "prompt", "answer", "option"],
          ...["confidence", "mass", "near_tie", "low_mass"],
        ].map((name) => `${hole}.${name}`),
      ),
      "trial",
    ])
    expect([...columns.keys()].filter((name) => /^k0\.p\d/.test(name))).toEqual(
      Array.from({ length: 10 }, (_, at) => `k0.p${at + 1}`),
    )
    expect(columns.get("a1.answer")).toEqual(["B"])
    expect(columns.get("a1.option")).toEqual([1])
    expect(columns.get("a1.p1")).toEqual([0.6])
  })

  test("flags a read whose two best are within a thousandth of each other", () => {
    const close = { ...reading(0), probabilities: [0.4, 0.3995, 0.1, 0.1005] }
    const apart = { ...reading(0), probabilities: [0.4, 0.398, 0.1, 0.102] }
    const columns = columnsOf(
      [trial("push", "i1", close, apart), trial("push", "i2", invalid, 0)],
      withHoles([], [a0, a1]),
    )
    expect(columns.get("a0.near_tie")).toEqual([true, null])
    expect(columns.get("a1.near_tie")).toEqual([false, false])
  })

  test("leaves a factor's own name alone when the table has a column of that name", () => {
    const clash = trial("push", "i1", 0, 0, { levels: { arm: "push", gold: "yes" } })
    const columns = columnsOf([clash], withHoles(["arm", "gold"], [a0]))
    expect(columns.get("gold")).toEqual(["A"])
    expect(columns.get("level:gold")).toEqual(["yes"])
  })
})
