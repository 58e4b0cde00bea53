/** Models on servers that list no probabilities (`logprobs 0`): they can write texts, and no distribution can be read of them. */
import type { Experiment, Model, Name, Protocol } from "../../grammar/ast.ts"
import { factorLevels, fieldsOf, modelsOf } from "../lower/columns.ts"
import { isRule } from "../lower/judge.ts"
import { movesOf } from "../lower/reads.ts"
import { STUDIED } from "../lower/slotFills.ts"
import { rolesOf } from "../lower/turns.ts"
import type { Bound, Names } from "../resolve.ts"
import { declaredAt, type Scene } from "./scene.ts"

/** Whether a server is declared to list none of the probabilities of a token. */
const listsNone = ({ engine, attributes }: Model): boolean =>
  engine.text === "server" &&
  attributes.some(({ key, value }) => key.text === "logprobs" && value.kind === "number" && value.value === 0)

/** A read of probabilities, and who is asked: the studied model where nobody is named. */
interface Asked {
  readonly read: string
  readonly by: Name | undefined
}

const askedIn = (protocol: Bound<Protocol>, names: Names): readonly Asked[] =>
  movesOf(protocol, names).flatMap((move): readonly Asked[] => {
    if (move.kind === "step") {
      const read = move.reads.find(({ kind }) => kind !== "text")
      return read === undefined ? [] : [{ read: read.name, by: move.step.turn.by }]
    }
    const { name, from } = move.read
    if (from.kind !== "judge" || from.judge === undefined || isRule(from.judge.declaration)) return []
    return [{ read: name, by: from.field.by }]
  })

/** Reports models that a protocol names for what they cannot be asked. */
export const checkNamed = (protocol: Bound<Protocol>, scene: Scene): void => {
  const roles = rolesOf(protocol.declaration).map(({ text }) => text)
  const met = new Set<Name>()
  for (const { read, by } of askedIn(protocol, scene.names)) {
    if (by === undefined || roles.includes(by.text) || met.has(by)) continue
    met.add(by)
    sayUnlisted(by, read, scene)
  }
}

/** Reports models that an experiment studies, or puts into a role, for what they cannot be asked. */
export const checkServed = (experiment: Experiment, protocol: Bound<Protocol>, scene: Scene): void => {
  const asked = askedIn(protocol, scene.names)
  const met = new Set<Name>()
  const say = (models: readonly Name[], read: string | undefined): void => {
    if (read === undefined) return
    for (const model of models) {
      if (met.has(model)) continue
      met.add(model)
      sayUnlisted(model, read, scene)
    }
  }
  say(modelsOf(experiment), asked.find(({ by }) => by === undefined)?.read)
  for (const field of fieldsOf(experiment, "factor")) {
    const read = asked.find(({ by }) => by?.text === field.factor.text)?.read
    const levels = factorLevels(field, experiment).flatMap((level) => (level.kind === "name" ? [level] : []))
    say(
      levels.flatMap((level) => (level.text === STUDIED ? modelsOf(experiment) : [level])),
      read,
    )
  }
}

const sayUnlisted = (name: Name, read: string, scene: Scene): void => {
  const model = scene.names.find(name, "model")
  if (model === undefined || !listsNone(model.declaration)) return
  scene.say("CFX2469", { model: name.text, read }, name, [declaredAt(model, "declared here")])
}
