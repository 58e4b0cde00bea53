/** Expressions as a person writes them, in one way only. */
import type { Expression } from "../../grammar/ast.ts"

/** A level or a claim as a person writes it: `distinct(6)`. */
export const print = (expression: Expression): string => {
  switch (expression.kind) {
    case "name":
      return expression.text
    case "number":
      return String(expression.value)
    case "text":
      return JSON.stringify(charactersOf(expression))
    case "member":
      return `${print(expression.object)}.${expression.property.text}`
    case "call":
      return `${print(expression.callee)}(${expression.arguments.map(print).join(", ")})`
    case "index":
      return `${expression.object.text}[${print(expression.index)}]`
    case "list":
      return `[${expression.elements.map(print).join(", ")}]`
    case "is":
      return `${operand(expression.subject)} is ${expression.state.text}`
    case "membership":
      return `${operand(expression.subject)} in { ${expression.levels.map(print).join(", ")} }`
    case "except": {
      const { structure, place, as } = expression
      return `${structure.text} except ${print(place)}${as === undefined ? "" : ` = ${as.text}`}`
    }
    case "unary":
      return expression.operator === "not"
        ? `not ${print(expression.operand)}`
        : `-${print(expression.operand)}`
    case "binary":
      return `${operand(expression.left)} ${expression.operator} ${operand(expression.right)}`
    case "restriction":
      return `${expression.measure.text}[${[
        ...expression.levels.map(({ factor, level }) => `${factor.text} = ${print(level)}`),
        ...expression.conditions.map(print),
      ].join(", ")}]`
    default:
      return expression satisfies never
  }
}

const operand = (expression: Expression): string =>
  expression.kind === "binary" ? `(${print(expression)})` : print(expression)

/** The name of a level: as it is written, a text without its quotes. */
export const levelName = (level: Expression): string =>
  level.kind === "text" ? charactersOf(level) : print(level)

const charactersOf = ({ parts }: Extract<Expression, { kind: "text" }>): string =>
  parts
    .map((part) => {
      if (part.kind === "chars") return part.text
      return part.kind === "placeholder" ? `{${print(part.path)}}` : `{${part.name.text}}`
    })
    .join("")
