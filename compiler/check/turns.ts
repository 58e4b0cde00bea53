/** The turns of a protocol: their texts, what they wait for, and whom they ask. */
import type { Expression, Placeholder, Protocol, Text, Turn } from "../../grammar/ast.ts"
import { expressionsIn } from "../lower/expressions.ts"
import { isRule, judgeText } from "../lower/judge.ts"
import { type Place, placeIn, placesIn, printPlace } from "../lower/place.ts"
import { itemFields, pushFields } from "../lower/placeholders.ts"
import { readAt, turnFill } from "../lower/protocol.ts"
import { listsOf, movesOf, type ReadInfo, sourcedReads } from "../lower/reads.ts"
import {
  drawsOf,
  MOST_REPEATS,
  protocolField,
  repeatsOf,
  rolesOf,
  type Step,
  slotsOf,
  stepsOf,
  turnText,
} from "../lower/turns.ts"
import type { Bound, Names } from "../resolve.ts"
import { gateEnvironment } from "./environment.ts"
import { checkPlaces, isSlip, notEmpty } from "./placeholders.ts"
import { onlyOnce, type Scene } from "./scene.ts"
import { expect } from "./types.ts"

const sides = ["system", "user", "assistant"] as const
type Side = (typeof sides)[number]

/** What a turn says to whom, and when: reported once, however often the turn takes place. */
export const checkTurns = (bound: Bound<Protocol>, reads: readonly ReadInfo[], scene: Scene): void => {
  const protocol = bound.declaration
  for (const turn of protocol.turns) checkFields(turn, scene)
  const system = protocolField(protocol, "system")
  if (system !== undefined) {
    // What is read in a conversation is not there yet when it opens.
    const fill = turnFill(protocol, [])
    const known = placesOf(protocol, [])
    const checked = { where: "the system message", known, fill, skip: slips(protocol, undefined, scene) }
    checkPlaces(scene, system.text, checked)
    notEmpty(scene, system.text)
  }

  const read = new Set<string>()
  const reported = new Set<object>()
  for (const move of movesOf(bound, scene.names)) {
    if (move.kind === "derived") read.add(move.read.name)
    else checkStep(move.step, { protocol, reads, read, reported, scene })
  }
}

const checkFields = (turn: Turn, scene: Scene): void => {
  onlyOnce(scene, "a turn", turn.fields, (field) =>
    field.field === "read" ? `read ${field.hole.text}` : field.field,
  )
  const { repeat, continues } = turn
  if (repeat !== undefined && repeatsOf(turn) !== repeat.times.value) {
    const what = `How often the turn \`${turn.name.text}\` takes place`
    scene.say("CFX2208", { what, found: String(repeat.times.value), most: MOST_REPEATS }, repeat.times)
  }
  const system = turn.fields.find(({ field }) => field === "system")
  if (system !== undefined && continues !== undefined)
    scene.say("CFX2408", { turn: turn.name.text, continues: continues.text }, system)
  for (const field of ["user", "assistant"] as const) {
    if (turnText(turn, field) !== undefined || scene.torn) continue
    const example = field === "user" ? 'user "{item.question}"' : 'assistant "{a0: option}"'
    scene.say("CFX2010", { field, within: `The turn \`${turn.name.text}\``, example }, turn.name)
  }
}

interface Around {
  readonly protocol: Protocol
  readonly reads: readonly ReadInfo[]
  /** What was read before. */
  readonly read: Set<string>
  /** What was said something about already, in an earlier step of the same turn. */
  readonly reported: Set<object>
  readonly scene: Scene
}

const checkStep = (step: Step, around: Around): void => {
  const { read, reported, scene } = around
  const { turn } = step
  const whereOf: Record<Side, string> = {
    system: "the system message of a turn",
    user: "the user text of a turn",
    assistant: "the assistant text of a turn",
  }
  if (turn.when !== undefined && !reported.has(turn.when)) checkGate(turn.when, around)
  for (const side of sides) {
    const text = turnText(turn, side)
    if (text === undefined) continue
    const filled = reported.has(text)
      ? fillable(text, step, around)
      : checkText(text, whereOf[side], step, around)
    reported.add(text)
    for (const part of text.parts) {
      if (part.kind === "hole" && side === "assistant") read.add(nameOf(part.name.text, part.step, step))
      if (part.kind !== "placeholder" || !filled.includes(part) || reported.has(part)) continue
      const place = placeIn(part.path)
      const name = place && readOf(place, step, around)
      const later = around.reads.find((one) => one.name === name)
      if (name === undefined || later === undefined || read.has(name)) continue
      reported.add(part)
      scene.say("CFX2108", { what: "This text", hole: name, turn: later.turn }, part)
    }
  }
}

const nameOf = (name: string, variable: object | undefined, { step }: Step): string =>
  variable === undefined || step === undefined ? name : `${name}${step}`

const readOf = (place: Place, { turn, step }: Step, { reads }: Around): string | undefined =>
  readAt(place, reads, place.index === turn.repeat?.variable.text ? step : undefined)

const checkText = (
  text: Text,
  where: string,
  step: Step,
  { protocol, reads, scene }: Around,
): readonly Placeholder[] => {
  const { repeat } = step.turn
  const known = [...placesOf(protocol, reads), ...(repeat === undefined ? [] : [repeat.variable.text])]
  const fill = turnFill(protocol, reads, step)
  const holes = where.startsWith("the assistant")
  return checkPlaces(scene, text, { where, known, fill, holes, skip: slips(protocol, step.turn, scene) })
}

