/** Whole prompts of each cell and model, and of some trials of each arm, as they were sent, so that a report can show them without a model. */

import type { Ask, Conversation } from "../../compiler/conversation.ts"
import type { CellIR, ExperimentIR, Program } from "../../compiler/ir.ts"
import { askAt, conversationAt, modelOf } from "../../compiler/prompt.ts"
import type { Reading, Segment, Trial } from "../../compiler/trial.ts"
import type { LoadedModel } from "../backend/backend.ts"
import { prepare } from "../read/prepare.ts"
import { compared, Drawn, moveOf } from "../report/browse.ts"
import type { PromptSample } from "../report/input.ts"
import { isAsked } from "./asked.ts"
import type { Walk } from "./walk.ts"

/** A prompt as its model reads it. */
export type Rendering = (
  conversation: Conversation,
  ask: Ask,
) => { readonly rendered: readonly Segment[]; readonly tokens?: number } | { readonly problem: string }

export const renderingBy =
  (model: LoadedModel): Rendering =>
  (conversation, ask) =>
    prepare(model, conversation, ask)

/** Trials with what they read, and the model that they asked by now. */
export interface Sampled extends Pick<Walk, "trials"> {
  readonly cohort: Pick<Walk["cohort"], "place">
  /** By the trial's id. */
  readonly readings: Pick<Walk["readings"], "get">
  readonly model: Pick<LoadedModel, "name">
}

/** The prompt that stands for its cell, and how early its trial comes: by the place of its item, and by its own among the item's. */
interface First {
  readonly item: number
  readonly trial: number
  readonly sample: PromptSample
}

const isEarlier = (one: Omit<First, "sample">, than: Omit<First, "sample">): boolean =>
  one.item < than.item || (one.item === than.item && one.trial < than.trial)

export interface Samples {
  /**
   * Takes the prompts of each cell from the first trial that has them, and those of the trials that a report shows one by one. A model that is opened more
   * than once is told its items again: the first trial is that of their order, whenever it was answered, and a later walk has all that an earlier one had.
   */
  readonly take: (walk: Sampled, rendering: Rendering) => void
  /**
   * In the order of the grid: by experiment, studied model, cell and turn. A cell all of whose prompts were skipped or unreadable has none. Behind them
   * those of single trials (`trial`), by their identity.
   */
  readonly all: () => readonly PromptSample[]
}

export function samples(program: Program): Samples {
  const found = new Map<CellIR, Map<string, First>>()
  const keyOf = (model: string, hole: string): string => JSON.stringify([model, hole])
  const ends = new Map(program.experiments.map((experiment) => [experiment.name, endsOf(experiment)]))
  const drawn = new Map(
    program.experiments.map(({ name, seed, protocol }) => [
      name,
      { pair: compared(protocol), trials: new Drawn<readonly PromptSample[]>(seed) },
    ]),
  )
  /** A trial whose answer has come to its end; what other models read of it is not at hand any more. */
  const draw = (trial: Trial, walk: Sampled, rendering: Rendering): void => {
    const { experiment, cell, item, id } = trial
    const { pair, trials } = drawn.get(experiment.name) ?? {}
    if (pair === undefined || trials === undefined) return
    if (modelOf(trial, pair[1].turn) !== walk.model.name) return
    const own = walk.readings.get(id) ?? {}
    const move = moveOf(pair, (hole) => indexOf(own[hole]), item.gold)
    if (move === undefined) return
    trials.offer(id, cell.arm, move, () =>
      (ends.get(experiment.name) ?? []).flatMap((hole) => {
        if (modelOf(trial, hole.turn) !== walk.model.name) return []
        const sample = sampleOf(trial, hole.name, walk, rendering)
        return sample === undefined ? [] : [{ ...sample, trial: id }]
      }),
    )
  }
  return {
    take: (walk, rendering) => {
      const asked = walk.model.name
      for (const [index, { trial }] of walk.trials.entries()) {
        const { experiment, model, cell } = trial
        const at = { item: walk.cohort.place, trial: index }
        draw(trial, walk, rendering)
        if (!isShown(experiment, cell)) continue
        const own = found.get(cell) ?? new Map<string, First>()
        found.set(cell, own)
        for (const hole of ends.get(experiment.name) ?? []) {
          const key = keyOf(model, hole.name)
          const known = own.get(key)
          const isFirst = known === undefined || isEarlier(at, known)
          if (!isFirst || modelOf(trial, hole.turn) !== asked) continue
          const sample = sampleOf(trial, hole.name, walk, rendering)
          if (sample !== undefined) own.set(key, { ...at, sample })
        }
      }
    },
    all: () => [
      ...program.experiments.flatMap((experiment) =>
        experiment.models.flatMap((model) =>
          experiment.cells.flatMap((cell) =>
            (ends.get(experiment.name) ?? []).flatMap(
              ({ name }) => found.get(cell)?.get(keyOf(model, name))?.sample ?? [],
            ),
          ),
        ),
      ),
      ...program.experiments.flatMap(({ name }) =>
        [...(drawn.get(name)?.trials.all() ?? [])]
          .sort((a, b) => (a.trial < b.trial ? -1 : 1))
          .flatMap(({ value }) => value),
      ),
    ],
  }
}

const indexOf = (reading: Reading | undefined): number | undefined =>
  reading?.status === "value" || reading?.status === "answer" ? reading.index : undefined

/** The last read of each conversation: of the turns in which something is asked, those that no other of them continues. */
function endsOf({ protocol }: ExperimentIR): ExperimentIR["protocol"]["holes"] {
  const asked = protocol.holes.filter(isAsked)
  const turns = new Map(protocol.turns.map((turn) => [turn.name, turn]))
  const continued = new Set<string>()
  for (const { turn } of asked) {
    for (let at = turns.get(turn)?.continues; at !== undefined; at = turns.get(at)?.continues)
      continued.add(at)
  }
  return asked.filter(
    (hole, index) =>
      !continued.has(hole.turn) && !asked.slice(index + 1).some(({ turn }) => turn === hole.turn),
  )
}

/** Replicates ask the same prompt again, and other seeds one of the same kind: the first stands for them. */
const isShown = ({ seed }: ExperimentIR, cell: CellIR): boolean => cell.replicate === 1 && cell.seed === seed

/** The text up to a hole; undefined where that read was not taken. */
function sampleOf(
  trial: Trial,
  hole: string,
  { model, readings }: Sampled,
  rendering: Rendering,
): PromptSample | undefined {
  const own = readings.get(trial.id) ?? {}
  const status = own[hole]?.status
  if (status !== "value" && status !== "text" && status !== "refused") return undefined
  const conversation = conversationAt(trial, hole, own)
  if ("skipped" in conversation) return undefined
  const prepared = rendering(conversation, askAt(trial, hole))
  if ("problem" in prepared) return undefined
  return {
    experiment: trial.experiment.name,
    model: trial.model,
    ...(model.name === trial.model ? {} : { asked: model.name }),
    pool: trial.pool,
    item: trial.item.id,
    levels: trial.cell.levels,
    hole,
    rendered: prepared.rendered,
    ...(prepared.tokens === undefined ? {} : { tokens: prepared.tokens }),
  }
}
