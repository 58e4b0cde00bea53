/** Framings, rosters, paraphrases and blocks. */
import type { Block, Framing, Paraphrase, Roster, Text } from "../../grammar/ast.ts"
import { ancestry, wholeFraming } from "../lower/inherit.ts"
import { itemFields, lineFields, placeholdersOf, wordingFields } from "../lower/text.ts"
import { checkCycle } from "./cycles.ts"
import { checkPlaces, notEmpty } from "./placeholders.ts"
import { checkProvenance, distinctNames, missing, onlyOnce, plain, type Scene, within } from "./scene.ts"

export const checkFraming = (framing: Framing, scene: Scene): void => {
  const bound = { declaration: framing, module: scene.module }
  onlyOnce(scene, framing, framing.fields, ({ field }) => field)
  checkProvenance(scene, framing)
  for (const field of framing.fields) {
    if (field.field === "preamble") {
      checkPlaces(scene, field.text, { where: `the preamble of ${within(framing)}`, known: [] })
      notEmpty(scene, field.text)
    } else if (field.field === "lines") {
      for (const line of field.texts) {
        checkPlaces(scene, line, { where: `a line of ${within(framing)}`, known: lineFields })
        notEmpty(scene, line)
        checkAsserts(scene, line, "line", lineFields, ["assertion", "answer"])
      }
    }
  }

  const { chain, cyclic } = ancestry(bound, scene.names)
  if (cyclic) {
    checkCycle(framing, chain, scene)
    return
  }
  const { lines, speakers } = wholeFraming(bound, scene.names)
  if (lines === undefined) {
    // What a child lacks, the framing at the root of its inheritance lacks: it is reported there.
    if (framing.parent === undefined) missing(scene, framing, "line", 'line "{assertion}"')
    return
  }
  const naming = lines.node
    .flatMap(({ parts }) => parts)
    .find((part) => {
      return part.kind === "placeholder" && part.path.kind === "name" && part.path.text === "speaker"
    })
  const own = framing.fields.find(({ field }) => field === "speakers")
  if (
    naming !== undefined &&
    speakers === undefined &&
    lines.from.declaration === framing &&
    !isLost(framing, scene)
  ) {
    scene.say("CFX2102", { framing: framing.name.text }, naming)
  }
  const filled: readonly string[] = lineFields
  const misspelt = lines.node.some((line) => placeholdersOf(line).some((path) => !filled.includes(path)))
  if (naming === undefined && own !== undefined && !misspelt) {
    const fix = "Write `{speaker}` into a line, or delete `speakers`."
    scene.say(
      "CFX2103",
      { what: "A roster of speakers", why: `no line of the ${framing.keyword} names one`, fix },
      own,
    )
  }
}

/** Whether a part of a declaration may be missing for a reason that was reported elsewhere: its parent is not known. */
const isLost = (framing: Framing, { names }: Scene): boolean =>
  framing.parent !== undefined && names.find(framing.parent, "framing") === undefined

/** Reports a text that asserts no answer, unless the place where it would is misspelt, or broken, and was reported. */
const checkAsserts = (
  scene: Scene,
  text: Text,
  what: "line" | "wording",
  known: readonly string[],
  asserting: readonly string[],
): void => {
  const says = text.parts.some((part) => part.kind !== "chars" || part.text.trim() !== "")
  const places = placeholdersOf(text)
  const isSound =
    places.every((path) => known.includes(path)) && text.parts.every(({ kind }) => kind !== "hole")
  if (!says || !isSound || scene.torn || places.some((path) => asserting.includes(path))) return
  scene.say("CFX2117", { what, asserting }, text)
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
    checkPlaces(scene, wording, { where: "a wording", known: wordingFields })
    notEmpty(scene, wording)
    checkAsserts(scene, wording, "wording", wordingFields, ["answer"])
  }
}

export const checkBlock = (block: Block, scene: Scene): void => {
  onlyOnce(scene, block, block.fields, ({ field }) => field)
  checkProvenance(scene, block)
  if (block.fields.length === 0) missing(scene, block, "text", 'text "Please double-check your answer."')
  for (const { text } of block.fields) {
    checkPlaces(scene, text, { where: "a block", known: itemFields })
    notEmpty(scene, text)
  }
}
