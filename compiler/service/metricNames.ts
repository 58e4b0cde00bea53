/** What the names of metrics stand for: a child's parameter is its parent's of the same name. */
import type { Metric } from "../../grammar/ast.ts"
import { expressionsOf } from "../lower/expressions.ts"
import { ancestry } from "../lower/inherit.ts"
import type { Bound, Names } from "../resolve.ts"
import { tellExpression } from "./expressionNames.ts"
import { type Meaning, partsNamed, type Table } from "./meanings.ts"

/** The parameter that a metric knows by this name, in the declaration of the farthest ancestor that has it. */
export const parameterOf = (metric: Bound<Metric>, text: string, names: Names): readonly Meaning[] =>
  ancestry(metric, names)
    .chain.map((one) => partsNamed(one, ["parameter"], text))
    .findLast((found) => found.length > 0) ?? []

export const tellMetric = (metric: Bound<Metric>, table: Table): void => {
  const value = (text: string) => parameterOf(metric, text, table.names)
  for (const { name } of metric.declaration.parameters) table.tell(name, value(name.text))
  for (const expression of expressionsOf(metric.declaration))
    tellExpression(expression, { value, levels: () => undefined, isModel: () => false }, table)
}
