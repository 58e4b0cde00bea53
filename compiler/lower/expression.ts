/** Expressions over one trial. The checks have found them to be well typed: what is not, is a mistake of theirs. */
import type { Expression } from "../../grammar/ast.ts"
import type { ExprIR } from "../ir.ts"
import { levelName, print } from "./print.ts"
import type { ExpressionScope, ReadOf } from "./scope.ts"

export type { ExpressionScope } from "./scope.ts"

/** @throws on an expression that the checks should not have let through */
export const lowerExpression = (expression: Expression, scope: ExpressionScope): ExprIR => {
  const lower = (one: Expression) => lowerExpression(one, scope)
  switch (expression.kind) {
    case "number":
      return { kind: "number", value: expression.value }
    case "text":
      return string(expression)
    case "name":
      return lowerName(expression, scope)
    case "member":
      return lowerMember(expression, scope)
    case "call":
      return lowerCall(expression, scope)
    case "is":
      return {
        kind: "state",
        hole: readIn(expression.subject, scope).name,
        state: stateOf(expression.state.text),
      }
    case "membership":
      return lowerMembership(expression, scope)
    case "unary":
      return { kind: "unary", operator: expression.operator, operand: lower(expression.operand) }
    case "binary":
      return lowerBinary(expression, scope)
    case "index":
    case "list":
    case "except":
    case "restriction":
      return untyped(expression)
    default:
      return expression satisfies never
  }
}

const string = (expression: Expression): ExprIR => ({ kind: "string", value: levelName(expression) })

const lowerName = (name: Extract<Expression, { kind: "name" }>, scope: ExpressionScope): ExprIR => {
  const { text } = name
  if (scope.rows) return { kind: "column", column: text }
  if (scope.roles.has(text)) return { kind: "role", role: text }
  if (scope.columns.has(text)) return { kind: "level", factor: text }
  const read = scope.reads.get(text)
  if (read !== undefined) return { kind: read.kind === "label" ? "label" : "answer", hole: read.name }
  if (text === "target" || text === "pushed") return { kind: text }
  throw new Error(`internal: the name ${text} has no value`)
}

const lowerMember = (member: Extract<Expression, { kind: "member" }>, scope: ExpressionScope): ExprIR => {
  const { object, property } = member
  const { text } = property
  if (object.kind === "name" && !scope.reads.has(object.text)) {
    if (object.text === "item") {
      if (text === "gold" && !scope.rows) return { kind: "gold" }
      return text === "choices" ? { kind: "choices" } : { kind: "column", column: text }
    }
    if (object.text === "model") return { kind: "attribute", attribute: text }
    if (object.text === "line" && (text === "words" || text === "answer_index"))
      return { kind: "lines", of: text }
  }
  if (text !== "confidence" && text !== "mass" && text !== "value") return untyped(member)
  return { kind: text, hole: readIn(object, scope).name }
}

type Call = Extract<Expression, { kind: "call" }>

const lowerCall = (call: Call, scope: ExpressionScope): ExprIR => {
  const { callee, arguments: given } = call
  const [first, second] = given
  if (first === undefined) return untyped(call)
  if (callee.kind === "member" && (callee.property.text === "p" || callee.property.text === "raw")) {
    const { text: kind } = callee.property
    return { kind, hole: readIn(callee.object, scope).name, option: lowerExpression(first, scope) }
  }
  if (callee.kind === "member" && callee.property.text === "recalibrated" && first.kind === "number")
    return { kind: "recalibrated", hole: readIn(callee.object, scope).name, temperature: first.value }
  const name = callee.kind === "name" ? callee.text : undefined
  switch (name) {
    case "refused":
      return { kind: "state", hole: readIn(first, scope).name, state: "refused" }
    case "words":
    case "sentences":
    case "tokens":
      return { kind: "measured", hole: readIn(first, scope).name, of: name }
    case "count":
    case "density":
      if (first.kind !== "name" || second === undefined) return untyped(call)
      return { kind: "lexicon", hole: readIn(second, scope).name, of: name, terms: scope.terms(first) }
    case "contains":
    case "starts":
      if (second === undefined) return untyped(call)
      return { kind: "found", hole: readIn(first, scope).name, of: name, text: levelName(second) }
    case "changes":
    case "first_change": {
      const before = second === undefined ? [] : [readIn(first, scope).name]
      return { kind: "sequence", of: name, holes: [...before, ...listIn(second ?? first, scope)] }
    }
    default:
      return untyped(call)
  }
}

