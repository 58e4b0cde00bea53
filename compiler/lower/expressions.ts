/** Walks over expressions, whatever they mean. */
import type { Declaration, Expression, MetricField } from "../../grammar/ast.ts"

/** An expression and all that stand in it, outermost first. Properties and levels of restrictions are names of their own kinds: they are no expressions here. */
export const expressionsIn = (expression: Expression): readonly Expression[] => [
  expression,
  ...partsOf(expression).flatMap(expressionsIn),
]

const partsOf = (expression: Expression): readonly Expression[] => {
  switch (expression.kind) {
    case "name":
    case "number":
    case "text":
    case "except":
    case "restriction":
      return []
    case "member":
      return [expression.object]
    case "call":
      return [expression.callee, ...expression.arguments]
    case "index":
      return [expression.object, expression.index]
    case "list":
      return expression.elements
    case "unary":
      return [expression.operand]
    case "binary":
      return [expression.left, expression.right]
    case "is":
      return [expression.subject]
    case "membership":
      return [expression.subject]
    default:
      return expression satisfies never
  }
}

/** The expressions over trials, and over rows of pools, that a declaration holds. */
export const expressionsOf = (declaration: Declaration): readonly Expression[] => {
  switch (declaration.kind) {
    case "metric":
      return declaration.fields.flatMap(ofMetric)
    case "items":
      return declaration.fields.flatMap((field) => (field.field === "where" ? [field.condition] : []))
    case "protocol":
      return declaration.turns.flatMap(({ when }) => when ?? [])
    case "experiment":
      return declaration.fields.flatMap((field): readonly Expression[] => {
        switch (field.field) {
          case "items":
            return field.pools.flatMap(({ where }) => where ?? [])
          case "only":
          case "except":
            return [field.condition]
          case "model_fit":
            return [field.terms, ...(field.where === undefined ? [] : [field.where])]
          case "summary":
          case "table":
          case "figure":
            return field.where === undefined ? [] : [field.where]
          default:
            return []
        }
      })
    default:
      return []
  }
}

const ofMetric = (field: MetricField): readonly Expression[] => {
  switch (field.field) {
    case "given":
      return [field.condition]
    case "interval":
    case "invalid":
      return []
    case "ratio":
    case "kappa":
    case "auroc":
    case "difference":
      return [field.value, field.other]
    default:
      return [field.value]
  }
}
