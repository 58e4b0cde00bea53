/**
 * The order of work: a model at a time, an item at a time with all its trials, so that the engine still holds what the item's prompts
 * share when the next wave comes.
 */
import { expand } from "../../compiler/expand.ts"
import type { HoleIR, Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import type { Trial } from "../../compiler/trial.ts"
import { waves } from "../../compiler/waves.ts"
import type { RecordOptions } from "./records.ts"

/** All trials of one item for one model, over all experiments. */
export interface Cohort {
  readonly model: string
  readonly pool: string
  readonly item: Item
  readonly trials: readonly PlannedTrial[]
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
  const models = new Map<string, Map<string, Cohort & { readonly trials: PlannedTrial[] }>>()
  for (const experiment of program.experiments) {
    const order = waves(experiment.protocol, experiment.target)
    for (const trial of expand(experiment, items, options)) {
      const { model, pool, item } = trial
      const cohorts = models.get(model) ?? new Map()
      models.set(model, cohorts)
      const key = JSON.stringify([pool, item.id])
      const cohort = cohorts.get(key) ?? { model, pool, item, trials: [] }
      cohorts.set(key, cohort)
      cohort.trials.push({ trial, waves: order })
    }
  }
  return new Map([...models].map(([model, cohorts]) => [model, [...cohorts.values()]]))
}

/** How many waves a cohort takes. */
export const depth = (cohort: Cohort): number =>
  Math.max(0, ...cohort.trials.map(({ waves }) => waves.length))
