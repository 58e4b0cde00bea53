/** Framings, rosters, paraphrases and blocks. */
import type { Block, Framing, FramingField, Paraphrase, Roster, Text } from "../../grammar/ast.ts"
import { blockField } from "../lower/block.ts"
import { ancestry, BASE_WORDING, wholeFraming, wordingsOf } from "../lower/inherit.ts"
import { type Place, placeIn, placesIn, printPlace } from "../lower/place.ts"
import {
  assertingFields,
  itemFields,
  lineFill,
  pushFields,
  STEP,
  stimulusFill,
  wordingFields,
  wordingFill,
} from "../lower/placeholders.ts"
import { checkCycle } from "./cycles.ts"
import { checkPlaces, notEmpty } from "./placeholders.ts"
import { checkProvenance, distinctNames, missing, onlyOnce, plain, type Scene, within } from "./scene.ts"

/** What can be filled in every stimulus, as a person writes it. */
const everywhere = [...itemFields, ...pushFields, STEP]
const ofLines = ["assertion", "answer", "i", "speaker"]
const inLines = [...ofLines, ...assertingFields.slice(2), ...everywhere]
const inWordings = [...wordingFields, ...everywhere]

export const checkFraming = (framing: Framing, scene: Scene): void => {
  checkProvenance(scene, framing)
  checkFields(framing, framing.fields, scene)
  const variants = framing.fields.filter(isWording)
  const names = variants.map(({ name }) => name)
  distinctNames(scene, "wording", names)
  for (const { name, fields, span } of variants) {
    if (name.text === BASE_WORDING) scene.say("CFX2422", { kind: "wording", name: name.text }, name)
    if (fields.length === 0 && !scene.torn) scene.say("CFX2017", { what: "field" }, { span })
    checkFields(framing, fields, scene, "a wording")
  }

  const bound = { declaration: framing, module: scene.module }
  const { chain, cyclic } = ancestry(bound, scene.names)
  if (cyclic) {
    checkCycle(framing, chain, scene)
    return
  }
  if (wholeFraming(bound, scene.names).lines === undefined) {
    // What a child lacks, the framing at the root of its inheritance lacks: it is reported there.
    if (framing.parent === undefined) missing(scene, framing, "line", 'line "{assertion}"')
    return
  }
  checkSpeakers(framing, scene)
}

const isWording = (field: FramingField): field is Extract<FramingField, { field: "wording" }> =>
  field.field === "wording"

const checkFields = (
  framing: Framing,
  fields: readonly FramingField[],
  scene: Scene,
  place: Framing | string = framing,
): void => {
  onlyOnce(scene, place, fields, ({ field }) => (field === "wording" ? undefined : field))
  for (const field of fields) {
    if (field.field === "preamble" || field.field === "closing") {
      const where = `the ${field.field} of ${within(framing)}`
      checkPlaces(scene, field.text, { where, known: everywhere, fill: stimulusFill })
      notEmpty(scene, field.text)
    } else if (field.field === "lines") {
      for (const line of field.texts) {
        checkPlaces(scene, line, { where: `a line of ${within(framing)}`, known: inLines, fill: lineFill })
        notEmpty(scene, line)
        checkAsserts(scene, line, "line", ofLines.slice(0, 2))
      }
    }
  }
}

