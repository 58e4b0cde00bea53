/** The order in which reads can be taken: a read waits for all that stands before it in its conversation, and for its gates. */

import type { CellIR, ExperimentIR, HoleIR, PieceIR, ProtocolIR, TargetIR, TextIR, TurnIR } from "./ir.ts"
import { holesIn, looksAtTarget } from "./looks.ts"
import { stimulusIn } from "./settle.ts"
import { textsOfStimulus } from "./stimulusTexts.ts"

/** What the design adds to what a protocol waits for. */
export interface WaveOptions {
  /** The targets of its cells. */
  readonly targets?: readonly TargetIR[]
  /** All pieces of what stands in a slot, over its cells; without it a slot is taken to assert an option. */
  readonly fillings?: (slot: string) => readonly PieceIR[]
}

/**
 * Holes in waves: those of one wave need only the values of earlier waves. A hole waits for the holes before it in the same turn's assistant
 * text, for all holes of the turns that its turn continues, for what a system or user text quotes, for what the gates of those turns look at, and,
 * where an option that the trial is about may stand before it, for the holes that targets are taken from. What is found in a text waits for the text.
 * Within a wave holes keep the protocol's order.
 */
export const waves = (
  protocol: ProtocolIR,
  { targets = [], fillings }: WaveOptions = {},
): readonly (readonly HoleIR[])[] => {
  const turns = new Map(protocol.turns.map((turn) => [turn.name, turn]))
  const targetHoles = targets.flatMap((target) => ("hole" in target ? [target.hole] : []))
  const needs = (hole: HoleIR): ReadonlySet<string> => {
    if (hole.type === "extract" || hole.type === "rule") return new Set([hole.from])
    const turn = turns.get(hole.turn)
    if (turn === undefined) return new Set()
    const line = lineageOf(turn, turns)
    const own = turn.assistant.findIndex((piece) => piece.kind === "hole" && piece.hole === hole.name)
    const written: TextIR = [
      ...(line[0]?.system ?? protocol.system ?? []),
      ...line.flatMap(({ user }) => user),
      ...line.slice(0, -1).flatMap(({ assistant }) => assistant),
      ...turn.assistant.slice(0, own),
    ]
    const before = written.flatMap((piece) =>
      piece.kind === "slot" ? (fillings?.(piece.slot) ?? [piece]) : [piece],
    )
    const gates = line.flatMap(({ when }) => (when === undefined ? [] : [when]))
    const pushes = before.some(isAboutTarget) || gates.some(looksAtTarget)
    return new Set([
      ...before.flatMap((piece) => (piece.kind === "hole" ? [piece.hole] : [])),
      ...gates.flatMap(holesIn),
      ...(pushes ? targetHoles : []),
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

/** A turn and those that it continues, the oldest first. */
export function lineageOf(turn: TurnIR, turns: ReadonlyMap<string, TurnIR>): readonly TurnIR[] {
  const line: TurnIR[] = []
  let at: TurnIR | undefined = turn
  while (at !== undefined && !line.includes(at)) {
    line.unshift(at)
    at = at.continues === undefined ? undefined : turns.get(at.continues)
  }
  return line
}

/** Whether a piece may be filled with the option that the trial is about. */
const isAboutTarget = (piece: PieceIR): boolean =>
  piece.kind === "slot" ||
  piece.kind === "push" ||
  (piece.kind === "line" && piece.field.startsWith("answer"))

/** The waves of an experiment: one order for all its trials, in which each finds what it needs. */
export const wavesOf = ({ protocol, cells }: ExperimentIR): readonly (readonly HoleIR[])[] =>
  waves(protocol, {
    targets: cells.map(({ target }) => target),
    fillings: (slot) => fillingsOf(slot, protocol, cells),
  })

const fillingsOf = (slot: string, protocol: ProtocolIR, cells: readonly CellIR[]): readonly PieceIR[] =>
  [...new Set(cells.map((cell) => stimulusIn(slot, protocol, cell)))].flatMap((stimulus) =>
    textsOfStimulus(stimulus).flat(),
  )
