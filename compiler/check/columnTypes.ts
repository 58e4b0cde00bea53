/** Whether conditions compare columns with what these hold. */
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { type Place, report } from "../diagnostics/report.ts"
import type { ExprIR } from "../ir.ts"
import type { ColumnKind } from "../items/columns.ts"

/**
 * Reports columns of texts that are compared with a number, and columns of numbers that are compared with a text. To compare with the empty text asks
 * whether a cell holds anything, which is asked of every column.
 */
export const comparedOtherwise = (
  condition: ExprIR,
  pool: string,
  kinds: ReadonlyMap<string, ColumnKind>,
  place: Place,
): readonly Diagnostic[] => {
  const told = new Set<string>()
  return comparisons(condition).flatMap(({ column, value }) => {
    const kind = kinds.get(column)
    const fits =
      kind === undefined || kind === "both" || kind === (value.kind === "number" ? "numbers" : "texts")
    if (fits || told.has(column)) return []
    told.add(column)
    const compared = value.kind === "number" ? `the number ${value.value}` : `the text \`${value.value}\``
    return [report("CFX3123", { column, compared, found: kind, pool }, place)]
  })
}

interface Comparison {
  readonly column: string
  readonly value: Extract<ExprIR, { readonly kind: "number" | "string" }>
}

const comparisons = (expression: ExprIR): readonly Comparison[] => {
  if (expression.kind === "unary") return comparisons(expression.operand)
  if (expression.kind !== "binary") return []
  const { left, right } = expression
  return [...comparisons(left), ...comparisons(right), ...compared(left, right), ...compared(right, left)]
}

const compared = (side: ExprIR, other: ExprIR): readonly Comparison[] =>
  side.kind === "column" && (other.kind === "number" || (other.kind === "string" && other.value !== ""))
    ? [{ column: side.column, value: other }]
    : []
