/** Of which cell and item of a plan a row is. */
import type { CellIR, ExperimentIR } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"

/** The records cannot be told apart, or not be told whose they are: the mapping lacks something. */
export class UnfinishedMapping extends Error {}

/** @throws UnfinishedMapping where several cells have the same of the mapped factors */
export function cellIndex(experiment: ExperimentIR, mapped: readonly string[]) {
  const keyOf = (levels: Readonly<Record<string, string>>): string =>
    JSON.stringify(mapped.map((factor) => levels[factor] ?? null))
  const cells = new Map<string, CellIR>()
  for (const cell of experiment.cells) {
    const key = keyOf(cell.levels)
    const known = cells.get(key)
    if (known !== undefined) {
      const apart =
        experiment.factors.find(({ name }) => known.levels[name] !== cell.levels[name])?.name ?? "arm"
      throw new UnfinishedMapping(
        `the records of experiment ${experiment.name} do not tell its cells apart: some differ in ${apart} only, so map \`${apart}\``,
      )
    }
    cells.set(key, cell)
  }
  return (levels: Readonly<Record<string, string>>): CellIR | undefined => cells.get(keyOf(levels))
}

export const levelsText = (mapped: readonly string[], levels: Readonly<Record<string, string>>): string =>
  mapped.map((factor) => `${factor} = ${levels[factor] ?? "nothing"}`).join(", ")

/** Finds an item by its id, in its pool or in whatever one pool has it; why not, in words. */
export function itemIndex(used: readonly { readonly pool: string; readonly items: readonly Item[] }[]) {
  const by = new Map(
    used.map(({ pool, items }) => {
      const ids = new Map<string, Item[]>()
      for (const item of items) {
        const known = ids.get(item.id)
        if (known === undefined) ids.set(item.id, [item])
        else known.push(item)
      }
      return [pool, ids] as const
    }),
  )
  const names = used.map(({ pool }) => pool)
  return (id: string, pool: string | undefined, model: string): { pool: string; item: Item } | string => {
    if (pool !== undefined && !by.has(pool))
      return `${JSON.stringify(pool)} is no pool of the experiment (${names.join(", ")})`
    const found = (pool === undefined ? names : [pool]).flatMap((name) => {
      const item = by
        .get(name)
        ?.get(id)
        ?.find(({ only }) => only === undefined || only === model)
      return item === undefined ? [] : [{ pool: name, item }]
    })
    const [one, other] = found
    if (one === undefined) return "its item is none of those that the design asks about"
    return other === undefined
      ? one
      : `its item is in several pools (${found.map((each) => each.pool).join(", ")}): map \`pool\``
  }
}