const lowerBinary = (
  { operator, left, right }: Extract<Expression, { kind: "binary" }>,
  scope: ExpressionScope,
): ExprIR => {
  const equal = (a: ExprIR, b: ExprIR): ExprIR => ({ kind: "binary", operator, left: a, right: b })
  const lower = (one: Expression) => lowerExpression(one, scope)
  if (operator !== "==" && operator !== "!=") return equal(lower(left), lower(right))
  const isModel = (one: Expression) =>
    one.kind === "name" && (scope.roles.has(one.text) || (one.text === "model" && scope.columns.has("model")))
  if (isModel(left) && isModel(right)) return equal(lower(left), lower(right))
  if (isColumn(left, scope)) return equal(lower(left), string(right))
  if (isColumn(right, scope)) return equal(string(left), lower(right))
  // A label that counts as the gold answer: then the answer is right where it is this label.
  const [first, second] = [goldLabel(left, right, scope), goldLabel(right, left, scope)]
  if (first !== undefined) return equal(lower(left), first)
  if (second !== undefined) return equal(second, lower(right))
  return equal(lower(left), lower(right))
}

/**
 * Levels and texts are looked for as they are written. A number that a column of the items or an attribute is looked up by is compared with it as by
 * `==`: `1.0` is in `{ 1 }`.
 */
const lowerMembership = (
  { subject, levels }: Extract<Expression, { kind: "membership" }>,
  scope: ExpressionScope,
): ExprIR => {
  const value = lowerExpression(subject, scope)
  const numbers =
    value.kind === "level" || value.kind === "role" ? [] : levels.filter(({ kind }) => kind !== "text")
  const names = levels.filter((level) => !numbers.includes(level)).map(levelName)
  const among: ExprIR = { kind: "among", value, levels: names }
  const equal = numbers.map((number): ExprIR => {
    return { kind: "binary", operator: "==", left: value, right: lowerExpression(number, scope) }
  })
  const [first = among, ...others] = names.length === 0 ? equal : [among, ...equal]
  return others.reduce((left, right) => ({ kind: "binary", operator: "or", left, right }), first)
}

const isColumn = (expression: Expression, { columns, rows }: ExpressionScope): boolean =>
  !rows && expression.kind === "name" && columns.has(expression.text)

const goldLabel = (read: Expression, other: Expression, scope: ExpressionScope): ExprIR | undefined => {
  const info = read.kind === "name" ? scope.reads.get(read.text) : undefined
  if (info?.kind !== "label" || print(other) !== "item.gold") return undefined
  return info.gold === undefined ? untyped(read) : { kind: "string", value: info.gold }
}

const stateOf = (state: string): Extract<ExprIR, { kind: "state" }>["state"] => {
  if (state === "value" || state === "invalid" || state === "refused" || state === "skipped") return state
  throw new Error(`internal: ${state} is no state of a read`)
}

const readIn = (expression: Expression, { reads }: ExpressionScope): ReadOf =>
  (expression.kind === "name" ? reads.get(expression.text) : undefined) ?? untyped(expression)

const listIn = (expression: Expression, { lists }: ExpressionScope): readonly string[] =>
  (expression.kind === "name" ? lists.get(expression.text) : undefined) ?? untyped(expression)

const untyped = (expression: Expression): never => {
  throw new Error(`internal: ${print(expression)} has passed the checks without a type`)
}
