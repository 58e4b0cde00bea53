/** Contrasts: differences of measures over trials that there are, and what is expected of them. */
import type { Experiment, ExperimentField, Expression } from "../../grammar/ast.ts"
import {
  claimOf,
  columnsIn,
  estimatorOf,
  marginOf,
  restrictedOf,
  type Term,
  termsOf,
} from "../lower/analysis.ts"
import { fieldsOf } from "../lower/columns.ts"
import { ancestry, wholeMetric } from "../lower/inherit.ts"
import { measureName } from "../lower/measures.ts"
import { levelName, print } from "../lower/print.ts"
import {
  type Analysed,
  checkAnyColumn,
  checkFilter,
  checkMeasureName,
  isSettled,
  type Levels,
  levelOf,
  trialsOf,
} from "./analysed.ts"
import { readFacts } from "./environment.ts"
import { rangeOfRead } from "./measures.ts"
import { combined, fractions, type Range, rangeOf, verdict } from "./ranges.ts"
import { distinctNames, onlyOnce, type Scene } from "./scene.ts"

type ContrastField = Extract<ExperimentField, { field: "contrast" }>
type ExpectField = Extract<ExperimentField, { field: "expect" }>

const ways = ["paired(item)", "pooled", "cells(model, pool)", "mixed_logistic"]

const checkContrast = (contrast: ContrastField, analysed: Analysed, scene: Scene): void => {
  const terms = termsOf(contrast.value) ?? []
  checkWays(contrast, terms, analysed, scene)
  const statistics = terms.flatMap(({ side }) => statisticOf(restrictedOf(side).measure, analysed) ?? [])
  const other = statistics.find((one) => (one === "kappa") !== (statistics[0] === "kappa"))
  if (other !== undefined) {
    scene.say("CFX2302", { operator: "-", left: statistics[0]!, right: other }, contrast.value)
    return
  }
  const signs = terms.reduce((sum, { sign }) => sum + sign, 0)
  if (terms.length < 2 || signs !== 0) {
    scene.say("CFX2308", { contrast: contrast.name.text }, contrast.value)
    return
  }
  const sound = terms.map(({ side }) => checkRestricted(side, analysed, scene)).every(Boolean)
  if (!sound || !isSettled(analysed)) return
  const keyOf = ({ side }: Term): string => {
    const { measure, levels } = restrictedOf(side)
    return `${measure}\n${trialsOf(levels, analysed)
      .map(({ number }) => number)
      .join(" ")}`
  }
  const of = (sign: 1 | -1) =>
    terms
      .filter((term) => term.sign === sign)
      .map(keyOf)
      .sort()
  if (of(1).join("\n\n") === of(-1).join("\n\n")) scene.say("CFX2309", { same: "trials" }, contrast.value)
}

const checkWays = (
  contrast: ContrastField,
  terms: readonly Term[],
  analysed: Analysed,
  scene: Scene,
): void => {
  distinctNames(
    scene,
    "way",
    contrast.by.map((way) => ({ text: print(way), span: way.span })),
  )
  for (const way of contrast.by) {
    const estimator = estimatorOf(way)
    if (estimator === undefined) {
      scene.say("CFX2313", { found: print(way), known: ways }, way)
      continue
    }
    const cells = columnsIn(way, "cells") ?? []
    distinctNames(scene, "column", cells)
    for (const column of cells) {
      if (!checkAnyColumn(column, analysed, scene)) continue
      const fixed = terms.some(({ side }) => Object.hasOwn(restrictedOf(side).levels, column.text))
      if (fixed) scene.say("CFX2508", { column: column.text }, column)
    }
    for (const { side } of terms) {
      const { measure } = restrictedOf(side)
      const statistic = statisticOf(measure, analysed)
      const fits =
        estimator === "paired"
          ? ["rate", "mean"]
          : estimator === "mixed_logistic"
            ? ["rate"]
            : ["rate", "mean", "sum", "quantile", "kappa"]
      if (statistic === undefined || fits.includes(statistic)) continue
      scene.say("CFX2510", { way: print(way), measure, statistic, fits }, way)
      break
    }
  }
}

/** The metric that a measure of an experiment is. */
const metricOf = (measure: string, { experiment, names }: Analysed) => {
  const field = fieldsOf(experiment, "measure").find((one) => measureName(one).text === measure)
  const metric = field === undefined ? undefined : names.find(field.metric, "metric")
  if (field === undefined || metric === undefined || ancestry(metric, names).cyclic) return undefined
  return { field, whole: wholeMetric(metric, names) }
}

export const statisticOf = (measure: string, analysed: Analysed) =>
  metricOf(measure, analysed)?.whole.statistic?.node.field

