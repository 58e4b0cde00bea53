/** Protocols: turns that continue one another, the texts in them, and the reads that these texts hold. */
import type { Hole, Protocol, Turn } from "../../grammar/ast.ts"
import { holesOf, protocolField, slotsOf, turnsInOrder, turnText } from "../lower/protocol.ts"
import { itemFields, optionFields, pathOf, placeholdersOf } from "../lower/text.ts"
import { checkPlaces, notEmpty } from "./placeholders.ts"
import { checkProvenance, distinctNames, missing, onlyOnce, type Scene } from "./scene.ts"

const LARGEST_RANGE = 1000

export const checkProtocol = (protocol: Protocol, scene: Scene): void => {
  onlyOnce(scene, protocol, protocol.fields, ({ field }) => (field === "slot" ? undefined : field))
  checkProvenance(scene, protocol)
  distinctNames(
    scene,
    "turn",
    protocol.turns.map(({ name }) => name),
  )
  checkListing(protocol, scene)
  checkSlots(protocol, scene)
  checkOrder(protocol, scene)
  checkHoles(protocol, scene)
  const read = new Set<string>()
  for (const turn of turnsInOrder(protocol)) checkTurn(turn, protocol, read, scene)
}

/** Whether each turn says something and each placeholder is known: else what seems unread may be read by what was reported. */
const isWhole = (protocol: Protocol): boolean =>
  protocol.turns.every((turn) =>
    (["user", "assistant"] as const).every((field) => {
      const text = turnText(turn, field)
      return text !== undefined && placeholdersOf(text).every((path) => placesOf(protocol).includes(path))
    }),
  )

/** What can be filled in a turn, by its path with dots. */
const placesOf = (protocol: Protocol): readonly string[] => [
  ...slotsOf(protocol).map(({ text }) => text),
  ...itemFields,
  ...new Set(holesOf(protocol).map(({ hole }) => hole.name.text)),
]

const checkListing = (protocol: Protocol, scene: Scene): void => {
  const options = protocolField(protocol, "options")
  const system = protocolField(protocol, "system")
  if (system !== undefined) {
    checkPlaces(scene, system.text, { where: "the system message", known: [] })
    notEmpty(scene, system.text)
  }
  const listed = protocol.turns
    .flatMap(({ fields }) => fields)
    .some(({ text }) => placeholdersOf(text).includes("item.options"))
  if (options === undefined) {
    if (listed) missing(scene, protocol, "options", 'options "{label}. {text}" join "\\n"')
    return
  }
  checkPlaces(scene, options.each, { where: "the listing of an option", known: optionFields })
  checkPlaces(scene, options.join, { where: "what stands between options", known: [] })
  notEmpty(scene, options.each)
  if (!listed && isWhole(protocol) && !scene.torn) {
    const fix = "Write `{item.options}` into a turn, or delete `options`."
    scene.say("CFX2103", { what: "How options are listed", why: "no turn lists them", fix }, options)
  }
}

const checkSlots = (protocol: Protocol, scene: Scene): void => {
  const slots = slotsOf(protocol)
  distinctNames(scene, "slot", slots)
  for (const { hole } of holesOf(protocol)) {
    const slot = slots.find(({ text }) => text === hole.name.text)
    if (slot === undefined) continue
    const related = [{ source: scene.module.source, span: hole.span, label: "a read of this name" }]
    scene.say("CFX2003", { kind: "place", name: slot.text }, slot, related)
  }
  const [, second] = slots
  if (second !== undefined && second.text !== slots[0]!.text) {
    scene.say("CFX2113", { protocol: protocol.name.text, slots: slots.map(({ text }) => text) }, second)
  }
  const read = new Set(
    protocol.turns.flatMap(({ fields }) => fields.flatMap(({ text }) => placeholdersOf(text))),
  )
  for (const slot of slots) {
    if (!read.has(slot.text) && isWhole(protocol) && !scene.torn)
      scene.say("CFX2111", { slot: slot.text }, slot)
  }
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

const checkHoles = (protocol: Protocol, scene: Scene): void => {
  const first = new Map<string, Hole>()
  const holes = holesOf(protocol)
  for (const { hole } of holes) {
    const { name, type } = hole
    const before = first.get(name.text)
    if (before === undefined) first.set(name.text, hole)
    else {
      const related = [{ source: scene.module.source, span: before.span, label: "first read here" }]
      scene.say("CFX2107", { hole: name.text }, name, related)
    }
    if (type.kind === "option") continue
    const { low, high } = type
    const whole = Number.isSafeInteger(low.value) && Number.isSafeInteger(high.value)
    if (!whole || low.value < 0 || high.value <= low.value || high.value - low.value >= LARGEST_RANGE) {
      scene.say("CFX2115", { low: low.value, high: high.value }, type)
    }
  }
  if (holes.length === 0 && !scene.torn) scene.say("CFX2114", { protocol: protocol.name.text }, protocol.name)
}

/** `read` holds the reads of the turns before, and of this one once it is over. */
const checkTurn = (turn: Turn, protocol: Protocol, read: Set<string>, scene: Scene): void => {
  onlyOnce(scene, protocol, turn.fields, ({ field }) => field)
  const holes = holesOf(protocol)
  const known = placesOf(protocol)
  for (const field of ["user", "assistant"] as const) {
    const text = turnText(turn, field)
    if (text === undefined) {
      const example = field === "user" ? 'user "{item.question}"' : 'assistant "{a0: option}"'
      const called = `The turn \`${turn.name.text}\``
      if (!scene.torn) scene.say("CFX2010", { field, within: called, example }, turn.name)
      continue
    }
    const where = `the ${field} text of a turn`
    const filled = checkPlaces(scene, text, { where, known, holes: field === "assistant" })
    for (const part of text.parts) {
      if (part.kind === "hole" && field === "assistant") read.add(part.name.text)
      if (part.kind !== "placeholder" || !filled.includes(part)) continue
      const hole = pathOf(part.path)?.join(".") ?? ""
      const later = holes.find((one) => one.hole.name.text === hole)
      if (later !== undefined && !read.has(hole)) {
        scene.say("CFX2108", { what: "This text", hole, turn: later.turn.name.text }, part)
      }
    }
  }
}
