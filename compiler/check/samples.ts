/** What experiments ask of their pools: samples and conditions, against the declarations and then against the items. */
import type { Experiment, Items, PoolUse } from "../../grammar/ast.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { report } from "../diagnostics/report.ts"
import { columnKinds } from "../items/columns.ts"
import { holds } from "../items/holds.ts"
import type { Module } from "../load.ts"
import { fieldsOf } from "../lower/columns.ts"
import { itemColumnsOf } from "../lower/items.ts"
import { lowerPoolCondition } from "../lower/poolExpressions.ts"
import type { Bound, Names } from "../resolve.ts"
import { comparedOtherwise } from "./columnTypes.ts"
import { rowEnvironment } from "./environment.ts"
import type { Pools } from "./pools.ts"
import { sceneOf } from "./scene.ts"
import { expect } from "./types.ts"

/** Reports strata by a column that items do not have, and conditions that are none over their columns. */
export const checkUses = (
  spec: Module,
  names: Names,
  declared: ReadonlyMap<string, Bound<Items>>,
): readonly Diagnostic[] => {
  const diagnostics: Diagnostic[] = []
  for (const { experiment, use } of usesIn(spec)) {
    const bound = declared.get(use.pool.text)
    if (bound === undefined) continue
    const columns = itemColumnsOf(bound.declaration)
    const scene = sceneOf(experiment, spec, names, diagnostics)
    if (use.per !== undefined && !columns.includes(use.per.text)) {
      const parameters = { column: use.per.text, pool: use.pool.text, known: columns, by: "`per`" }
      scene.say("CFX3109", parameters, use.per)
    }
    if (use.where !== undefined) expect(use.where, "truth value", "`where`", rowEnvironment(columns), scene)
  }
  return diagnostics
}

/** Reports samples that ask for more items than there are, and conditions that none fulfils or that mistake a column's type. */
export const checkSamples = (spec: Module, pools: Pools): readonly Diagnostic[] =>
  usesIn(spec).flatMap(({ use }) => {
    const pool = use.pool.text
    const all = pools.items.get(pool)
    if (all === undefined || pools.doubtful.has(pool) || hasMistake(use, spec, pools)) return []
    const where = use.where === undefined ? undefined : lowerPoolCondition(use.where)
    const kept = where === undefined ? all : all.filter((item) => holds(where, item))
    // Items that differ by studied model are one item for each of them.
    const items = [...new Map(kept.map((item) => [item.id, item])).values()]
    const place = ({ span }: { readonly span: PoolUse["span"] }) => ({ source: spec.source, span })
    if (where !== undefined && use.where !== undefined) {
      const mistyped = comparedOtherwise(
        where,
        pool,
        columnKinds(all.map(({ columns }) => columns)),
        place(use.where),
      )
      if (mistyped.length > 0) return mistyped
      if (items.length === 0 && all.length > 0)
        return [report("CFX3120", { pool, rows: all.length }, place(use.where))]
    }
    const { sample, per } = use
    if (sample === undefined) return []
    if (per === undefined) {
      const parameters = { pool, sample: sample.value, items: items.length }
      return sample.value <= items.length ? [] : [report("CFX3017", parameters, place(sample))]
    }
    const strata = new Map<string, number>()
    for (const { columns } of items) {
      const value = String(columns[per.text] ?? "")
      strata.set(value, (strata.get(value) ?? 0) + 1)
    }
    const small = [...strata].find(([, count]) => count < sample.value)
    if (small === undefined) return []
    const [value, count] = small
    const parameters = { pool, sample: sample.value, column: per.text, value, items: count }
    return [report("CFX3122", parameters, place(sample))]
  })

/** Whether a use says something that `checkUses` has reported. */
const hasMistake = (use: PoolUse, spec: Module, { diagnostics }: Pools): boolean =>
  diagnostics.some(
    ({ source, span }) => source === spec.source && span.start >= use.span.start && span.end <= use.span.end,
  )

const usesIn = (spec: Module): readonly { readonly experiment: Experiment; readonly use: PoolUse }[] =>
  spec.file.declarations.flatMap((declaration) =>
    declaration.kind === "experiment"
      ? fieldsOf(declaration, "items").flatMap((field) =>
          field.pools.map((use) => ({ experiment: declaration, use })),
        )
      : [],
  )