const checkRestricted = (side: Term["side"], analysed: Analysed, scene: Scene): boolean => {
  if (side.kind === "name") return checkMeasureName(side, analysed, scene)
  const measured = checkMeasureName(side.measure, analysed, scene)
  onlyOnce(scene, analysed.experiment, side.levels, ({ factor }) => factor.text)
  const known = side.levels.map((filter) => checkFilter(filter, analysed, scene)).every(Boolean)
  if (!measured || !known) return false
  if (!isSettled(analysed)) return false
  const { levels } = restrictedOf(side)
  if (trialsOf(levels, analysed).length > 0) return true
  const merged = mergedFactors(levels, analysed)
  // A factor that no arm reads at all was reported where it is given.
  const reported = merged.some((factor) => trialsOf({}, analysed, factor).length === 0)
  const written = side.levels.filter(({ factor }) => !merged.includes(factor.text))
  const said = written.map(({ factor, level }) => `${factor.text} = ${levelName(level)}`).join(" and ")
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

// ---------------------------------------------------------------- expectations

const checkExpectation = ({ claim }: ExpectField, analysed: Analysed, scene: Scene): void => {
  const contrasts = fieldsOf(analysed.experiment, "contrast")
  if (claim.kind === "comparison") {
    checkComparison(claim.value, contrasts, analysed, scene)
    return
  }
  if (claim.kind === "published") return
  const { margin, points } = claim
  const contrast = contrastNamed(claim.contrast, contrasts, scene)
  const range = contrast === undefined ? undefined : rangeOfContrast(contrast, analysed)
  const within = marginOf(claim)
  const widest = range === undefined ? undefined : Math.max(Math.abs(range.low), Math.abs(range.high))
  if (!(within > 0) || (widest !== undefined && within >= widest)) {
    scene.say("CFX2515", { margin: margin.value, points, widest }, margin)
  }
}

/** The contrast that a name stands for; reported where there is none. */
const contrastNamed = (
  name: Extract<Expression, { kind: "name" }>,
  contrasts: readonly ContrastField[],
  scene: Scene,
): ContrastField | undefined => {
  const contrast = contrasts.find((one) => one.name.text === name.text)
  const known = contrasts.map((one) => one.name.text)
  if (contrast === undefined && !scene.torn) scene.say("CFX2310", { contrast: name.text, known }, name)
  return contrast
}

const checkComparison = (
  claim: Expression,
  contrasts: readonly ContrastField[],
  analysed: Analysed,
  scene: Scene,
): void => {
  const said = claimOf(claim)
  const subject = said?.subject.kind === "member" ? said.subject.object : said?.subject
  if (said === undefined || subject?.kind !== "name") {
    const operator =
      claim.kind === "binary" && (claim.operator === "==" || claim.operator === "!=")
        ? claim.operator
        : undefined
    scene.say("CFX2311", { operator }, claim)
    return
  }
  const contrast = contrastNamed(subject, contrasts, scene)
  if (contrast === undefined) return
  const range = rangeOfContrast(contrast, analysed)
  const holds = range && verdict(said.operator, range, { low: said.bound, high: said.bound })
  if (range !== undefined && holds !== undefined) {
    const told = { subject: print(said.subject), ...range, bound: said.bound, holds }
    scene.say("CFX2316", { ...told, of: "estimate" }, claim)
  } else if (said.subject.kind === "member") {
    const { property } = said.subject
    const known = ["low", "high"]
    if (!known.includes(property.text))
      scene.say("CFX2303", { property: property.text, of: "contrast", known }, property)
  }
}

/** What a contrast can come to: a difference of rates lies between -1 and 1, one of means goes by what they are taken of. */
const rangeOfContrast = ({ value }: ContrastField, analysed: Analysed): Range | undefined => {
  const terms = termsOf(value) ?? []
  return terms.reduce<Range | undefined>(
    (sum, { sign, side }) => {
      const range = rangeOfMeasure(restrictedOf(side).measure, analysed)
      return sum === undefined || range === undefined
        ? undefined
        : combined(sign === 1 ? "+" : "-", sum, range)
    },
    { low: 0, high: 0 },
  )
}

const rangeOfMeasure = (measure: string, analysed: Analysed): Range | undefined => {
  const found = metricOf(measure, analysed)
  const statistic = found?.whole.statistic?.node
  if (found === undefined || statistic === undefined || statistic.field === "sum") return undefined
  if (statistic.field === "rate") return fractions
  if (statistic.field === "kappa") return { low: -1, high: 1 }
  const facts = readFacts(analysed.reads)
  return rangeOf(statistic.value, (parameter) => {
    const given = found.field.arguments.find((one) => one.parameter.text === parameter)?.value
    const fallback = found.whole.parameters.find(({ node }) => node.name.text === parameter)?.node.default
    const source = given ?? fallback
    return source?.kind === "name" ? rangeOfRead(facts.get(source.text)) : undefined
  })
}

/** The contrasts of an experiment, by name, must differ. */
export const checkContrasts = (experiment: Experiment, analysed: Analysed, scene: Scene): void => {
  const contrasts = fieldsOf(experiment, "contrast")
  distinctNames(
    scene,
    "contrast",
    contrasts.map(({ name }) => name),
  )
  for (const contrast of contrasts) checkContrast(contrast, analysed, scene)
  for (const expectation of fieldsOf(experiment, "expect")) checkExpectation(expectation, analysed, scene)
}
