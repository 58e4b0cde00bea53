/** What an experiment compares, fits, shows and expects. */
import type { Experiment, ExperimentField, Expression } from "../../grammar/ast.ts"
import type {
  ContrastIR,
  EstimatorIR,
  ExpectIR,
  ExperimentIR,
  ExprIR,
  FamilyIR,
  FigureIR,
  ProtocolIR,
  PublishedIR,
  RestrictedIR,
  SummaryIR,
  TableIR,
} from "../ir.ts"
import { once } from "../memo.ts"
import type { Bound, Names } from "../resolve.ts"
import { claimOf, hundredth, marginOf } from "./claims.ts"
import { columnsOf, fieldsOf, outerColumns } from "./columns.ts"
import { lowerExpression } from "./expression.ts"
import { readsIn } from "./measures.ts"
import { levelName, print } from "./print.ts"
import { designScope, type ExpressionScope } from "./scope.ts"
import { STUDIED } from "./slotFills.ts"
import { originOf } from "./text.ts"

export type Analysis = Pick<
  ExperimentIR,
  "contrasts" | "fits" | "summaries" | "families" | "tables" | "figures" | "forests" | "expects" | "published"
>

export const lowerAnalysis = (bound: Bound<Experiment>, protocol: ProtocolIR, names: Names): Analysis => {
  const experiment = bound.declaration
  const columns = [...columnsOf(experiment, names).map(({ name }) => name), ...outerColumns]
  const scope = designScope(columns, protocol.roles, names, readsIn(protocol))
  const where = (condition: Expression | undefined) =>
    condition === undefined ? {} : { where: lowerExpression(condition, scope) }
  const levels = new Map(columnsOf(experiment, names).map((column) => [column.name, column.levels]))
  const restricted = (side: Term["side"]): RestrictedIR => {
    const { conditions, ...plain } = partsOfSide(side, scope.roles, levels)
    const test = allOf(conditions.map((condition) => lowerExpression(condition, scope)))
    return { ...plain, ...(test === undefined ? {} : { where: test }) }
  }
  return {
    contrasts: fieldsOf(experiment, "contrast").flatMap((field) => lowerContrast(field, bound, restricted)),
    fits: fieldsOf(experiment, "model_fit").map((field) => ({
      name: field.name.text,
      measure: field.metric.text,
      terms: lowerTerms(field.terms, scope),
      random: field.random.map(({ text }) => text),
      slopes: field.slopes.map(({ factor, by, correlated }) => ({
        factor: factor.text,
        by: by.text,
        ...(correlated ? { correlated } : {}),
      })),
      ...where(field.where),
      origin: originOf(bound, field.span),
    })),
    tables: fieldsOf(experiment, "table").map((table) => ({
      name: table.name.text,
      rows: table.rows.map(({ text }) => text),
      columns: table.columns.map(({ text }) => text),
      average: averageOf(table.average),
      ...where(table.where),
    })),
    summaries: fieldsOf(experiment, "summary").flatMap((field) =>
      lowerSummary(field, bound, restricted, where),
    ),
    families: fieldsOf(experiment, "family").map((family) => ({
      name: family.name.text,
      contrasts: family.contrasts.map(({ text }) => text),
      adjust: family.adjust.text as FamilyIR["adjust"],
      origin: originOf(bound, family.span),
    })),
    forests: fieldsOf(experiment, "forest").map(({ name, contrasts }) => ({
      name: name.text,
      contrasts: contrasts.map(({ text }) => text),
    })),
    published: fieldsOf(experiment, "expect").flatMap((field) => lowerPublished(field, bound, restricted)),
    figures: fieldsOf(experiment, "figure").map((figure) => ({
      name: figure.name.text,
      mark: figure.mark.text as FigureIR["mark"],
      measure: figure.measure.text,
      by: figure.by.text,
      ...(figure.color === undefined ? {} : { color: figure.color.text }),
      ...(figure.facet === undefined ? {} : { facet: figure.facet.text }),
      ...where(figure.where),
    })),
    expects: fieldsOf(experiment, "expect").flatMap((field) => lowerExpect(field, bound)),
  }
}

