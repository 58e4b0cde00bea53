/** What an experiment asks for and this version does not make. */
import { isDrawn, unfitted } from "../../made.ts"
import type { Check } from "./review.ts"

export const checkMade: Check = ({ experiment, declaration, scene }) => {
  const fits = unfitted(experiment)
  const figures = experiment.figures.filter((figure) => !isDrawn(figure))
  const names = [...fits, ...figures.map(({ name }) => name)]
  const field = declaration.fields.find(
    (one) =>
      (one.field === "model_fit" || one.field === "contrast" || one.field === "figure") &&
      names.includes(one.name.text),
  )
  if (field === undefined || !("name" in field)) return
  const marks = [...new Set(figures.map(({ mark }) => mark))]
  scene.say("CFX2516", { fits, figures: figures.map(({ name }) => name), marks }, field.name)
}
