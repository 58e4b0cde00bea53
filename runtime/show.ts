/** What `cfx show` tells of a trial: each turn as the model reads it, every span with where it comes from, and what is read where. */
import { assumed } from "../compiler/assume.ts"
import { askAt, conversationAt, type Readings } from "../compiler/prompt.ts"
import { pushedOf, targetOf } from "../compiler/target.ts"
import type { Reading, Segment, Trial } from "../compiler/trial.ts"
import { waves } from "../compiler/waves.ts"
import type { LoadedModel, Token } from "./backend/backend.ts"
import { prepare } from "./read/prepare.ts"
import { labelsOf } from "./read/reading.ts"

export interface ShownTrial {
  readonly trial: string
  readonly experiment: string
  readonly model: string
  readonly pool: string
  readonly item: string
  /** Level by factor, the arm among them. */
  readonly factors: Readonly<Record<string, string>>
  /** Turns in which something is read, in the protocol's order. */
  readonly turns: readonly ShownTurn[]
  /** Values that were assumed, by hole: no run gave them. */
  readonly assumed: Readonly<Record<string, string>>
  /** Label that the lines assert, where it was chosen by an assumed value. */
  readonly assumedTarget?: string
}

export interface ShownTurn {
  readonly name: string
  /**
   * All that the model reads up to the turn's last hole, chat template included, span by span. Where there is a problem: up to the last
   * hole before it.
   */
  readonly segments: readonly Segment[]
  /** Token ids of it, as they are sent. */
  readonly tokens: readonly Token[]
  readonly holes: readonly ShownHole[]
  /** Why the turn cannot be shown, in words: an earlier read has no value, or the prompt cannot be asked. */
  readonly problem?: string
}

export interface ShownHole {
  readonly name: string
  /** Where the read is taken: UTF-16 units from the start of the turn's text. */
  readonly at: number
  /** What can be read, in order, each with its tokens. */
  readonly labels: readonly { readonly label: string; readonly tokens: readonly Token[] }[]
}

const textOf = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join("")

/**
 * A trial as its model would read it. `readings` are those of a run, or chosen ones; a hole that later turns need and that they lack is
 * taken as `compiler/assume.ts` says, and listed under `assumed`.
 */
export const showTrial = (trial: Trial, model: LoadedModel, readings: Readings = {}): ShownTrial => {
  const { experiment, cell } = trial
  const { complete, guesses } = completed(trial, readings)
  const turns = trial.turns.flatMap((turn) => {
    const holes = experiment.protocol.holes.filter((hole) => hole.turn === turn.name)
    const names = holes.map(({ name }) => name)
    return names.length === 0 ? [] : [shownTurn(trial, model, turn.name, names, complete)]
  })
  return {
    trial: trial.id,
    experiment: experiment.name,
    model: trial.model,
    pool: trial.pool,
    item: trial.item.id,
    factors: cell.levels,
    turns,
    assumed: guesses,
    ...assumedTarget(trial, complete, guesses, turns),
  }
}

const assumedTarget = (
  trial: Trial,
  readings: Readings,
  guesses: Readonly<Record<string, string>>,
  turns: readonly ShownTurn[],
): Pick<ShownTrial, "assumedTarget"> => {
  const { target } = trial.experiment
  const isAsserted = turns.some(({ segments }) => segments.some(({ from }) => from.kind === "target"))
  if (!isAsserted || target.kind !== "top_wrong" || guesses[target.hole] === undefined) return {}
  const pushed = pushedOf(trial, targetOf(trial, readings))
  // Gold, which `all_correct` asserts, hangs on no answer.
  if (pushed.kind !== "option" || pushed.index === trial.item.gold) return {}
  return { assumedTarget: trial.item.labels[pushed.index] ?? "" }
}

/** Readings for every hole that another waits for. */
const completed = (
  trial: Trial,
  readings: Readings,
): { readonly complete: Readings; readonly guesses: Readonly<Record<string, string>> } => {
  const { protocol, target } = trial.experiment
  const order = waves(protocol, target)
  const complete: Record<string, Reading> = {}
  const guesses: Record<string, string> = {}
  for (const [index, wave] of order.entries()) {
    for (const { name } of wave) {
      const given = readings[name]
      if (given !== undefined) complete[name] = given
      else if (index < order.length - 1) {
        const guess = assumed(trial, name)
        complete[name] = guess
        if (guess.status === "value") guesses[name] = guess.value
      }
    }
  }
  return { complete, guesses }
}

const shownTurn = (
  trial: Trial,
  model: LoadedModel,
  name: string,
  names: readonly string[],
  readings: Readings,
): ShownTurn => {
  let turn: ShownTurn = { name, segments: [], tokens: [], holes: [] }
  for (const hole of names) {
    const conversation = conversationAt(trial, hole, readings)
    if ("skipped" in conversation)
      return { ...turn, problem: `${hole} would not be read: ${conversation.skipped}` }
    const ask = askAt(trial, hole)
    const prepared = prepare(model, conversation, ask)
    if ("problem" in prepared) return { ...turn, problem: `${hole} cannot be read: ${prepared.problem}` }
    const { rendered, request, labels } = prepared
    const shown: ShownHole = {
      name: hole,
      at: textOf(rendered).length,
      labels: labelsOf(ask).map((label) => ({ label, tokens: labels[label] ?? [] })),
    }
    turn = { name, segments: rendered, tokens: request.chunks.flat(), holes: [...turn.holes, shown] }
  }
  return turn
}

/** One trial of `cfx show --json`. With `tokens`, each turn has its token ids too. */
export const showJson = (shown: ShownTrial, options: { readonly tokens: boolean }) => ({
  trial: shown.trial,
  experiment: shown.experiment,
  model: shown.model,
  pool: shown.pool,
  item: shown.item,
  factors: shown.factors,
  assumed: shown.assumed,
  ...(shown.assumedTarget === undefined ? {} : { assumedTarget: shown.assumedTarget }),
  turns: shown.turns.map(({ name, segments, tokens, holes, problem }) => ({
    name,
    rendered: textOf(segments),
    ...(options.tokens ? { tokens } : {}),
    holes: holes.map(({ name, at, labels }) => ({
      name,
      at,
      labels: Object.fromEntries(labels.map((one) => [one.label, one.tokens])),
    })),
    segments: segments.map(({ text, from }) => ({ text, from })),
    ...(problem === undefined ? {} : { problem }),
  })),
})
