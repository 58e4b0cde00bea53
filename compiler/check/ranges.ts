/** What numbers an expression can come to, so that a comparison that always or never holds is found before the run. */
import type { Binary, BinaryOperator, Expression } from "../../grammar/ast.ts"
import { print } from "../lower/columns.ts"

export interface Range {
  readonly low: number
  readonly high: number
}

/** Probabilities, confidences and masses. */
export const fractions: Range = { low: 0, high: 1 }

/**
 * The range of a number; none where nothing is known about it. `valuesOf` gives that of `.value` of a read of an integer, by the name
 * that the read has in the expression.
 */
export const rangeOf = (
  expression: Expression,
  valuesOf: (read: string) => Range | undefined,
): Range | undefined => {
  switch (expression.kind) {
    case "number":
      return { low: expression.value, high: expression.value }
    case "member": {
      const { object, property } = expression
      if (property.text === "confidence" || property.text === "mass") return fractions
      return property.text === "value" && object.kind === "name" ? valuesOf(object.text) : undefined
    }
    case "call":
      return expression.callee.kind === "member" &&
        ["p", "raw", "recalibrated"].includes(expression.callee.property.text)
        ? fractions
        : undefined
    case "unary": {
      const range = expression.operator === "-" ? rangeOf(expression.operand, valuesOf) : undefined
      return range === undefined ? undefined : { low: -range.high, high: -range.low }
    }
    case "binary": {
      const left = rangeOf(expression.left, valuesOf)
      const right = rangeOf(expression.right, valuesOf)
      return left === undefined || right === undefined
        ? undefined
        : combined(expression.operator, left, right)
    }
    default:
      return undefined
  }
}

/** What the sum, the difference, the product or the quotient of two numbers can come to. */
export const combined = (operator: BinaryOperator, left: Range, right: Range): Range | undefined => {
  switch (operator) {
    case "+":
      return { low: left.low + right.low, high: left.high + right.high }
    case "-":
      return { low: left.low - right.high, high: left.high - right.low }
    case "*":
      return corners((a, b) => a * b)
    case "/":
      return right.low <= 0 && right.high >= 0 ? undefined : corners((a, b) => a / b)
    default:
      return undefined
  }

  function corners(compute: (a: number, b: number) => number): Range {
    const all = [left.low, left.high].flatMap((a) => [right.low, right.high].map((b) => compute(a, b)))
    return { low: Math.min(...all), high: Math.max(...all) }
  }
}

/** What a comparison comes to whatever the numbers are; none where it depends on them. */
export const verdict = (operator: BinaryOperator, left: Range, right: Range): boolean | undefined => {
  switch (operator) {
    case "<":
      return left.high < right.low ? true : left.low >= right.high ? false : undefined
    case "<=":
      return left.high <= right.low ? true : left.low > right.high ? false : undefined
    case ">":
      return verdict("<", right, left)
    case ">=":
      return verdict("<=", right, left)
    case "==":
      return left.high < right.low || right.high < left.low ? false : undefined
    case "!=":
      return left.high < right.low || right.high < left.low ? true : undefined
    default:
      return undefined
  }
}

/** A comparison of something with a number that comes out the same whatever that is: what it says, for a diagnostic. */
export const settledBy = (
  { operator, left, right }: Binary,
  valuesOf: (read: string) => Range | undefined,
): (Range & { readonly subject: string; readonly bound: number; readonly holds: boolean }) | undefined => {
  const [first, second] = [rangeOf(left, valuesOf), rangeOf(right, valuesOf)]
  if (first === undefined || second === undefined) return undefined
  const holds = verdict(operator, first, second)
  const [subject, range, bound] = isPoint(second) ? [left, first, second] : [right, second, first]
  if (holds === undefined || isPoint(range)) return undefined
  return { ...range, subject: print(subject), bound: bound.low, holds }
}

const isPoint = ({ low, high }: Range): boolean => low === high
