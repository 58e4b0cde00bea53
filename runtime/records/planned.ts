/** Records of a design that could be run too: its plan says which trials there are, its pools have options, gold answers and columns. */
import { isMade, nameOf } from "../../compiler/expand.ts"
import type { CellIR, ExperimentIR, Program, RecordsIR } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { othersOf, type Population, populationOf } from "../../compiler/others.ts"
import { eligible, itemsOf } from "../../compiler/sampled.ts"
import { shownItem, toPool } from "../../compiler/shown.ts"
import type { Trial } from "../../compiler/trial.ts"
import { ofChoice, trialsOfItem } from "../../compiler/trialId.ts"
import { cellKey, type ExpectedCell, type RecordedDesign } from "./design.ts"
import { namesIn } from "./names.ts"
import { cellIndex, itemIndex, levelsText, UnfinishedMapping } from "./plannedPlaces.ts"
import { choiceOf, recorderOf } from "./plannedRecord.ts"

/** @throws UnfinishedMapping where rows could be of several cells, models or pools */
export function plannedDesign(
  experiment: ExperimentIR,
  records: RecordsIR,
  program: Program,
  items: ReadonlyMap<string, readonly Item[]>,
): RecordedDesign {
  const factors = experiment.factors.map(({ name }) => name)
  const mapped = factors.filter((name) => records.columns[name] !== undefined)
  const cellsBy = cellIndex(experiment, mapped)
  const used = itemsOf(experiment, items)
  const placeOf = itemIndex(used)
  const outerOf = (what: "model" | "pool", known: readonly string[]): string | undefined => {
    if (records.columns[what] !== undefined) return undefined
    const [only] = known
    if (known.length === 1) return only
    // An item of one pool alone says which it is.
    if (what === "pool") return undefined
    throw new UnfinishedMapping(
      `experiment ${experiment.name} has several models (${known.join(", ")}), and its records do not say whose a row is: map \`model\``,
    )
  }
  const onlyModel = outerOf("model", experiment.models)
  const onlyPool = outerOf(
    "pool",
    experiment.pools.map(({ pool }) => pool),
  )
  const models = new Map(program.models.map((model) => [model.name, model]))
  const record = recorderOf(experiment, records)
  const othersFor = drawer(experiment, items)
  const keys = new Map<CellIR, Map<string, Map<string, string>>>()
  /** `cellKey`, worked out once for a cell, a model and a pool. */
  const keyOf = (model: string, pool: string, cell: CellIR): string => {
    const ofCell = keys.get(cell) ?? new Map<string, Map<string, string>>()
    keys.set(cell, ofCell)
    const ofModel = ofCell.get(model) ?? new Map<string, string>()
    ofCell.set(model, ofModel)
    const key = ofModel.get(pool) ?? cellKey(model, pool, cell.levels)
    ofModel.set(pool, key)
    return key
  }

  return {
    experiment,
    trialOf: (row, say) => {
      const names = namesIn(row, records, mapped, say)
      if (names === undefined) return undefined
      const model = names.model ?? onlyModel ?? ""
      if (!experiment.models.includes(model)) {
        say(
          "unknown",
          `${JSON.stringify(model)} is no model of the experiment (${experiment.models.join(", ")})`,
        )
        return undefined
      }
      const found = placeOf(names.item, names.pool ?? onlyPool, model)
      if (typeof found === "string") {
        say("unknown", found)
        return undefined
      }
      const { pool, item } = found
      const cell = cellsBy(names.levels)
      if (cell === undefined) {
        say("unknown", `no cell of the design has ${levelsText(mapped, names.levels)}`)
        return undefined
      }
      const attributes = models.get(model)?.attributes
      if (!isMade(experiment, { model, pool, cell, attributes }, item)) {
        say(
          "unknown",
          `the design has no trial of ${levelsText(mapped, names.levels)} for model ${model}, pool ${pool}`,
        )
        return undefined
      }
      const drawn = { seed: cell.seed, replicate: cell.replicate, pool, item: item.id }
      const shown = shownItem(item, cell.options, drawn)
      const isOfEach = cell.target.kind === "each_wrong"
      const choice = isOfEach ? choiceOf(row, records, item, shown, say) : undefined
      if (isOfEach && choice === undefined) return undefined
      const beginning = trialsOfItem({ experiment: experiment.name, model, pool, item: item.id })
      const name = beginning + nameOf(cell, experiment)
      const id = choice === undefined ? name : ofChoice(name, toPool(shown, choice))
      const key = keyOf(model, pool, cell)
      return {
        id,
        unit: choice === undefined ? key : `${key} ${choice}`,
        item: item.id,
        cell: key,
        record: () => {
          const trial: Trial = {
            id,
            experiment,
            model,
            pool,
            item: shown,
            cell,
            ...(choice === undefined ? {} : { choice }),
            others: othersFor(cell, pool, item, model),
            turns: [],
            ...(attributes === undefined ? {} : { attributes }),
          }
          return record(row, trial, item, models.get(model), say)
        },
      }
    },
    expected: () => expectedOf(experiment, program, used),
  }
}

/** Other items that a trial's conversation holds, as a run would draw them. */
function drawer(experiment: ExperimentIR, items: ReadonlyMap<string, readonly Item[]>) {
  const { draws } = experiment.protocol
  const populations = new Map<string, Population>(
    draws.length === 0
      ? []
      : experiment.pools.map((use) => [
          use.pool,
          populationOf(use.pool, eligible(use, items.get(use.pool) ?? [])),
        ]),
  )
  return ({ seed, replicate }: CellIR, pool: string, { id }: Item, model: string): Trial["others"] =>
    Object.fromEntries(
      draws.flatMap((draw) => {
        const population = populations.get(draw.pool ?? pool)
        const key = { seed, replicate, pool, item: id }
        return population === undefined ? [] : [[draw.name, othersOf(draw, population, key, model)] as const]
      }),
    )
}

function expectedOf(
  experiment: ExperimentIR,
  { models }: Program,
  used: readonly { readonly pool: string; readonly items: readonly Item[] }[],
): readonly ExpectedCell[] {
  const attributes = new Map(models.map((model) => [model.name, model.attributes]))
  return experiment.models.flatMap((model) =>
    used.flatMap(({ pool, items }) =>
      experiment.cells.flatMap((cell) => {
        const design = { model, pool, cell, attributes: attributes.get(model) }
        let count = 0
        for (const item of items) {
          if (item.only !== undefined && item.only !== model) continue
          if (!isMade(experiment, design, item)) continue
          count += cell.target.kind === "each_wrong" ? item.options.length - 1 : 1
        }
        return count === 0
          ? []
          : [{ key: cellKey(model, pool, cell.levels), model, pool, levels: cell.levels, count }]
      }),
    ),
  )
}