type Restrict = (side: Term["side"]) => RestrictedIR

// ---------------------------------------------------------------- contrasts

/** A measure over some of the trials, and its sign in a sum of such. */
export interface Term {
  readonly sign: 1 | -1
  /** `HRR[framing = experts]`, or a measure by its bare name. */
  readonly side: Extract<Expression, { kind: "name" | "restriction" }>
}

/** The signed sum that an expression is; none where something else stands in it than measures, `+` and `-`. */
export const termsOf = (expression: Expression, sign: 1 | -1 = 1): readonly Term[] | undefined => {
  if (expression.kind === "name" || expression.kind === "restriction") return [{ sign, side: expression }]
  const turned = sign === 1 ? -1 : 1
  if (expression.kind === "unary" && expression.operator === "-") return termsOf(expression.operand, turned)
  if (expression.kind !== "binary") return undefined
  if (expression.operator !== "+" && expression.operator !== "-") return undefined
  const left = termsOf(expression.left, sign)
  const right = termsOf(expression.right, expression.operator === "-" ? turned : sign)
  return left === undefined || right === undefined ? undefined : [...left, ...right]
}

export const restrictedOf = once((side: Term["side"]): RestrictedIR => {
  if (side.kind === "name") return { measure: side.text, levels: {} }
  const levels = side.levels.map(({ factor, level }) => [factor.text, levelName(level)] as const)
  return { measure: side.measure.text, levels: Object.fromEntries(levels) }
})

/** Levels by column; none where they are not known. */
type ColumnLevels = ReadonlyMap<string, readonly string[] | undefined>

/**
 * A restriction in its two parts: levels, and conditions that are more than one level: `source != model`, `framing in { people, experts }`. So is
 * `source = model` where the factor's levels are models by name: it means that the studied one is the source.
 */
export const partsOfSide = (side: Term["side"], roles: ReadonlySet<string>, columns: ColumnLevels) => {
  const { measure, levels } = restrictedOf(side)
  if (side.kind === "name") return { measure, levels, conditions: [] }
  const studied = side.levels.filter(
    ({ factor, level }) =>
      roles.has(factor.text) && levelName(level) === STUDIED && !columns.get(factor.text)?.includes(STUDIED),
  )
  const same = studied.map(
    ({ factor, level, span }): Expression => ({
      kind: "binary",
      operator: "==",
      left: factor,
      right: level,
      span,
    }),
  )
  const compared = new Set(studied.map(({ factor }) => factor.text))
  return {
    measure,
    levels: Object.fromEntries(Object.entries(levels).filter(([factor]) => !compared.has(factor))),
    conditions: [...same, ...side.conditions],
  }
}

/** Several conditions as one; none of none. */
export const allOf = (conditions: readonly ExprIR[]): ExprIR | undefined =>
  conditions.length === 0
    ? undefined
    : conditions.reduce((left, right) => ({ kind: "binary", operator: "and", left, right }))

/** The columns in `cells(model, pool)` and the like; none for another expression. */
export const columnsIn = (expression: Expression, head: "cells" | "signs" | "macro" | "median") => {
  if (expression.kind !== "call" || expression.callee.kind !== "name" || expression.callee.text !== head)
    return undefined
  const columns = expression.arguments.flatMap((argument) => (argument.kind === "name" ? [argument] : []))
  return columns.length === expression.arguments.length ? columns : undefined
}

/** How the interval of a contrast is taken; none for what is no way. */
export const estimatorOf = (way: Expression): EstimatorIR | undefined => {
  const written = print(way)
  if (written === "paired(item)") return "paired"
  if (written === "permutation(item)") return "permutation"
  if (written === "pooled" || written === "two_sample" || written === "mixed_logistic") return written
  const signs = columnsIn(way, "signs")
  const cells = signs ?? columnsIn(way, "cells")
  if (cells === undefined || cells.length === 0) return undefined
  return { cells: cells.map(({ text }) => text), ...(signs === undefined ? {} : { signs: true }) }
}

