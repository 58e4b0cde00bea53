/** Protocols: what they take in, the turns that continue one another, and what is read. */
import type { Name, Protocol } from "../../grammar/ast.ts"
import type { Span } from "../../grammar/source.ts"
import { type Place, placesIn } from "../lower/place.ts"
import { optionFields, optionFill } from "../lower/placeholders.ts"
import { holeReads, type Read, sourcedReads } from "../lower/reads.ts"
import { drawsOf, isCircular, protocolField, rolesOf, slotsOf, stepsOf, turnText } from "../lower/turns.ts"
import { checkDerived } from "./derived.ts"
import { checkHoles } from "./holes.ts"
import { checkPlaces, notEmpty } from "./placeholders.ts"
import { isReserved, isValue } from "./reserved.ts"
import { checkProvenance, distinctNames, missing, onlyOnce, type Scene } from "./scene.ts"
import { checkNamed } from "./served.ts"
import { checkTurns, isWhole, textsOfTurns } from "./turns.ts"

const single = ["options", "answers", "system"]

/** More other items than any prompt shows. */
const MOST_DRAWN = 100

export const checkProtocol = (protocol: Protocol, scene: Scene): void => {
  onlyOnce(scene, protocol, protocol.fields, ({ field }) => (single.includes(field) ? field : undefined))
  checkProvenance(scene, protocol)
  const bound = { declaration: protocol, module: scene.module }
  const reads = sourcedReads(bound, scene.names)
  checkNames(protocol, reads, scene)
  checkListing(protocol, scene)
  checkAnswers(protocol, scene)
  checkDraws(protocol, scene)
  checkUse(protocol, scene)
  checkOrder(protocol, scene)
  checkHoles(protocol, scene)
  checkDerived(protocol, holeReads(protocol), scene)
  if (reads.length === 0 && !scene.torn) scene.say("CFX2114", { protocol: protocol.name.text }, protocol.name)
  checkNamed(bound, scene)
  if (!isCircular(protocol)) checkTurns(bound, reads, scene)
}

/** Reports names that stand for two things: turns among turns, and what a text can name among each other. */
const checkNames = (protocol: Protocol, reads: readonly Read[], scene: Scene): void => {
  const turns = protocol.turns.map(({ name }) => name)
  distinctNames(scene, "turn", turns)
  const steps = new Map<string, Name>()
  for (const { name, turn } of stepsOf(protocol)) {
    const other = steps.get(name)
    if (other === undefined) steps.set(name, turn.name)
    else if (other.text !== turn.name.text)
      say(turn.name, "turn", name, other, "takes place under this name too")
  }

  // A model that judges is asked in a turn that has the name of what it says.
  for (const { name, turn, span, from } of reads) {
    const other = from.kind === "judge" && turn === name ? steps.get(name) : undefined
    if (other !== undefined) say({ span }, "turn", name, other)
  }

  const known = new Map<string, Span>()
  const draws = drawsOf(protocol).map(({ name }) => name)
  for (const [kind, names] of [
    ["slot", slotsOf(protocol)],
    ["role", rolesOf(protocol)],
    ["draw", draws],
  ] as const) {
    distinctNames(scene, kind, names)
    for (const name of names) {
      if (isValue(name.text)) scene.say("CFX2422", { kind, name: name.text }, name)
      const other = known.get(name.text) ?? readNamed(name.text)
      if (other !== undefined) say(name, "place", name.text, { span: other })
    }
    for (const { text, span } of names) if (!known.has(text)) known.set(text, span)
  }
  checkReads(reads, scene)

  function readNamed(name: string): Span | undefined {
    return reads.find((read) => read.name === name || read.list === name)?.span
  }

  function say(
    at: { readonly span: Span },
    kind: string,
    name: string,
    other: { readonly span: Span },
    label = "also named so",
  ): void {
    const related = [{ source: scene.module.source, span: other.span, label }]
    scene.say("CFX2003", { kind, name }, at, related)
  }
}

/** Reports reads of one name, among them the list of a repeated turn, each once. */
const checkReads = (reads: readonly Read[], scene: Scene): void => {
  const first = new Map<string, Span>()
  const reported = new Set<Span>()
  const lists = new Set<string>()
  const meet = (name: string, span: Span): void => {
    const before = first.get(name)
    if (before === undefined) first.set(name, span)
    else if (before !== span && !reported.has(span)) {
      reported.add(span)
      const related = [{ source: scene.module.source, span: before, label: "first read here" }]
      scene.say("CFX2107", { hole: name }, { span }, related)
    }
  }
  for (const { name, list, span } of reads) {
    if (isReserved(name) && !reported.has(span)) {
      reported.add(span)
      scene.say("CFX2422", { kind: "read", name }, { span })
    }
    meet(name, span)
    if (list !== undefined && !lists.has(list)) {
      lists.add(list)
      meet(list, span)
    }
  }
}

