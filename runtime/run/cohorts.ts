/**
 * The order of work: a model at a time, an item at a time with all its trials, so that the engine still holds what the item's prompts
 * share when the next wave comes.
 */
import { expander, type Unit, unitsOf } from "../../compiler/expand.ts"
import type { HoleIR, Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import type { Trial } from "../../compiler/trial.ts"
import { wavesOf } from "../../compiler/waves.ts"
import { isAsked } from "./asked.ts"
import { modelsAskedFor } from "./openings.ts"
import type { RecordOptions } from "./records.ts"

/** All trials of one item that ask a model something, over all experiments. */
export interface Cohort {
  readonly model: string
  readonly pool: string
  readonly item: Item
  /** Among those of its model, from 0. */
  readonly place: number
  /** Makes the trials, which are too many to be kept. */
  readonly trials: () => readonly PlannedTrial[]
}

export interface PlannedTrial {
  readonly trial: Trial
  readonly waves: readonly (readonly HoleIR[])[]
}

/** Cohorts by model, in the order in which the experiments first name the models and their items. */
export function cohortsOf(
  program: Program,
  items: ReadonlyMap<string, readonly Item[]>,
  options: RecordOptions = {},
): ReadonlyMap<string, readonly Cohort[]> {
  const { models } = program
  const found = new Map<string, Map<string, Gathered>>()
  for (const experiment of program.experiments) {
    const waves = wavesOf(experiment)
    const asking = new Set(experiment.protocol.holes.filter(isAsked).map(({ turn }) => turn))
    const trialsOf = expander(experiment, items, { ...options, models })
    const asked = new Map(experiment.models.map((studied) => [studied, modelsAskedFor(experiment, studied)]))
    for (const unit of unitsOf(experiment, items, options)) {
      for (const model of asked.get(unit.model) ?? []) {
        const cohorts = found.get(model) ?? new Map<string, Gathered>()
        found.set(model, cohorts)
        const key = JSON.stringify([unit.pool, unit.item.id])
        const cohort = cohorts.get(key) ?? { unit, parts: [] }
        cohorts.set(key, cohort)
        cohort.parts.push(() =>
          trialsOf(unit)
            .filter(({ turns }) => turns.some((turn) => turn.model === model && asking.has(turn.name)))
            .map((trial) => ({ trial, waves })),
        )
      }
    }
  }
  return new Map(
    [...found].map(([model, cohorts]) => [
      model,
      [...cohorts.values()].map(({ unit: { pool, item }, parts }, place) => ({
        model,
        pool,
        item,
        place,
        trials: () => parts.flatMap((part) => part()),
      })),
    ]),
  )
}

interface Gathered {
  readonly unit: Unit
  readonly parts: (() => readonly PlannedTrial[])[]
}

/** How many waves trials take. */
export const depth = (trials: readonly PlannedTrial[]): number =>
  trials.reduce((most, { waves }) => Math.max(most, waves.length), 0)
