/** The turns of a protocol as they take place: in order, and a repeated one as often as it is repeated. */
import type { Hole, Protocol, ProtocolField, Text, Turn, TurnField } from "../../grammar/ast.ts"
import { once } from "../memo.ts"

export const protocolField = <F extends ProtocolField["field"]>(
  protocol: Protocol,
  field: F,
): Extract<ProtocolField, { field: F }> | undefined => protocolFields(protocol, field)[0]

const protocolFields = <F extends ProtocolField["field"]>(protocol: Protocol, field: F) =>
  protocol.fields.filter((one): one is Extract<ProtocolField, { field: F }> => one.field === field)

export const slotsOf = once((protocol: Protocol) => protocolFields(protocol, "slot").map(({ slot }) => slot))

export const rolesOf = once((protocol: Protocol) => protocolFields(protocol, "role").map(({ role }) => role))

export const drawsOf = once((protocol: Protocol) => protocolFields(protocol, "draw"))

export const turnText = (turn: Turn, field: "system" | "user" | "assistant"): Text | undefined =>
  turn.fields.find(
    (one): one is Extract<TurnField, { field: "system" | "user" | "assistant" }> => one.field === field,
  )?.text

/** Turns in the order in which they can be read: as written, but each after the turn that it continues. */
const turnsInOrder = (protocol: Protocol): readonly Turn[] => {
  const ordered: Turn[] = []
  const met = new Set<Turn>()
  const visit = (turn: Turn): void => {
    if (met.has(turn)) return
    met.add(turn)
    const before = protocol.turns.find(({ name }) => name.text === turn.continues?.text)
    if (before !== undefined) visit(before)
    ordered.push(turn)
  }
  for (const turn of protocol.turns) visit(turn)
  return ordered
}

/** Whether turns continue one another in a circle, so that they have no order. */
export const isCircular = (protocol: Protocol): boolean =>
  protocol.turns.some((turn) => {
    let next: Turn | undefined = turn
    for (let steps = 0; next !== undefined && steps <= protocol.turns.length; steps++) {
      const { continues }: Turn = next
      next = protocol.turns.find(({ name }) => name.text === continues?.text)
    }
    return next !== undefined
  })

/** More steps than any conversation has, and few enough to write out. */
export const MOST_REPEATS = 100

/** How often a turn takes place; once where what is written is no such number, which the checks report. */
export const repeatsOf = ({ repeat }: Turn): number => {
  const times = repeat?.times.value ?? 1
  return Number.isSafeInteger(times) && times >= 1 && times <= MOST_REPEATS ? times : 1
}

/** One taking place of a turn. */
export interface Step {
  readonly turn: Turn
  /** `press3` of the turn `press`. */
  readonly name: string
  /** From 1, where the turn is repeated. */
  readonly step?: number
  /** The step whose conversation is this one's prefix. The first of a repeated turn continues what the turn does, each other the one before. */
  readonly continues?: string
}

const stepName = (turn: Turn, step: number | undefined): string => `${turn.name.text}${step ?? ""}`

/** The steps of a protocol in the order in which they take place. */
export const stepsOf = once((protocol: Protocol): readonly Step[] =>
  turnsInOrder(protocol).flatMap((turn): readonly Step[] => {
    const before = protocol.turns.find(({ name }) => name.text === turn.continues?.text)
    const last =
      before === undefined
        ? undefined
        : stepName(before, before.repeat === undefined ? undefined : repeatsOf(before))
    const opening = last === undefined ? {} : { continues: last }
    if (turn.repeat === undefined) return [{ turn, name: turn.name.text, ...opening }]
    return Array.from({ length: repeatsOf(turn) }, (_, index) => ({
      turn,
      name: stepName(turn, index + 1),
      step: index + 1,
      ...(index === 0 ? opening : { continues: stepName(turn, index) }),
    }))
  }),
)

/** The holes of a turn, as written. */
export const holesIn = (turn: Turn): readonly Hole[] =>
  (turnText(turn, "assistant")?.parts ?? []).flatMap((part) => (part.kind === "hole" ? [part] : []))
