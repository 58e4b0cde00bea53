/** Columns of trials as the variables of a model: factors with their levels, and numbers. */
import type { ExprIR } from "../../compiler/ir.ts"
import type { Variable } from "../mixed/design.ts"
import type { Cell, Column } from "./column.ts"
import { compileExpression, rowFunction } from "./expression.ts"
import { groupedBy } from "./grouped.ts"
import { columnOf, schemaOf, type Trials } from "./outcome.ts"
import { printExpression } from "./print.ts"
import { attributeColumn, factorColumn, itemColumn, roleColumn } from "./table.ts"
import { levelsOf } from "./units.ts"

/** What a model names, with a value or none for every trial. */
export interface Source {
  readonly name: string
  readonly column: Column
  /** Factors are told by their levels, in this order; numbers and texts of items by what they are. */
  readonly levels?: readonly string[]
}

/** A column that trials are grouped by: a factor, a column of the items, or `item` itself, which is one of its pool. */
export function columnSource(trials: Trials, name: string): Source {
  const { experiment } = trials
  if (name === "item") {
    const { items } = groupedBy(trials)
    return { name, column: { length: trials.rows, at: (row) => items[row]! } }
  }
  if (experiment.protocol.roles.includes(name)) return { name, column: columnOf(trials, roleColumn(name)) }
  if (["model", "pool"].includes(name) || experiment.factors.some((factor) => factor.name === name))
    return { name, column: columnOf(trials, factorColumn(name)), levels: levelsOf(experiment, name) }
  return { name, column: columnOf(trials, itemColumn(name)) }
}

/** A factor of a term: a column, or a number of a read. */
export function expressionSource(trials: Trials, expression: ExprIR): Source {
  const name = printExpression(expression)
  switch (expression.kind) {
    case "level":
      return { ...columnSource(trials, expression.factor), name }
    case "role":
      return { name, column: columnOf(trials, roleColumn(expression.role)) }
    case "column":
      return { name, column: columnOf(trials, itemColumn(expression.column)) }
    case "attribute":
      return { name, column: columnOf(trials, attributeColumn(expression.attribute)) }
    default: {
      const text = compileExpression(expression, schemaOf(trials, false))
      return { name, column: trials.table.derive({ [NUMBER]: rowFunction(text) }).column(NUMBER) as Column }
    }
  }
}

const NUMBER = "fit:number"

/** The variable of these rows, which all have a value. A column of which each value is written as a number is one, unless it has levels. */
export function variableOf({ name, column, levels }: Source, rows: readonly number[]): Variable {
  const cells = rows.map((row) => column.at(row))
  if (levels === undefined && cells.every(isNumber))
    return { kind: "number", name, values: Float64Array.from(cells, Number) }
  const texts = cells.map(String)
  const found = [...new Set(texts)]
  const order = levels === undefined ? found.sort() : levels.filter((level) => found.includes(level))
  const codes = new Map(order.map((level, code) => [level, code]))
  return { kind: "factor", name, levels: order, codes: Int32Array.from(texts, (text) => codes.get(text)!) }
}

/** Numbers of the distinct values of these rows, from 0. */
export function groupsOf({ column }: Source, rows: readonly number[]) {
  const known = new Map<Cell, number>()
  const codes = Int32Array.from(rows, (row) => {
    const value = column.at(row)
    const code = known.get(value) ?? known.size
    if (code === known.size) known.set(value, code)
    return code
  })
  return { codes, levels: known.size }
}

const isNumber = (cell: Cell): boolean =>
  typeof cell === "number" ||
  typeof cell === "boolean" ||
  (typeof cell === "string" && cell.trim() !== "" && Number.isFinite(Number(cell)))
