/** Framings that are compared as kinds of framings, by one wording each. */
import type { ContrastIR, ExperimentIR } from "../../ir.ts"
import { fieldsOf } from "../../lower/columns.ts"
import { assertions, type Check, framingOf } from "./review.ts"
import { cellsWith, differencesOf, pairsOf } from "./sides.ts"

/**
 * That a difference holds for these very words needs no more than these words. An equivalence and a fitted model speak of framings: that no
 * way of saying it makes a difference, what a framing adds. Of those one wording is a sample of one, and it can be a random effect.
 */
export const checkWordings: Check = ({ experiment, declaration, scene }) => {
  for (const contrast of experiment.contrasts) {
    const framings = comparedBy(contrast, experiment)
    if (framings.length === 0 || !isInferred(contrast, experiment)) continue
    const single = framings.filter((framing) => wordingsOf(framing, experiment) < 2)
    if (single.length === 0) continue
    const at = fieldsOf(declaration, "contrast").find(({ name }) => name.text === contrast.name)?.value
    scene.say("CFX4017", { what: contrast.name, framings: single }, at ?? declaration.name)
    return
  }
  for (const fit of experiment.fits) {
    if (!fit.terms.some((term) => term.some((one) => one.kind === "level" && one.factor === "framing")))
      continue
    const framings = [...new Set(assertions(experiment.cells).map(({ cell }) => framingOf(cell)))]
    const single = framings.filter((framing) => wordingsOf(framing, experiment) < 2)
    if (framings.length < 2 || single.length === 0) continue
    const at = fieldsOf(declaration, "model_fit").find(({ name }) => name.text === fit.name)?.name
    scene.say("CFX4017", { what: fit.name, framings: single }, at ?? declaration.name)
    return
  }
}

/** The framings that a contrast compares. */
const comparedBy = (contrast: ContrastIR, experiment: ExperimentIR): readonly string[] => [
  ...new Set(
    pairsOf(contrast).flatMap(({ left, right }) =>
      differencesOf(left, right, experiment).some(({ factor }) => factor === "framing")
        ? [left, right].flatMap((side) =>
            assertions(cellsWith(side, experiment)).map(({ cell }) => framingOf(cell)),
          )
        : [],
    ),
  ),
]

const isInferred = ({ name, by }: ContrastIR, { expects }: ExperimentIR): boolean =>
  by.includes("mixed_logistic") || expects.some((one) => one.contrast === name && one.kind === "equivalent")

/** In how many wordings a framing is shown. */
const wordingsOf = (framing: string, { cells }: ExperimentIR): number =>
  new Set(
    assertions(cells).flatMap(({ cell }) =>
      framingOf(cell) === framing ? [`${cell.levels.wording} ${cell.levels.paraphrase}`] : [],
    ),
  ).size
