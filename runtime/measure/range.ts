/** Between which numbers a measure of something lies, whatever is read. */
import type { ExprIR, MeasureIR } from "../../compiler/ir.ts"
import type { Interval } from "../statistics/interval.ts"

/** What a statistic cannot lie outside of; undefined where there are no such bounds. */
export function possible({ statistic, value }: Pick<MeasureIR, "statistic" | "value">): Interval | undefined {
  if (statistic === "rate" || statistic === "auroc") return { low: 0, high: 1 }
  if (statistic === "kappa") return { low: -1, high: 1 }
  const range = isTruth(value) ? { low: 0, high: 1 } : rangeOf(value)
  if (statistic === "mean" || typeof statistic === "object") return range
  if (statistic !== "difference" || range === undefined) return undefined
  return { low: range.low - range.high, high: range.high - range.low }
}

/** Whether an expression is a truth value. */
export function isTruth(expression: ExprIR): boolean {
  switch (expression.kind) {
    case "state":
    case "found":
    case "among":
      return true
    case "unary":
      return expression.operator === "not"
    case "binary":
      return !["+", "-", "*", "/"].includes(expression.operator)
    default:
      return false
  }
}

/** Between which numbers the value of an expression lies; undefined where there is no telling. */
export function rangeOf(expression: ExprIR): Interval | undefined {
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
