/** An experiment's grid over its items: the trials, with every character in place but for what a read gives. */
import { evaluate } from "./evaluate.ts"
import { designFacts, modelIn } from "./facts.ts"
import type { CellIR, ExperimentIR, ModelIR, TextIR } from "./ir.ts"
import type { Item } from "./item.ts"
import { othersOf, type Population, populationOf } from "./others.ts"
import { eligible, type ItemsOptions, itemsOf } from "./sampled.ts"
import { type Setting, settle } from "./settle.ts"
import { shownItem, toShown } from "./shown.ts"
import type { Template, Trial, TurnPrompt } from "./trial.ts"
import { cellName, ofChoice, trialsOfItem } from "./trialId.ts"
import { type CellVariants, textsOf, variantsOf } from "./variants.ts"

export { itemsOf } from "./sampled.ts"

export interface ExpandOptions extends ItemsOptions {
  /** Of the program: attributes of models, which conditions may ask for. */
  readonly models?: readonly ModelIR[]
}

/** An item for a studied model: what its trials have in common. */
export interface Unit {
  readonly model: string
  readonly pool: string
  readonly item: Item
}

/** A cell in a trial's id: the arm, then its levels in the design's order. */
export const nameOf = (cell: CellIR, experiment: ExperimentIR): string =>
  cellName([
    cell.arm,
    ...experiment.factors.flatMap(({ name }) => (name === "arm" ? [] : (cell.levels[name] ?? []))),
  ])

/** By model, then pool, then item; without the items that are for other models. */
export const unitsOf = (
  experiment: ExperimentIR,
  items: ReadonlyMap<string, readonly Item[]>,
  options: ExpandOptions = {},
): readonly Unit[] => {
  const pools = itemsOf(experiment, items, options)
  return experiment.models.flatMap((model) =>
    pools.flatMap(({ pool, items }) =>
      items.flatMap((item) =>
        item.only === undefined || item.only === model ? [{ model, pool, item }] : [],
      ),
    ),
  )
}

/** What is settled of an item, by the number of the variant: kept while its trials are made. */
interface Settled {
  readonly shown: (Item | undefined)[]
  readonly others: (Trial["others"] | undefined)[]
  readonly texts: (Template | undefined)[]
}

const nothing: Trial["others"] = {}

/**
 * Makes the trials of a unit, in the order of the grid; with `each_wrong` those of a cell stand by wrong option, in the order of the pool. `keep`: whether
 * what is settled for one model is kept for the others; it costs the prompts of all items at once.
 */
