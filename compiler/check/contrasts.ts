/** Contrasts: differences of measures over trials that there are, and what is expected of them. */
import type { Experiment, ExperimentField, Expression } from "../../grammar/ast.ts"
import type { EstimatorIR } from "../ir.ts"
import { columnsIn, estimatorOf, restrictedOf, type Term, termsOf } from "../lower/analysis.ts"
import { claimOf, marginOf } from "../lower/claims.ts"
import { fieldsOf } from "../lower/columns.ts"
import type { StatisticField } from "../lower/inherit.ts"
import { print } from "../lower/print.ts"
import { type Analysed, isSettled } from "./analysed.ts"
import { rangeOfMeasure } from "./measured.ts"
import { checkAnyColumn } from "./named.ts"
import { checkPublished } from "./numbers.ts"
import { combined, type Range, verdict } from "./ranges.ts"
import { checkRestricted, partsOf, statisticOf, trialsOfSide } from "./restricted.ts"
import { distinctNames, type Scene } from "./scene.ts"

type ContrastField = Extract<ExperimentField, { field: "contrast" }>
type ExpectField = Extract<ExperimentField, { field: "expect" }>

export const ways = [
  ...["paired(item)", "permutation(item)", "pooled", "two_sample"],
  ...["cells(model, pool)", "signs(model, pool)", "mixed_logistic"],
]

/** What can be subtracted from one another: shares, means and numbers like them; sums; agreements; areas. */
const scales: Readonly<Record<StatisticField, string>> = {
  rate: "number",
  mean: "number",
  quantile: "number",
  ratio: "number",
  difference: "number",
  sum: "sum",
  count: "sum",
  kappa: "kappa",
  auroc: "auroc",
}

/** Statistics that an estimator is for. */
const fitting = (estimator: EstimatorIR): readonly StatisticField[] => {
  if (estimator === "paired" || estimator === "permutation" || estimator === "two_sample")
    return ["rate", "mean"]
  return estimator === "mixed_logistic" ? ["rate"] : (Object.keys(scales) as StatisticField[])
}

const checkContrast = (contrast: ContrastField, analysed: Analysed, scene: Scene): void => {
  const terms = termsOf(contrast.value) ?? []
  checkWays(contrast, terms, analysed, scene)
  const statistics = terms.flatMap(({ side }) => statisticOf(restrictedOf(side).measure, analysed) ?? [])
  const other = statistics.find((one) => scales[one] !== scales[statistics[0]!])
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
    return `${restrictedOf(side).measure}\n${trialsOfSide(side, analysed)
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
    if (estimator === "two_sample" && terms.length > 2) scene.say("CFX2518", { terms: terms.length }, way)
    const cells = columnsIn(way, "cells") ?? columnsIn(way, "signs") ?? []
    distinctNames(scene, "column", cells)
    for (const column of cells) {
      if (!checkAnyColumn(column, analysed, scene)) continue
      const fixed = terms.some(({ side }) => Object.hasOwn(partsOf(side, analysed).levels, column.text))
      if (fixed) scene.say("CFX2508", { column: column.text }, column)
    }
    for (const { side } of terms) {
      const { measure } = restrictedOf(side)
      const statistic = statisticOf(measure, analysed)
      const fits = fitting(estimator)
      if (statistic === undefined || fits.includes(statistic)) continue
      scene.say("CFX2510", { way: print(way), measure, statistic, fits }, way)
      break
    }
  }
}

// ---------------------------------------------------------------- expectations

const checkExpectation = ({ claim }: ExpectField, analysed: Analysed, scene: Scene): void => {
  const contrasts = fieldsOf(analysed.experiment, "contrast")
  if (claim.kind === "comparison") {
    checkComparison(claim.value, contrasts, analysed, scene)
    return
  }
  if (claim.kind === "published") {
    checkPublished(claim, analysed, scene)
    return
  }
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

export const adjustments = ["holm", "benjamini_hochberg"]

/** Reports contrasts of a family that there are not or that stand twice, and a family that adjusts nothing. */
const checkFamilies = (experiment: Experiment, contrasts: readonly ContrastField[], scene: Scene): void => {
  const families = fieldsOf(experiment, "family")
  distinctNames(
    scene,
    "family",
    families.map(({ name }) => name),
  )
  const first = new Map<string, string>()
  for (const { name, contrasts: members, adjust } of families) {
    distinctNames(scene, "contrast of the family", members)
    for (const member of members) {
      contrastNamed(member, contrasts, scene)
      const before = first.get(member.text)
      if (before === undefined) first.set(member.text, name.text)
      else if (before !== name.text)
        scene.say("CFX2519", { contrast: member.text, families: [before, name.text] }, member)
    }
    if (!adjustments.includes(adjust.text))
      scene.say("CFX2013", { field: "family", found: adjust.text, known: adjustments }, adjust)
    if (new Set(members.map(({ text }) => text)).size === 1)
      scene.say("CFX2520", { family: name.text, contrast: members[0]!.text }, name)
  }
  for (const { name, contrasts: members } of fieldsOf(experiment, "forest")) {
    distinctNames(scene, "contrast of the figure", members)
    for (const member of members) contrastNamed(member, contrasts, scene)
    if (members.length === 0 && contrasts.length === 0 && !scene.torn)
      scene.say("CFX2521", { figure: name.text }, name)
  }
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
  checkFamilies(experiment, contrasts, scene)
  for (const expectation of fieldsOf(experiment, "expect")) checkExpectation(expectation, analysed, scene)
}
