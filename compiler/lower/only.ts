/** `only when` and `except when`: which part of the grid there is. */
import type { Experiment } from "../../grammar/ast.ts"
import { evaluate, type Facts } from "../evaluate.ts"
import { designFacts } from "../facts.ts"
import type { CellIR, ExperimentIR, ExprIR, PoolUseIR } from "../ir.ts"
import { nodesOf } from "../looks.ts"
import type { Names } from "../resolve.ts"
import { columnsOf, fieldsOf, outerColumns } from "./columns.ts"
import { lowerExpression } from "./expression.ts"
import { designScope } from "./scope.ts"

/** What decides besides the levels of a cell. */
interface Around {
  readonly roles: readonly string[]
  readonly models: readonly string[]
  readonly pools: readonly PoolUseIR[]
  readonly attributes: (model: string) => Readonly<Record<string, string | number>>
}

/**
 * The cells that some trial can have, and the condition that is left to decide by model, by pool or by item. A trial is left out where an
 * `only when` is false or an `except when` true, and there alone: a condition says nothing of a trial that lacks what it asks for, such as
 * a baseline's framing. So the condition that is left keeps a trial unless it is false.
 */
export const carve = (
  cells: readonly CellIR[],
  experiment: Experiment,
  names: Names,
  around: Around,
): Pick<ExperimentIR, "cells" | "only"> => {
  const only = fieldsOf(experiment, "only")
  const except = fieldsOf(experiment, "except")
  if (only.length === 0 && except.length === 0) return { cells }
  const scope = designScope(
    [...columnsOf(experiment, names).map(({ name }) => name), ...outerColumns],
    around.roles,
    names,
  )
  const conditions = [
    ...only.map(({ condition }) => ({ condition, wanted: true })),
    ...except.map(({ condition }) => ({ condition, wanted: false })),
  ].map(({ condition, wanted }) => ({ test: lowerExpression(condition, scope), wanted }))
  // What is the same for every trial of a cell is decided here, and what is not is left.
  const left = new Set<Condition>()
  const kept = cells.filter((cell) => {
    const verdicts = around.models.flatMap((model) =>
      around.pools.map(({ pool }) => {
        const facts = factsOf(cell, model, pool, around)
        return conditions.map((condition) => ({ condition, passes: passes(condition, facts) }))
      }),
    )
    const open = verdicts.filter((all) => all.every(({ passes }) => passes !== false))
    if (open.length === 0) return false
    for (const all of verdicts) {
      for (const { condition, passes } of all) if (passes !== true) left.add(condition)
    }
    return true
  })
  const rest = conditions.filter((condition) => left.has(condition)).map(asTest)
  const [first, ...more] = rest
  if (first === undefined) return { cells: kept }
  const condition = more.reduce<ExprIR>(
    (all, test) => ({ kind: "binary", operator: "and", left: all, right: test }),
    first,
  )
  return { cells: kept, only: condition }
}

interface Condition {
  readonly test: ExprIR
  /** What it must not be the opposite of. */
  readonly wanted: boolean
}

/** Whether a condition lets a trial through; none where its item decides. */
const passes = ({ test, wanted }: Condition, facts: Facts): boolean | undefined => {
  const value = evaluate(test, facts)
  if (value === undefined) return asksItem(test) ? undefined : true
  return value === wanted
}

const asTest = ({ test, wanted }: Condition): ExprIR =>
  wanted ? test : { kind: "unary", operator: "not", operand: test }

const asksItem = (test: ExprIR): boolean =>
  nodesOf(test).some(({ kind }) => kind === "column" || kind === "choices")

const factsOf = (cell: CellIR, model: string, pool: string, { attributes }: Around): Facts => ({
  ...designFacts({ model, pool, cell, attributes: attributes(model) }, undefined),
  reading: () => undefined,
})
