/** Stimuli for repeated turns: a text or a dose for each step. */
import type { Protocol, Turn } from "../../grammar/ast.ts"
import { placesIn } from "../lower/place.ts"
import { protocolField, repeatsOf, turnText } from "../lower/turns.ts"
import { once } from "../memo.ts"
import type { Bound } from "../resolve.ts"
import { declaredAt, type Scene } from "./scene.ts"
import type { StimulusUse } from "./stimulusUses.ts"

/** Reports stimuli that go by steps where there are none, or not as many, and those that do not where the protocol asks for it. */
export const checkSteps = (uses: readonly StimulusUse[], protocol: Bound<Protocol>, scene: Scene): void => {
  for (const use of uses) {
    for (const place of placesOf(protocol.declaration).get(use.slot) ?? []) {
      if (checkPlace(use, place, protocol, scene)) break
    }
  }
}

/** Where a slot stands: in a turn, or in the system message of all. */
interface SlotPlace {
  readonly turn?: Turn
  /** The variable between its brackets. */
  readonly step?: string
}

/** By what stands between the braces, slots among it. */
const placesOf = once((protocol: Protocol): ReadonlyMap<string, readonly SlotPlace[]> => {
  const places = new Map<string, SlotPlace[]>()
  const add = (slot: string, place: SlotPlace): void => {
    places.set(slot, [...(places.get(slot) ?? []), place])
  }
  const system = protocolField(protocol, "system")?.text
  for (const { head } of system === undefined ? [] : placesIn(system)) add(head, {})
  for (const turn of protocol.turns) {
    for (const field of ["system", "user", "assistant"] as const) {
      const text = turnText(turn, field)
      for (const { head, index } of text === undefined ? [] : placesIn(text))
        add(head, index === undefined ? { turn } : { turn, step: String(index) })
    }
  }
  return places
})

/** Says whether something was reported. */
const checkPlace = (
  { kind, slot, at, called, bound, steps }: StimulusUse,
  { turn, step }: SlotPlace,
  protocol: Bound<Protocol>,
  scene: Scene,
): boolean => {
  const name = protocol.declaration.name.text
  const related = [
    ...(bound === undefined ? [] : [declaredAt(bound, "declared here")]),
    declaredAt(protocol, "the protocol"),
  ]
  const times = turn?.repeat === undefined ? undefined : repeatsOf(turn)
  if (steps === "none") {
    if (step === undefined || kind === "lines") return false
    scene.say("CFX2433", { user: called, slot, step, protocol: name }, at, related)
  } else if (steps === "named") {
    if (times !== undefined) return false
    scene.say("CFX2432", { user: called, slot, protocol: name }, at, related)
  } else {
    if (steps === times) return false
    const where = turn?.name.text ?? "system"
    scene.say("CFX2457", { what: called, given: steps, turn: where, steps: times ?? 1 }, at, related)
  }
  return true
}
