/** Declarations and results by their names. */
import type { ExperimentIR, MeasureIR } from "../../compiler/ir.ts"
import type { Result } from "../measure/result.ts"
import { type Group, viewKey } from "../measure/views.ts"
import type { ReportInput } from "./input.ts"

/** The models whose answers an experiment's numbers rest on. */
export const askedIn = ({ program }: ReportInput, { models }: ExperimentIR): readonly string[] => [
  ...new Set([...models, ...program.models.map(({ name }) => name)]),
]

export function measureOf(experiment: ExperimentIR, name: string): MeasureIR {
  const measure = experiment.measures.find((one) => one.name === name)
  if (measure === undefined) throw new Error(`no measure ${name} in ${experiment.name}`)
  return measure
}

/** The results of measures, by the measure and the view that they are of. */
export type ByView = ReadonlyMap<string, Result>

export function byView(results: readonly Result[]): ByView {
  const measured = results.filter(({ kind }) => kind === "measure")
  return new Map(measured.map((result) => [`${result.name} ${viewKey(result)}`, result]))
}

export function find(results: ByView, measure: string, group: Group): Result {
  const key = viewKey(group.view)
  const found = results.get(`${measure} ${key}`)
  if (found === undefined) throw new Error(`results lack ${measure} for ${key}`)
  return found
}
