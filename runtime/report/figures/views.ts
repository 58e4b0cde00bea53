/** From the declarations of figures to their views: each mark with the result that it shows. */
import type { ContrastIR, ExperimentIR, FigureIR, MeasureIR } from "../../../compiler/ir.ts"
import type { Columns } from "../../measure/column.ts"
import type { Trials } from "../../measure/outcome.ts"
import { printExpression } from "../../measure/print.ts"
import type { Result } from "../../measure/result.ts"
import { levelsOf } from "../../measure/units.ts"
import { valuesOf } from "../../measure/values.ts"
import { figureFactors, type Group, groupsOf } from "../../measure/views.ts"
import { estimatorName } from "../contrastGrid.ts"
import { visible } from "../escape.ts"
import { armsOf, lackingNotes, listed } from "../lacking.ts"
import { possibleRange, unitOf } from "../unit.ts"
import { type FigureView, type ForestFigure, type ForestRow, NONE, type Place } from "./view.ts"

/** What figures are made from. */
export interface Found {
  readonly experiment: ExperimentIR
  readonly trials: Trials
  readonly columns: Columns
  readonly results: readonly Result[]
  /** The result of a measure over a set of trials. */
  readonly find: (measure: string, group: Group) => Result
}

/** Every figure and every forest, in the order of the spec. */
export function figuresOf(found: Found): readonly FigureView[] {
  const { figures, forests } = found.experiment
  return [
    ...figures.map((figure) => measured(found, figure)),
    ...forests.map((forest) => forestOf(found, forest)),
  ]
}

/** As long as it is drawn, so that room is kept for all of it. */
const shown = (level: string | undefined, none = NONE): string =>
  level === undefined ? none : visible(level)

function measured(found: Found, figure: FigureIR): FigureView {
  const { experiment, trials, columns, results, find } = found
  const { name, mark, by, color, facet, where } = figure
  const measure = experiment.measures.find((one) => one.name === figure.measure)
  if (measure === undefined) throw new Error(`no measure ${figure.measure} in ${experiment.name}`)
  const groups = groupsOf(experiment, columns, { factors: figureFactors(figure), where })
  // A key or a heading has room for the arms that lack its factor; on an axis they are a dash with a note.
  const noColor = color === undefined || mark === "matrix" ? NONE : armsWithout(experiment, groups, color)
  const noPanel = facet === undefined ? NONE : armsWithout(experiment, groups, facet)
  const placed = groups.map(
    ({ levels }): Place => ({
      level: shown(levels[by]),
      ...(color === undefined ? {} : { color: shown(levels[color], noColor) }),
      ...(facet === undefined ? {} : { panel: shown(levels[facet], noPanel) }),
    }),
  )
  const head = {
    name,
    measure,
    by,
    ...(color === undefined ? {} : { color }),
    ...(facet === undefined ? {} : { facet }),
    ...(where === undefined ? {} : { where: printExpression(where) }),
    levels: inOrder(experiment, groups, by),
    colors: color === undefined ? [] : inOrder(experiment, groups, color, noColor),
    panels: facet === undefined ? [] : inOrder(experiment, groups, facet, noPanel),
    lacking: lackingNotes(
      experiment,
      figureFactors(figure).filter(
        (factor) =>
          factor === by || (factor === color && noColor === NONE) || (factor === facet && noPanel === NONE),
      ),
      groups,
    ),
  }
  if (mark === "distribution") {
    const values = valuesOf(
      trials,
      measure,
      groups.map(({ view }) => view),
    )
    const spreads = placed.map((place, at) => ({
      ...place,
      values: Float64Array.from(values[at]!.values).sort(),
      excluded: values[at]!.excluded,
    }))
    return { ...head, mark, spreads }
  }
  return {
    ...head,
    mark,
    marks: placed.map((place, at) => ({ ...place, result: find(measure.name, groups[at]!) })),
    shares: results.filter((result) => result.kind === "decomposition" && result.name === name),
  }
}

/** "reask and length": the arms of trials that lack a factor; `NONE` where items lack it, or where a level has that name. */
function armsWithout(experiment: ExperimentIR, groups: readonly Group[], factor: string): string {
  if (!experiment.factors.some(({ name }) => name === factor)) return NONE
  const name = listed(
    armsOf(
      experiment,
      groups.filter(({ levels }) => levels[factor] === undefined),
    ),
  )
  return name === "" || groups.some(({ levels }) => levels[factor] === name) ? NONE : name
}

/** The levels that some group has, in the order of their factor; what lacks it goes first, by the name of `none`. */
function inOrder(
  experiment: ExperimentIR,
  groups: readonly Group[],
  factor: string,
  none = NONE,
): readonly string[] {
  const present = new Set(groups.map(({ levels }) => levels[factor]))
  const units = groups.flatMap(({ view }) => view.units)
  return [undefined, ...levelsOf(experiment, factor, units)]
    .filter((level) => present.has(level))
    .map((level) => shown(level, none))
}

function forestOf({ experiment, results }: Found, forest: ExperimentIR["forests"][number]): ForestFigure {
  const names = forest.contrasts.length > 0 ? forest.contrasts : experiment.contrasts.map(({ name }) => name)
  const rows = names.flatMap((name) => {
    const contrast = experiment.contrasts.find((one) => one.name === name)
    if (contrast === undefined) throw new Error(`no contrast ${name} in ${experiment.name}`)
    const measure = experiment.measures.find((one) => one.name === contrast.terms[0]!.measure)!
    return results
      .filter((result) => result.kind === "contrast" && result.name === name)
      .map((result) => ({
        contrast: name,
        by: estimatorName(result),
        result,
        unit: unitOf(measure),
        ...rangeOf(contrast, measure),
      }))
  })
  return { mark: "forest", name: forest.name, rows }
}

/** A sum of terms is between the sums of their ends. */
function rangeOf({ terms }: ContrastIR, measure: MeasureIR): Pick<ForestRow, "range"> {
  const range = possibleRange(measure)
  if (range === undefined || terms.some((term) => term.measure !== measure.name)) return {}
  const [least, most] = range
  const sum = (ends: readonly number[]): number => ends.reduce((total, end) => total + end, 0)
  return {
    range: [
      sum(terms.map(({ sign }) => (sign === 1 ? least : -most))),
      sum(terms.map(({ sign }) => (sign === 1 ? most : -least))),
    ],
  }
}