/** Reports lines that name a speaker where no roster has any, and a roster of whom no line names one; in each wording. */
const checkSpeakers = (framing: Framing, scene: Scene): void => {
  const bound = { declaration: framing, module: scene.module }
  const wholes = [BASE_WORDING, ...wordingsOf(bound, scene.names)].map((wording) =>
    wholeFraming(bound, scene.names, wording),
  )
  const reported = new Set<object>()
  let isRead = false
  for (const { lines, speakers } of wholes) {
    if (lines === undefined) continue
    const naming = lines.node
      .flatMap(({ parts }) => parts)
      .find((part) => {
        const place = part.kind === "placeholder" ? placeIn(part.path) : undefined
        return place !== undefined && printPlace(place) === "speaker"
      })
    const misspelt = lines.node.some((line) => placesIn(line).some((place) => !isFilled(place)))
    if (naming !== undefined || misspelt) isRead = true
    if (naming === undefined || speakers !== undefined || lines.from.declaration !== framing) continue
    if (isLost(framing, scene) || reported.has(naming)) continue
    reported.add(naming)
    scene.say("CFX2102", { framing: framing.name.text }, naming)
  }
  const own = framing.fields.find(({ field }) => field === "speakers")
  if (own === undefined || isRead) return
  const fix = "Write `{speaker}` into a line, or delete `speakers`."
  const why = `no line of the ${framing.keyword} names one`
  scene.say("CFX2103", { what: "A roster of speakers", why, fix }, own)
}

const isFilled = (place: Place): boolean =>
  lineFill(place, { declaration: "", file: "", line: 0 }) !== undefined

/** Whether a part of a declaration may be missing for a reason that was reported elsewhere: its parent is not known. */
const isLost = (framing: Framing, { names }: Scene): boolean =>
  framing.parent !== undefined && names.find(framing.parent, "framing") === undefined

/** Reports a text that asserts no answer, unless the place where it would is misspelt, or broken, and was reported. */
const checkAsserts = (
  scene: Scene,
  text: Text,
  what: "line" | "wording",
  asserting: readonly string[],
): void => {
  const says = text.parts.some((part) => part.kind !== "chars" || part.text.trim() !== "")
  const places = placesIn(text)
  const isSound = places.every(isFilled) && text.parts.every(({ kind }) => kind !== "hole")
  if (!says || !isSound || scene.torn || places.some(isAnswer)) return
  scene.say("CFX2117", { what, asserting }, text)
}

/** Whether a place says an answer: the one that the line asserts, the pushed one, or one of another item. */
const isAnswer = (place: Place): boolean => {
  const saying: readonly string[] = assertingFields
  return saying.includes(printPlace(place)) || ["label", "text"].includes(place.rest.at(-1) ?? "")
}

export const checkRoster = (roster: Roster, scene: Scene): void => {
  if (roster.speakers.length === 0 && !scene.torn) scene.say("CFX2017", { what: "speaker" }, roster)
  const names = roster.speakers.flatMap((speaker) => {
    const text = plain(scene, speaker, "A speaker")
    return text === undefined ? [] : [{ text, span: speaker.span }]
  })
  distinctNames(scene, "speaker", names)
}

export const checkParaphrase = (paraphrase: Paraphrase, scene: Scene): void => {
  checkProvenance(scene, paraphrase)
  if (paraphrase.wordings.length === 0 && !scene.torn) scene.say("CFX2017", { what: "wording" }, paraphrase)
  for (const wording of paraphrase.wordings) {
    checkPlaces(scene, wording, { where: "a wording", known: inWordings, fill: wordingFill })
    notEmpty(scene, wording)
    checkAsserts(scene, wording, "wording", ["answer"])
  }
}

export const checkBlock = (block: Block, scene: Scene): void => {
  onlyOnce(scene, block, block.fields, ({ field }) => field)
  checkProvenance(scene, block)
  if (block.fields.length === 0) missing(scene, block, "text", 'text "Please double-check your answer."')
  const steps = blockField(block, "texts")
  if (steps !== undefined && blockField(block, "text") !== undefined)
    scene.say("CFX2425", { block: block.name.text }, steps)
  for (const field of block.fields) {
    const texts = field.field === "text" ? [field.text] : field.texts
    for (const text of texts) checkStimulusText(text, "a block", scene)
  }
}

/** A text that fills a slot: of a block, or written out as a level of a factor. */
export const checkStimulusText = (text: Text, where: string, scene: Scene): void => {
  checkPlaces(scene, text, { where, known: everywhere, fill: stimulusFill })
  notEmpty(scene, text)
}
