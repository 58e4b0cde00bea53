/** What `cfx show` tells of a trial: each turn as its model reads it, every span with where it comes from, and what is read where. */
import { assumed } from "../compiler/assume.ts"
import { derivedAt } from "../compiler/derive.ts"
import type { HoleIR } from "../compiler/ir.ts"
import { holesIn } from "../compiler/looks.ts"
import { askAt, conversationAt, type Readings } from "../compiler/prompt.ts"
import { pushedOf, targetOf } from "../compiler/target.ts"
import type { Reading, Segment, Trial } from "../compiler/trial.ts"
import { wavesOf } from "../compiler/waves.ts"
import type { LoadedModel, Token } from "./backend/backend.ts"
import { prepare } from "./read/prepare.ts"
import { alsoOf, labelsOf } from "./read/reading.ts"
import { isAsked } from "./run/asked.ts"

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
  /** Values that were assumed, by hole: no run gave them, and a turn that is shown holds them or hangs on them. */
  readonly assumed: Readonly<Record<string, string>>
  /** Label that the lines assert, where it was chosen by an assumed value. */
  readonly assumedTarget?: string
}

export interface ShownTurn {
  readonly name: string
  /** The model that reads it, where that is not the studied one. */
  readonly model?: string
  /**
   * All that the model reads up to the turn's last hole, chat template included, span by span. Where there is a problem: up to the last
   * hole before it.
   */
  readonly segments: readonly Segment[]
  /** Token ids of it, as they are sent. */
  readonly tokens: readonly Token[]
  readonly holes: readonly ShownHole[]
  /** Reads that are worked out from a text of this turn, and how, in words. */
  readonly derived: readonly { readonly name: string; readonly how: string }[]
  /** Why the turn cannot be shown, in words: an earlier read has no value, or the prompt cannot be asked. */
  readonly problem?: string
}

export interface ShownHole {
  readonly name: string
  /** Where the read is taken: UTF-16 units from the start of the turn's text. */
  readonly at: number
  /** What can be read, in order, each with its tokens, which a server does not tell; none where a text is written. */
  readonly labels: readonly { readonly label: string; readonly tokens: readonly Token[] }[]
  /** Labels besides, whose raw probability is recorded and which are no part of the distribution. */
  readonly also?: readonly string[]
  /** Labels are whole option texts: by the raw probability of all their tokens, or by its geometric mean. */
  readonly score?: "sum" | "mean"
  /** Where the spec says so: the raw probability of all labels together below which the read is flagged. */
  readonly leastMass?: number
  /** In so many trials of each arm the model writes its answer freely too, with up to `max` tokens. */
  readonly generate?: { readonly trials: number; readonly max: number }
  /** Of declared labels the one that counts as the gold answer. */
  readonly gold?: string
  /** How a text is written. */
  readonly text?: {
    readonly max: number
    readonly until: readonly string[]
    readonly temperature: number
    readonly topP: number
    readonly refusal: readonly string[]
  }
}

/** A trial with a reading for every hole that another waits for. */
export interface Told {
  readonly trial: Trial
  readonly readings: Readings
  /** Those of them that nobody gave. */
  readonly guesses: Readonly<Record<string, string>>
}

const charactersOf = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join("")

/**
 * `readings` are those of a run, or chosen ones; a hole that later turns need and that they lack is taken as `compiler/assume.ts` says.
 */
export const told = (trial: Trial, readings: Readings = {}): Told => {
  const order = wavesOf(trial.experiment)
  const complete: Record<string, Reading> = {}
  const guesses: Record<string, string> = {}
  for (const [index, wave] of order.entries()) {
    for (const { name } of wave) {
      const given = readings[name] ?? found(trial, name, complete)
      if (given !== undefined) complete[name] = given
      else if (index < order.length - 1) {
        const guess = assumed(trial, name)
        complete[name] = guess
        const value = saidBy(guess)
        if (value !== undefined) guesses[name] = value
      }
    }
  }
  return { trial, readings: complete, guesses }
}

