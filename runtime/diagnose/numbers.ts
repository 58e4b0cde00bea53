/** Numbers of a read, such as its confidence: what is assumed speaks of answers, so that these are drawn apart or not at all. */
import type { ExprIR } from "../../compiler/ir.ts"
import { nodesOf } from "../../compiler/looks.ts"

/** What asks only which answer reads gave or how they came out, and what is made of that. */
const ANSWERS: readonly ExprIR["kind"][] = [
  ...["number", "string", "answer", "gold", "target", "pushed", "label", "column", "choices"],
  ...["attribute", "lines", "state", "sequence", "role", "level", "among", "unary", "binary"],
] as const

/** Whether an expression looks at more of its reads than which answer they gave or whether they were refused. */
export const looksAtNumbers = (expression: ExprIR): boolean =>
  nodesOf(expression).some(({ kind }) => !ANSWERS.includes(kind))
