/** Numbers of a read, such as its confidence: what is assumed speaks of answers, so that these are drawn apart or not at all. */
import type { ExprIR } from "../../compiler/ir.ts"

export interface Range {
  readonly low: number
  readonly high: number
}

/** Whether an expression looks at more of its reads than which answer they gave or whether they were refused. */
export function looksAtNumbers(expression: ExprIR): boolean {
  switch (expression.kind) {
    case "number":
    case "string":
    case "answer":
    case "gold":
    case "target":
    case "pushed":
    case "label":
    case "column":
    case "choices":
    case "attribute":
    case "lines":
    case "state":
    case "sequence":
    case "role":
    case "level":
      return false
    case "among":
      return looksAtNumbers(expression.value)
    case "unary":
      return looksAtNumbers(expression.operand)
    case "binary":
      return looksAtNumbers(expression.left) || looksAtNumbers(expression.right)
    default:
      return true
  }
}

/** Between which numbers the value of an expression lies, whatever is read; undefined where there is no telling. */
export function rangeOf(expression: ExprIR): Range | undefined {
  switch (expression.kind) {
    case "number":
      return { low: expression.value, high: expression.value }
    case "confidence":
    case "recalibrated":
    case "mass":
    case "p":
    case "raw":
      return { low: 0, high: 1 }
    case "unary": {
      const range = expression.operator === "-" ? rangeOf(expression.operand) : undefined
      return range === undefined ? undefined : { low: -range.high, high: -range.low }
    }
    case "binary": {
      const [left, right] = [rangeOf(expression.left), rangeOf(expression.right)]
      if (left === undefined || right === undefined) return undefined
      switch (expression.operator) {
        case "+":
          return { low: left.low + right.low, high: left.high + right.high }
        case "-":
          return { low: left.low - right.high, high: left.high - right.low }
        case "*": {
          const products = [left.low, left.high].flatMap((a) => [a * right.low, a * right.high])
          return { low: Math.min(...products), high: Math.max(...products) }
        }
        default:
          return undefined
      }
    }
    default:
      return undefined
  }
}
