/** Phase 5: a spec without errors -> its meaning. Inheritance is applied, places are named, arms are crossed. */
import type { CompileOptions } from "../compiled.ts"
import type { ExperimentIR, ModelIR, PoolIR, Program } from "../ir.ts"
import type { Module } from "../load.ts"
import type { Names } from "../resolve.ts"
import { fieldsOf, poolsOf } from "./columns.ts"
import { lowerExperiment } from "./experiment.ts"
import { lowerPool } from "./items.ts"
import { lowerModel, namedModels } from "./models.ts"

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
    const [field] = fieldsOf(declaration, "protocol")
    const protocol = field && names.find(field.protocol, "protocol")?.declaration
    for (const name of namedModels(declaration, protocol)) {
      const model = names.find(name, "model")
      if (model !== undefined && !models.has(name.text))
        models.set(name.text, lowerModel(name.text, model, options))
    }
    for (const { pool: name } of poolsOf(declaration)) {
      const pool = names.find(name, "items")
      if (pool !== undefined && !pools.has(name.text))
        pools.set(name.text, lowerPool(name.text, pool, names, options))
    }
    const attributes = (model: string) => models.get(model)?.attributes ?? {}
    const experiment = lowerExperiment({ declaration, module: spec }, names, attributes)
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
