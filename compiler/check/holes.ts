/** The reads of turns: their types, and how a text is written. */
import type { Hole, HoleType, Protocol, ReadSetting, Turn, TurnField } from "../../grammar/ast.ts"
import { labelText } from "../lower/judge.ts"
import { placeIn } from "../lower/place.ts"
import { readSettings } from "../lower/protocol.ts"
import { drawsOf, holesIn, repeatsOf } from "../lower/turns.ts"
import { notEmpty } from "./placeholders.ts"
import { distinctNames, onlyOnce, plain, type Scene } from "./scene.ts"
import { isNoItem, sayNoStep } from "./turns.ts"

const LARGEST_RANGE = 1000

/** More tokens than any model writes in one turn. */
const MOST_TOKENS = 100_000

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

type ReadField = Extract<TurnField, { field: "read" }>

const checkSettings = (turn: Turn, holes: readonly Hole[], protocol: Protocol, scene: Scene): void => {
  const texts = holes.filter(({ type }) => type.kind === "text").map(({ name }) => name.text)
  for (const field of turn.fields) {
    if (field.field !== "read") continue
    const { hole, settings } = field
    if (!texts.includes(hole.text)) {
      const isHere = holes.some(({ name }) => name.text === hole.text)
      const other = protocol.turns.find((one) => holesIn(one).some(({ name }) => name.text === hole.text))
      const elsewhere = isHere ? undefined : other?.name.text
      const parameters = { hole: hole.text, turn: turn.name.text, isHere, elsewhere, known: texts }
      if (!scene.torn) scene.say("CFX2406", parameters, hole)
      continue
    }
    onlyOnce(scene, protocol, settings, ({ setting }) => setting)
    for (const setting of settings) checkSetting(setting, scene)
    checkSampling(field, scene)
  }
  for (const { name, type } of holes) {
    if (type.kind !== "text" || scene.torn) continue
    const known = readSettings(turn, name.text).some(({ setting }) => setting === "max")
    if (!known) scene.say("CFX2404", { hole: name.text }, name)
  }
}

const checkSetting = (setting: ReadSetting, scene: Scene): void => {
  switch (setting.setting) {
    case "until":
    case "refusal":
      for (const text of setting.texts) checkMarker(text, setting.setting, scene)
      return
    case "max": {
      const { value } = setting.value
      if (Number.isSafeInteger(value) && value >= 1 && value <= MOST_TOKENS) return
      scene.say(
        "CFX2208",
        { what: "A text's length in tokens", found: String(value), most: MOST_TOKENS },
        setting.value,
      )
      return
    }
    case "temperature":
      checkWithin(setting, (value) => value >= 0 && value <= 2, "a number from 0 to 2")
      return
    case "top_p":
      checkWithin(setting, (value) => value > 0 && value <= 1, "a number above 0 and up to 1")
      return
  }

  function checkWithin(
    { setting: name, value }: Extract<ReadSetting, { readonly value: unknown }>,
    fits: (value: number) => boolean,
    range: string,
  ): void {
    if (!fits(value.value))
      scene.say("CFX2405", { setting: name, found: String(value.value), fits: range }, value)
  }
}

/** A marker may be white space, such as a line break; it may not be nothing. */
const checkMarker = (
  text: Extract<ReadSetting, { readonly texts: unknown }>["texts"][number],
  setting: string,
  scene: Scene,
): void => {
  const isPlain = text.parts.every(({ kind }) => kind === "chars")
  if (!isPlain) plain(scene, text, `A text of \`${setting}\``)
  else if (text.parts.every((part) => part.kind === "chars" && part.text === "")) notEmpty(scene, text)
}

/** Reports `top_p` where nothing is drawn: at temperature 0 the likeliest token is taken. */
const checkSampling = ({ settings }: ReadField, scene: Scene): void => {
  const topP = settings.find(({ setting }) => setting === "top_p")
  const isDrawn = settings.some(
    (one) => one.setting === "temperature" && "value" in one && one.value.value > 0,
  )
  if (topP === undefined || isDrawn) return
  const fix = "Add a `temperature` above 0, or delete `top_p`."
  const why = "at temperature 0 the likeliest token is taken each time"
  scene.say("CFX2103", { what: "A `top_p`", why, fix }, topP)
}
