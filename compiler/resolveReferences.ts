import type { Declaration, DeclarationKind, Expression, Name } from "../grammar/ast.ts"

/** A name that stands for a declaration, and what kind of declaration must stand there. */
export interface Reference {
  readonly name: Name
  readonly kind: DeclarationKind
}

/** Factors of an assertion whose levels are declarations. */
export const declaredFactors: ReadonlyMap<string, DeclarationKind> = new Map([
  ["framing", "framing"],
  ["dose", "dose"],
  ["paraphrase", "paraphrase"],
])

/** The names of a declaration that must be declared in its file or imported. Measures of contrasts are the experiment's own. */
export const referencesOf = (declaration: Declaration): readonly Reference[] => {
  switch (declaration.kind) {
    case "framing":
      return [
        ...optional(declaration.parent, "framing"),
        ...declaration.fields.flatMap((field) =>
          field.field === "speakers" ? [{ name: field.roster, kind: "roster" as const }] : [],
        ),
      ]
    case "metric":
      return optional(declaration.parent, "metric")
    case "experiment":
      return declaration.fields.flatMap((field): readonly Reference[] => {
        switch (field.field) {
          case "protocol":
            return [{ name: field.protocol, kind: "protocol" }]
          case "models":
            return field.models.map((name) => ({ name, kind: "model" }))
          case "items":
            return field.pools.map(({ pool }) => ({ name: pool, kind: "items" }))
          case "measure":
            return [{ name: field.metric, kind: "metric" }]
          case "arms":
            return field.arms.flatMap(({ stimulus }): readonly Reference[] =>
              stimulus.kind === "name"
                ? [{ name: stimulus, kind: "block" }]
                : stimulus.arguments.flatMap(({ factor, levels }) => {
                    const kind = declaredFactors.get(factor.text)
                    return kind === undefined ? [] : levels.flatMap((level) => optional(headOf(level), kind))
                  }),
            )
          default:
            return []
        }
      })
    case "model":
    case "items":
    case "roster":
    case "paraphrase":
    case "dose":
    case "block":
    case "protocol":
      return []
    default:
      return declaration satisfies never
  }
}

/** Measures that contrasts, tables and figures name: whoever only mentions one there has not left its import unused. */
export const mentionsOf = (declaration: Declaration): readonly string[] => {
  if (declaration.kind !== "experiment") return []
  return declaration.fields.flatMap((field) => {
    if (field.field === "contrast") return measuresIn(field.value)
    if (field.field === "table") return field.columns.map(({ text }) => text)
    return field.field === "figure" ? [field.measure.text] : []
  })
}

const measuresIn = (value: Expression): readonly string[] => {
  if (value.kind === "binary") return [...measuresIn(value.left), ...measuresIn(value.right)]
  if (value.kind === "restriction") return [value.measure.text]
  return value.kind === "name" ? [value.text] : []
}

/** The name that a level goes by: of `people` itself, of `distinct(6)` the part before the arguments. */
export const headOf = (level: Expression): Name | undefined => {
  if (level.kind === "name") return level
  return level.kind === "call" && level.callee.kind === "name" ? level.callee : undefined
}

const optional = (name: Name | undefined, kind: DeclarationKind): readonly Reference[] =>
  name === undefined ? [] : [{ name, kind }]
