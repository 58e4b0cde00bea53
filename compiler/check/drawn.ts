/** Whether pools have as many other items as protocols draw from them. */
import type { Experiment, PoolUse } from "../../grammar/ast.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { report } from "../diagnostics/report.ts"
import { holds } from "../items/holds.ts"
import type { Module } from "../load.ts"
import { fieldsOf, poolsOf } from "../lower/columns.ts"
import { lowerPoolCondition } from "../lower/poolExpressions.ts"
import { drawsOf } from "../lower/turns.ts"
import type { Names } from "../resolve.ts"
import type { Pools } from "./pools.ts"

/** Reports draws of more other items than a pool that is at hand has: each pool once for each experiment. */
export const checkDraws = (spec: Module, names: Names, pools: Pools): readonly Diagnostic[] =>
  spec.file.declarations.flatMap((declaration) =>
    declaration.kind === "experiment" ? drawsIn(declaration, spec, names, pools) : [],
  )

const drawsIn = (experiment: Experiment, spec: Module, names: Names, pools: Pools): readonly Diagnostic[] => {
  const named = fieldsOf(experiment, "protocol")[0]?.protocol
  const protocol = named === undefined ? undefined : names.find(named, "protocol")
  if (protocol === undefined) return []
  const draws = drawsOf(protocol.declaration)
  return poolsOf(experiment).flatMap((use) => {
    const pool = use.pool.text
    const items = itemsOf(use, pools)
    if (items === undefined) return []
    // A draw leaves out the trial's own item, also where it names the pool that the item is of.
    const large = draws.find(
      ({ count, pool: from }) => (from === undefined || from.text === pool) && count.value > items - 1,
    )
    if (large === undefined) return []
    const parameters = {
      draw: large.name.text,
      count: large.count.value,
      pool,
      items,
      protocol: protocol.declaration.name.text,
    }
    const drawn = { source: protocol.module.source, span: large.span, label: "drawn here" }
    return [report("CFX3124", parameters, { source: spec.source, span: use.pool.span }, [drawn])]
  })
}

/** The number of different items that a use of a pool lets through; undefined where that is not known. */
const itemsOf = ({ pool, where }: PoolUse, { items, doubtful }: Pools): number | undefined => {
  const all = items.get(pool.text)
  if (all === undefined || doubtful.has(pool.text)) return undefined
  const condition = where === undefined ? undefined : lowerPoolCondition(where)
  const left = condition === undefined ? all : all.filter((item) => holds(condition, item))
  return new Set(left.map(({ id }) => id)).size
}
