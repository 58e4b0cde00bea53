/** Targets that go by the items: whether each item of a pool has the option that its trials would be about. */
import type { Experiment } from "../../grammar/ast.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { report } from "../diagnostics/report.ts"
import type { TargetIR } from "../ir.ts"
import type { Item } from "../item.ts"
import type { Module } from "../load.ts"
import { argumentOf, armsOf, fieldsOf, print } from "../lower/columns.ts"
import { lowerTarget } from "../lower/lower.ts"
import { placeboOf } from "../target.ts"
import type { Pools } from "./pools.ts"

/** Reports targets that no item of a pool has, and notes those that some lack. A pool whose file has mistakes is passed over. */
export const checkTargets = (spec: Module, { items, doubtful }: Pools): readonly Diagnostic[] =>
  spec.file.declarations.flatMap((declaration) => {
    if (declaration.kind !== "experiment") return []
    const [field] = fieldsOf(declaration, "target")
    const target = field === undefined ? undefined : lowerTarget(field.target)
    if (field === undefined || target === undefined) return []
    const pools = fieldsOf(declaration, "items").flatMap((one) => one.pools)
    return pools.flatMap(({ pool }) => {
      const all = items.get(pool.text) ?? []
      if (all.length === 0 || doubtful.has(pool.text)) return []
      const without = all.filter((item) => lacks(target, item)).length
      const gold = all.filter((item) => isGold(target, item)).length
      // Under `all_correct` a target that is the gold option stands.
      const lost = without + (pushesGold(declaration) ? 0 : gold)
      const told = { target: print(field.target), pool: pool.text, items: all.length, without, gold }
      const place = { source: spec.source, span: field.target.span }
      const related = [{ source: spec.source, span: pool.span, label: "the pool" }]
      if (lost === all.length) return [report("CFX2217", told, place, related)]
      return without + gold > 0 ? [report("CFX2218", told, place, related)] : []
    })
  })

const lacks = (target: TargetIR, { options, labels }: Item): boolean => {
  if (target.kind === "option") return target.position > options.length
  return target.kind === "placebo_label" && placeboOf(labels) === undefined
}

const isGold = (target: TargetIR, { gold }: Item): boolean =>
  target.kind === "option" && target.position === gold + 1

const pushesGold = (experiment: Experiment): boolean =>
  armsOf(experiment).some(
    ({ stimulus }) =>
      stimulus.kind === "assertion" &&
      argumentOf(stimulus, "structure")?.levels.some((level) => print(level) === "all_correct") === true,
  )
