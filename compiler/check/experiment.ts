/** An experiment: what it asks of whom about what, its arms, and what it measures. */
import type { Experiment, Expression, Name, Protocol } from "../../grammar/ast.ts"
import { armsOf, fieldsOf, print } from "../lower/columns.ts"
import { lowerTarget } from "../lower/lower.ts"
import { holesOf, isCircular, turnsInOrder, turnText } from "../lower/protocol.ts"
import { placeholdersOf } from "../lower/text.ts"
import { checkAnalysis } from "./analysis.ts"
import { checkArms } from "./arms.ts"
import { allowableCodes } from "./design.ts"
import { checkMeasures } from "./measures.ts"
import { missing, onlyOnce, plain, type Scene } from "./scene.ts"

const single = ["protocol", "models", "items", "seed", "target", "arms"]

const examples = {
  protocol: "protocol arbitration",
  models: "models { respondent }",
  items: "items { kinds }",
  seed: "seed 0",
  target: "target top_wrong(a0)",
  arms: "arms { reask = plain_reask }",
  measure: "measure HRR",
} as const

export const checkExperiment = (experiment: Experiment, scene: Scene): void => {
  onlyOnce(scene, experiment, experiment.fields, ({ field }) => (single.includes(field) ? field : undefined))
  for (const [field, example] of Object.entries(examples)) {
    if (!experiment.fields.some((one) => one.field === field)) missing(scene, experiment, field, example)
  }
  for (const field of fieldsOf(experiment, "models")) {
    if (field.models.length === 0 && !scene.torn) scene.say("CFX2017", { what: "model" }, field)
    distinctLevels("models", field.models, scene)
  }
  for (const field of fieldsOf(experiment, "items")) {
    if (field.pools.length === 0 && !scene.torn) scene.say("CFX2017", { what: "pool" }, field)
    distinctLevels(
      "items",
      field.pools.map(({ pool }) => pool),
      scene,
    )
    for (const { sample } of field.pools) {
      if (sample !== undefined && !(Number.isSafeInteger(sample.value) && sample.value >= 1)) {
        scene.say("CFX2214", { found: String(sample.value) }, sample)
      }
    }
  }
  for (const { seed } of fieldsOf(experiment, "seed")) {
    if (!Number.isSafeInteger(seed.value) || seed.value < 0)
      scene.say("CFX2213", { found: String(seed.value) }, seed)
  }
  for (const { code, reason } of fieldsOf(experiment, "allow")) {
    plain(scene, reason, "The reason of `allow`")
    const known: readonly string[] = allowableCodes
    if (!known.includes(code.text)) scene.say("CFX2016", { code: code.text, known }, code)
  }

  const protocol = fieldsOf(experiment, "protocol")
    .map((field) => scene.names.find(field.protocol, "protocol")?.declaration)
    .find((found) => found !== undefined)
  const [target] = fieldsOf(experiment, "target")
  if (target !== undefined) checkTarget(target.target, experiment, protocol, scene)
  checkArms(experiment, protocol, scene)
  checkMeasures(experiment, scene)
  checkAnalysis(experiment, scene)
}

/** Reports a name that stands twice among the levels of a column. */
const distinctLevels = (factor: string, names: readonly Name[], scene: Scene): void => {
  for (const [index, name] of names.entries()) {
    if (names.findIndex(({ text }) => text === name.text) < index) {
      scene.say("CFX2205", { factor, level: name.text }, name)
    }
  }
}

const checkTarget = (
  target: Expression,
  experiment: Experiment,
  protocol: Protocol | undefined,
  scene: Scene,
): void => {
  const found = lowerTarget(target)
  if (found === undefined) {
    scene.say("CFX2212", { found: print(target) }, target)
    return
  }
  if (found.kind !== "top_wrong" || protocol === undefined || target.kind !== "call") return
  const place = target.arguments[0] ?? target
  const holes = holesOf(protocol)
  const read = holes.find(({ hole }) => hole.name.text === found.hole)
  if (read === undefined) {
    scene.say("CFX2314", { name: found.hole, known: holes.map(({ hole }) => hole.name.text) }, place)
    return
  }
  if (read.hole.type.kind !== "option") {
    const what = "What `top_wrong` looks at"
    scene.say("CFX2301", { what, expected: "option read", found: "integer read" }, place)
    return
  }
  const slots = protocol.fields.flatMap((field) => (field.field === "slot" ? [field.slot.text] : []))
  const turns = turnsInOrder(protocol)
  const filled = turns.findIndex((turn) =>
    (["user", "assistant"] as const).some((field) => {
      const text = turnText(turn, field)
      return text !== undefined && placeholdersOf(text).some((path) => slots.includes(path))
    }),
  )
  const asserts = armsOf(experiment).some(({ stimulus }) => stimulus.kind === "assertion")
  // The slot's text names the target: a read that comes after it, or stands in the same turn, comes too late.
  if (asserts && filled >= 0 && !isCircular(protocol) && turns.indexOf(read.turn) >= filled) {
    scene.say("CFX2108", { what: "The target", hole: found.hole, turn: read.turn.name.text }, place)
  }
}
