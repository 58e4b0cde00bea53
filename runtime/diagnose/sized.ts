/** A design with so many items: the rows of its trials, in the order in which a run's table has them, and all that no simulation changes. */
import { table } from "arquero"
import type { ExperimentIR, ExprIR } from "../../compiler/ir.ts"
import { trialsOfItem } from "../../compiler/trialId.ts"
import { type Cell, type Column, Values } from "../measure/column.ts"
import { groupingColumns, needsOf } from "../measure/needs.ts"
import type { Trials } from "../measure/outcome.ts"
import { factorColumn, itemColumn, roleColumn } from "../measure/table.ts"
import { TrialIds } from "../measure/trialIds.ts"
import { unitKey } from "../measure/units.ts"
import type { Design } from "./design.ts"

export interface Sized {
  readonly design: Design
  /** Without what was read: contrasts look at their outcomes alone. */
  readonly trials: Trials
  /** By pool: the kind of each item, in order. */
  readonly pools: readonly { readonly pool: string; readonly kinds: readonly number[] }[]
  /** Trials are drawn pool by pool, item by item, row by row of the item's kind: the place of each in the table. */
  readonly places: Uint32Array
}

/** How many items a design has. */
export const itemsIn = ({ pools }: Pick<Design, "pools">): number =>
  pools.reduce((sum, { items }) => sum + items.length, 0)

/**
 * So many items of each pool that they come to this number, in the proportions of the design: what is left over goes to the pools with the largest
 * remainders (Hamilton's method), the first of equals before the others. Every pool with items keeps at least one, which the largest go without.
 */
export function shared(design: Pick<Design, "pools">, items: number): readonly number[] {
  const all = itemsIn(design)
  const exact = design.pools.map((pool) => (pool.items.length * items) / all)
  const shares = exact.map(Math.floor)
  const order = exact
    .map((share, at) => ({ at, rest: share - Math.floor(share) }))
    .sort((a, b) => b.rest - a.rest || a.at - b.at)
  const left = items - shares.reduce((sum, share) => sum + share, 0)
  for (const { at } of order.slice(0, left)) shares[at]! += 1
  const kept = shares.map((share, at) => (share === 0 && exact[at]! > 0 ? 1 : share))
  let over = kept.reduce((sum, share) => sum + share, 0) - items
  while (over > 0 && Math.max(...kept) > 1) {
    kept[kept.indexOf(Math.max(...kept))]! -= 1
    over -= 1
  }
  return kept
}

/** The number of items nearest to this one that the design can have: a pool has at least one. */
export const possible = (design: Pick<Design, "pools">, items: number): number =>
  shared(design, items).reduce((sum, share) => sum + share, 0)

/** With more items than the design has, its items come again, under names that no other item has. */
export function sizedTo(design: Design, items: number): Sized {
  const counts = shared(design, items)
  const pools = design.pools.map(({ pool, items: own }, at) => {
    const opening = openingOf(own.map(({ item }) => item.id))
    return {
      pool,
      items: Array.from({ length: counts[at]! }, (_, index) => {
        const { item, kind } = own[index % own.length]!
        const round = Math.floor(index / own.length)
        return { id: round === 0 ? item.id : `${item.id}${opening}${round + 1})`, item, kind }
      }),
    }
  })
  const { experiment, itemKinds } = design
  const grouping = groupingColumns(experiment)
  const factors = experiment.factors.map(({ name }) => name)
  const varying = factors.filter((name) => name !== "model" && name !== "pool")
  const { roles } = experiment.protocol
  const ofItems = [...new Set([...grouping, ...needsOf(...conditionsOf(experiment)).columns])]
  const names = ["model", "pool", "item", ...varying.map(factorColumn), ...roles.map(roleColumn)]
  const columns = new Map([...names, ...ofItems.map(itemColumn)].map((name) => [name, new Values()] as const))
  const ids = new TrialIds()
  const units = new Values()
  const push = (name: string, value: string | number | null) => columns.get(name)!.push(value)
  for (const { pool, items } of pools) {
    for (const { id, item, kind } of items) {
      const own = Object.fromEntries(
        grouping.flatMap((name) => {
          const value = item.columns[name]
          return value === undefined ? [] : [[name, String(value)] as const]
        }),
      )
      for (const { model, ending, levels, roles: names } of itemKinds[kind]!.rows) {
        push("model", model)
        push("pool", pool)
        push("item", id)
        for (const name of varying) push(factorColumn(name), levels[name] ?? null)
        for (const role of roles) if (role !== "model") push(roleColumn(role), names[role] ?? null)
        for (const name of ofItems) push(itemColumn(name), item.columns[name] ?? null)
        units.push(unitKey({ model, pool, levels, columns: own }))
        const of = { experiment: experiment.name, model, pool, item: id }
        ids.take({ trial: trialsOfItem(of) + ending, ...of })
      }
    }
  }
  const order = ids.order()
  const sorted = new Map([...columns].map(([name, column]) => [name, inOrder(column, order)] as const))
  const places = new Uint32Array(order.length)
  for (let place = 0; place < order.length; place++) places[order[place]!] = place
  return {
    design,
    trials: {
      experiment,
      rows: order.length,
      columns: sorted,
      table: table(Object.fromEntries(sorted) as unknown as Record<string, Cell[]>),
      units: inOrder(units, order),
      alternatives: () => 0,
    },
    pools: pools.map(({ pool, items }) => ({ pool, kinds: items.map(({ kind }) => kind) })),
    places,
  }
}

/** What opens the number of an item that comes again, " (" as in "q1 (2)": with as many parentheses as no item's own name has. */
function openingOf(ids: readonly string[]): string {
  let opening = " ("
  while (ids.some((id) => id.includes(opening))) opening += "("
  return opening
}

/** Conditions on the trials of a contrast's terms. */
const conditionsOf = ({ contrasts }: ExperimentIR): readonly ExprIR[] =>
  contrasts.flatMap(({ terms }) => terms.flatMap(({ where }) => where ?? []))

/** Written out in its order: a column is read in every simulation. */
function inOrder(column: Values, order: Uint32Array): Column {
  const sorted = new Values()
  for (const row of order) sorted.push(column.at(row))
  return sorted
}
