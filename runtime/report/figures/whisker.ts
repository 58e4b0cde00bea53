/** Intervals as strokes with ends, in ink over a light edge: seen on a bar as well as beside it. */
import * as Plot from "@observablehq/plot"
import { ACROSS, UPRIGHT } from "./axisMarks.ts"
import { INK, PAGE } from "./palette.ts"

/** A stroke in pixels along one axis, at a number of pixels along the other. */
export interface Stroke {
  readonly at: number
  readonly low: number
  readonly high: number
}

const layers = [
  { stroke: PAGE.light, strokeWidth: 4.5 },
  { stroke: INK.light, strokeWidth: 1.4 },
]

/** `at` along x, ends along y. */
export const upStrokes = (strokes: readonly Stroke[]): Plot.Markish[] =>
  layers.flatMap((look) => [
    Plot.ruleX(strokes, { x: "at", y1: "low", y2: "high", ...look }),
    ...["low", "high"].map((y) => Plot.dot(strokes, { x: "at", y, symbol: ACROSS, ...look })),
  ])

/** `at` along y, ends along x. */
export const sideStrokes = (strokes: readonly Stroke[]): Plot.Markish[] =>
  layers.flatMap((look) => [
    Plot.ruleY(strokes, { y: "at", x1: "low", x2: "high", ...look }),
    ...["low", "high"].map((x) => Plot.dot(strokes, { y: "at", x, symbol: UPRIGHT, ...look })),
  ])
