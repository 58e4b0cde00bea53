/** Whether what an experiment puts into its protocol fits: what only a use can tell. */
import type { Experiment, Protocol } from "../../grammar/ast.ts"
import { fieldsOf, poolsOf } from "../lower/columns.ts"
import { expressionsIn } from "../lower/expressions.ts"
import { type Place, placesIn } from "../lower/place.ts"
import { isDrawn } from "../lower/placeholders.ts"
import { drawsOf, protocolField, repeatsOf, slotsOf, turnText } from "../lower/turns.ts"
import type { Bound } from "../resolve.ts"
import { analysedOf } from "./analysed.ts"
import { gateEnvironment } from "./environment.ts"
import { checkConditionColumns, checkTextColumns } from "./lacked.ts"
import { trialEnvironment } from "./named.ts"
import { declaredAt, type Scene } from "./scene.ts"
import { checkSteps } from "./steps.ts"
import { checkStimulusText } from "./stimuli.ts"
import { placesOf, type StimulusUse, stimulusUses } from "./stimulusUses.ts"
import { expect } from "./types.ts"

/** Reports what the stimuli of an experiment need and its protocol or its pools do not give, and what its protocol needs and the design does not. */
export const checkFit = (experiment: Experiment, protocol: Bound<Protocol>, scene: Scene): void => {
  const uses = stimulusUses(experiment, protocol.declaration, scene.module, scene.names)
  checkSteps(uses, protocol, scene)
  for (const use of uses) {
    if (use.bound === undefined)
      for (const { text } of use.texts) checkStimulusText(text, "a text that fills a slot", scene)
    checkDrawn(use, protocol, scene)
    checkListed(use, protocol, scene)
  }
  checkPools(experiment, protocol, scene)
  checkTextColumns(experiment, protocol, uses, nameOf(experiment), scene)
  checkGates(experiment, protocol, scene)
}

const related = ({ bound }: StimulusUse, protocol: Bound<Protocol>) => [
  ...(bound === undefined ? [] : [declaredAt(bound, "declared here")]),
  declaredAt(protocol, "the protocol"),
]

/** Reports items of draws that the protocol does not have: each draw once. */
const checkDrawn = (use: StimulusUse, protocol: Bound<Protocol>, scene: Scene): void => {
  const draws = drawsOf(protocol.declaration)
  const met = new Set<string>()
  for (const place of placesOf(use)) {
    if (!isDrawn(place) || met.has(place.head)) continue
    const draw = draws.find(({ name }) => name.text === place.head)
    if (draw === undefined) {
      met.add(place.head)
      const known = draws.map(({ name }) => name.text)
      const parameters = {
        draw: place.head,
        user: use.called,
        protocol: protocol.declaration.name.text,
        known,
      }
      scene.say("CFX2431", parameters, use.at, related(use, protocol))
      continue
    }
    const count = draw.count.value
    const index = lastOf(place, use.slot, protocol.declaration)
    if (index === undefined ? count === 1 : index >= 1 && index <= count) continue
    met.add(place.head)
    const drawn = { source: protocol.module.source, span: draw.span, label: "drawn here" }
    const declared = use.bound === undefined ? [] : [declaredAt(use.bound, "declared here")]
    scene.say("CFX2402", { draw: place.head, count, index }, use.at, [...declared, drawn])
  }
}

/** The number of the last item that a place names: of a step, as many as the slot's turns take place. */
const lastOf = ({ index }: Place, slot: string, protocol: Protocol): number | undefined => {
  if (typeof index !== "string") return index
  const turns = protocol.turns.filter((turn) =>
    (["system", "user", "assistant"] as const)
      .flatMap((field) => turnText(turn, field) ?? [])
      .some((text) => placesIn(text).some(({ head }) => head === slot)),
  )
  return Math.max(1, ...turns.map(repeatsOf))
}

const checkListed = (use: StimulusUse, protocol: Bound<Protocol>, scene: Scene): void => {
  if (protocolField(protocol.declaration, "options") !== undefined) return
  if (!placesOf(use).some(({ rest }) => rest.length === 1 && rest[0] === "options")) return
  scene.say(
    "CFX2436",
    { user: use.called, protocol: protocol.declaration.name.text },
    use.at,
    related(use, protocol),
  )
}

/** Reports draws from pools that the experiment does not name. */
const checkPools = (experiment: Experiment, protocol: Bound<Protocol>, scene: Scene): void => {
  const known = poolsOf(experiment).map(({ pool }) => pool.text)
  for (const { pool } of drawsOf(protocol.declaration)) {
    if (pool === undefined || known.includes(pool.text) || scene.torn) continue
    const at = { source: protocol.module.source, span: pool.span, label: "drawn from here" }
    const parameters = { pool: pool.text, protocol: protocol.declaration.name.text, known }
    scene.say("CFX2437", parameters, nameOf(experiment), [at])
  }
}

/** Where an experiment names its protocol. */
const nameOf = (experiment: Experiment) => fieldsOf(experiment, "protocol")[0]?.protocol ?? experiment.name

/** Reports gates over columns and levels that the design does not have. One that is wrong by itself was reported where it stands. */
const checkGates = (experiment: Experiment, protocol: Bound<Protocol>, scene: Scene): void => {
  const { turns, fields } = protocol.declaration
  if (turns.every(({ when }) => when === undefined)) return
  const roles = fields.flatMap((field) => (field.field === "role" ? [field.role.text] : []))
  const slots = slotsOf(protocol.declaration).map(({ text }) => text)
  const analysed = analysedOf(experiment, scene)
  const what = "The condition of `when`"
  for (const { when } of turns) {
    if (when === undefined) continue
    let isSound = true
    const listening: Scene = {
      ...scene,
      say: () => {
        isSound = false
      },
    }
    const declared = gateEnvironment(analysed.reads, slots, roles)
    expect(when, "truth value", what, declared, listening)
    if (!isSound) continue
    const isHere = protocol.module === scene.module
    const gate = { source: protocol.module.source, span: when.span, label: "the condition" }
    const speaking: Scene = {
      ...scene,
      say: (code, parameters, at, others = []) => {
        if (isHere) scene.say(code, parameters, at, others)
        else scene.say(code, parameters, nameOf(experiment), [gate, ...others])
      },
    }
    const given = trialEnvironment(analysed, scene)
    const lacking = expressionsIn(when).find(
      (one) => one.kind === "name" && declared.columns.has(one.text) && !given.columns.has(one.text),
    )
    if (lacking === undefined) {
      const type = expect(when, "truth value", what, given, speaking)
      if (type !== undefined) checkConditionColumns(when, what, analysed, speaking)
    } else if (lacking.kind === "name") {
      const known = [...given.columns.keys()]
      speaking.say("CFX2203", { factor: lacking.text, experiment: experiment.name.text, known }, lacking)
    }
  }
}
