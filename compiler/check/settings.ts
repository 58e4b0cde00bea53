/** The settings of reads: how a text is written, how a distribution is read, and which of them fit which read. */
import type { Hole, HoleType, Protocol, ReadSetting, Turn, TurnField } from "../../grammar/ast.ts"
import { readSettings, scores } from "../lower/settings.ts"
import { holesIn } from "../lower/turns.ts"
import { notEmpty } from "./placeholders.ts"
import { onlyOnce, plain, type Scene } from "./scene.ts"

/** More tokens than any model writes in one turn. */
const MOST_TOKENS = 100_000

type ReadField = Extract<TurnField, { field: "read" }>
type Kind = HoleType["kind"]

export const checkSettings = (turn: Turn, holes: readonly Hole[], protocol: Protocol, scene: Scene): void => {
  for (const field of turn.fields) {
    if (field.field !== "read") continue
    const { hole, settings } = field
    const read = holes.find(({ name }) => name.text === hole.text)
    if (read === undefined) {
      const other = protocol.turns.find((one) => holesIn(one).some(({ name }) => name.text === hole.text))
      const known = holes.map(({ name }) => name.text)
      const parameters = { hole: hole.text, turn: turn.name.text, elsewhere: other?.name.text, known }
      if (!scene.torn) scene.say("CFX2406", parameters, hole)
      continue
    }
    onlyOnce(scene, `\`read ${hole.text}\``, settings, ({ setting }) => setting)
    for (const setting of settings) if (isFor(read, setting, scene)) checkSetting(setting, scene)
    if (read.type.kind === "text") checkSampling(field, scene)
    else checkGenerated(field, scene)
  }
  for (const { name, type } of holes) {
    if (type.kind !== "text" || scene.torn) continue
    const known = readSettings(turn, name.text).some(({ setting }) => setting === "max")
    if (!known) scene.say("CFX2404", { hole: name.text, isText: true }, name)
  }
}

const texts: readonly Kind[] = ["text"]
const distributions: readonly Kind[] = ["option", "label", "integer"]

/** `max` is how long a text may get: one that is read, or those that `generate` writes. */
const fitting: Readonly<Record<ReadSetting["setting"], readonly Kind[]>> = {
  max: [...texts, ...distributions],
  temperature: texts,
  top_p: texts,
  until: texts,
  refusal: texts,
  mass: distributions,
  generate: distributions,
  score: ["option"],
}

/** Reports a setting of another kind of read. */
const isFor = ({ name, type }: Hole, setting: ReadSetting, scene: Scene): boolean => {
  const fits = fitting[setting.setting]
  if (fits.includes(type.kind)) return true
  scene.say("CFX2438", { setting: setting.setting, fits, hole: name.text, kind: type.kind }, setting)
  return false
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
    case "mass":
      checkWithin(setting, (value) => value >= 0 && value <= 1, "a number from 0 to 1")
      return
    case "generate":
      checkWithin(setting, (value) => Number.isSafeInteger(value) && value >= 1, "a whole number from 1 up")
      return
    case "score": {
      const known: readonly string[] = scores
      const { text } = setting.by
      if (!known.includes(text)) scene.say("CFX2407", { word: text, known, what: "`score`" }, setting.by)
      return
    }
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

/** Reports free answers of no declared length, and a length of none. */
const checkGenerated = ({ hole, settings }: ReadField, scene: Scene): void => {
  const generate = settings.find(({ setting }) => setting === "generate")
  const max = settings.find(({ setting }) => setting === "max")
  if (generate !== undefined && max === undefined && !scene.torn)
    scene.say("CFX2404", { hole: hole.text, isText: false }, generate)
  if (generate !== undefined || max === undefined) return
  const why = `\`${hole.text}\` is read off probabilities, and nothing is written there`
  const fix = "Add `generate 40` to compare it with what the model writes freely, or delete `max`."
  scene.say("CFX2103", { what: "A `max`", why, fix }, max)
}
