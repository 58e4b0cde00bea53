/** What an experiment says of its results: the concrete tree -> the syntax tree. */
import type { CstNode } from "chevrotain"
import type * as ast from "../ast.ts"
import { collect, has, node, nodes, some, spanOfNode, token, tokens } from "../cst.ts"
import { spanOf } from "../lex.ts"
import { join } from "../source.ts"
import { buildExpression, expressionAt, nameAt, nameOf, numberOf, optional } from "./expressions.ts"

export const measureOf = (each: CstNode): ast.MeasureField => {
  const span = spanOfNode(each)
  const name = nameAt(each, "name")
  if (!has(each, "Equals")) return { field: "measure", metric: name, arguments: [], span }
  const given = nodes(each, "parameters").flatMap((list) => nodes(list, "parameter"))
  return {
    field: "measure",
    name,
    metric: nameAt(each, "metric"),
    arguments: collect(given, (each) => ({ parameter: nameAt(each), value: expressionAt(each) })),
    span,
  }
}

export const summaryOf = (each: CstNode): ast.SummaryField => ({
  field: "summary",
  name: nameAt(each, "name"),
  statistic: nameAt(each, "statistic"),
  measure: buildExpression(node(each, "measure")),
  ...(has(each, "Against") ? { against: buildExpression(node(each, "against")) } : {}),
  over: some(tokens(each, "column").map(nameOf)),
  by: tokens(each, "by").map(nameOf),
  ...whereOf(each),
  span: spanOfNode(each),
})

export const familyOf = (each: CstNode): ast.FamilyField => ({
  field: "family",
  name: nameAt(each, "name"),
  contrasts: some(tokens(each, "contrast").map(nameOf)),
  adjust: nameAt(each, "adjust"),
  span: spanOfNode(each),
})

export const contrastOf = (each: CstNode): ast.ContrastField => ({
  field: "contrast",
  name: nameAt(each),
  value: buildExpression(node(each, "value")),
  by: some(collect(nodes(each, "by"), buildExpression)),
  span: spanOfNode(each),
})

const whereOf = (each: CstNode): { readonly where?: ast.Expression } =>
  has(each, "Where") ? { where: expressionAt(each) } : {}

export const modelFitOf = (each: CstNode): ast.ModelFitField => ({
  field: "model_fit",
  name: nameAt(each, "name"),
  metric: nameAt(each, "metric"),
  terms: buildExpression(node(each, "terms")),
  random: nodes(each, "randomFactors").flatMap((list) =>
    collect(nodes(list, "name"), (factor) => nameAt(factor)),
  ),
  slopes: nodes(each, "slopes").flatMap((list) =>
    collect(nodes(list, "slope"), (slope) => ({
      factor: nameAt(slope, "factor"),
      by: nameAt(slope, "by"),
      correlated: has(slope, "Correlated"),
    })),
  ),
  ...whereOf(each),
  span: spanOfNode(each),
})

export const tableOf = (each: CstNode): ast.TableField => ({
  field: "table",
  name: nameAt(each),
  rows: some(tokens(each, "row").map(nameOf)),
  columns: some(tokens(each, "column").map(nameOf)),
  ...(has(each, "Average") ? { average: buildExpression(node(each, "average")) } : {}),
  ...whereOf(each),
  span: spanOfNode(each),
})

export const figureOf = (each: CstNode): ast.FigureField | ast.ForestField =>
  has(each, "Forest") ? forestOf(each) : marksOf(each)

const forestOf = (each: CstNode): ast.ForestField => ({
  field: "forest",
  name: nameAt(each),
  contrasts: tokens(each, "contrast").map(nameOf),
  span: spanOfNode(each),
})

const marksOf = (each: CstNode): ast.FigureField => ({
  field: "figure",
  name: nameAt(each),
  mark: nameAt(each, "mark"),
  measure: nameAt(each, "measure"),
  by: nameAt(each, "factor"),
  ...optional("color", each),
  ...optional("facet", each),
  ...whereOf(each),
  span: spanOfNode(each),
})

const claimOf = (each: CstNode): ast.ExpectField["claim"] => {
  if (has(each, "Equivalent"))
    return {
      kind: "equivalent",
      contrast: nameAt(each),
      margin: numberOf(token(each, "Number")),
      points: has(each, "Points"),
    }
  if (!has(each, "publishedNumber")) return { kind: "comparison", value: expressionAt(each) }
  const published = node(each, "publishedNumber")
  return {
    kind: "published",
    measure: expressionAt(each),
    value: signed(published),
    percent: has(published, "Percent"),
    margin: numberOf(token(published, "margin")),
    points: has(published, "Points"),
  }
}

const signed = (published: CstNode): ast.NumberLiteral => {
  const number = numberOf(token(published, "value"))
  if (!has(published, "Minus")) return number
  return {
    ...number,
    value: -number.value,
    written: `-${number.written}`,
    span: join(spanOf(token(published, "Minus")), number.span),
  }
}

export const expectOf = (each: CstNode): ast.ExpectField => ({
  field: "expect",
  claim: claimOf(each),
  span: spanOfNode(each),
})

const assumedLevelOf = (each: CstNode): ast.AssumeEntry => ({
  name: nameAt(each),
  value: numberOf(token(each, "Number")),
  span: spanOfNode(each),
})

const assumptionOf = (each: CstNode): ast.AssumeEntry =>
  has(each, "Number")
    ? assumedLevelOf(each)
    : {
        name: nameAt(each),
        value: collect(nodes(node(each, "assumedLevels"), "assumedLevel"), assumedLevelOf),
        span: spanOfNode(each),
      }

export const assumeOf = (each: CstNode): ast.ExperimentField => ({
  field: "assume",
  entries: collect(nodes(each, "assumption"), assumptionOf),
  span: spanOfNode(each),
})
