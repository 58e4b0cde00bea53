import type { Hole, Protocol, ProtocolField, Turn } from "../../grammar/ast.ts"
import type { HoleIR, ProtocolIR } from "../ir.ts"
import type { Bound } from "../resolve.ts"
import { type Fill, itemFill, lowerPlain, lowerProvenance, lowerText, optionFill, originOf } from "./text.ts"

export const protocolField = <F extends ProtocolField["field"]>(
  protocol: Protocol,
  field: F,
): Extract<ProtocolField, { field: F }> | undefined =>
  protocol.fields.find((one): one is Extract<ProtocolField, { field: F }> => one.field === field)

export const slotsOf = (protocol: Protocol) =>
  protocol.fields.flatMap((field) => (field.field === "slot" ? [field.slot] : []))

export const turnText = (turn: Turn, field: "user" | "assistant") =>
  turn.fields.find((one) => one.field === field)?.text

/** Turns in the order in which they can be read: as written, but each after the turn that it continues. */
export const turnsInOrder = (protocol: Protocol): readonly Turn[] => {
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

export interface ReadHole {
  readonly hole: Hole
  readonly turn: Turn
}

/** Holes in the order in which they are read. */
export const holesOf = (protocol: Protocol): readonly ReadHole[] =>
  turnsInOrder(protocol).flatMap((turn) =>
    (turnText(turn, "assistant")?.parts ?? []).flatMap((part) =>
      part.kind === "hole" ? [{ hole: part, turn }] : [],
    ),
  )

const lowerHole = ({ hole, turn }: ReadHole): HoleIR => {
  const place = { name: hole.name.text, turn: turn.name.text }
  const { type } = hole
  return type.kind === "option"
    ? { ...place, type: "option" }
    : { ...place, type: "integer", low: type.low.value, high: type.high.value }
}

export const lowerProtocol = (bound: Bound<Protocol>): ProtocolIR => {
  const protocol = bound.declaration
  const slots = slotsOf(protocol).map(({ text }) => text)
  const holes = holesOf(protocol)
  const fill: Fill = (path, origin) => {
    if (slots.includes(path)) return { kind: "slot", slot: path, origin }
    if (holes.some(({ hole }) => hole.name.text === path)) return { kind: "hole", hole: path, origin }
    return itemFill(path, origin)
  }
  const text = (turn: Turn, field: "user" | "assistant") => {
    const written = turnText(turn, field)
    return written === undefined ? [] : lowerText(written, bound, fill)
  }
  const options = protocolField(protocol, "options")
  const system = protocolField(protocol, "system")
  return {
    name: protocol.name.text,
    slots,
    listing: {
      each: options === undefined ? [] : lowerText(options.each, bound, optionFill),
      join: options === undefined ? "" : lowerPlain(options.join),
      origin: originOf(bound, (options ?? protocol).span),
    },
    ...(system === undefined ? {} : { system: lowerText(system.text, bound, itemFill) }),
    turns: turnsInOrder(protocol).map((turn) => ({
      name: turn.name.text,
      ...(turn.continues === undefined ? {} : { continues: turn.continues.text }),
      user: text(turn, "user"),
      assistant: text(turn, "assistant"),
    })),
    holes: holes.map(lowerHole),
    provenance: lowerProvenance(bound),
    origin: originOf(bound, protocol.name.span),
  }
}
