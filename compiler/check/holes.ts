/** The reads of turns: their types. */
import type { Hole, HoleType, Protocol, Turn } from "../../grammar/ast.ts"
import { placeIn } from "../lower/place.ts"
import { labelText } from "../lower/print.ts"
import { drawsOf, holesIn, repeatsOf } from "../lower/turns.ts"
import { distinctNames, type Scene } from "./scene.ts"
import { checkSettings } from "./settings.ts"
import { isNoItem, sayNoStep } from "./turns.ts"

const LARGEST_RANGE = 1000

export const checkHoles = (protocol: Protocol, scene: Scene): void => {
  for (const turn of protocol.turns) {
    const holes = holesIn(turn)
    for (const hole of holes) {
      checkStepOf(hole, turn, scene)
      checkType(hole.type, scene)
      if (hole.type.kind === "option" && hole.type.of !== undefined)
        checkOther(hole.type.of, protocol, turn, scene)
    }
    const written = holes.findIndex(({ type }) => type.kind === "text")
    const text = holes[written]
    const after = written < 0 ? undefined : holes[written + 1]
    if (text !== undefined && after !== undefined)
      scene.say("CFX2403", { text: text.name.text, other: after.name.text }, after)
    checkSettings(turn, holes, protocol, scene)
  }
}

/** Reports a name without the step of its turn, and one with a step that its turn does not have. */
const checkStepOf = ({ name, step }: Hole, turn: Turn, scene: Scene): void => {
  const { repeat } = turn
  if (step !== undefined && step.text !== repeat?.variable.text) {
    sayNoStep({ head: name.text, index: step.text, rest: [] }, turn, step, scene)
  } else if (step === undefined && repeat !== undefined) {
    const parameters = {
      hole: name.text,
      turn: turn.name.text,
      variable: repeat.variable.text,
      times: repeatsOf(turn),
    }
    scene.say("CFX2401", parameters, name)
  }
}

/** Reports a range that is none, and labels among which there is no choice. */
export const checkType = (type: HoleType, scene: Scene): void => {
  if (type.kind === "integer") {
    const { low, high } = type
    const whole = Number.isSafeInteger(low.value) && Number.isSafeInteger(high.value)
    if (!whole || low.value < 0 || high.value <= low.value || high.value - low.value >= LARGEST_RANGE)
      scene.say("CFX2115", { low: low.value, high: high.value }, type)
  }
  if (type.kind === "label") {
    const labels = type.labels.map((label) => ({ text: labelText(label), span: label.span }))
    distinctNames(scene, "label", labels)
    if (labels.length < 2 && !scene.torn) scene.say("CFX2418", { labels: labels.length }, type)
  }
}

/** `option of past[1]`: reports what is no drawn item. */
const checkOther = (
  of: NonNullable<Extract<HoleType, { kind: "option" }>["of"]>,
  protocol: Protocol,
  turn: Turn,
  scene: Scene,
): void => {
  const place = placeIn(of)
  const draws = drawsOf(protocol)
  const draw = place && draws.find(({ name }) => name.text === place.head)
  if (place === undefined || draw === undefined || place.rest.length > 0) {
    const written = scene.module.source.text.slice(of.span.start, of.span.end)
    const name = place === undefined || place.rest.length > 0 ? written : place.head
    scene.say("CFX2426", { name, known: draws.map((one) => one.name.text) }, of)
  } else if (typeof place.index === "string" && place.index !== turn.repeat?.variable.text) {
    sayNoStep(place, turn, of, scene)
  } else isNoItem(place, draw, turn, of, scene)
}
