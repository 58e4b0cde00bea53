/** What a model is told at a read, and what it is asked: the templates of a trial, closed with what was read before. */
import type { Ask, Conversation } from "./conversation.ts"
import { spell } from "./draw.ts"
import { whyClosed } from "./gate.ts"
import type { ExperimentIR, HoleIR } from "./ir.ts"
import { once } from "./memo.ts"
import { assertedOf, lack, placeboOf, type Readings } from "./target.ts"
import type { Closed, Open, Piece, Segment, Target, Template, Trial, TurnPrompt } from "./trial.ts"

export { derivedAt } from "./derive.ts"
export type { Readings } from "./target.ts"

interface Skipped {
  readonly skipped: string
}

const isSkipped = (value: object): value is Skipped => "skipped" in value

/** A read of a trial's protocol as declared. */
export const holeOf = (trial: Trial, name: string): HoleIR => {
  const hole = trial.experiment.protocol.holes.find((one) => one.name === name)
  if (hole === undefined) throw new Error(`internal: ${trial.id} has no hole ${name}`)
  return hole
}

const turnOf = (trial: Trial, name: string): TurnPrompt => {
  const turn = trial.turns.find((one) => one.name === name)
  if (turn === undefined) throw new Error(`internal: ${trial.id} has no turn ${name}`)
  return turn
}

/** The model that is asked in a turn of a trial. */
export const modelOf = (trial: Trial, turn: string): string => turnOf(trial, turn).model

/** The turn and those that it continues, oldest first. */
const lineage = (trial: Trial, turn: TurnPrompt): readonly TurnPrompt[] =>
  turn.continues === undefined ? [turn] : [...lineage(trial, turnOf(trial, turn.continues)), turn]

const isHole = (piece: Piece, hole: string): boolean => piece.kind === "hole" && piece.hole === hole

const writtenAs = (trial: Trial, target: Target, as: "label" | "text"): string | Skipped => {
  switch (target.kind) {
    case "option": {
      const { labels, options } = trial.item
      const written = (as === "label" ? labels : options)[target.index]
      return written ?? { skipped: `no target: there is no option ${target.index + 1}` }
    }
    case "placebo":
      return as === "label" ? target.label : { skipped: "no target: a placebo label has no text" }
    case "none":
      return { skipped: `no target: ${target.why}` }
  }
}

const fill = (trial: Trial, open: Open, readings: Readings): Segment | Skipped => {
  if (open.kind === "hole") {
    const from = { kind: "read", hole: open.hole } as const
    const reading = readings[open.hole]
    switch (reading?.status) {
      case "value":
      case "answer":
        return { kind: "text", text: reading.value, from }
      case "text":
        return { kind: "text", text: reading.text, from }
      default:
        return { skipped: lack(open.hole, reading) }
    }
  }
  const written = writtenAs(trial, assertedOf(trial, open.asserts, readings), open.as)
  return typeof written === "string" ? { kind: "text", text: written, from: { kind: "target" } } : written
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

const saysNothing = (text: Closed): boolean => text.every((segment) => segment.text === "")

/**
 * The conversation that a model has had when a hole is read: the turns that its turn continues with their holes written back in canonical
 * form, then its own up to the hole. `skipped` says why there is none: a gate is closed, an earlier read has no value, or the trial has no target.
 */
export const conversationAt = (trial: Trial, hole: string, readings: Readings): Conversation | Skipped => {
  const last = turnOf(trial, holeOf(trial, hole).turn)
  const line = lineage(trial, last)
  for (const { name } of line) {
    const why = whyClosed(trial, name, readings)
    if (why !== undefined) return { skipped: why }
  }
  const system = close(trial, line[0]?.system ?? [], readings)
  if (isSkipped(system)) return system
  const turns: { readonly user: Closed; readonly assistant: Closed }[] = []
  for (const turn of line) {
    const at =
      turn === last ? turn.assistant.findIndex((piece) => isHole(piece, hole)) : turn.assistant.length
    const user = close(trial, turn.user, readings)
    if (isSkipped(user)) return user
    const assistant = close(trial, turn.assistant.slice(0, at), readings)
    if (isSkipped(assistant)) return assistant
    turns.push({ user, assistant })
  }
  return saysNothing(system) ? { turns } : { system, turns }
}

/** The literal text that follows a hole, up to the next hole or the end. */
const followOf = (assistant: Template, hole: string): string => {
  const after = assistant.slice(assistant.findIndex((piece) => isHole(piece, hole)) + 1)
  const end = after.findIndex((piece) => piece.kind !== "text")
  return (end < 0 ? after : after.slice(0, end))
    .map((piece) => (piece.kind === "text" ? piece.text : ""))
    .join("")
}

/** What is shared by the draws of a sampled text: not the arm, unless arms are independent, and not the studied model, whom another's text may be shown. */
const drawOf = ({ experiment, pool, item, cell }: Trial, hole: string): string =>
  spell({
    seed: cell.seed,
    declaration: `read ${hole} ${pool}`,
    item: item.id,
    replicate: cell.replicate,
    ...(experiment.independent ? { factors: { ...cell.levels, arm: cell.arm } } : {}),
  })

/**
 * The label that no option has and that an experiment pushes in some of its trials. It is read along in all of them: arms can be compared, and those
 * that share a prompt still share its read.
 */
const placeboPushed = ({ experiment, item }: Trial): string | undefined =>
  pushesPlacebo(experiment) ? placeboOf(item.labels) : undefined

const pushesPlacebo = once(({ cells }: ExperimentIR) =>
  cells.some(({ target }) => target.kind === "placebo_label"),
)

/** What is asked at a hole that a model is asked at: over labels as displayed, over integers, or for a text. */
export const askAt = (trial: Trial, hole: string): Ask => {
  const declared = holeOf(trial, hole)
  const follow = followOf(turnOf(trial, declared.turn).assistant, hole)
  switch (declared.type) {
    case "option": {
      const { of } = declared
      const item = of === undefined ? trial.item : trial.others[of.draw]?.[of.index - 1]
      if (item === undefined) throw new Error(`internal: ${trial.id} has no item for ${hole}`)
      if (declared.score !== undefined)
        return { kind: "option", labels: item.options, follow, score: declared.score }
      const placebo = of === undefined ? placeboPushed(trial) : undefined
      return {
        kind: "option",
        labels: item.labels,
        follow,
        ...(placebo === undefined ? {} : { also: [placebo] }),
      }
    }
    case "label":
      return { kind: "label", labels: declared.labels, follow }
    case "integer":
      return { kind: "integer", low: declared.low, high: declared.high, follow }
    case "text": {
      const { max, until, temperature, topP } = declared
      const draw = temperature === 0 ? "0" : drawOf(trial, hole)
      return { kind: "text", max, until, temperature, topP, draw }
    }
    case "extract":
    case "rule":
      throw new Error(`internal: no model is asked for ${hole}`)
  }
}
