/** Phase 5: a spec without errors -> its meaning. Inheritance is applied, places are named, arms are crossed. */
import type { Experiment, Expression, Items, Model, NumberLiteral } from "../../grammar/ast.ts"
import type { CompileOptions } from "../compiled.ts"
import type { ExperimentIR, ItemFields, ModelIR, PoolIR, Program, TargetIR } from "../ir.ts"
import { type Module, relativeTo } from "../load.ts"
import type { Bound, Names } from "../resolve.ts"
import { lowerArms } from "./arms.ts"
import { columnsOf, fieldsOf } from "./columns.ts"
import { lowerAnalysis, lowerMeasure } from "./measures.ts"
import { lowerProtocol } from "./protocol.ts"
import { columnPath, lowerPlain, originOf } from "./text.ts"

/**
 * The program of a spec whose checks found no error: its own experiments, and the models and pools that they use, under the names
 * that they have in the spec.
 */
export const lower = (spec: Module, names: Names, options: CompileOptions): Program => {
  const models = new Map<string, ModelIR>()
  const pools = new Map<string, PoolIR>()
  const experiments: ExperimentIR[] = []
  for (const declaration of spec.file.declarations) {
    if (declaration.kind !== "experiment") continue
    for (const name of fieldsOf(declaration, "models").flatMap((field) => field.models)) {
      const model = names.find(name, "model")
      if (model !== undefined) models.set(name.text, lowerModel(name.text, model, options))
    }
    for (const { pool: name } of fieldsOf(declaration, "items").flatMap((field) => field.pools)) {
      const pool = names.find(name, "items")
      if (pool !== undefined) pools.set(name.text, lowerPool(name.text, pool, options))
    }
    const experiment = lowerExperiment({ declaration, module: spec }, names)
    if (experiment !== undefined) experiments.push(experiment)
  }
  return {
    version: 1,
    models: [...models.values()],
    pools: [...pools.values()],
    experiments,
    doc: spec.file.doc,
  }
}

const lowerModel = (name: string, bound: Bound<Model>, options: CompileOptions): ModelIR => {
  const { declaration, module } = bound
  const replaced = replacementOf(name, options.models)
  const values = new Map(declaration.attributes.map(({ key, value }) => [key.text, plainValue(value)]))
  const bytes = values.get("bytes")
  const sha256 = values.get("sha256")
  const attributes = Object.fromEntries([...values].filter(([key]) => key !== "bytes" && key !== "sha256"))
  return {
    name,
    engine: "gguf",
    file: replaced ?? relativeTo(module.path, lowerPlain(declaration.file)),
    ...(replaced === undefined && typeof bytes === "number" ? { bytes } : {}),
    ...(replaced === undefined && typeof sha256 === "string" ? { sha256: sha256.toLowerCase() } : {}),
    attributes,
    doc: declaration.doc,
    origin: originOf(bound, declaration.name.span),
  }
}

/** The file that stands in for a declared one; a name such as `constructor` must not find what every object has. */
const replacementOf = (
  name: string,
  files: Readonly<Record<string, string>> | undefined,
): string | undefined => (files !== undefined && Object.hasOwn(files, name) ? files[name] : undefined)

const plainValue = (value: Model["attributes"][number]["value"]): string | number => {
  if (value.kind === "number") return value.value
  return value.kind === "name" ? value.text : lowerPlain(value)
}

/** A pool under the name that it has in the spec, its file as replaced by `--items`. */
export const lowerPool = (name: string, bound: Bound<Items>, options: CompileOptions): PoolIR => {
  const { declaration, module } = bound
  return {
    name,
    file: replacementOf(name, options.items) ?? relativeTo(module.path, lowerPlain(declaration.file)),
    fields: lowerFields(declaration),
    doc: declaration.doc,
    origin: originOf(bound, declaration.name.span),
  }
}

const lowerFields = (items: Items): ItemFields => {
  const path = (field: keyof ItemFields) => {
    const mapping = items.fields.find((one) => one.field.text === field)
    const [column] = mapping?.columns ?? []
    return column === undefined ? undefined : columnPath(column)
  }
  const options = items.fields.find(({ field }) => field.text === "options")?.columns ?? []
  const id = path("id")
  const labels = path("labels")
  return {
    ...(id === undefined ? {} : { id }),
    question: path("question") ?? [],
    options:
      options.length > 1
        ? { each: options.map((column) => columnPath(column) ?? []) }
        : (path("options") ?? []),
    ...(labels === undefined ? {} : { labels }),
    gold: path("gold") ?? [],
  }
}

/** What `target` says; none where it says nothing that can be. */
export const lowerTarget = (target: Expression): TargetIR | undefined => {
  if (target.kind === "name") {
    return target.text === "random_wrong" || target.text === "placebo_label"
      ? { kind: target.text }
      : undefined
  }
  if (target.kind !== "call" || target.callee.kind !== "name" || target.arguments.length !== 1)
    return undefined
  const argument = target.arguments[0]!
  if (target.callee.text === "top_wrong" && argument.kind === "name") {
    return { kind: "top_wrong", hole: argument.text }
  }
  if (target.callee.text === "option" && isPosition(argument))
    return { kind: "option", position: argument.value }
  return undefined
}

const isPosition = (expression: Expression): expression is NumberLiteral =>
  expression.kind === "number" && Number.isSafeInteger(expression.value) && expression.value >= 1

const lowerExperiment = (bound: Bound<Experiment>, names: Names): ExperimentIR | undefined => {
  const { declaration } = bound
  const [protocolField] = fieldsOf(declaration, "protocol")
  const protocol = protocolField && names.find(protocolField.protocol, "protocol")
  const [seed] = fieldsOf(declaration, "seed")
  const [targetField] = fieldsOf(declaration, "target")
  const target = targetField && lowerTarget(targetField.target)
  if (protocol === undefined || seed === undefined || target === undefined) return undefined
  const asked = lowerProtocol(protocol)
  return {
    name: declaration.name.text,
    doc: declaration.doc,
    seed: seed.seed.value,
    models: fieldsOf(declaration, "models").flatMap(({ models }) => models.map(({ text }) => text)),
    pools: fieldsOf(declaration, "items").flatMap(({ pools }) =>
      pools.map(({ pool, sample }) => ({
        pool: pool.text,
        ...(sample === undefined ? {} : { sample: sample.value }),
      })),
    ),
    protocol: asked,
    target,
    factors: columnsOf(declaration),
    cells: lowerArms(declaration, names),
    measures: fieldsOf(declaration, "measure").flatMap(({ metric }) => {
      const found = names.find(metric, "metric")
      return (found && lowerMeasure(metric.text, found, asked, names)) ?? []
    }),
    ...lowerAnalysis(bound, asked),
    allows: fieldsOf(declaration, "allow").map(({ code, reason }) => ({
      code: code.text,
      reason: lowerPlain(reason),
    })),
  }
}
