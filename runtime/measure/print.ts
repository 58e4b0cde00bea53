import type { ExprIR, MeasureIR } from "../../compiler/ir.ts"

const STRENGTH = {
  or: 1,
  and: 2,
  "==": 4,
  "!=": 4,
  "<": 4,
  "<=": 4,
  ">": 4,
  ">=": 4,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
} as const
const NOT = 3
const SIGN = 7

/** An expression in the language's own words, with no more parentheses than it needs. */
export function printExpression(expression: ExprIR): string {
  return print(expression, 0)
}

/** What a measure is taken of: one expression, or the two whose agreement it is. */
export function printOperands({ value, other }: Pick<MeasureIR, "value" | "other">): string {
  return [value, ...(other === undefined ? [] : [other])].map(printExpression).join(", ")
}

function print(e: ExprIR, around: number): string {
  switch (e.kind) {
    case "number":
      return String(e.value)
    case "string":
      return JSON.stringify(e.value)
    case "answer":
    case "label":
      return e.hole
    case "gold":
      return "item.gold"
    case "target":
    case "pushed":
      return e.kind
    case "confidence":
    case "mass":
    case "value":
      return `${e.hole}.${e.kind}`
    case "recalibrated":
      return `${e.hole}.recalibrated(${e.temperature})`
    case "p":
    case "raw":
      return `${e.hole}.${e.kind}(${print(e.option, 0)})`
    case "level":
      return e.factor
    case "role":
      return e.role
    case "column":
      return `item.${e.column}`
    case "choices":
      return "item.choices"
    case "attribute":
      return `model.${e.attribute}`
    case "lines":
      return `line.${e.of}`
    case "state":
      return wrap(`${e.hole} is ${e.state}`, STRENGTH["=="], around)
    case "measured":
      return `${e.of}(${e.hole})`
    case "lexicon":
      return `${e.of}({ ${e.terms.map((term) => JSON.stringify(term)).join(" ")} }, ${e.hole})`
    case "found":
      return `${e.of}(${e.hole}, ${JSON.stringify(e.text)})`
    case "sequence":
      return `${e.of}(${e.holes.join(", ")})`
    case "among": {
      const levels = e.levels.map((level) => levelText(level, e.value)).join(", ")
      return wrap(`${print(e.value, STRENGTH["=="])} in { ${levels} }`, STRENGTH["=="], around)
    }
    case "unary": {
      const own = e.operator === "not" ? NOT : SIGN
      return wrap(`${e.operator === "not" ? "not " : "-"}${print(e.operand, own)}`, own, around)
    }
    case "binary": {
      const own = STRENGTH[e.operator]
      const side = (one: ExprIR, other: ExprIR, strength: number) =>
        one.kind === "string" ? levelText(one.value, other) : print(one, strength)
      const [left, right] = [side(e.left, e.right, own), side(e.right, e.left, own + 1)]
      return wrap(`${left} ${e.operator} ${right}`, own, around)
    }
  }
}

/** A level, which the language writes as it stands: `people`, `distinct(6)`; a text in quotes. */
function levelText(level: string, beside: ExprIR): string {
  return beside.kind === "level" || beside.kind === "role" ? level : JSON.stringify(level)
}

function wrap(text: string, own: number, around: number): string {
  return own < around ? `(${text})` : text
}
