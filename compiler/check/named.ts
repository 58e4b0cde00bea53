/** Names and conditions of an analysis: that there are such measures, columns and levels, and trials that have them. */
import type { Binary, Expression, LevelFilter, Membership, Name } from "../../grammar/ast.ts"
import { assertionFactors } from "../lower/columns.ts"
import { lowerExpression } from "../lower/expression.ts"
import { levelName, print } from "../lower/print.ts"
import { designScope } from "../lower/scope.ts"
import { STUDIED } from "../lower/slotFills.ts"
import { type Analysed, isSettled, levelOf, type Trials, verdictOf } from "./analysed.ts"
import { designEnvironment } from "./environment.ts"
import type { Scene } from "./scene.ts"
import { expect, typeOf } from "./types.ts"

/** Stands for the level of a factor that an arm has not; no level is spelt so. */
const LACKING = "\u0000"

export const checkMeasureName = (
  name: Name,
  { experiment, measures, unsure }: Analysed,
  scene: Scene,
): boolean => {
  if (measures.includes(name.text)) return true
  if (scene.torn || unsure.measures) return false
  const declared = scene.names.has(scene.module, name.text, "metric")
  const importable = scene.names.importable(scene.module, name.text, "metric")
  const parameters = { measure: name.text, experiment: experiment.name.text, declared, importable }
  scene.say("CFX2307", { ...parameters, known: measures }, name)
  return false
}

/** Reports what is no column of the design. `others` are names that may stand there too. */
export const checkColumn = (
  name: Name,
  { experiment, columns, unsure }: Analysed,
  scene: Scene,
  others: Iterable<string> = [],
): boolean => {
  const known = [...columns.keys(), ...others]
  if (known.includes(name.text)) return true
  if (!scene.torn && !unsure.columns) {
    scene.say("CFX2203", { factor: name.text, experiment: experiment.name.text, known }, name)
  }
  return false
}

/** Reports what is a column neither of the design nor of the items. */
export const checkAnyColumn = (
  name: Name,
  analysed: Analysed,
  scene: Scene,
  others: readonly string[] = [],
): boolean => {
  const { items } = analysed.around
  if (items === undefined) return true
  if (items.has(name.text) && analysed.columns.has(name.text)) {
    scene.say("CFX2531", { name: name.text, of: "items" }, name)
    return false
  }
  return checkColumn(name, analysed, scene, [...items, ...others])
}

export const checkFilter = ({ factor, level }: LevelFilter, analysed: Analysed, scene: Scene): boolean => {
  if (!checkColumn(factor, analysed, scene)) return false
  const known = analysed.columns.get(factor.text)
  const written = levelName(level)
  if (known === undefined) return false
  // A role's level is a model: that it is the studied one can be asked of any.
  const isStudied = written === STUDIED && analysed.roles.includes(factor.text)
  if (known.includes(written) || isStudied) return true
  if (!scene.torn) scene.say("CFX2204", { factor: factor.text, level: written, known }, level)
  return false
}

/** Reports what is wrong with a condition among levels: `source != model`, `framing in { people, experts }`. */
export const checkCondition = (condition: Binary | Membership, analysed: Analysed, scene: Scene): boolean => {
  const column = condition.kind === "binary" ? condition.left : condition.subject
  if (column.kind !== "name" || !checkColumn(column, analysed, scene)) return false
  if (analysed.columns.get(column.text) === undefined) return false
  return typeOf(condition, trialEnvironment(analysed, scene), scene) !== undefined
}

/** What a condition on trials may name. */
export const trialEnvironment = ({ columns, roles, reads, around, unsure }: Analysed, scene: Scene) => {
  const lost = unsure.columns ? ["arm", ...assertionFactors].map((name) => [name, undefined] as const) : []
  const written = scene.torn ? [...columns].map(([name]) => [name, undefined] as const) : [...columns]
  return designEnvironment(new Map<string, readonly string[] | undefined>([...lost, ...written]), roles, {
    reads,
    ...(around.items === undefined ? {} : { items: around.items }),
    ...(around.attributes === undefined ? {} : { attributes: around.attributes }),
  })
}

/**
 * Reports mistakes in the condition of a `where`, and one that the design alone makes false of every trial. Gives which kinds of trials the design
 * makes it false of; none are known where there is a mistake.
 */
export const checkWhere = (
  condition: Expression,
  analysed: Analysed,
  scene: Scene,
): ((trials: Trials) => boolean) | undefined => {
  const environment = trialEnvironment(analysed, scene)
  const type = expect(condition, "truth value", "The condition of `where`", environment, scene)
  if (type === undefined || scene.torn || !isSettled(analysed)) return undefined
  const { columns, roles, reads, names } = analysed
  const test = lowerExpression(condition, designScope(columns.keys(), roles, names, reads))
  // A level that a trial lacks is no level that it could be compared with.
  const isRuledOut = (trials: Trials): boolean =>
    verdictOf(test, (column) => levelOf(trials, column) ?? LACKING) === false
  const all = analysed.trials()
  if (all.length > 0 && all.every(isRuledOut))
    scene.say("CFX2215", { levels: `\`${print(condition)}\``, merged: [] }, condition)
  return isRuledOut
}
