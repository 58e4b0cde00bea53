/** Axes as marks of a plot. */
import * as Plot from "@observablehq/plot"
import type { Axis } from "./axis.ts"
import { FAINT, GRID, INK } from "./palette.ts"
import { SMALL } from "./sizes.ts"

/** What the labels of both axes share. They are text marks: Plot's own axis leaves labels of a logarithmic one out. */
const labels = (axis: Axis) => ({ text: axis.label, fill: FAINT.light, fontSize: SMALL })

/** Grid lines, and numbers to the left of them. */
export const upright = (axis: Axis): Plot.Markish[] => [
  Plot.gridY(axis.ticks, { stroke: GRID.light, strokeOpacity: 1 }),
  Plot.text(axis.ticks, {
    y: (tick) => tick,
    frameAnchor: "left",
    textAnchor: "end",
    dx: -6,
    ...labels(axis),
  }),
]

/** Grid lines, and numbers below them. */
export const lying = (axis: Axis): Plot.Markish[] => [
  Plot.gridX(axis.ticks, { stroke: GRID.light, strokeOpacity: 1 }),
  Plot.text(axis.ticks, {
    x: (tick) => tick,
    frameAnchor: "bottom",
    lineAnchor: "top",
    dy: 6,
    ...labels(axis),
  }),
]

/** The line that bars stand on, or that a difference is compared with. */
export const baseY = (value = 0) => Plot.ruleY([value], { stroke: INK.light, strokeWidth: 1 })
export const baseX = (value = 0) => Plot.ruleX([value], { stroke: INK.light, strokeWidth: 1 })

/** What chance alone would come to. */
const chance = { stroke: FAINT.light, strokeDasharray: "5 3", strokeWidth: 1 }
const chanceWord = { text: () => "chance", fill: FAINT.light, fontSize: SMALL }
export const chanceY = (value: number): Plot.Markish[] => [
  Plot.ruleY([value], chance),
  Plot.text([value], {
    y: (at: number) => at,
    frameAnchor: "right",
    textAnchor: "end",
    dy: -7,
    ...chanceWord,
  }),
]
export const chanceX = (value: number): Plot.Markish[] => [
  Plot.ruleX([value], chance),
  Plot.text([value], {
    x: (at: number) => at,
    frameAnchor: "top",
    textAnchor: "start",
    dx: 4,
    ...chanceWord,
  }),
]

/** Ends of intervals: strokes across them. */
const stroke = (dx: number, dy: number) => ({
  draw(context: { moveTo(x: number, y: number): void; lineTo(x: number, y: number): void }) {
    context.moveTo(-dx, -dy)
    context.lineTo(dx, dy)
  },
})
export const ACROSS = stroke(4.5, 0) as unknown as Plot.SymbolType
export const UPRIGHT = stroke(0, 4.5) as unknown as Plot.SymbolType
