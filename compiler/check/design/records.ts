/** Records alone: that they have what their measures look at. */
import { nodesOf } from "../../looks.ts"
import { type Check, placeOfMeasure } from "./review.ts"

/** What a measure may need besides reads, and how it is mapped. */
const needed = {
  gold: { needs: "the gold answer", example: "gold = answer_key" },
  target: { needs: "the target", example: "target = wrong_answer" },
  pushed: { needs: "what is pushed", example: "pushed = claimed_answer" },
} as const

export const checkRecorded: Check = (review) => {
  const { experiment, scene } = review
  const { records } = experiment
  if (records === undefined || !records.alone) return
  for (const measure of experiment.measures) {
    const kinds = [measure.value, measure.other, measure.given, measure.weight].flatMap((one) =>
      one === undefined ? [] : nodesOf(one).map(({ kind }): string => kind),
    )
    for (const [kind, words] of Object.entries(needed)) {
      const isHad =
        records.columns[kind] !== undefined || (kind === "pushed" && records.columns.target !== undefined)
      if (kinds.includes(kind) && !isHad)
        scene.say("CFX3208", { measure: measure.name, ...words }, placeOfMeasure(measure, review))
    }
  }
}