const lowerContrast = (
  field: Extract<ExperimentField, { field: "contrast" }>,
  bound: Bound<Experiment>,
  restricted: Restrict,
): readonly ContrastIR[] => {
  const terms = termsOf(field.value)
  if (terms === undefined) return []
  return [
    {
      name: field.name.text,
      doc: "",
      terms: terms.map(({ sign, side }) => ({ ...restricted(side), sign })),
      by: field.by.flatMap((way) => estimatorOf(way) ?? []),
      origin: originOf(bound, field.span),
    },
  ]
}

// ---------------------------------------------------------------- summaries, tables and fits

const lowerSummary = (
  field: Extract<ExperimentField, { field: "summary" }>,
  bound: Bound<Experiment>,
  restricted: Restrict,
  where: (condition: Expression | undefined) => { readonly where?: ExprIR },
): readonly SummaryIR[] => {
  const [measure] = termsOf(field.measure) ?? []
  const [against] = (field.against && termsOf(field.against)) ?? []
  if (measure === undefined) return []
  return [
    {
      name: field.name.text,
      doc: "",
      of: field.statistic.text as SummaryIR["of"],
      measure: restricted(measure.side),
      ...(against === undefined ? {} : { against: restricted(against.side) }),
      over: field.over.map(({ text }) => text),
      by: field.by.map(({ text }) => text),
      ...where(field.where),
      origin: originOf(bound, field.span),
    },
  ]
}

const averageOf = (average: Expression | undefined): TableIR["average"] => {
  if (average === undefined) return "pooled"
  const median = columnsIn(average, "median")
  const cells = median ?? columnsIn(average, "macro")
  if (cells === undefined) return "pooled"
  return { macro: cells.map(({ text }) => text), ...(median === undefined ? {} : { of: "median" }) }
}

/** The factors of each product in a sum. */
export const productsIn = (terms: Expression): readonly (readonly Expression[])[] => {
  if (terms.kind === "binary" && terms.operator === "+")
    return [...productsIn(terms.left), ...productsIn(terms.right)]
  return [factorsIn(terms)]
}

const factorsIn = (product: Expression): readonly Expression[] =>
  product.kind === "binary" && product.operator === "*"
    ? [...factorsIn(product.left), ...factorsIn(product.right)]
    : [product]

const lowerTerms = (terms: Expression, scope: ExpressionScope): readonly (readonly ExprIR[])[] =>
  productsIn(terms).map((product) => product.map((factor) => lowerExpression(factor, scope)))

// ---------------------------------------------------------------- expectations

type ExpectField = Extract<ExperimentField, { field: "expect" }>

const lowerPublished = (
  { claim, span }: ExpectField,
  bound: Bound<Experiment>,
  restricted: Restrict,
): readonly PublishedIR[] => {
  if (claim.kind !== "published") return []
  const [side] = termsOf(claim.measure) ?? []
  if (side === undefined) return []
  const { value, percent, margin, points } = claim
  const said = `${print(claim.measure)} equals ${value.value}${percent ? " percent" : ""}`
  return [
    {
      text: `${said} within ${margin.value}${points ? " pp" : ""}`,
      measure: restricted(side.side),
      value: percent ? hundredth(value.value) : value.value,
      within: marginOf(claim),
      origin: originOf(bound, span),
    },
  ]
}

const lowerExpect = ({ claim, span }: ExpectField, bound: Bound<Experiment>): readonly ExpectIR[] => {
  if (claim.kind === "equivalent") {
    const { contrast, margin, points } = claim
    const text = `${contrast.text} equivalent within ${margin.value}${points ? " pp" : ""}`
    const origin = originOf(bound, span)
    return [{ kind: "equivalent", text, contrast: contrast.text, margin: marginOf(claim), origin }]
  }
  if (claim.kind === "published") return []
  const said = claimOf(claim.value)
  if (said === undefined) return []
  const { subject, operator } = said
  const rest = {
    kind: "comparison" as const,
    text: print(claim.value),
    operator,
    bound: said.bound,
    origin: originOf(bound, claim.value.span),
  }
  if (subject.kind === "name") return [{ ...rest, contrast: subject.text, of: "estimate" }]
  if (subject.kind !== "member" || subject.object.kind !== "name") return []
  return [{ ...rest, contrast: subject.object.text, of: subject.property.text as "low" | "high" }]
}
