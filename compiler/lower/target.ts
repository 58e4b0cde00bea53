/** Which option trials are about, from how it is written. */
import type { Experiment, Expression, Name } from "../../grammar/ast.ts"
import type { TargetIR } from "../ir.ts"
import type { Names } from "../resolve.ts"
import { fieldsOf } from "./columns.ts"

/** Targets that are words of the language. */
export const targetWords = ["random_wrong", "placebo_label", "gold", "each_wrong"] as const

/** What a target says; none where it says nothing that can be, and where nothing declares it. A declared target is what its value says. */
export const lowerTarget = (target: Expression, names: Names): TargetIR | undefined => {
  const value = declaredTarget(target, names, new Set())
  return value === undefined ? undefined : lowerValue(value)
}

/** The expression that a target comes to, through the names of declared targets. */
const declaredTarget = (
  target: Expression,
  names: Names,
  met: ReadonlySet<Expression> = new Set(),
): Expression | undefined => {
  if (target.kind !== "name" || isTargetWord(target.text)) return target
  const declared = names.find(target, "target")?.declaration.value
  return declared === undefined || met.has(declared)
    ? undefined
    : declaredTarget(declared, names, new Set([...met, declared]))
}

export const isTargetWord = (text: string): text is (typeof targetWords)[number] =>
  (targetWords as readonly string[]).includes(text)

const lowerValue = (target: Expression): TargetIR | undefined => {
  if (target.kind === "name") return isTargetWord(target.text) ? { kind: target.text } : undefined
  if (target.kind !== "call" || target.callee.kind !== "name") return undefined
  const [first, second, ...more] = target.arguments
  if (first === undefined || more.length > 0) return undefined
  const name = target.callee.text
  if (name === "ranked_wrong") {
    const rank = second === undefined ? undefined : positionOf(second)
    return first.kind === "name" && rank !== undefined
      ? { kind: "ranked_wrong", hole: first.text, rank }
      : undefined
  }
  if (second !== undefined) return undefined
  if (name === "top_wrong" && first.kind === "name")
    return { kind: "ranked_wrong", hole: first.text, rank: 1 }
  if (name === "least_wrong" && first.kind === "name") return { kind: "least_wrong", hole: first.text }
  const position = positionOf(first)
  return name === "option" && position !== undefined ? { kind: "option", position } : undefined
}

/** A place in a list, from 1. */
const positionOf = (expression: Expression): number | undefined =>
  expression.kind === "number" && Number.isSafeInteger(expression.value) && expression.value >= 1
    ? expression.value
    : undefined

/** The read that a target is taken from, as written. */
export const readOfTarget = (target: Expression, names: Names): Name | undefined => {
  const value = declaredTarget(target, names)
  const first = value?.kind === "call" ? value.arguments[0] : undefined
  return first?.kind === "name" ? first : undefined
}

/** The targets of an experiment, as written. */
export const targetsOf = (experiment: Experiment): readonly Expression[] =>
  fieldsOf(experiment, "target").flatMap(({ levels }) => levels)

/** An experiment that pushes no answer may leave its target out: its trials are about the gold answer. */
export const NO_TARGET: TargetIR = { kind: "gold" }