export const expander = (
  experiment: ExperimentIR,
  items: ReadonlyMap<string, readonly Item[]>,
  options: ExpandOptions & { readonly keep?: boolean } = {},
): ((unit: Unit) => readonly Trial[]) => {
  const { protocol } = experiment
  const variants = variantsOf(experiment)
  const cells = experiment.cells.map((cell, index) => ({
    cell,
    name: nameOf(cell, experiment),
    variant: variants[index] as CellVariants,
  }))
  const attributes = new Map(options.models?.map((model) => [model.name, model.attributes]))
  const texts = protocol.turns.map((turn) => textsOf(experiment, turn))
  const populations = populationsOf(experiment, items)
  // Draws from items that are for one model each differ by model, and so do the texts that they stand in.
  const byModel = [...populations.values()].some(({ members }) =>
    members.some(({ item }) => item.only !== undefined),
  )
  const kept = new Map<Item, Settled>()

  const settledOf = (item: Item): Settled => {
    const known = kept.get(item)
    if (known !== undefined) return known
    const fresh: Settled = { shown: [], others: [], texts: [] }
    if (options.keep && !byModel) kept.set(item, fresh)
    return fresh
  }

  return ({ model, pool, item }) => {
    const settled = settledOf(item)
    const turns = new Map<string, TurnPrompt>()
    const beginning = trialsOfItem({ experiment: experiment.name, model, pool, item: item.id })
    return cells.flatMap(({ cell, name, variant }) => {
      const design = { model, pool, cell, attributes: attributes.get(model) }
      if (!isMade(experiment, design, item)) return []
      const key = { seed: cell.seed, replicate: cell.replicate, pool, item: item.id }
      settled.shown[variant.shown] ??= shownItem(item, cell.options, key)
      settled.others[variant.drawn] ??= drawnFor(cell)
      const shown = settled.shown[variant.shown] as Item
      const others = settled.others[variant.drawn] as Trial["others"]
      const setting = { protocol, cell, pool, item: shown, others }
      const trial = {
        id: beginning + name,
        experiment,
        model,
        pool,
        item: shown,
        cell,
        others,
        turns: protocol.turns.map((_, index) => promptOf(index, variant, setting)),
        ...(design.attributes === undefined ? {} : { attributes: design.attributes }),
      }
      return cell.target.kind === "each_wrong" ? choicesOf(trial) : [trial]
    })

    function drawnFor({ seed, replicate }: CellIR): Trial["others"] {
      if (protocol.draws.length === 0) return nothing
      const key = { seed, replicate, pool, item: item.id }
      return Object.fromEntries(
        protocol.draws.map((draw) => [
          draw.name,
          othersOf(draw, populations.get(draw.pool ?? pool) as Population, key, model),
        ]),
      )
    }

    /** A turn that some cells have in common is one object. */
    function promptOf(
      index: number,
      { texts: numbers }: CellVariants,
      setting: Setting & { cell: CellIR },
    ): TurnPrompt {
      const { name, continues, by } = protocol.turns[index] as ExperimentIR["protocol"]["turns"][number]
      const asked =
        by === undefined ? model : "model" in by ? by.model : modelIn(by.role, setting.cell, model)
      if (asked === undefined) throw new Error(`internal: nobody is in the role of turn ${name}`)
      const own = numbers[index] as readonly [number, number, number]
      const key = `${own.join(" ")} ${asked}`
      const known = turns.get(key)
      if (known !== undefined) return known
      const [system, user, assistant] = own.map((number, text) => {
        settled.texts[number] ??= settle(texts[index]?.[text] as TextIR, setting)
        return settled.texts[number] as Template
      }) as [Template, Template, Template]
      const turn = {
        name,
        ...(continues === undefined ? {} : { continues }),
        model: asked,
        system,
        user,
        assistant,
      }
      turns.set(key, turn)
      return turn
    }
  }
}

/** Whether the design has a trial here: the conditions on it are not false. */
export const isMade = (
  { only }: ExperimentIR,
  design: Parameters<typeof designFacts>[0],
  item: Item | undefined,
): boolean =>
  only === undefined || evaluate(only, { ...designFacts(design, item), reading: () => undefined }) !== false

const choicesOf = (trial: Trial): readonly Trial[] => {
  const { item } = trial
  return item.options.flatMap((_, place) => {
    const choice = toShown(item, place)
    return choice === item.gold ? [] : [{ ...trial, id: ofChoice(trial.id, place), choice }]
  })
}

/** The pools that draws may draw from. */
const populationsOf = (
  { pools, protocol }: ExperimentIR,
  items: ReadonlyMap<string, readonly Item[]>,
): ReadonlyMap<string, Population> =>
  new Map(
    protocol.draws.length === 0
      ? []
      : pools.map((use) => [use.pool, populationOf(use.pool, eligible(use, items.get(use.pool) ?? []))]),
  )

/**
 * The trials of an experiment one after another: by model, then pool, then item, then cell, so that the trials of one item stand together and none
 * need be kept.
 */
export function* expandEach(
  experiment: ExperimentIR,
  items: ReadonlyMap<string, readonly Item[]>,
  options: ExpandOptions = {},
): Generator<Trial> {
  const trialsOf = expander(experiment, items, options)
  for (const unit of unitsOf(experiment, items, options)) yield* trialsOf(unit)
}

/** The same as a list, in which models share what they are told. */
export const expand = (
  experiment: ExperimentIR,
  items: ReadonlyMap<string, readonly Item[]>,
  options: ExpandOptions = {},
): readonly Trial[] => {
  const trialsOf = expander(experiment, items, { ...options, keep: true })
  return unitsOf(experiment, items, options).flatMap((unit) => trialsOf(unit))
}
