/** Tables, figures and fitted models: that they speak of measures that are taken and of columns that there are. */
import type { Experiment, ExperimentField } from "../../grammar/ast.ts"
import { columnsIn, productsIn } from "../lower/analysis.ts"
import { fieldsOf } from "../lower/columns.ts"
import { print } from "../lower/print.ts"
import { type Analysed, analysedOf } from "./analysed.ts"
import { checkContrasts } from "./contrasts.ts"
import { checkAnyColumn, checkColumn, checkMeasureName, checkWhere, trialEnvironment } from "./named.ts"
import { checkSummaries } from "./numbers.ts"
import { statisticOf } from "./restricted.ts"
import { distinctNames, type Scene } from "./scene.ts"
import { typeOf } from "./types.ts"

export const marks = ["bar", "dot", "line", "matrix", "distribution"]

/** Statistics of numbers, which have a distribution worth a figure. */
const spreads = ["mean", "sum", "quantile"]

export const checkAnalysis = (experiment: Experiment, scene: Scene): void => {
  const analysed = analysedOf(experiment, scene)
  checkContrasts(experiment, analysed, scene)
  checkSummaries(experiment, analysed, scene)
  for (const [kind, fields] of [
    ["model fit", fieldsOf(experiment, "model_fit")],
    ["table", fieldsOf(experiment, "table")],
    ["figure", [...fieldsOf(experiment, "figure"), ...fieldsOf(experiment, "forest")]],
  ] as const) {
    distinctNames(
      scene,
      kind,
      fields.map(({ name }) => name),
    )
  }
  for (const fit of fieldsOf(experiment, "model_fit")) checkFit(fit, analysed, scene)
  for (const table of fieldsOf(experiment, "table")) checkTable(table, analysed, scene)
  for (const figure of fieldsOf(experiment, "figure")) checkFigure(figure, analysed, scene)
}

type Field<F extends ExperimentField["field"]> = Extract<ExperimentField, { field: F }>

const checkTable = (
  { rows, columns, average, where }: Field<"table">,
  analysed: Analysed,
  scene: Scene,
): void => {
  for (const row of rows) checkAnyColumn(row, analysed, scene)
  distinctNames(scene, "row", rows)
  for (const { text } of rows) {
    const same = columns.find((column) => column.text === text)
    if (same !== undefined) scene.say("CFX2531", { name: text, of: "measures" }, same)
  }
  for (const column of columns) checkMeasureName(column, analysed, scene)
  distinctNames(scene, "column", columns)
  const cells = average && (columnsIn(average, "macro") ?? columnsIn(average, "median"))
  if (average !== undefined && print(average) !== "pooled" && (cells ?? []).length === 0) {
    const known = ["pooled", "macro(model, pool)", "median(model, pool)"]
    scene.say("CFX2013", { field: "average", found: print(average), known }, average)
  }
  for (const cell of cells ?? []) checkAnyColumn(cell, analysed, scene)
  distinctNames(scene, "column", cells ?? [])
  if (where !== undefined) checkWhere(where, analysed, scene)
}

const checkFigure = (
  { mark, measure, by, color, facet, where }: Field<"figure">,
  analysed: Analysed,
  scene: Scene,
): void => {
  if (!marks.includes(mark.text))
    scene.say("CFX2013", { field: "figure", found: mark.text, known: [...marks, "forest"] }, mark)
  const measured = checkMeasureName(measure, analysed, scene)
  const statistic = measured ? statisticOf(measure.text, analysed) : undefined
  if (mark.text === "distribution" && statistic !== undefined && !spreads.includes(statistic))
    scene.say("CFX2528", { measure: measure.text, statistic }, measure)
  const axes = [by, ...(color === undefined ? [] : [color]), ...(facet === undefined ? [] : [facet])]
  for (const axis of axes) checkAnyColumn(axis, analysed, scene)
  distinctNames(scene, "factor of the figure", axes)
  if (mark.text === "matrix" && color === undefined)
    scene.say("CFX2514", { by: by.text, measure: measure.text }, mark)
  if (where !== undefined) checkWhere(where, analysed, scene)
}

const checkFit = (
  { metric, terms, random, slopes, where }: Field<"model_fit">,
  analysed: Analysed,
  scene: Scene,
): void => {
  if (checkMeasureName(metric, analysed, scene)) {
    const statistic = statisticOf(metric.text, analysed)
    if (statistic !== undefined && statistic !== "rate")
      scene.say("CFX2511", { measure: metric.text, statistic }, metric)
  }
  const environment = trialEnvironment(analysed, scene)
  for (const factor of productsIn(terms).flat()) {
    if (
      factor.kind === "name" &&
      !environment.columns.has(factor.text) &&
      !environment.reads.has(factor.text)
    ) {
      checkColumn(factor, analysed, scene)
      continue
    }
    const type = typeOf(factor, environment, scene)
    const constant = factor.kind === "number"
    if (
      type === undefined ||
      (!constant && (type === "level" || type === "number" || type === "column value"))
    )
      continue
    scene.say(
      "CFX2512",
      { term: print(factor), found: constant ? "number that is the same for all trials" : type },
      factor,
    )
  }
  for (const column of random) {
    const known = checkAnyColumn(column, analysed, scene, ["item"])
    const levels = analysed.columns.get(column.text)
    if (known && levels !== undefined && levels.length < 2)
      scene.say("CFX2529", { column: column.text, level: levels[0] }, column)
  }
  distinctNames(scene, "random intercept", random)
  for (const { factor, by } of slopes) {
    const isColumn = checkColumn(factor, analysed, scene)
    const fixed = productsIn(terms)
      .flat()
      .some((term) => term.kind === "name" && term.text === factor.text)
    if (isColumn && !fixed) scene.say("CFX2530", { factor: factor.text, by: by.text }, factor)
    const known = random.map(({ text }) => text)
    if (!known.includes(by.text)) scene.say("CFX2513", { by: by.text, known }, by)
  }
  if (where !== undefined) checkWhere(where, analysed, scene)
}
