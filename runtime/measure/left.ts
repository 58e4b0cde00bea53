/** What a spec asks for and this version does not make: each is named among the results, so that nobody takes it for done. */
import type { ExperimentIR } from "../../compiler/ir.ts"
import { isDrawn } from "../../compiler/made.ts"
import type { Trials } from "./outcome.ts"
import type { Result } from "./result.ts"

/** A model that is not fitted. */
export const NO_FIT = "not computed: this version fits no mixed-effects logistic model"

/** Why a figure is not drawn; undefined where it is. */
export function undrawn(figure: ExperimentIR["figures"][number]): string | undefined {
  if (isDrawn(figure)) return undefined
  return `not drawn: this version draws bars and dots, and no ${figure.mark}; the numbers of its levels are among the measures`
}

export function notComputed({ experiment, rows }: Trials): readonly Result[] {
  const head = { experiment: experiment.name, by: {}, n: rows, excluded: {} }
  return [
    ...experiment.fits.map((fit) => ({ ...head, kind: "fit" as const, name: fit.name, method: NO_FIT })),
    ...experiment.figures.flatMap((figure) => {
      const why = undrawn(figure)
      return why === undefined ? [] : [{ ...head, kind: "figure" as const, name: figure.name, method: why }]
    }),
  ]
}