const checkListing = (protocol: Protocol, scene: Scene): void => {
  const options = protocolField(protocol, "options")
  const listed = textsOfTurns(protocol, scene.names).some((text) => placesIn(text).some(isListing))
  if (options === undefined) {
    if (listed) missing(scene, protocol, "options", 'options "{label}. {text}" join "\\n"')
    return
  }
  const where = "the listing of an option"
  checkPlaces(scene, options.each, { where, known: optionFields, fill: optionFill })
  checkPlaces(scene, options.join, { where: "what stands between options", known: [] })
  notEmpty(scene, options.each)
  if (!listed && isWhole(protocol, scene) && !scene.torn) {
    const fix = "Write `{item.options}` into a turn, or delete `options`."
    scene.say("CFX2103", { what: "How options are listed", why: "no turn lists them", fix }, options)
  }
}

/** `{item.options}`, or the options of a drawn item. */
const isListing = ({ rest }: Place): boolean => rest.length === 1 && rest[0] === "options"

const checkAnswers = (protocol: Protocol, scene: Scene): void => {
  const answers = protocolField(protocol, "answers")
  const known = ["label", "text"]
  if (answers !== undefined && !known.includes(answers.as.text))
    scene.say("CFX2407", { word: answers.as.text, known, what: "What `{answer}` stands for" }, answers.as)
}

const checkDraws = (protocol: Protocol, scene: Scene): void => {
  for (const { name, count } of drawsOf(protocol)) {
    const { value } = count
    if (Number.isSafeInteger(value) && value >= 1 && value <= MOST_DRAWN) continue
    const what = `The number of items of the draw \`${name.text}\``
    scene.say("CFX2208", { what, found: String(value), most: MOST_DRAWN }, count)
  }
}

/** Reports slots that no text holds, roles that nobody is asked in, and draws that nothing can read. */
const checkUse = (protocol: Protocol, scene: Scene): void => {
  if (!isWhole(protocol, scene) || scene.torn) return
  const slots = slotsOf(protocol)
  const texts = textsOfTurns(protocol, scene.names)
  const heads = new Set(texts.flatMap(placesIn).map(({ head }) => head))
  for (const slot of slots) if (!heads.has(slot.text)) scene.say("CFX2111", { slot: slot.text }, slot)
  const asked = [
    ...protocol.turns.flatMap(({ by }) => by?.text ?? []),
    ...protocol.fields.flatMap((field) => (field.field === "judge" ? (field.by?.text ?? []) : [])),
  ]
  for (const role of rolesOf(protocol))
    if (!asked.includes(role.text)) scene.say("CFX2409", { role: role.text }, role)
  // What fills a slot may name what is drawn: then only an experiment says that nothing does.
  if (slots.length > 0) return
  for (const { name } of unreadDraws(protocol, scene)) scene.say("CFX2410", { draw: name.text }, name)
}

/** The draws that no text of a protocol and no read names. */
const unreadDraws = (protocol: Protocol, scene: Scene) => {
  const read = new Set(
    textsOfTurns(protocol, scene.names)
      .flatMap(placesIn)
      .map(({ head }) => head),
  )
  for (const turn of protocol.turns) {
    for (const part of turnText(turn, "assistant")?.parts ?? []) {
      if (part.kind !== "hole" || part.type.kind !== "option" || part.type.of === undefined) continue
      const { of } = part.type
      if (of.kind === "name") read.add(of.text)
      if (of.kind === "index") read.add(of.object.text)
    }
  }
  return drawsOf(protocol).filter(({ name }) => !read.has(name.text))
}

/** Reports turns that continue what is no turn, and circles of them: each circle once. */
const checkOrder = (protocol: Protocol, scene: Scene): void => {
  const turns = new Map(protocol.turns.map((turn) => [turn.name.text, turn]))
  const inCircle = new Set<string>()
  for (const turn of protocol.turns) {
    const { continues } = turn
    if (continues === undefined) continue
    if (!turns.has(continues.text)) {
      if (!scene.torn) scene.say("CFX2110", { turn: continues.text, known: [...turns.keys()] }, continues)
      continue
    }
    const way = [turn.name.text]
    let next: string | undefined = continues.text
    while (next !== undefined && !way.includes(next)) {
      way.push(next)
      next = turns.get(next)?.continues?.text
    }
    if (next !== turn.name.text || inCircle.has(next)) continue
    for (const name of way) inCircle.add(name)
    scene.say("CFX2109", { cycle: [...way, next] }, continues)
  }
}
