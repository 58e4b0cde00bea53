/** What an expression looks at. */
import type { ExprIR, HoleIR } from "./ir.ts"

/** An expression and all that are in it, from the outside inwards. */
export const nodesOf = (expression: ExprIR): readonly ExprIR[] => [
  expression,
  ...partsOf(expression).flatMap(nodesOf),
]

/** The expressions that one is made of. */
export function partsOf(expression: ExprIR): readonly ExprIR[] {
  switch (expression.kind) {
    case "unary":
      return [expression.operand]
    case "binary":
      return [expression.left, expression.right]
    case "p":
    case "raw":
      return [expression.option]
    case "among":
      return [expression.value]
    default:
      return []
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

/** Whether an expression is an option, by what it is: an answer, the gold one, the target or the pushed one. */
export const isOption = ({ kind }: ExprIR): boolean =>
  kind === "answer" || kind === "gold" || kind === "target" || kind === "pushed"

/** Whether a read comes to an option, which is the same wherever it stands; any other answer is the same where it says the same. */
export const isOfOptions = (hole: HoleIR): boolean =>
  (hole.type === "extract" ? hole.as : hole).type === "option"
