/** Agreement of what a judge, or a model, says in labels with what people wrote into a column. */
import type { HoleIR, MeasureIR } from "../../ir.ts"
import { type Check, placeOfMeasure } from "./review.ts"

/** The read and the column of the items that a `kappa` compares; none where it compares two reads. */
const comparedBy = ({ value, other }: MeasureIR): { hole: string; column: string } | undefined => {
  if (value.kind === "label" && other?.kind === "column") return { hole: value.hole, column: other.column }
  if (value.kind === "column" && other?.kind === "label") return { hole: other.hole, column: value.column }
  return undefined
}

const labelsOf = (hole: HoleIR | undefined): readonly string[] | undefined => {
  const type = hole?.type === "extract" ? hole.as : hole
  return type?.type === "label" || type?.type === "rule" ? type.labels : undefined
}

/** A pool whose column holds no label of the read that it is compared with: the two would never agree, whatever is answered. */
export const checkCoded: Check = (review) => {
  const { experiment, items, scene } = review
  for (const measure of experiment.measures) {
    const compared = comparedBy(measure)
    if (compared === undefined) continue
    const { hole, column } = compared
    const labels = labelsOf(experiment.protocol.holes.find(({ name }) => name === hole))
    if (labels === undefined) continue
    for (const { pool } of experiment.pools) {
      const codes = (items.get(pool) ?? []).flatMap(({ columns }) => columns[column] ?? [])
      const values = new Set(codes.map(String))
      if (values.size === 0 || labels.some((label) => values.has(label))) continue
      const parameters = { measure: measure.name, column, pool, values: [...values], read: hole, labels }
      scene.say("CFX3125", parameters, placeOfMeasure(measure, review))
      break
    }
  }
}
