/** Expressions over one trial. The checks have found them to be well typed: what is not, is a mistake of theirs. */
import type { Expression } from "../../grammar/ast.ts"
import type { ExprIR, HoleIR } from "../ir.ts"
import { print } from "./columns.ts"

export interface Meaning {
  /** The reads that names stand for. */
  readonly holes: ReadonlyMap<string, HoleIR>
  /** The columns that names stand for. */
  readonly columns: ReadonlySet<string>
}

/** @throws on an expression that the checks should not have let through */
export const lowerExpression = (expression: Expression, meaning: Meaning): ExprIR => {
  const lower = (one: Expression) => lowerExpression(one, meaning)
  switch (expression.kind) {
    case "number":
      return { kind: "number", value: expression.value }
    case "name":
      return lowerName(expression.text, meaning)
    case "member":
      return lowerMember(expression, meaning)
    case "call": {
      const { callee, arguments: given } = expression
      const option = given[0]
      if (callee.kind !== "member" || callee.property.text !== "p" || option === undefined)
        return untyped(expression)
      return { kind: "p", hole: holeOf(callee.object, meaning).name, option: lower(option) }
    }
    case "unary":
      return { kind: "unary", operator: expression.operator, operand: lower(expression.operand) }
    case "binary": {
      const { operator, left, right } = expression
      if (isColumn(left, meaning)) return { kind: "binary", operator, left: lower(left), right: level(right) }
      if (isColumn(right, meaning))
        return { kind: "binary", operator, left: level(left), right: lower(right) }
      return { kind: "binary", operator, left: lower(left), right: lower(right) }
    }
    case "text":
    case "restriction":
      return untyped(expression)
    default:
      return expression satisfies never
  }
}

const isColumn = (expression: Expression, { columns }: Meaning): boolean =>
  expression.kind === "name" && columns.has(expression.text)

const level = (expression: Expression): ExprIR => ({ kind: "string", value: print(expression) })

const lowerName = (name: string, { holes, columns }: Meaning): ExprIR => {
  if (columns.has(name)) return { kind: "level", factor: name }
  const hole = holes.get(name)
  if (hole !== undefined) return { kind: "answer", hole: hole.name }
  if (name === "target" || name === "pushed") return { kind: name }
  throw new Error(`internal: the name ${name} has no value`)
}

const lowerMember = (member: Extract<Expression, { kind: "member" }>, meaning: Meaning): ExprIR => {
  const { object, property } = member
  if (object.kind === "name" && object.text === "item" && property.text === "gold") return { kind: "gold" }
  const { text } = property
  if (text !== "confidence" && text !== "mass" && text !== "value") return untyped(member)
  return { kind: text, hole: holeOf(object, meaning).name }
}

const holeOf = (expression: Expression, { holes }: Meaning): HoleIR =>
  (expression.kind === "name" ? holes.get(expression.text) : undefined) ?? untyped(expression)

const untyped = (expression: Expression): never => {
  throw new Error(`internal: ${print(expression)} has passed the checks without a type`)
}
