/** What a measure is taken of, trial by trial: for figures of distributions. */
import type { MeasureIR } from "../../compiler/ir.ts"
import { Gatherer } from "./gathered.ts"
import { outcomes, type Trials } from "./outcome.ts"
import type { View } from "./views.ts"

/** The values of a set of trials, one for each that enters, in the order of trials, and why the others do not enter. */
export interface Values {
  readonly values: Float64Array
  readonly excluded: Readonly<Record<string, number>>
}

/** By view, as `groupsOf` gives them for a figure. Of trials that are one observation the first counts alone; a truth is 1 or 0. */
export function valuesOf(trials: Trials, measure: MeasureIR, views: readonly View[]): readonly Values[] {
  const outcome = outcomes(trials, measure)
  const gatherer = new Gatherer(trials, measure, outcome)
  return views.map((view) => {
    const { rows, excluded } = gatherer.rows(view.units, gatherer.kept(view))
    const inOrder = Uint32Array.from(rows).sort()
    return { values: Float64Array.from(inOrder, (row) => outcome.values[row]!), excluded }
  })
}
