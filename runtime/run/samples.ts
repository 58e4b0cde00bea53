/** One whole prompt of each cell and model, as it was sent, so that a report can show them without a model. */
import type { Program } from "../../compiler/ir.ts"
import { askAt, conversationAt } from "../../compiler/prompt.ts"
import type { Trial } from "../../compiler/trial.ts"
import { prepare } from "../read/prepare.ts"
import type { PromptSample } from "../report/input.ts"
import type { Walk } from "./execute.ts"

export interface Samples {
  /** Takes the prompts of the cells that have none yet. Same items in the same order give the same samples. */
  readonly take: (walk: Walk) => void
  /** In the order of the grid: by experiment, model and cell. A cell all of whose prompts were skipped or unreadable has none. */
  readonly all: () => readonly PromptSample[]
}

export function samples(program: Program): Samples {
  const found = new Map<string, PromptSample>()
  const keyOf = (experiment: string, model: string, levels: Readonly<Record<string, string>>): string =>
    JSON.stringify([experiment, model, levels])
  // Until every cell of a model has its prompt, each item is looked at; then none.
  const lacking = new Map<string, number>()
  for (const { models, cells } of program.experiments) {
    for (const model of models) lacking.set(model, (lacking.get(model) ?? 0) + cells.length)
  }
  return {
    take: (walk) => {
      const { name } = walk.model
      if (lacking.get(name) === 0) return
      for (const { trial } of walk.cohort.trials) {
        const key = keyOf(trial.experiment.name, name, trial.cell.levels)
        if (found.has(key)) continue
        const sample = sampleOf(trial, walk)
        if (sample === undefined) continue
        found.set(key, sample)
        lacking.set(name, (lacking.get(name) ?? 0) - 1)
      }
    },
    all: () =>
      program.experiments.flatMap(({ name, models, cells }) =>
        models.flatMap((model) => cells.flatMap(({ levels }) => found.get(keyOf(name, model, levels)) ?? [])),
      ),
  }
}

/** The text up to the protocol's last hole; undefined where that read was not taken. */
function sampleOf(trial: Trial, { model, readings }: Walk): PromptSample | undefined {
  const hole = trial.experiment.protocol.holes.at(-1)?.name
  const own = readings.get(trial.id) ?? {}
  if (hole === undefined || own[hole]?.status !== "value") return undefined
  const conversation = conversationAt(trial, hole, own)
  if ("skipped" in conversation) return undefined
  const prepared = prepare(model, conversation, askAt(trial, hole))
  if ("problem" in prepared) return undefined
  return {
    experiment: trial.experiment.name,
    model: model.name,
    pool: trial.pool,
    item: trial.item.id,
    levels: trial.cell.levels,
    hole,
    rendered: prepared.rendered,
    tokens: prepared.tokens,
  }
}
