/** Figures as they are declared, with the numbers that they show: what every form of a report draws or says. */
import type { FigureIR, MeasureIR } from "../../../compiler/ir.ts"
import type { Result } from "../../measure/result.ts"
import type { Unit } from "../format.ts"

export type FigureView = MeasuredFigure | DistributionFigure | ForestFigure

interface Declared {
  /** Also that of its file, without a folder. */
  readonly name: string
  readonly measure: MeasureIR
  readonly by: string
  readonly color?: string
  readonly facet?: string
  /** The condition on its trials, in the language's words. */
  readonly where?: string
  /** Levels that have a mark, in the order of their factors; `NONE` stands for trials that lack the factor. */
  readonly levels: readonly string[]
  /** Empty without a colour. Trials that lack the factor go by the names of their arms, except in columns of a matrix. */
  readonly colors: readonly string[]
  /** Levels of `facet`, each with a panel of its own; empty where there is one panel. Named as colours are. */
  readonly panels: readonly string[]
  /** What "–" stands for, a sentence each; empty where no mark has it. */
  readonly lacking: readonly string[]
}

/** Where a mark stands. */
export interface Place {
  readonly level: string
  readonly color?: string
  readonly panel?: string
}

export interface Mark extends Place {
  readonly result: Result
}

/** A measure at each level: bars, dots, lines, and cells of a matrix whose columns are levels of the colour. */
export interface MeasuredFigure extends Declared {
  readonly mark: Exclude<FigureIR["mark"], "distribution">
  readonly marks: readonly Mark[]
  /** Of a matrix: which share of its variance lies between rows, between columns, and in neither. */
  readonly shares: readonly Result[]
}

/** What a measure is taken of, trial by trial. */
export interface Spread extends Place {
  /** Ascending. */
  readonly values: Float64Array
  readonly excluded: Result["excluded"]
}

export interface DistributionFigure extends Declared {
  readonly mark: "distribution"
  readonly spreads: readonly Spread[]
}

export interface ForestRow {
  readonly contrast: string
  /** The estimator in words: "paired by item", "mean over cells by model and pool". */
  readonly by: string
  readonly result: Result
  /** Of the measure that is compared. */
  readonly unit: Unit
  /** Between which numbers the contrast can be, where something bounds it. */
  readonly range?: readonly [number, number]
}

export interface ForestFigure {
  readonly mark: "forest"
  readonly name: string
  /** Contrasts in the order named, each with its estimators in the order written. */
  readonly rows: readonly ForestRow[]
}

/** Stands for the level of trials that lack a factor. */
export const NONE = "–"

/** Whether there is a number to draw. */
export function hasNumbers(figure: FigureView): boolean {
  if (figure.mark === "forest") return figure.rows.some(({ result }) => result.estimate !== undefined)
  if (figure.mark === "distribution") return figure.spreads.some(({ values }) => values.length > 0)
  return figure.marks.some(({ result }) => result.estimate !== undefined)
}
