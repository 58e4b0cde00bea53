/** The fields of an experiment: the concrete tree -> the syntax tree. */
import type { CstNode } from "chevrotain"
import type * as ast from "../ast.ts"
import { collect, has, inOrder, isNode, node, nodes, slip, spanOfNode, token } from "../cst.ts"
import type { Docs } from "../docs.ts"
import {
  assumeOf,
  contrastOf,
  expectOf,
  familyOf,
  figureOf,
  measureOf,
  modelFitOf,
  summaryOf,
  tableOf,
} from "./analyses.ts"
import { declared } from "./declared.ts"
import { expressionAt, levelsOf, nameAt, numberOf, textOf } from "./expressions.ts"
import { recordsOf } from "./records.ts"

const varied = (each: CstNode): "seed" | "target" | "options" | undefined => {
  if (has(each, "Seed")) return "seed"
  if (has(each, "Target")) return "target"
  return has(each, "Options") ? "options" : undefined
}

/** One level, or `in { ... }`. */
const variedLevelsOf = (each: CstNode): readonly ast.Expression[] => {
  if (has(each, "In")) return levelsOf(each)
  return has(each, "Number") ? [numberOf(token(each, "Number"))] : [expressionAt(each)]
}

const fieldOf = (each: CstNode): ast.ExperimentField => {
  const span = spanOfNode(each)
  const field = varied(each)
  if (field !== undefined) return { field, levels: variedLevelsOf(each), span }
  if (has(each, "Protocol")) return { field: "protocol", protocol: nameAt(each), span }
  if (has(each, "Replicates")) {
    return { field: "replicates", count: numberOf(token(each, "Number")), span }
  }
  if (has(each, "Tolerate")) return { field: "tolerate", share: numberOf(token(each, "Number")), span }
  if (has(each, "Independent")) return { field: "independent", span }
  if (has(each, "Only")) return { field: "only", condition: expressionAt(each), span }
  if (has(each, "Except")) return { field: "except", condition: expressionAt(each), span }
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
  ...(has(use, "Per") ? { per: nameAt(use, "per") } : {}),
  ...(has(use, "Where") ? { where: expressionAt(use) } : {}),
  span: spanOfNode(use),
})

// ---------------------------------------------------------------- factors, arms

/** What stands behind a factor's name: `in { a, b }`, `= a`. */
const factorLevelsOf = (each: CstNode): readonly ast.Expression[] => {
  if (!has(each, "equated")) return levelsOf(each)
  const equated = node(each, "equated")
  return has(equated, slip) ? levelsOf(equated, slip) : [expressionAt(equated)]
}

const factorOf = (each: CstNode): ast.FactorField => ({
  field: "factor",
  factor: nameAt(each, "factor"),
  levels: has(each, "Models") ? "models" : factorLevelsOf(each),
  span: spanOfNode(each),
})

const argumentOf = (argument: CstNode): ast.AssertionArgument => ({
  factor: nameAt(argument, "factor"),
  levels: factorLevelsOf(argument),
  span: spanOfNode(argument),
})

const assertionOf = (assertion: CstNode): ast.Assertion => ({
  kind: "assertion",
  arguments: collect(nodes(node(assertion, "assertionArguments"), "assertionArgument"), argumentOf),
  span: spanOfNode(assertion),
})

const armOf = (arm: CstNode): ast.Arm => ({
  name: nameAt(arm, "name"),
  stimulus: has(arm, "block") ? nameAt(arm, "block") : assertionOf(node(arm, "assertion")),
  span: spanOfNode(arm),
})

const builders: Record<string, (each: CstNode) => ast.ExperimentField> = {
  experimentField: fieldOf,
  factor: factorOf,
  arms: (each) => ({ field: "arms", arms: collect(nodes(each, "arm"), armOf), span: spanOfNode(each) }),
  measure: measureOf,
  summary: summaryOf,
  contrast: contrastOf,
  family: familyOf,
  modelFit: modelFitOf,
  table: tableOf,
  figure: figureOf,
  assume: assumeOf,
  expect: expectOf,
  records: recordsOf,
}

export const experimentOf = (each: CstNode, docs: Docs): ast.Experiment => ({
  kind: "experiment",
  ...declared(each, docs),
  fields: collect(inOrder(each).filter(isNode), (field) => builders[field.name]!(field)),
})
