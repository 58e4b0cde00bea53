/** The fields of an experiment: the concrete tree -> the syntax tree. */
import type { CstNode } from "chevrotain"
import type * as ast from "./ast.ts"
import { collect, has, inOrder, isNode, node, nodes, some, spanOfNode, token, tokens } from "./cst.ts"
import { buildExpression, expressionAt, nameAt, nameOf, numberOf, textOf } from "./expression.ts"

export const buildExperiment = (experiment: CstNode): ast.ExperimentField[] =>
  collect(inOrder(experiment).filter(isNode), (field) => builders[field.name]!(field))

const fieldOf = (each: CstNode): ast.ExperimentField => {
  const span = spanOfNode(each)
  if (has(each, "Protocol")) return { field: "protocol", protocol: nameAt(each), span }
  if (has(each, "Measure")) return { field: "measure", metric: nameAt(each), span }
  if (has(each, "Seed")) return { field: "seed", seed: numberOf(token(each, "Number")), span }
  if (has(each, "Target")) return { field: "target", target: expressionAt(each), span }
  if (has(each, "Expect")) return { field: "expect", claim: expressionAt(each), span }
  if (has(each, "Allow")) return { field: "allow", code: nameAt(each), reason: textOf(each), span }
  if (has(each, "Models")) {
    const models = collect(nodes(node(each, "modelNames"), "name"), (model) => nameAt(model))
    return { field: "models", models, span }
  }
  return { field: "items", pools: collect(nodes(node(each, "pools"), "poolUse"), poolUseOf), span }
}

const poolUseOf = (use: CstNode): ast.PoolUse => ({
  pool: nameAt(use),
  ...(has(use, "Sample") ? { sample: numberOf(token(use, "Number")) } : {}),
  span: spanOfNode(use),
})

const argumentOf = (argument: CstNode): ast.AssertionArgument => ({
  factor: nameAt(argument, "factor"),
  levels: has(argument, "levels")
    ? collect(nodes(node(argument, "levels"), "expression"), buildExpression)
    : [expressionAt(argument)],
  span: spanOfNode(argument),
})

const armOf = (arm: CstNode): ast.Arm => ({
  name: nameAt(arm, "name"),
  stimulus: has(arm, "block") ? nameAt(arm, "block") : assertionOf(node(arm, "assertion")),
  span: spanOfNode(arm),
})

const assertionOf = (assertion: CstNode): ast.Assertion => ({
  kind: "assertion",
  arguments: collect(nodes(node(assertion, "assertionArguments"), "assertionArgument"), argumentOf),
  span: spanOfNode(assertion),
})

const contrastOf = (each: CstNode): ast.ContrastField => ({
  field: "contrast",
  name: nameAt(each),
  value: buildExpression(node(each, "value")),
  by: some(collect(nodes(each, "by"), buildExpression)),
  span: spanOfNode(each),
})

const whereOf = (each: CstNode): { readonly where?: ast.Expression } =>
  has(each, "Where") ? { where: expressionAt(each) } : {}

const tableOf = (each: CstNode): ast.TableField => ({
  field: "table",
  name: nameAt(each),
  rows: some(tokens(each, "row").map(nameOf)),
  columns: some(tokens(each, "column").map(nameOf)),
  ...(has(each, "Average") ? { average: nameAt(each, "average") } : {}),
  ...whereOf(each),
  span: spanOfNode(each),
})

const figureOf = (each: CstNode): ast.FigureField => ({
  field: "figure",
  name: nameAt(each),
  mark: nameAt(each, "mark"),
  measure: nameAt(each, "measure"),
  by: nameAt(each, "factor"),
  ...(has(each, "Color") ? { color: nameAt(each, "color") } : {}),
  ...whereOf(each),
  span: spanOfNode(each),
})

const builders: Record<string, (each: CstNode) => ast.ExperimentField> = {
  experimentField: fieldOf,
  arms: (each) => ({ field: "arms", arms: collect(nodes(each, "arm"), armOf), span: spanOfNode(each) }),
  contrast: contrastOf,
  table: tableOf,
  figure: figureOf,
}
