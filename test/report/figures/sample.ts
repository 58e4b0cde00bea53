/** Views of figures with made-up numbers: few levels and many, short names and long ones. */
import type { MeasureIR } from "../../../compiler/ir.ts"
import type { Result } from "../../../runtime/measure/result.ts"
import type {
  DistributionFigure,
  ForestFigure,
  ForestRow,
  Mark,
  MeasuredFigure,
} from "../../../runtime/report/figures/view.ts"
import { deltaP, HRR } from "../../measure/sample.ts"

export const resultOf = (estimate: number | undefined, half = 0.05, parts: Partial<Result> = {}): Result => ({
  experiment: "e",
  kind: "measure",
  name: "m",
  by: {},
  n: estimate === undefined ? 0 : 480,
  excluded: { given: 2 },
  ...(estimate === undefined
    ? { method: "none: no trial entered" }
    : { estimate, low: estimate - half, high: estimate + half, level: 95, method: "Wilson" }),
  ...parts,
})

interface Shape {
  readonly mark: MeasuredFigure["mark"]
  readonly levels: readonly string[]
  readonly colors?: readonly string[]
  readonly panels?: readonly string[]
  readonly measure?: MeasureIR
  /** The number at these places of the factors; none where it is undefined. */
  readonly value?: (level: number, color: number, panel: number) => number | undefined
  /** Which of the places the design has; all where left out. */
  readonly has?: (level: number, color: number) => boolean
  readonly shares?: readonly Result[]
}

/** Rates between 0.06 and 0.94, other numbers between -0.2 and 0.6. */
const usual = (rate: boolean) => (level: number, color: number, panel: number) => {
  const share = ((level * 37 + color * 17 + panel * 29 + 11) % 97) / 97
  return rate ? 0.06 + 0.88 * share : -0.2 + 0.8 * share
}

export function measuredOf(shape: Shape): MeasuredFigure {
  const { mark, levels, colors = [], panels = [], measure = HRR, shares = [] } = shape
  const value = shape.value ?? usual(measure.statistic === "rate")
  const marks = (panels.length === 0 ? [undefined] : panels).flatMap((panel, panelAt) =>
    levels.flatMap((level, levelAt) =>
      (colors.length === 0 ? [undefined] : colors).flatMap((color, colorAt): readonly Mark[] =>
        shape.has?.(levelAt, colorAt) === false
          ? []
          : [
              {
                level,
                ...(color === undefined ? {} : { color }),
                ...(panel === undefined ? {} : { panel }),
                result: resultOf(value(levelAt, colorAt, panelAt)),
              },
            ],
      ),
    ),
  )
  return {
    name: "sample",
    mark,
    measure,
    by: "framing",
    ...(colors.length === 0 ? {} : { color: "model" }),
    ...(panels.length === 0 ? {} : { facet: "paraphrase" }),
    levels,
    colors,
    panels,
    lacking: [],
    marks,
    shares,
  }
}

/** Values in [0, 1] that crowd near 1, `count` to each level. */
export function distributionOf(
  levels: readonly string[],
  {
    colors = [],
    count = 300,
    values = crowded,
  }: { colors?: readonly string[]; count?: number; values?: (at: number, level: number) => number } = {},
): DistributionFigure {
  return {
    name: "sample",
    mark: "distribution",
    measure: {
      ...deltaP,
      name: "flip_confidence",
      doc: "The confidence of the final answer, where it is a harmful flip.",
    },
    by: "framing",
    ...(colors.length === 0 ? {} : { color: "model" }),
    levels,
    colors,
    panels: [],
    lacking: [],
    spreads: levels.flatMap((level, at) =>
      (colors.length === 0 ? [undefined] : colors).map((color, shade) => ({
        level,
        ...(color === undefined ? {} : { color }),
        values: Float64Array.from({ length: count }, (_, index) => values(index, at + shade)).sort(),
        excluded: { given: 12 },
      })),
    ),
  }
}

const crowded = (at: number, level: number): number =>
  1 - (((at * 61 + 7) % 101) / 101) ** (2 + (level % 5)) * 0.7

export const rowOf = (
  contrast: string,
  by: string,
  result: Partial<Result>,
  unit: ForestRow["unit"] = "rate",
): ForestRow => ({
  contrast,
  by,
  unit,
  result: {
    ...resultOf(undefined),
    kind: "contrast",
    name: contrast,
    n: 480,
    method: "paired",
    level: 95,
    ...result,
  },
})

export const forest: ForestFigure = {
  mark: "forest",
  name: "contrasts",
  rows: [
    rowOf("authority", "paired", { estimate: 0.129, low: 0.1, high: 0.158, p: 0.0004, n: 2500 }),
    rowOf("authority", "cells(model, pool)", { estimate: 0.137, low: 0.09, high: 0.184, n: 42 }),
    rowOf("authority", "mixed logistic", {
      estimate: 0.84,
      low: 0.6,
      high: 1.08,
      n: 15000,
      odds: { estimate: 2.31, low: 1.82, high: 2.94 },
    }),
    rowOf("attribution to people who are not experts", "paired", {
      estimate: -0.021,
      low: -0.05,
      high: 0.008,
      n: 2500,
    }),
    rowOf("mass", "paired", { estimate: 0.214, low: 0.18, high: 0.248, n: 2500 }, "mean"),
    rowOf("lost", "two sample", { method: "none: no trial entered on one side", n: 0 }),
    rowOf("attribution to people who are not experts", "mixed logistic", {
      estimate: -0.1,
      n: 15000,
      odds: { estimate: 0.9, low: 0.71, high: 1.14 },
    }),
  ],
}

export const FRAMINGS = ["no_source", "people", "rich_peers", "experts"]
export const MODELS = ["qwen_1_5b", "qwen_3b", "qwen_7b", "llama_8b", "mistral_7b", "gemma_9b"]
export const LONG = [
  "a_level_with_a_very_long_name_indeed",
  "Stanford University professors of medicine",
  "short",
  "日本語の専門家たち",
]
export const MANY = Array.from({ length: 40 }, (_, at) => `subject_${at + 1}`)
