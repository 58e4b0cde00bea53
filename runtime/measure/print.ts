import type { ExprIR, MeasureIR } from "../../compiler/ir.ts"
import { bracketed, SIGN, STRENGTH, strengthOnLeft, strengthOnRight } from "../../compiler/strength.ts"

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
      return bracketed(`${e.hole} is ${e.state}`, STRENGTH.is, around)
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
      return bracketed(`${print(e.value, strengthOnLeft("in"))} in { ${levels} }`, STRENGTH.in, around)
    }
    case "unary": {
      const own = e.operator === "not" ? STRENGTH.not : SIGN
      return bracketed(`${e.operator === "not" ? "not " : "-"}${print(e.operand, own)}`, own, around)
    }
    case "binary": {
      const side = (one: ExprIR, other: ExprIR, strength: number) =>
        one.kind === "string" ? levelText(one.value, other) : print(one, strength)
      const left = side(e.left, e.right, strengthOnLeft(e.operator))
      const right = side(e.right, e.left, strengthOnRight(e.operator))
      return bracketed(`${left} ${e.operator} ${right}`, STRENGTH[e.operator], around)
    }
  }
}

/** A level, which the language writes as it stands: `people`, `distinct(6)`; a text in quotes. */
function levelText(level: string, beside: ExprIR): string {
  return beside.kind === "level" || beside.kind === "role" ? level : JSON.stringify(level)
}
