/** Pools whose items come out of a finished run, against what the run has. */
import type { Items } from "../../grammar/ast.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { type Place, report } from "../diagnostics/report.ts"
import type { ExperimentIR, HoleIR, PoolIR } from "../ir.ts"
import { holds } from "../items/holds.ts"
import { experimentOf, openRun } from "../items/runFolder.ts"
import { itemsOfRun, type RunSource } from "../items/strongest.ts"
import { fieldsOf } from "../lower/columns.ts"
import { fieldOf } from "../lower/items.ts"
import { defaultReads, lowerPoolMeasure } from "../lower/poolExpressions.ts"
import type { Bound } from "../resolve.ts"
import { placeOfData, type ReadPool, type Setting } from "./readPool.ts"

export const readRunPool = (
  pool: PoolIR,
  source: RunSource,
  bound: Bound<Items>,
  setting: Setting,
): ReadPool => {
  const { files, names, spec } = setting
  const place = placeOfData(bound, setting)
  const folder = files.show(source.folder)
  const opened = openRun(source.folder, files)
  if ("absent" in opened) return { absent: { why: opened.absent }, diagnostics: [] }
  const broken = (why: string): ReadPool => ({
    doubtful: true,
    diagnostics: [report("CFX3111", { folder, why }, place)],
  })
  if ("problem" in opened) return broken(opened.problem)
  const { run } = opened
  const experiment = experimentOf(run, source.experiment)
  const diagnostics =
    experiment === undefined
      ? unknownExperiment(bound, folder, run.program.experiments)
      : [...unknownReads(bound, experiment), ...unfitMetric(bound, experiment, setting)]
  if (experiment === undefined || diagnostics.length > 0) return { doubtful: true, diagnostics }
  const one = fieldOf(bound.declaration, "one")
  const measure = one && lowerPoolMeasure(one.metric, names, experiment.protocol)
  const studied = [...new Set(usersOf(spec, pool.name))]
  const found = itemsOfRun(run, source, measure, studied)
  if (found.state === "damaged") return broken("rows of its trials.csv are missing or cut off")
  if (found.state === "unfinished") return broken("it was stopped before it had asked everything")
  const { where } = pool
  const items = where === undefined ? found.items : found.items.filter((item) => holds(where, item))
  const told = { pool: pool.name, lost: found.lost, items: found.all, keep: source.keep }
  return {
    items,
    diagnostics: found.lost === 0 ? [] : [report("CFX3121", told, at(bound, bound.declaration.name))],
  }
}

const at = ({ module }: Bound<Items>, { span }: { readonly span: Place["span"] }): Place => ({
  source: module.source,
  span,
})

/** The models of the experiments that use a pool. */
const usersOf = (spec: Setting["spec"], pool: string): readonly string[] =>
  spec.file.declarations.flatMap((declaration) => {
    if (declaration.kind !== "experiment") return []
    const pools = fieldsOf(declaration, "items").flatMap((field) => field.pools)
    if (!pools.some((use) => use.pool.text === pool)) return []
    return fieldsOf(declaration, "models").flatMap(({ models }) => models.map(({ text }) => text))
  })

const unknownExperiment = (
  bound: Bound<Items>,
  folder: string,
  experiments: readonly ExperimentIR[],
): readonly Diagnostic[] => {
  const field = fieldOf(bound.declaration, "experiment")
  if (field === undefined) return []
  const known = experiments.map(({ name }) => name)
  return [
    report("CFX3112", { experiment: field.experiment.text, folder, known }, at(bound, field.experiment)),
  ]
}

const unknownReads = (bound: Bound<Items>, experiment: ExperimentIR): readonly Diagnostic[] => {
  const { holes } = experiment.protocol
  const known = holes.filter(({ type }) => type === "text").map(({ name }) => name)
  const reads = fieldOf(bound.declaration, "keep")?.reads ?? []
  return reads.flatMap((read) => {
    if (known.includes(read.text)) return []
    const hole = holes.find(({ name }) => name === read.text)
    const parameters = { read: read.text, experiment: experiment.name, known }
    return [report("CFX3113", hole ? { ...parameters, found: kindOf(hole) } : parameters, at(bound, read))]
  })
}

const kindOf = (hole: HoleIR): string => {
  const type = hole.type === "extract" ? hole.as.type : hole.type === "rule" ? "label" : hole.type
  return type === "integer" || type === "option" ? `an ${type}` : `a ${type}`
}

const unfitMetric = (
  bound: Bound<Items>,
  { name: experiment, protocol }: ExperimentIR,
  { names }: Setting,
): readonly Diagnostic[] => {
  const one = fieldOf(bound.declaration, "one")
  const metric = one && names.find(one.metric, "metric")
  if (one === undefined || metric === undefined) return []
  const known = [...protocol.holes.map(({ name }) => name), ...Object.keys(protocol.lists)]
  return [...defaultReads(metric, names).values()].flatMap(({ text: read }) => {
    if (known.includes(read)) return []
    const parameters = { metric: one.metric.text, read, experiment, known }
    return [report("CFX3114", parameters, at(bound, one.metric))]
  })
}
