/** The body of figures whose rows lie one below the other over one axis. */
import type * as Plot from "@observablehq/plot"
import { type Axis, thinned } from "./axis.ts"
import { lying } from "./axisMarks.ts"
import { plotted } from "./plot.ts"

/** Below the rows, for the axis's numbers. */
export const NUMBERS = 24

export interface Body {
  readonly width: number
  /** Of the rows; the numbers of the axis come below. */
  readonly height: number
  readonly left: number
  readonly right: number
  readonly axis: Axis
}

/** SVG of marks whose x is a number of the axis and whose y counts from the top, in pixels. */
export const lyingBody = ({ width, height, left, right, axis }: Body, marks: Plot.Markish[]): string =>
  plotted({
    width,
    height: height + NUMBERS,
    marginTop: 0,
    marginBottom: NUMBERS,
    marginLeft: left,
    marginRight: right,
    x: { domain: [axis.low, axis.high], axis: null },
    y: { domain: [height, 0], axis: null },
    marks: [...lying(thinned(axis, width - left - right)), ...marks],
  })
