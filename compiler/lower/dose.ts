import type { Dose, Expression } from "../../grammar/ast.ts"
import type { Names } from "../resolve.ts"
import { headOf } from "../resolveReferences.ts"

/** The arithmetic of a dose. None where a name has no value, or where something else than arithmetic stands. */
export const calculate = (
  expression: Expression,
  values: ReadonlyMap<string, number>,
): number | undefined => {
  switch (expression.kind) {
    case "number":
      return expression.value
    case "name":
      return values.get(expression.text)
    case "unary": {
      const operand = calculate(expression.operand, values)
      return operand === undefined || expression.operator !== "-" ? undefined : -operand
    }
    case "binary": {
      const left = calculate(expression.left, values)
      const right = calculate(expression.right, values)
      if (left === undefined || right === undefined) return undefined
      if (expression.operator === "+") return left + right
      if (expression.operator === "-") return left - right
      if (expression.operator === "*") return left * right
      return expression.operator === "/" ? left / right : undefined
    }
    default:
      return undefined
  }
}

/** The arguments of a dose as a level is written: none for a bare name. */
export const argumentsOf = (level: Expression): readonly Expression[] =>
  level.kind === "call" ? level.arguments : []

/** Lines that a dose may come to: far more than any prompt holds, and few enough to write out. */
export const MOST_LINES = 1000

export const isCount = (value: number | undefined): value is number =>
  value !== undefined && Number.isSafeInteger(value) && value >= 1 && value <= MOST_LINES

/** What a field of a dose comes to under its arguments. */
export const doseField = (
  dose: Dose,
  field: "lines" | "speakers",
  values: readonly (number | undefined)[],
): number | undefined => {
  const given = new Map<string, number>()
  for (const [index, { text }] of dose.parameters.entries()) {
    const value = values[index]
    if (value !== undefined) given.set(text, value)
  }
  const expression = dose.fields.find((one) => one.field === field)?.value
  return expression === undefined ? undefined : calculate(expression, given)
}

/** How many lines and speakers a level such as `distinct(6)` comes to; none where that is not two counts. */
export const doseOf = (
  level: Expression,
  names: Names,
): { readonly lines: number; readonly speakers: number } | undefined => {
  const head = headOf(level)
  const bound = head === undefined ? undefined : names.find(head, "dose")
  if (bound === undefined) return undefined
  const values = argumentsOf(level).map((argument) => calculate(argument, new Map()))
  const lines = doseField(bound.declaration, "lines", values)
  const speakers = doseField(bound.declaration, "speakers", values)
  return isCount(lines) && isCount(speakers) ? { lines, speakers } : undefined
}
