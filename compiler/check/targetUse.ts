/** Whether anything of an experiment asks which option a trial is about. */
import type { Block, Experiment, Expression, Protocol, Text } from "../../grammar/ast.ts"
import { armsOf, factorLevels, fieldsOf } from "../lower/columns.ts"
import { operandsOf, wholeMetric } from "../lower/inherit.ts"
import { placesIn } from "../lower/place.ts"
import type { Bound, Names } from "../resolve.ts"

const words = ["target", "pushed"]

/** An assertion pushes the target; a text or a measure may name it. Without any of these an experiment needs none. */
export const readsTarget = (
  experiment: Experiment,
  protocol: Bound<Protocol> | undefined,
  names: Names,
): boolean => {
  const stimuli = armsOf(experiment).map(({ stimulus }) => stimulus)
  if (stimuli.some(({ kind }) => kind === "assertion")) return true
  const blocks = [
    ...stimuli.flatMap((stimulus) => (stimulus.kind === "name" ? [stimulus] : [])),
    ...fieldsOf(experiment, "factor").flatMap((field) => factorLevels(field, experiment)),
  ].flatMap((level) => {
    if (level.kind === "text") return [level]
    const block = level.kind === "name" ? names.find(level, "block") : undefined
    return block === undefined ? [] : textsOf(block.declaration)
  })
  const turns = (protocol?.declaration.turns ?? []).flatMap(({ fields }) =>
    fields.flatMap((field) => (field.field === "read" ? [] : [field.text])),
  )
  if ([...blocks, ...turns].some(namesTarget)) return true
  return fieldsOf(experiment, "measure").some(({ metric }) => {
    const bound = names.find(metric, "metric")
    if (bound === undefined) return false
    const { statistic, given } = wholeMetric(bound, names)
    const taken = statistic === undefined ? [] : operandsOf(statistic.node)
    return [...taken, given?.node.condition].some(
      (expression) => expression !== undefined && mentions(expression),
    )
  })
}

const textsOf = (block: Block): readonly Text[] =>
  block.fields.flatMap((field) => (field.field === "text" ? [field.text] : field.texts))

const namesTarget = (text: Text): boolean => placesIn(text).some(({ head }) => words.includes(head))

const mentions = (expression: Expression): boolean => {
  switch (expression.kind) {
    case "name":
      return words.includes(expression.text)
    case "member":
      return mentions(expression.object)
    case "call":
      return [expression.callee, ...expression.arguments].some(mentions)
    case "unary":
      return mentions(expression.operand)
    case "binary":
      return mentions(expression.left) || mentions(expression.right)
    case "membership":
    case "is":
      return mentions(expression.subject)
    default:
      return false
  }
}
