/** What this version makes of an analysis: whatever else a spec says is kept, and named as not made. */
import type { ExperimentIR, FigureIR } from "./ir.ts"

/** Marks that are drawn. */
const drawn: readonly string[] = ["bar", "dot"]

export const isDrawn = ({ mark }: Pick<FigureIR, "mark">): boolean => drawn.includes(mark)

/** Names of the models that are not fitted, contrasts by one among them. */
export const unfitted = ({ fits, contrasts }: ExperimentIR): readonly string[] => [
  ...fits.map(({ name }) => name),
  ...contrasts.filter(({ by }) => by.includes("mixed_logistic")).map(({ name }) => name),
]
