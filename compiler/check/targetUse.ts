/** Whether anything of an experiment asks which option a trial is about. */
import type { Experiment, Expression, Protocol, Text } from "../../grammar/ast.ts"
import { armsOf, factorLevels, fieldsOf } from "../lower/columns.ts"
import { expressionsIn, expressionsOf } from "../lower/expressions.ts"
import { operandsOf, wholeMetric } from "../lower/inherit.ts"
import { placesIn } from "../lower/place.ts"
import type { Bound, Names } from "../resolve.ts"
import { textsOfTurns } from "./turns.ts"

const words = ["target", "pushed"]

/** An assertion pushes the target; a text, a condition or a measure may name it. Without any of these an experiment needs none. */
export const readsTarget = (
  experiment: Experiment,
  protocol: Bound<Protocol> | undefined,
  names: Names,
): boolean =>
  armsOf(experiment).some(({ stimulus }) => stimulus.kind === "assertion") ||
  textsIn(experiment, protocol?.declaration, names).some(namesTarget) ||
  conditionsIn(experiment, protocol?.declaration, names).some(mentionsTarget)

const textsIn = (experiment: Experiment, protocol: Protocol | undefined, names: Names): readonly Text[] => {
  const levels = [
    ...armsOf(experiment).flatMap(({ stimulus }) => (stimulus.kind === "name" ? [stimulus] : [])),
    ...fieldsOf(experiment, "factor").flatMap((field) => factorLevels(field, experiment)),
  ]
  const stimuli = levels.flatMap((level) => textsOfLevel(level, names))
  return [...stimuli, ...(protocol === undefined ? [] : textsOfTurns(protocol, names))]
}

/** Whatever is asked of trials: gates, what carves the grid or an analysis, and what measures are taken of, inherited parts included. */
const conditionsIn = (
  experiment: Experiment,
  protocol: Protocol | undefined,
  names: Names,
): readonly Expression[] => {
  // The condition on a pool is over its rows: its names are columns.
  const fields = experiment.fields.filter(({ field }) => field !== "items")
  const measured = fieldsOf(experiment, "measure").flatMap(({ metric }) => {
    const bound = names.find(metric, "metric")
    if (bound === undefined) return []
    const { statistic, given, weight } = wholeMetric(bound, names)
    return [
      ...(statistic === undefined ? [] : operandsOf(statistic.node)),
      ...(given === undefined ? [] : [given.node.condition]),
      ...(weight === undefined ? [] : [weight.node.value]),
    ]
  })
  return [
    ...(protocol === undefined ? [] : expressionsOf(protocol)),
    ...expressionsOf({ ...experiment, fields }),
    ...measured,
  ]
}

/** The texts that a block, or a text written out, puts into a slot: at a step of a repeated turn the one that a list has for it, else all. */
export const textsOfLevel = (level: Expression, names: Names, step?: number): readonly Text[] => {
  if (level.kind === "text") return [level]
  const block = level.kind === "name" ? names.find(level, "block") : undefined
  return (block?.declaration.fields ?? []).flatMap((field) => {
    if (field.field === "text") return [field.text]
    return step === undefined ? field.texts : field.texts.slice(step - 1, step)
  })
}

/** Whether a text has a place for the option that a trial is about. */
export const namesTarget = (text: Text): boolean => placesIn(text).some(({ head }) => words.includes(head))

const mentionsTarget = (expression: Expression): boolean =>
  expressionsIn(expression).some((one) => one.kind === "name" && words.includes(one.text))