/** The placeholders that were found to be filled in an earlier step. */
const fillable = (text: Text, step: Step, { protocol, reads }: Around): readonly Placeholder[] => {
  const fill = turnFill(protocol, reads, step)
  return text.parts.filter((part): part is Placeholder => {
    const place = part.kind === "placeholder" ? placeIn(part.path) : undefined
    return place !== undefined && fill(place, { declaration: "", file: "", line: 0 }) !== undefined
  })
}

/** What can be filled in a turn, as a person writes it. */
const placesOf = (protocol: Protocol, reads: readonly ReadInfo[]): readonly string[] => [
  ...slotsOf(protocol).map(({ text }) => text),
  "item.question",
  "item.options",
  ...new Set(reads.map(({ name }) => name)),
  ...drawsOf(protocol).map(({ name }) => `${name.text}[1].question`),
  ...itemFields.slice(2),
  ...pushFields,
]

/**
 * Tells the places that speak of a step that their turn does not have, or of a drawn item that there is not, and reports them in their own
 * words.
 */
const slips = (protocol: Protocol, turn: Turn | undefined, scene: Scene) => {
  const draws = drawsOf(protocol)
  const lists = new Set(stepsOf(protocol).flatMap(({ turn }) => listNames(turn)))
  const slots = new Set(slotsOf(protocol).map(({ text }) => text))
  return (place: Place, at: Placeholder): boolean => {
    const draw = draws.find(({ name }) => name.text === place.head)
    if (typeof place.index === "string") {
      if (draw === undefined && !lists.has(place.head) && !slots.has(place.head)) return false
      if (turn?.repeat?.variable.text !== place.index) {
        sayNoStep(place, turn, at, scene)
        return true
      }
    }
    if (draw === undefined || place.rest.length === 0) return false
    return isNoItem(place, draw, turn, at, scene)
  }
}

const listNames = (turn: Turn): readonly string[] =>
  (turnText(turn, "assistant")?.parts ?? []).flatMap((part) =>
    part.kind === "hole" && part.step !== undefined ? [part.name.text] : [],
  )

/** Reports `[t]` where the turn has no such step. */
export const sayNoStep = (
  place: Place,
  turn: Turn | undefined,
  at: { readonly span: Placeholder["span"] },
  scene: Scene,
): void => {
  const parameters = {
    place: printPlace(place),
    index: String(place.index),
    turn: turn?.name.text,
    variable: turn?.repeat?.variable.text,
  }
  scene.say("CFX2400", parameters, at)
}

/** Reports a drawn item that there is not; says whether it did. */
export const isNoItem = (
  { head, index }: Place,
  draw: ReturnType<typeof drawsOf>[number],
  turn: Turn | undefined,
  at: { readonly span: Placeholder["span"] },
  scene: Scene,
): boolean => {
  const count = draw.count.value
  const last = typeof index === "string" ? (turn === undefined ? 1 : repeatsOf(turn)) : index
  const isThere = last === undefined ? count === 1 : Number.isSafeInteger(last) && last >= 1 && last <= count
  if (!isThere) scene.say("CFX2402", { draw: head, count, index: last }, at)
  return !isThere
}

/** Reports a gate that is no condition, or that waits for what is read later. */
const checkGate = (when: Expression, { protocol, reads, read, reported, scene }: Around): void => {
  reported.add(when)
  const slots = slotsOf(protocol).map(({ text }) => text)
  const roles = rolesOf(protocol).map(({ text }) => text)
  const what = "The condition of `when`"
  if (expect(when, "truth value", what, gateEnvironment(reads, slots, roles), scene) === undefined) return
  const lists = listsOf(reads)
  for (const name of expressionsIn(when)) {
    if (name.kind !== "name") continue
    const later = [...(lists[name.text] ?? []), name.text]
      .flatMap((one) => reads.find((info) => info.name === one) ?? [])
      .find((info) => !read.has(info.name))
    if (later === undefined) continue
    scene.say("CFX2108", { what, hole: later.name, turn: later.turn }, name)
    return
  }
}

/** The texts that a protocol's turns say, those of judges that it asks included. */
export const textsOfTurns = (protocol: Protocol, names: Names): readonly Text[] => [
  ...(protocolField(protocol, "system") === undefined ? [] : [protocolField(protocol, "system")!.text]),
  ...protocol.turns.flatMap((turn) => sides.flatMap((side) => turnText(turn, side) ?? [])),
  ...protocol.fields.flatMap((field) => {
    const judge = field.field === "judge" ? names.find(field.judge, "judge")?.declaration : undefined
    return judge === undefined || isRule(judge) ? [] : sides.flatMap((side) => judgeText(judge, side) ?? [])
  }),
]

/** Whether each turn says something and each placeholder is known: else what seems unread may be read by what was reported. */
export const isWhole = (protocol: Protocol, scene: Scene): boolean => {
  const reads = sourcedReads({ declaration: protocol, module: scene.module }, scene.names)
  return stepsOf(protocol).every((step) =>
    (["user", "assistant"] as const).every((field) => {
      const text = turnText(step.turn, field)
      if (text === undefined) return false
      const fill = turnFill(protocol, reads, step)
      const places = placesIn(text)
      return places.every(
        (place) =>
          !isSlip(place, scene.module) && fill(place, { declaration: "", file: "", line: 0 }) !== undefined,
      )
    }),
  )
}
