/** Comparisons with a value that no model's attribute, and no item's column, has: they hold of no trial, or of every one. */
import type { Expression } from "../../../grammar/ast.ts"
import { fieldsOf } from "../../lower/columns.ts"
import { expressionsIn, expressionsOf } from "../../lower/expressions.ts"
import { operandsOf, wholeMetric } from "../../lower/inherit.ts"
import { measureName } from "../../lower/measures.ts"
import { levelName, print } from "../../lower/print.ts"
import { protocolOf } from "../measures.ts"
import type { Check, Review } from "./review.ts"

type Member = Extract<Expression, { kind: "member" }>

interface Compared {
  readonly member: Member
  /** Texts and numbers. */
  readonly values: readonly Expression[]
}

const isMember = ({ kind }: Expression): boolean => kind === "member"
const isValue = ({ kind }: Expression): boolean => kind === "text" || kind === "number"

/** `model.family == "Qwen"`, either way round, or `item.subject in { "law", "art" }`; none for what asks for no equality. */
const comparedIn = (expression: Expression): Compared | undefined => {
  if (expression.kind === "membership") {
    const { subject, levels } = expression
    return subject.kind === "member" ? { member: subject, values: levels.filter(isValue) } : undefined
  }
  if (expression.kind !== "binary" || (expression.operator !== "==" && expression.operator !== "!="))
    return undefined
  const sides = [expression.left, expression.right]
  const member = sides.find(isMember)
  const value = sides.find(isValue)
  return member?.kind === "member" && value !== undefined ? { member, values: [value] } : undefined
}

/** The values of `model.NAME` or `item.NAME` in the experiment; none where that is not known, or the name stands for something else. */
const valuesOf = (
  { object, property }: Member,
  { experiment, program, items }: Review,
): ReadonlySet<string> | undefined => {
  if (object.kind !== "name") return undefined
  if (object.text === "model") {
    const models = program.models.filter(({ name }) => experiment.models.includes(name))
    return new Set(models.flatMap(({ attributes }) => attributes[property.text] ?? []).map(String))
  }
  if (object.text !== "item" || property.text === "gold" || property.text === "choices") return undefined
  const pools = experiment.pools.map(({ pool }) => items.get(pool))
  if (pools.includes(undefined)) return undefined
  const cells = pools.flatMap((pool) => (pool ?? []).flatMap(({ columns }) => columns[property.text] ?? []))
  return new Set(cells.map(String))
}

/** A text goes by its characters; a number also by what a text comes to that spells one. */
const isAmong = (known: ReadonlySet<string>, value: Expression): boolean =>
  known.has(levelName(value)) ||
  (value.kind === "number" && [...known].some((one) => one.trim() !== "" && Number(one) === value.value))

/** Reports each value in these expressions that nothing has. `at` is where it is told, where it does not stand in the experiment's own file. */
const checkValues = (
  expressions: readonly Expression[],
  review: Review,
  at?: Parameters<Review["scene"]["say"]>[2],
): void => {
  for (const compared of expressions.flatMap(expressionsIn).flatMap((one) => comparedIn(one) ?? [])) {
    const known = valuesOf(compared.member, review)
    if (known === undefined || known.size === 0) continue
    for (const value of compared.values) {
      if (isAmong(known, value)) continue
      const told = { what: print(compared.member), value: levelName(value), known: [...known] }
      review.scene.say("CFX4023", told, at ?? value)
    }
  }
}

export const checkComparedValues: Check = (review) => {
  const { declaration, names, scene } = review
  checkValues(expressionsOf(declaration), review)
  // The gates of a library's protocol ask about models and items that are this experiment's.
  const protocol = protocolOf(declaration, scene)
  const [named] = fieldsOf(declaration, "protocol")
  if (protocol !== undefined && named !== undefined) {
    const isOwn = protocol.module.source === scene.module.source
    checkValues(expressionsOf(protocol.declaration), review, isOwn ? undefined : named.protocol)
  }
  for (const field of fieldsOf(declaration, "measure")) {
    const bound = names.find(field.metric, "metric")
    if (bound === undefined) continue
    const { statistic, given, weight } = wholeMetric(bound, names)
    const parts = [
      { from: statistic?.from, expressions: statistic === undefined ? [] : operandsOf(statistic.node) },
      { from: given?.from, expressions: given === undefined ? [] : [given.node.condition] },
      { from: weight?.from, expressions: weight === undefined ? [] : [weight.node.value] },
    ]
    for (const { from, expressions } of parts) {
      const isOwn = from?.module.source === scene.module.source
      checkValues(expressions, review, isOwn ? undefined : measureName(field))
    }
  }
}
