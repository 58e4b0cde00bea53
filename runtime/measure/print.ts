import type { ExprIR } from "../../compiler/ir.ts"

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

function print(e: ExprIR, around: number): string {
  switch (e.kind) {
    case "number":
      return String(e.value)
    case "string":
      // A level, which the language writes as it stands: `people`, `distinct(6)`.
      return e.value
    case "answer":
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
    case "p":
      return `${e.hole}.p(${print(e.option, 0)})`
    case "level":
      return e.factor
    case "unary": {
      const own = e.operator === "not" ? NOT : SIGN
      return wrap(`${e.operator === "not" ? "not " : "-"}${print(e.operand, own)}`, own, around)
    }
    case "binary": {
      const own = STRENGTH[e.operator]
      return wrap(`${print(e.left, own)} ${e.operator} ${print(e.right, own + 1)}`, own, around)
    }
  }
}

function wrap(text: string, own: number, around: number): string {
  return own < around ? `(${text})` : text
}
