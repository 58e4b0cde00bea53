/** What a model is told at a read, and what it is asked: the templates of a trial, closed with what was read before. */
import type { Ask, Conversation } from "./conversation.ts"
import type { HoleIR } from "./ir.ts"
import { settle } from "./settle.ts"
import { lack, pushedOf, type Readings, targetOf } from "./target.ts"
import type { Closed, Open, Piece, Segment, Target, Template, Trial, TurnPrompt } from "./trial.ts"

export type { Readings } from "./target.ts"

interface Skipped {
  readonly skipped: string
}

const isSkipped = (value: object): value is Skipped => "skipped" in value

const holeOf = (trial: Trial, name: string): HoleIR => {
  const hole = trial.experiment.protocol.holes.find((one) => one.name === name)
  if (hole === undefined) throw new Error(`internal: ${trial.id} has no hole ${name}`)
  return hole
}

const turnOf = (trial: Trial, name: string): TurnPrompt => {
  const turn = trial.turns.find((one) => one.name === name)
  if (turn === undefined) throw new Error(`internal: ${trial.id} has no turn ${name}`)
  return turn
}

/** The turn and those that it continues, oldest first. */
const lineage = (trial: Trial, turn: TurnPrompt): readonly TurnPrompt[] =>
  turn.continues === undefined ? [turn] : [...lineage(trial, turnOf(trial, turn.continues)), turn]

const isHole = (piece: Piece, hole: string): boolean => piece.kind === "hole" && piece.hole === hole

const labelOf = (trial: Trial, target: Target): string | Skipped => {
  switch (target.kind) {
    case "option":
      return (
        trial.item.labels[target.index] ?? { skipped: `no target: there is no option ${target.index + 1}` }
      )
    case "placebo":
      return target.label
    case "none":
      return { skipped: `no target: ${target.why}` }
  }
}

const fill = (trial: Trial, open: Open, readings: Readings): Segment | Skipped => {
  if (open.kind === "hole") {
    const reading = readings[open.hole]
    if (reading?.status === "value") {
      return { kind: "text", text: reading.value, from: { kind: "read", hole: open.hole } }
    }
    return { skipped: lack(open.hole, reading) }
  }
  const asserted: Target =
    open.asserts === "gold"
      ? { kind: "option", index: trial.item.gold }
      : pushedOf(trial, targetOf(trial, readings))
  const label = labelOf(trial, asserted)
  return typeof label === "string" ? { kind: "text", text: label, from: { kind: "target" } } : label
}

const close = (trial: Trial, template: Template, readings: Readings): Closed | Skipped => {
  const closed: Segment[] = []
  for (const piece of template) {
    const segment = piece.kind === "text" ? piece : fill(trial, piece, readings)
    if (isSkipped(segment)) return segment
    closed.push(segment)
  }
  return closed
}

const systemOf = (trial: Trial, readings: Readings): Closed | Skipped | undefined => {
  const { system, listing } = trial.experiment.protocol
  if (system === undefined) return undefined
  return close(trial, settle(system, { item: trial.item, listing, stimulus: trial.cell.stimulus }), readings)
}

/**
 * The conversation that a model has had when a hole is read: the turns that its turn continues with their holes written back in canonical
 * form, then its own up to the hole. `skipped` says why there is none: an earlier read has no value, or the trial has no target.
 */
export const conversationAt = (trial: Trial, hole: string, readings: Readings): Conversation | Skipped => {
  const system = systemOf(trial, readings)
  if (system !== undefined && isSkipped(system)) return system
  const last = turnOf(trial, holeOf(trial, hole).turn)
  const turns: { readonly user: Closed; readonly assistant: Closed }[] = []
  for (const turn of lineage(trial, last)) {
    const at =
      turn === last ? turn.assistant.findIndex((piece) => isHole(piece, hole)) : turn.assistant.length
    const user = close(trial, turn.user, readings)
    if (isSkipped(user)) return user
    const assistant = close(trial, turn.assistant.slice(0, at), readings)
    if (isSkipped(assistant)) return assistant
    turns.push({ user, assistant })
  }
  return system === undefined ? { turns } : { system, turns }
}

/** The literal text that follows a hole, up to the next hole or the end. */
const followOf = (assistant: Template, hole: string): string => {
  const after = assistant.slice(assistant.findIndex((piece) => isHole(piece, hole)) + 1)
  const end = after.findIndex((piece) => piece.kind !== "text")
  return (end < 0 ? after : after.slice(0, end))
    .map((piece) => (piece.kind === "text" ? piece.text : ""))
    .join("")
}

/** What is read at a hole: over the item's labels as displayed, or over integers. */
export const askAt = (trial: Trial, hole: string): Ask => {
  const declared = holeOf(trial, hole)
  const follow = followOf(turnOf(trial, declared.turn).assistant, hole)
  return declared.type === "option"
    ? { kind: "option", labels: trial.item.labels, follow }
    : { kind: "integer", low: declared.low, high: declared.high, follow }
}
