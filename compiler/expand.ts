/** An experiment's grid over its items: the trials, with every character in place but for what a read gives. */
import { sample } from "./draw.ts"
import type { CellIR, ExperimentIR, TextIR } from "./ir.ts"
import type { Item } from "./item.ts"
import { settle } from "./settle.ts"
import type { Trial, TurnPrompt } from "./trial.ts"

export interface ExpandOptions {
  /** At most so many items of each pool: the first of those that its sample has. */
  readonly limit?: number
}

/** A cell in a trial's id: the arm, then its levels in the design's order. */
const nameOf = (cell: CellIR, experiment: ExperimentIR): string =>
  [
    cell.arm,
    ...experiment.factors.flatMap(({ name }) => {
      const level = name === "arm" ? undefined : cell.levels[name]
      return level === undefined ? [] : [level]
    }),
  ].join(":")

/** The items of each pool that an experiment asks about, in the order of their file. Empty for a pool that has none. */
export const itemsOf = (
  experiment: ExperimentIR,
  items: ReadonlyMap<string, readonly Item[]>,
  options: ExpandOptions = {},
): readonly { readonly pool: string; readonly items: readonly Item[] }[] =>
  experiment.pools.map(({ pool, sample: size }) => {
    const all = items.get(pool) ?? []
    const key = { seed: experiment.seed, declaration: `sample ${pool}` }
    const drawn = size === undefined ? all : sample(all, size, ({ id }) => id, key)
    return { pool, items: options.limit === undefined ? drawn : drawn.slice(0, options.limit) }
  })

/**
 * The trials of an experiment: by model, then pool, then item, then cell, so that the trials of one item stand together. The sample of a
 * pool depends on the seed and the pool alone, so experiments of one seed share it.
 */
export const expand = (
  experiment: ExperimentIR,
  items: ReadonlyMap<string, readonly Item[]>,
  options: ExpandOptions = {},
): readonly Trial[] => {
  const { protocol } = experiment
  const cells = experiment.cells.map((cell) => ({ cell, name: nameOf(cell, experiment) }))
  const pools = itemsOf(experiment, items, options).map(({ pool, items }) => ({
    pool,
    items: items.map((item) => ({ item, prompts: promptsOf(experiment, item) })),
  }))
  return experiment.models.flatMap((model) =>
    pools.flatMap(({ pool, items }) =>
      items.flatMap(({ item, prompts }) =>
        cells.map(({ cell, name }, index): Trial => {
          const id = `${experiment.name}/${model}/${pool}/${item.id}/${name}`
          return { id, experiment, model, pool, item, cell, turns: prompts[index] as readonly TurnPrompt[] }
        }),
      ),
    ),
  )

  /** By cell. A text without a slot is the same in every cell: it is settled once and shared. */
  function promptsOf({ cells }: ExperimentIR, item: Item): readonly (readonly TurnPrompt[])[] {
    const shared = new Map<TextIR, TurnPrompt["user"]>()
    const settled = (text: TextIR, { stimulus }: CellIR): TurnPrompt["user"] => {
      const known = shared.get(text)
      if (known !== undefined) return known
      const template = settle(text, { item, listing: protocol.listing, stimulus })
      if (!text.some(({ kind }) => kind === "slot")) shared.set(text, template)
      return template
    }
    return cells.map((cell) =>
      protocol.turns.map(({ name, continues, user, assistant }) => ({
        name,
        ...(continues === undefined ? {} : { continues }),
        user: settled(user, cell),
        assistant: settled(assistant, cell),
      })),
    )
  }
}
