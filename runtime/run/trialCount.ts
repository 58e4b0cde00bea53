/** How many trials there are, without making any. */
import { isMade, unitsOf } from "../../compiler/expand.ts"
import type { CellIR, ExperimentIR, Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import type { RecordOptions } from "./records.ts"

export function trialCount(
  experiment: ExperimentIR,
  { models }: Program,
  items: ReadonlyMap<string, readonly Item[]>,
  options: RecordOptions = {},
): number {
  const { cells, only } = experiment
  const attributes = new Map(models.map((model) => [model.name, model.attributes]))
  const trialsOf = ({ target }: CellIR, { options }: Item): number =>
    target.kind === "each_wrong" ? options.length - 1 : 1
  return unitsOf(experiment, items, options).reduce((sum, { model, pool, item }) => {
    const made =
      only === undefined
        ? cells
        : cells.filter((cell) =>
            isMade(experiment, { model, pool, cell, attributes: attributes.get(model) }, item),
          )
    return sum + made.reduce((count, cell) => count + trialsOf(cell, item), 0)
  }, 0)
}
