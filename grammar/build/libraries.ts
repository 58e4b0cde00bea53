/** Imports, models, items and metrics: the concrete tree -> the syntax tree. */
import type { CstNode } from "chevrotain"
import type * as ast from "../ast.ts"
import {
  collect,
  has,
  inOrder,
  isNode,
  maybeToken,
  node,
  nodes,
  some,
  spanOfNode,
  token,
  tokens,
} from "../cst.ts"
import type { Docs } from "../docs.ts"
import { spanOf } from "../lex.ts"
import { grouped } from "../precedence.ts"
import { declared } from "./declared.ts"
import {
  buildExpression,
  buildOperations,
  expressionAt,
  nameAt,
  nameOf,
  numberOf,
  optional,
  pathOf,
  textOf,
  textsOf,
} from "./expressions.ts"

// ---------------------------------------------------------------- imports, models

const sumOf = (each: CstNode): { readonly sum?: ast.Sum } => {
  const sum = maybeToken(each, "Checksum")
  if (sum === undefined) return {}
  return { sum: { kind: "sum", digits: sum.image.slice(sum.image.indexOf(":") + 1), span: spanOf(sum) } }
}

export const importOf = (each: CstNode): ast.Import => ({
  kind: "import",
  names: collect(nodes(node(each, "importedNames"), "importedName"), (imported) => ({
    name: nameAt(imported, "name"),
    ...optional("alias", imported),
    span: spanOfNode(imported),
  })),
  from: textOf(each),
  ...sumOf(each),
  span: spanOfNode(each),
})

const attributeValueOf = (attribute: CstNode): ast.Attribute["value"] => {
  if (has(attribute, "attributes")) {
    const attributes = node(attribute, "attributes")
    return {
      kind: "attributes",
      attributes: collect(nodes(attributes, "innerAttribute"), attributeOf),
      span: spanOfNode(attributes),
    }
  }
  if (has(attribute, "text")) return textOf(attribute)
  return has(attribute, "Number") ? numberOf(token(attribute, "Number")) : nameAt(attribute, "value")
}

const attributeOf = (attribute: CstNode): ast.Attribute => ({
  key: nameAt(attribute, "key"),
  value: attributeValueOf(attribute),
  span: spanOfNode(attribute),
})

export const modelOf = (each: CstNode, docs: Docs): ast.Model => ({
  kind: "model",
  ...declared(each, docs),
  engine: nameAt(each, "engine"),
  file: textOf(each),
  attributes: collect(nodes(each, "attribute"), attributeOf),
})

// ---------------------------------------------------------------- items

export const columnOf = (column: CstNode): ast.Expression => {
  if (has(column, "text")) return textOf(column)
  const path = pathOf(node(column, "path"))
  if (!has(column, "callArguments")) return path
  const given = nodes(node(column, "callArguments"), "expression")
  return {
    kind: "call",
    callee: path,
    arguments: collect(given, buildExpression),
    span: spanOfNode(column),
  }
}

const mappingOf = (mapping: CstNode): ast.FieldMapping => ({
  field: "mapping",
  target: nameAt(mapping, "target"),
  columns: some(collect(nodes(mapping, "columns"), (each) => buildOperations(grouped(each), columnOf))),
  span: spanOfNode(mapping),
})

const itemsFieldOf = (each: CstNode): ast.ItemsField => {
  const span = spanOfNode(each)
  if (each.name === "fieldMapping") return mappingOf(each)
  if (has(each, "Records")) return { field: "records", path: pathOf(node(each, "path")), span }
  if (has(each, "Where")) return { field: "where", condition: expressionAt(each), span }
  if (has(each, "Shuffle")) {
    token(each, "Options")
    return { field: "shuffle", span }
  }
  if (has(each, "Experiment")) return { field: "experiment", experiment: nameAt(each), span }
  if (has(each, "Keep")) return { field: "keep", reads: some(tokens(each, "Word").map(nameOf)), span }
  if (has(each, "One")) {
    token(each, "Model")
    return { field: "one", metric: nameAt(each, "metric"), except: has(each, "Except"), span }
  }
  const count = numberOf(token(each, "Number"))
  if (has(each, "Strata")) return { field: "strata", column: nameAt(each), count, span }
  return { field: has(each, "Size") ? "size" : "choices", count, span }
}

const sourceOf = (source: CstNode): ast.Items["source"] => {
  const span = spanOfNode(source)
  if (has(source, "Run")) return { kind: "run", folder: textOf(source), span }
  return { kind: "files", files: some(textsOf(source)), span }
}

export const itemsOf = (each: CstNode, docs: Docs): ast.Items => ({
  kind: "items",
  ...declared(each, docs),
  source: sourceOf(node(each, "itemsSource")),
  fields: collect(
    inOrder(each)
      .filter(isNode)
      .filter(({ name }) => name !== "itemsSource"),
    itemsFieldOf,
  ),
})

// ---------------------------------------------------------------- metrics

/** Statistics of two expressions. */
const ofTwo = [
  ["Ratio", "ratio"],
  ["Kappa", "kappa"],
  ["Auroc", "auroc"],
  ["Difference", "difference"],
] as const

const metricFieldOf = (each: CstNode): ast.MetricField => {
  const span = spanOfNode(each)
  if (has(each, "Rate")) return { field: "rate", value: expressionAt(each), span }
  if (has(each, "Mean")) return { field: "mean", value: expressionAt(each), span }
  if (has(each, "Sum")) return { field: "sum", value: expressionAt(each), span }
  if (has(each, "Count")) return { field: "count", value: expressionAt(each), span }
  if (has(each, "Weight")) return { field: "weight", value: expressionAt(each), span }
  for (const [token, field] of ofTwo)
    if (has(each, token))
      return { field, value: expressionAt(each), other: buildExpression(node(each, "other")), span }
  if (has(each, "Given")) return { field: "given", condition: expressionAt(each), span }
  if (has(each, "Invalid")) return { field: "invalid", policy: nameAt(each), span }
  const number = numberOf(token(each, "Number"))
  if (has(each, "Quantile")) return { field: "quantile", at: number, value: expressionAt(each), span }
  return { field: "interval", method: nameAt(each), level: number, span }
}

export const metricOf = (each: CstNode, docs: Docs): ast.Metric => ({
  kind: "metric",
  ...declared(each, docs),
  ...optional("parent", each),
  parameters: nodes(each, "parameters").flatMap((list) =>
    collect(nodes(list, "parameter"), (parameter) => ({
      name: nameAt(parameter),
      default: expressionAt(parameter),
      span: spanOfNode(parameter),
    })),
  ),
  fields: collect(nodes(each, "metricField"), metricFieldOf),
})
