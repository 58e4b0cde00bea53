/** Axes: numbers with their units, few enough to be read. */
import * as Plot from "@observablehq/plot"
import { fixed, printed, type Unit } from "../format.ts"
import { type Scale, scaleOf, shareScale } from "../scale.ts"
import { SMALL } from "./frame.ts"
import { FAINT, GRID, INK } from "./palette.ts"

/** Numbers along an axis. */
export interface Axis extends Scale {
  readonly label: (value: number) => string
}

/** Of shares, and of differences between them, in percent; of others in their own unit. It holds all values, and 0. */
export function axisOf(values: readonly number[], unit: Unit): Axis {
  const share = unit === "rate"
  const scale =
    share && values.every((value) => value >= 0 && value <= 1) ? shareScale(values) : scaleOf(values)
  if (!share) return { ...scale, label: plainLabel(scale.ticks) }
  const label = plainLabel(scale.ticks.map((tick) => Number((tick * 100).toPrecision(12))))
  return { ...scale, label: (value) => `${label(value * 100)}%` }
}

export const percent = (value: number): string => `${fixed(value * 100, 0)}%`

/** With as many decimals as the finest of the ticks has. */
export function plainLabel(ticks: readonly number[]): (value: number) => string {
  const decimals = Math.max(0, ...ticks.map((tick) => (String(tick).split(".")[1] ?? "").length))
  return (value) => printed(fixed(value, decimals))
}

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

/** Widest margin that numbers of an axis need. */
export const labelsOf = ({ ticks, label }: Axis): readonly string[] => ticks.map(label)

/** Ends of intervals: strokes across them. */
const stroke = (dx: number, dy: number) => ({
  draw(context: { moveTo(x: number, y: number): void; lineTo(x: number, y: number): void }) {
    context.moveTo(-dx, -dy)
    context.lineTo(dx, dy)
  },
})
export const ACROSS = stroke(4.5, 0) as unknown as Plot.SymbolType
export const UPRIGHT = stroke(0, 4.5) as unknown as Plot.SymbolType