/** What is found in a text that was given. Nothing is looked for in one that was made up, which would have no answer in it. */
const found = (trial: Trial, hole: string, readings: Readings): Reading | undefined => {
  const reading = derivedAt(trial, hole, readings)
  return reading?.status === "answer" ? reading : undefined
}

const saidBy = (reading: Reading): string | undefined =>
  reading.status === "value" || reading.status === "answer"
    ? reading.value
    : reading.status === "text"
      ? reading.text
      : undefined

/** The turns of a trial that a model reads. */
export const turnsOf = ({ trial, readings }: Told, model: LoadedModel): readonly ShownTurn[] => {
  const { holes } = trial.experiment.protocol
  return trial.turns.flatMap((turn) => {
    const own = holes.filter((hole) => hole.turn === turn.name)
    const asked = own.filter(isAsked)
    if (asked.length === 0 || turn.model !== model.name) return []
    const shown = shownTurn(trial, model, turn.name, asked, readings)
    const derived = own
      .filter((hole) => !isAsked(hole))
      .map((hole) => ({ name: hole.name, how: howOf(hole) }))
    return [{ ...shown, derived, ...(turn.model === trial.model ? {} : { model: turn.model }) }]
  })
}

/** Puts the turns of a trial, which several models may have read, in the protocol's order. */
export const shownTrial = ({ trial, readings, guesses }: Told, turns: readonly ShownTurn[]): ShownTrial => {
  const inOrder = trial.turns.flatMap(({ name }) => turns.filter((turn) => turn.name === name))
  const visible = seen(trial, inOrder)
  const shown = Object.fromEntries(Object.entries(guesses).filter(([hole]) => visible.has(hole)))
  return {
    trial: trial.id,
    experiment: trial.experiment.name,
    model: trial.model,
    pool: trial.pool,
    item: trial.item.id,
    factors: trial.cell.levels,
    turns: inOrder,
    assumed: shown,
    ...assumedTarget(trial, readings, guesses, inOrder),
  }
}

/** A trial all of whose turns one model reads. */
export const showTrial = (trial: Trial, model: LoadedModel, readings: Readings = {}): ShownTrial => {
  const whole = told(trial, readings)
  return shownTrial(whole, turnsOf(whole, model))
}

/** The read that the target of a trial is taken from. */
const targetHole = ({ cell: { target } }: Trial): string | undefined =>
  target.kind === "ranked_wrong" || target.kind === "least_wrong" ? target.hole : undefined

const asserts = (turns: readonly ShownTurn[]): boolean =>
  turns.some(({ segments }) => segments.some(({ from }) => from.kind === "target"))

/** Reads whose values stand in what is shown, chose the target that stands there, or open a gate. */
const seen = (trial: Trial, turns: readonly ShownTurn[]): ReadonlySet<string> => {
  const names = turns.flatMap(({ segments }) =>
    segments.flatMap(({ from }) => (from.kind === "read" ? [from.hole] : [])),
  )
  const gates = trial.experiment.protocol.turns.flatMap(({ when }) =>
    when === undefined ? [] : holesIn(when),
  )
  const target = targetHole(trial)
  return new Set([...names, ...gates, ...(target !== undefined && asserts(turns) ? [target] : [])])
}

const assumedTarget = (
  trial: Trial,
  readings: Readings,
  guesses: Readonly<Record<string, string>>,
  turns: readonly ShownTurn[],
): Pick<ShownTrial, "assumedTarget"> => {
  const hole = targetHole(trial)
  if (!asserts(turns) || hole === undefined || guesses[hole] === undefined) return {}
  const pushed = pushedOf(trial, targetOf(trial, readings))
  // Gold, which `all_correct` asserts, hangs on no answer.
  if (pushed.kind !== "option" || pushed.index === trial.item.gold) return {}
  return { assumedTarget: trial.item.labels[pushed.index] ?? "" }
}

