/** Columns of items and attributes of models that an experiment asks for, and that a pool or a model of it does not have. */
import type { Experiment, Expression, Member, Protocol } from "../../grammar/ast.ts"
import type { ExprIR } from "../ir.ts"
import { partsOf } from "../looks.ts"
import { modelsOf, poolsOf } from "../lower/columns.ts"
import { lowerExpression } from "../lower/expression.ts"
import { expressionsIn } from "../lower/expressions.ts"
import { itemColumnsOf } from "../lower/items.ts"
import { attributesOf } from "../lower/models.ts"
import { type Place, placeIn, placesIn, printPlace } from "../lower/place.ts"
import { print } from "../lower/print.ts"
import { designScope } from "../lower/scope.ts"
import { drawsOf } from "../lower/turns.ts"
import type { Bound } from "../resolve.ts"
import { type Analysed, isSettled, levelOf, type Trials, verdictOf } from "./analysed.ts"
import { isSlip } from "./placeholders.ts"
import { declaredAt, type Scene } from "./scene.ts"
import { placesOf, type StimulusUse } from "./stimulusUses.ts"
import { textsOfTurns } from "./turns.ts"

/** A pool or a model of an experiment under the name that it has there, with the columns or attributes of it that can be asked for. */
interface Source {
  readonly name: string
  readonly bound: Bound
  readonly has: readonly string[]
}

const poolsIn = (experiment: Experiment, { names }: Scene): readonly Source[] =>
  poolsOf(experiment).flatMap(({ pool }) => {
    const bound = names.find(pool, "items")
    return bound === undefined ? [] : [{ name: pool.text, bound, has: itemColumnsOf(bound.declaration) }]
  })

const modelsIn = (experiment: Experiment, { names }: Scene): readonly Source[] =>
  modelsOf(experiment).flatMap((model) => {
    const bound = names.find(model, "model")
    return bound === undefined ? [] : [{ name: model.text, bound, has: attributesOf(bound.declaration) }]
  })

// ---------------------------------------------------------------- texts

/**
 * Reports columns that texts name and that a pool which their items are of does not have: each column of a pool once. `named`: where the experiment
 * names its protocol. Items of a draw are of its own pool, or of the item's.
 */
export const checkTextColumns = (
  experiment: Experiment,
  protocol: Bound<Protocol>,
  uses: readonly StimulusUse[],
  named: StimulusUse["at"],
  scene: Scene,
): void => {
  const pools = poolsIn(experiment, scene)
  const draws = new Map(drawsOf(protocol.declaration).map(({ name, pool }) => [name.text, pool?.text]))
  const met = new Set<string>()
  const check = (
    place: Place,
    user: string,
    at: StimulusUse["at"],
    declared: readonly ReturnType<typeof declaredAt>[],
  ): void => {
    const column = columnOf(place, draws)
    if (column === undefined) return
    const from = draws.get(place.head)
    const lacking = pools.find(
      ({ name, has }) => (from === undefined || name === from) && !has.includes(column),
    )
    const key = JSON.stringify([column, lacking?.name])
    if (lacking === undefined || met.has(key)) return
    met.add(key)
    const { name, bound, has } = lacking
    const parameters = { column, place: `{${printPlace(place)}}`, pool: name, user, known: has }
    scene.say("CFX2430", parameters, at, [...declared, declaredAt(bound, "the pool")])
  }
  const texts = textsOfTurns(protocol.declaration, scene.names)
  const own = texts.flatMap(placesIn).filter((place) => !isSlip(place, protocol.module))
  for (const place of [...own, ...judgedPlaces(protocol.declaration)])
    check(place, `The protocol \`${protocol.declaration.name.text}\``, named, [
      declaredAt(protocol, "declared here"),
    ])
  for (const use of uses) {
    const declared = use.bound === undefined ? [] : [declaredAt(use.bound, "declared here")]
    for (const place of placesOf(use)) check(place, use.called, use.at, declared)
  }
}

/** Texts of the items that judges are given. */
const judgedPlaces = ({ fields }: Protocol): readonly Place[] =>
  fields.flatMap((field) =>
    field.field === "judge"
      ? field.arguments.flatMap((text) => (text.kind === "member" ? (placeIn(text) ?? []) : []))
      : [],
  )

const fixed = ["question", "options"]

/** The column of an item that a place names; none where it names a field that every item has. */
const columnOf = ({ head, rest }: Place, draws: ReadonlyMap<string, unknown>): string | undefined => {
  const [column] = rest
  if (head !== "item" && !draws.has(head)) return undefined
  return rest.length === 1 && column !== undefined && !fixed.includes(column) ? column : undefined
}

// ---------------------------------------------------------------- conditions

/**
 * Reports columns and attributes that a sound condition hangs on in trials whose pool or model does not have them. Where the design decides it before,
 * as in `pool == exam and item.year > 2000`, nobody asks for them. `what`: the condition, as a person would name it, at the beginning of a sentence.
 */
export const checkConditionColumns = (
  condition: Expression,
  what: string,
  analysed: Analysed,
  scene: Scene,
): void => {
  if (scene.torn || !isSettled(analysed)) return
  const { columns, roles, reads, names, experiment } = analysed
  const test = lowerExpression(condition, designScope(columns.keys(), roles, names, reads))
  const met = new Set<string>()
  for (const member of membersIn(condition)) {
    const name = member.property.text
    const of = print(member.object) === "item" ? "pool" : "model"
    const isAsked = (one: ExprIR): boolean =>
      of === "pool"
        ? one.kind === "column" && one.column === name
        : one.kind === "attribute" && one.attribute === name
    const sources = of === "pool" ? poolsIn(experiment, scene) : modelsIn(experiment, scene)
    const lacking = sources.filter(({ has }) => !has.includes(name))
    if (lacking.length === 0 || met.has(print(member))) continue
    met.add(print(member))
    const source = lacking.find((one) =>
      analysed.trials().some((trials) => trials.around[of] === one.name && hangsOn(test, isAsked, trials)),
    )
    if (source === undefined) continue
    const related = [declaredAt(source.bound, `the ${of}`)]
    const told = { user: what, known: source.has }
    if (of === "pool") {
      const parameters = { ...told, column: name, place: print(member), pool: source.name, condition: true }
      scene.say("CFX2430", parameters, member, related)
    } else scene.say("CFX2439", { ...told, attribute: name, model: source.name }, member, related)
  }
}

/** What asks for a column of the item or for an attribute of the model. */
const membersIn = (condition: Expression): readonly Member[] =>
  expressionsIn(condition).flatMap((one) => {
    if (one.kind !== "member") return []
    const head = print(one.object)
    const isColumn = head === "item" && one.property.text !== "gold" && one.property.text !== "choices"
    return isColumn || head === "model" ? [one] : []
  })

/** Whether a part of a condition that the design does not decide is what is asked for. */
const hangsOn = (test: ExprIR, isAsked: (one: ExprIR) => boolean, trials: Trials): boolean =>
  verdictOf(test, (column) => levelOf(trials, column)) === undefined &&
  (isAsked(test) || partsOf(test).some((part) => hangsOn(part, isAsked, trials)))
