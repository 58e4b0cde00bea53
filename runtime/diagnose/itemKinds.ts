/** Which items of a pool are of one kind: all that decides about their trials is equal. */
import type { ExperimentIR, ExprIR, MeasureIR } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import { needsOf } from "../measure/needs.ts"

/** What tells kinds of items apart, besides their pool. */
export interface Deciding {
  readonly columns: readonly string[]
  /** Whether it matters where the gold option stands, and what labels are. */
  readonly gold: boolean
  readonly labels: boolean
}

export function decidingColumns(experiment: ExperimentIR, measures: readonly MeasureIR[]): Deciding {
  const { only, protocol, cells } = experiment
  const expressions: readonly (ExprIR | undefined)[] = [
    only,
    ...protocol.turns.map(({ when }) => when),
    ...experiment.measures.map(({ given }) => given),
    ...measures.flatMap(({ value, other, weight }) => [value, other, weight]),
    ...experiment.contrasts.flatMap(({ terms }) => terms.map(({ where }) => where)),
  ]
  return {
    columns: needsOf(...expressions).columns,
    gold: cells.some(({ target, options }) => target.kind === "option" || options.kind !== "identity"),
    labels: cells.some(({ target }) => target.kind === "placebo_label"),
  }
}

export function kindOf(item: Item, { columns, gold, labels }: Deciding): readonly unknown[] {
  return [
    item.options.length,
    item.only ?? null,
    gold ? item.gold : null,
    labels ? item.labels : null,
    columns.map((column) => item.columns[column] ?? null),
  ]
}
