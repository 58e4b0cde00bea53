/** Targets that go by the items: whether each item of a pool has the option that its trials would be about. */
import type { Experiment, Expression } from "../../grammar/ast.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { report } from "../diagnostics/report.ts"
import type { TargetIR } from "../ir.ts"
import type { Item } from "../item.ts"
import type { Module } from "../load.ts"
import { argumentOf, armsOf, poolsOf, print } from "../lower/columns.ts"
import { lowerStructure } from "../lower/structure.ts"
import { lowerTarget, targetsOf } from "../lower/target.ts"
import type { Names } from "../resolve.ts"
import { placeboOf } from "../target.ts"
import type { Pools } from "./pools.ts"

/**
 * Reports targets that no item of a pool has, and notes those that some lack. A pool whose file has mistakes, or whose data are not at
 * hand, is passed over.
 */
export const checkTargetItems = (spec: Module, names: Names, pools: Pools): readonly Diagnostic[] =>
  spec.file.declarations.flatMap((declaration) =>
    declaration.kind === "experiment"
      ? targetsOf(declaration).flatMap((target) => checkOne(target, declaration, spec, names, pools))
      : [],
  )

const checkOne = (
  written: Expression,
  experiment: Experiment,
  spec: Module,
  names: Names,
  { items, doubtful }: Pools,
): readonly Diagnostic[] => {
  const target = lowerTarget(written, names)
  if (target === undefined) return []
  return poolsOf(experiment).flatMap(({ pool }) => {
    const all = items.get(pool.text) ?? []
    if (all.length === 0 || doubtful.has(pool.text)) return []
    const without = all.filter((item) => lacks(target, item)).length
    const gold = all.filter((item) => isGold(target, item)).length
    // Under `all_correct` a target that is the gold option stands.
    const lost = without + (pushesGold(experiment, names) ? 0 : gold)
    const told = { target: print(written), pool: pool.text, items: all.length, without, gold }
    const place = { source: spec.source, span: written.span }
    const related = [{ source: spec.source, span: pool.span, label: "the pool" }]
    if (lost === all.length) return [report("CFX2217", told, place, related)]
    return without + gold > 0 ? [report("CFX2218", told, place, related)] : []
  })
}

const lacks = (target: TargetIR, { options, labels }: Item): boolean => {
  if (target.kind === "option") return target.position > options.length
  if (target.kind === "ranked_wrong") return target.rank > options.length - 1
  return target.kind === "placebo_label" && placeboOf(labels) === undefined
}

const isGold = (target: TargetIR, { gold }: Item): boolean =>
  target.kind === "option" && target.position === gold + 1

const pushesGold = (experiment: Experiment, names: Names): boolean =>
  armsOf(experiment).some(
    ({ stimulus }) =>
      stimulus.kind === "assertion" &&
      argumentOf(stimulus, "structure")?.levels.some(
        (level) => lowerStructure(level, names) === "all_correct",
      ) === true,
  )
