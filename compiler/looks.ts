/** What an expression looks at. */
import type { ExprIR } from "./ir.ts"

/** An expression and all that are in it, from the outside inwards. */
export function nodesOf(expression: ExprIR): readonly ExprIR[] {
  switch (expression.kind) {
    case "unary":
      return [expression, ...nodesOf(expression.operand)]
    case "binary":
      return [expression, ...nodesOf(expression.left), ...nodesOf(expression.right)]
    case "p":
    case "raw":
      return [expression, ...nodesOf(expression.option)]
    case "among":
      return [expression, ...nodesOf(expression.value)]
    default:
      return [expression]
  }
}

/** The reads that an expression looks at, each once. */
export const holesIn = (expression: ExprIR): readonly string[] =>
  unique(
    nodesOf(expression).flatMap((node) =>
      node.kind === "sequence" ? node.holes : "hole" in node ? [node.hole] : [],
    ),
  )

/** The columns of the item that an expression looks at, each once. */
export const columnsIn = (expression: ExprIR): readonly string[] =>
  unique(nodesOf(expression).flatMap((node) => (node.kind === "column" ? [node.column] : [])))

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)]

/** Whether an expression looks at the option that a trial is about. */
export const looksAtTarget = (expression: ExprIR): boolean =>
  nodesOf(expression).some(({ kind }) => kind === "target" || kind === "pushed")
