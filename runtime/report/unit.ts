/** In what a measure's numbers are, as far as its declaration tells. */
import type { ExprIR, MeasureIR } from "../../compiler/ir.ts"
import { isTruth } from "../measure/range.ts"
import type { Unit } from "./format.ts"

/** How its numbers are printed: a difference between shares as shares are. */
export const unitOf = ({ statistic, value }: Pick<MeasureIR, "statistic" | "value">): Unit =>
  statistic === "difference" && isTruth(value) ? "rate" : statistic

/** Whether its numbers are differences, which have their sign. */
export const isDifference = ({ statistic, value }: Pick<MeasureIR, "statistic" | "value">): boolean =>
  statistic === "difference" || (isOfValues(statistic) && value.kind === "binary" && value.operator === "-")

const isOfValues = (statistic: MeasureIR["statistic"]): boolean =>
  statistic === "mean" || statistic === "sum" || typeof statistic === "object"

/** Between which numbers it is, whatever the trials: none where nothing bounds it. An interval may be computed to reach further. */
export function possibleRange(
  measure: Pick<MeasureIR, "statistic" | "value">,
): readonly [number, number] | undefined {
  const { statistic, value } = measure
  if (statistic === "rate" || statistic === "auroc") return [0, 1]
  if (statistic === "kappa") return [-1, 1]
  if (statistic === "difference" && isTruth(value)) return [-1, 1]
  const averaged = statistic === "mean" || statistic === "difference" || typeof statistic === "object"
  if (!averaged || !isProbability(measure)) return undefined
  if (value.kind !== "binary") return statistic === "difference" ? [-1, 1] : [0, 1]
  // Of what is reckoned with probabilities, only a difference of two is known to be bounded.
  const plain = [value.left, value.right].every(({ kind }) => kind !== "binary" && kind !== "unary")
  const numbers = [value.left, value.right].some(({ kind }) => kind === "number")
  return plain && !numbers && value.operator === "-" && statistic !== "difference" ? [-1, 1] : undefined
}

/** "%", "probability", "words": what stands beside a measure's name; undefined where it has no unit or none that is known. */
export function unitWords(measure: Pick<MeasureIR, "statistic" | "value">): string | undefined {
  const unit = unitOf(measure)
  if (unit === "rate") return isDifference(measure) ? "percentage points" : "%"
  if (unit === "count") return "trials"
  return isOfValues(unit) || unit === "difference" ? unitOfExpression(measure.value) : undefined
}

/** Whether what it is taken of is a probability, so that the engine's floor is in its unit. */
export const isProbability = (measure: Pick<MeasureIR, "statistic" | "value">): boolean =>
  unitWords(measure) === "probability"

function unitOfExpression(expression: ExprIR): string | undefined {
  switch (expression.kind) {
    case "p":
    case "raw":
    case "confidence":
    case "recalibrated":
    case "mass":
      return "probability"
    case "value":
      return `scale of ${expression.hole}`
    case "measured":
      return expression.of
    case "lexicon":
      return expression.of === "count" ? "terms" : "terms per 100 words"
    case "sequence":
      return expression.of === "changes" ? "changes" : "turn"
    case "lines":
      return "words"
    case "choices":
      return "options"
    case "unary":
      return unitOfExpression(expression.operand)
    case "binary":
      return unitOfBinary(expression)
    default:
      return undefined
  }
}

/** Of a sum or difference the unit of both; of a probability and a number, as in 1 - c0, that of the probability. */
function unitOfBinary({ operator, left, right }: ExprIR & { kind: "binary" }): string | undefined {
  if (operator !== "+" && operator !== "-") return undefined
  const units = [left, right].flatMap((side) => (side.kind === "number" ? [] : [unitOfExpression(side)]))
  return units.every((unit) => unit === units[0]) ? units[0] : undefined
}
