/** The axis of a measure's numbers: bars stand on 0, dots and lines fill the room that they have. */
import { fittedScale } from "../scale.ts"
import { isDifference, possibleRange, unitOf } from "../unit.ts"
import { type Axis, axisOf, labelled } from "./axis.ts"
import { CHANCE, drawnEnds, hasChance } from "./range.ts"
import type { MeasuredFigure } from "./view.ts"

export function measuredAxis(figure: MeasuredFigure): Axis {
  const { measure, mark } = figure
  const [unit, range] = [unitOf(measure), possibleRange(measure)]
  const values = [
    ...figure.marks.flatMap(({ result }) => {
      const ends = drawnEnds(result, range)
      return [result.estimate, ends?.low, ends?.high].filter((value) => value !== undefined)
    }),
    ...(hasChance(figure) ? [CHANCE] : []),
  ]
  // 0 is what bars stand on, where counts and sums begin, and what a difference is compared with.
  const fromZero =
    mark === "bar" || isDifference(measure) || measure.statistic === "count" || measure.statistic === "sum"
  if (fromZero || values.length === 0) return axisOf(values, unit)
  // An axis that would have most of the possible range has all of it.
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const whole = range !== undefined && most - least > 0.6 * (range[1] - range[0])
  return labelled(fittedScale(whole ? range : values, range), unit)
}
