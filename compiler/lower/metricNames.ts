/** The names that a metric uses. */
import type { Expression, Name } from "../../grammar/ast.ts"

/** Every name in an expression that may stand for a read or a lexicon, and those that values start with. */
export const namesIn = (expression: Expression | undefined): readonly Name[] => {
  switch (expression?.kind) {
    case "name":
      return [expression]
    case "member":
    case "index":
      return namesIn(expression.object)
    case "list":
      return expression.elements.flatMap(namesIn)
    case "call":
      return [expression.callee, ...expression.arguments].flatMap((one) =>
        one === expression.callee && one.kind === "name" ? [] : namesIn(one),
      )
    case "is":
    case "membership":
      return namesIn(expression.subject)
    case "unary":
      return namesIn(expression.operand)
    case "binary":
      return [expression.left, expression.right].flatMap(namesIn)
    default:
      return []
  }
}
