/** The order in which reads can be taken: a read waits for all that stands before it in its conversation. */
import type { HoleIR, ProtocolIR, TargetIR, TurnIR } from "./ir.ts"

/**
 * Holes in waves: those of one wave need only the values of earlier waves. A hole waits for the holes before it in the same turn's assistant
 * text, for all holes of the turns that its turn continues, for what its user text quotes, and, where a block that may assert an option
 * stands before it in the conversation, for the hole that the target is taken from. Within a wave holes keep the protocol's order.
 */
export const waves = (protocol: ProtocolIR, target?: TargetIR): readonly (readonly HoleIR[])[] => {
  const turns = new Map(protocol.turns.map((turn) => [turn.name, turn]))
  const lineage = (turn: TurnIR): readonly TurnIR[] => {
    const line: TurnIR[] = []
    let at: TurnIR | undefined = turn
    while (at !== undefined && !line.includes(at)) {
      line.unshift(at)
      at = at.continues === undefined ? undefined : turns.get(at.continues)
    }
    return line
  }
  const needs = (hole: HoleIR): ReadonlySet<string> => {
    const turn = turns.get(hole.turn)
    if (turn === undefined) return new Set()
    const line = lineage(turn)
    const before = [
      ...line.flatMap(({ user }) => user),
      ...line.slice(0, -1).flatMap(({ assistant }) => assistant),
      ...turn.assistant.slice(
        0,
        turn.assistant.findIndex((piece) => piece.kind === "hole" && piece.hole === hole.name),
      ),
    ]
    const pushes = before.some((piece) => piece.kind === "slot")
    return new Set([
      ...before.flatMap((piece) => (piece.kind === "hole" ? [piece.hole] : [])),
      ...(pushes && target?.kind === "top_wrong" ? [target.hole] : []),
    ])
  }
  const waiting = new Map(protocol.holes.map((hole) => [hole, needs(hole)]))
  const done: HoleIR[][] = []
  while (waiting.size > 0) {
    const open = new Set([...waiting.keys()].map(({ name }) => name))
    const ready = [...waiting].filter(([, names]) => ![...names].some((name) => open.has(name)))
    // Holes that wait for one another are read last; their trials are then skipped with the reason.
    const wave = (ready.length > 0 ? ready : [...waiting]).map(([hole]) => hole)
    for (const hole of wave) waiting.delete(hole)
    done.push(wave)
  }
  return done
}
