/** Measures over some of the trials, as contrasts, summaries and published numbers name them: that they are taken, and of trials that there are. */
import { partsOfSide, type Term } from "../lower/analysis.ts"
import { fieldsOf } from "../lower/columns.ts"
import { ancestry, wholeMetric } from "../lower/inherit.ts"
import { measureName } from "../lower/measures.ts"
import { levelName, print } from "../lower/print.ts"
import { type Analysed, isSettled, type Levels, levelOf, type Trials, trialsOf } from "./analysed.ts"
import { checkCondition, checkFilter, checkMeasureName } from "./named.ts"
import { onlyOnce, type Scene } from "./scene.ts"

/** The metric that a measure of an experiment is. */
export const metricOf = (measure: string, { experiment, names }: Analysed) => {
  const field = fieldsOf(experiment, "measure").find((one) => measureName(one).text === measure)
  const metric = field === undefined ? undefined : names.find(field.metric, "metric")
  if (field === undefined || metric === undefined || ancestry(metric, names).cyclic) return undefined
  return { field, whole: wholeMetric(metric, names) }
}

export const statisticOf = (measure: string, analysed: Analysed) =>
  metricOf(measure, analysed)?.whole.statistic?.node.field

/** The levels and conditions of a side, and the kinds of trials that have them. */
export const trialsOfSide = (side: Term["side"], analysed: Analysed): readonly Trials[] => {
  const { levels, conditions } = partsOf(side, analysed)
  return trialsOf(levels, analysed, "arm", conditions)
}

export const partsOf = (side: Term["side"], { roles, columns }: Analysed) =>
  partsOfSide(side, new Set(roles), columns)

/** Reports a measure that is not taken, levels and conditions that there are not, and a side without trials. */
export const checkRestricted = (side: Term["side"], analysed: Analysed, scene: Scene): boolean => {
  if (side.kind === "name") return checkMeasureName(side, analysed, scene)
  const measured = checkMeasureName(side.measure, analysed, scene)
  onlyOnce(scene, `the brackets of \`${side.measure.text}\``, side.levels, ({ factor }) => factor.text)
  const known = [
    ...side.levels.map((filter) => checkFilter(filter, analysed, scene)),
    ...side.conditions.map((condition) => checkCondition(condition, analysed, scene)),
  ].every(Boolean)
  if (!measured || !known) return false
  if (!isSettled(analysed)) return false
  if (trialsOfSide(side, analysed).length > 0) return true
  const merged = mergedFactors(partsOf(side, analysed).levels, analysed)
  // A factor that no arm reads at all was reported where it is given.
  const reported = merged.some((factor) => trialsOf({}, analysed, factor).length === 0)
  const written = side.levels.filter(({ factor }) => !merged.includes(factor.text))
  const said = [
    ...written.map(({ factor, level }) => `${factor.text} = ${levelName(level)}`),
    ...side.conditions.map(print),
  ].join(" and ")
  if (!scene.torn && !reported) scene.say("CFX2215", { levels: said, merged }, side)
  return false
}

/**
 * Of the factors that these levels name, those to leave out so that there are trials: all their levels come to one prompt there, a cell
 * without a level of that factor. None where there would be no such trial either.
 */
const mergedFactors = (levels: Levels, analysed: Analysed): readonly string[] => {
  const without = (factors: readonly string[]): Levels =>
    Object.fromEntries(Object.entries(levels).filter(([factor]) => !factors.includes(factor)))
  const written = ["order", "paraphrase", "wording"].filter((factor) => Object.hasOwn(levels, factor))
  const rest = without(written)
  // A block has no factors, and so none that come to one.
  const asserted = trialsOf(rest, analysed, "framing")
  const merged = written.filter((factor) => asserted.every((trials) => levelOf(trials, factor) === undefined))
  return trialsOf(without(merged), analysed, "framing").length > 0 ? merged : []
}