type Shown = Omit<ShownTurn, "derived">

const shownTurn = (
  trial: Trial,
  model: LoadedModel,
  name: string,
  holes: readonly HoleIR[],
  readings: Readings,
): Shown => {
  let turn: Shown = { name, segments: [], tokens: [], holes: [] }
  for (const hole of holes) {
    const conversation = conversationAt(trial, hole.name, readings)
    if ("skipped" in conversation)
      return { ...turn, problem: `${hole.name} would not be read: ${conversation.skipped}` }
    const ask = askAt(trial, hole.name)
    const prepared = prepare(model, conversation, ask)
    if ("problem" in prepared) return { ...turn, problem: `${hole.name} cannot be read: ${prepared.problem}` }
    const { rendered, request } = prepared
    const shown: ShownHole = {
      name: hole.name,
      at: charactersOf(rendered).length,
      labels:
        ask.kind === "text"
          ? []
          : labelsOf(ask).map((label) => ({
              label,
              tokens: prepared.kind === "read" ? (prepared.labels[label] ?? []) : [],
            })),
      ...(ask.kind === "text" || alsoOf(ask).length === 0 ? {} : { also: alsoOf(ask) }),
      ...reading(hole),
      ...writing(hole),
    }
    turn = {
      name,
      segments: rendered,
      tokens: "chunks" in request ? request.chunks.flat() : [],
      holes: [...turn.holes, shown],
    }
  }
  return turn
}

/** What the spec says of a distribution besides its labels. */
const reading = (hole: HoleIR): Pick<ShownHole, "score" | "leastMass" | "generate" | "gold"> => {
  if (hole.type !== "option" && hole.type !== "label" && hole.type !== "integer") return {}
  const { leastMass, generate } = hole
  const score = hole.type === "option" ? hole.score : undefined
  const gold = hole.type === "label" ? hole.gold : undefined
  return {
    ...(score === undefined ? {} : { score }),
    ...(leastMass === undefined ? {} : { leastMass }),
    ...(generate === undefined ? {} : { generate }),
    ...(gold === undefined ? {} : { gold }),
  }
}

const writing = (hole: HoleIR): Pick<ShownHole, "text"> => {
  if (hole.type !== "text") return {}
  const { max, until, temperature, topP, refusal } = hole
  return { text: { max, until, temperature, topP, refusal } }
}

/** How a read is worked out, in words. */
const howOf = (hole: HoleIR): string => {
  if (hole.type === "extract") {
    const { as, from, pattern, which } = hole
    const of =
      as.type === "label" ? as.labels.join(" ") : as.type === "integer" ? `${as.low} to ${as.high}` : ""
    const gold = as.type === "label" ? goldOf(as.gold) : ""
    return `found in ${from} by ${pattern}, ${which} match, as ${as.type}${of === "" ? "" : ` (${of})`}${gold}`
  }
  if (hole.type === "rule") {
    const [yes, no] = hole.labels
    const test =
      "pattern" in hole.test ? `matches ${hole.test.pattern}` : `says the same as ${hole.test.equals}`
    return `${yes} where ${hole.from} ${test}, else ${no}${goldOf(hole.gold)}`
  }
  return ""
}

/** Behind what can be read; empty where nothing counts as gold. */
export const goldOf = (gold: string | undefined): string => (gold === undefined ? "" : `; gold is ${gold}`)

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
  turns: shown.turns.map(({ name, model, segments, tokens, holes, derived, problem }) => ({
    name,
    ...(model === undefined ? {} : { model }),
    rendered: charactersOf(segments),
    ...(options.tokens ? { tokens } : {}),
    holes: holes.map(({ labels, ...hole }) => ({
      ...hole,
      labels: Object.fromEntries(labels.map((one) => [one.label, one.tokens])),
    })),
    ...(derived.length === 0 ? {} : { derived }),
    segments: segments.map(({ text, from }) => ({ text, from })),
    ...(problem === undefined ? {} : { problem }),
  })),
})
