/** Axes: numbers with their units, few enough to be read. */
import { fixed, printed, type Unit } from "../format.ts"
import { type Scale, scaleOf, shareScale } from "../scale.ts"
import { SMALL } from "./sizes.ts"
import { widest } from "./text.ts"

/** Numbers along an axis. */
export interface Axis extends Scale {
  readonly label: (value: number) => string
}

/** Of shares, and of differences between them, in percent; of others in their own unit. It holds all values, and 0. */
export function axisOf(values: readonly number[], unit: Unit): Axis {
  const shares = unit === "rate" && values.every((value) => value >= 0 && value <= 1)
  return labelled(shares ? shareScale(values) : scaleOf(values), unit)
}

/** The numbers of a scale in the unit of what is measured. */
export function labelled(scale: Scale, unit: Unit): Axis {
  if (unit !== "rate") return { ...scale, label: plainLabel(scale.ticks) }
  const label = plainLabel(scale.ticks.map((tick) => Number((tick * 100).toPrecision(12))))
  return { ...scale, label: (value) => `${label(value * 100)}%` }
}

export const percent = (value: number): string => `${fixed(value * 100, 0)}%`

/** More decimals are zeros to be counted. */
const MOST_DECIMALS = 6

/** With as many decimals as the finest of the ticks has, or as powers of ten. */
export function plainLabel(ticks: readonly number[]): (value: number) => string {
  const decimals = Math.max(0, ...ticks.map(decimalsOf))
  return decimals > MOST_DECIMALS
    ? (value) => printed(value === 0 ? "0" : Number(value.toPrecision(12)).toExponential())
    : (value) => printed(fixed(value, decimals))
}

/** 0.25 has two, 2.5e-7 has eight. */
function decimalsOf(value: number): number {
  const [digits = "", power = "0"] = String(value).split("e")
  return Math.max(0, (digits.split(".")[1] ?? "").length - Number(power))
}

/** Widest margin that numbers of an axis need. */
export const labelsOf = ({ ticks, label }: Axis): readonly string[] => ticks.map(label)

/** Fewer ticks where their labels would touch. */
export function thinned(axis: Axis, room: number): Axis {
  const need = widest(labelsOf(axis), SMALL) + 10
  const every = Math.max(1, Math.ceil((need * (axis.ticks.length - 1)) / Math.max(1, room)))
  const zero = Math.max(0, axis.ticks.indexOf(0))
  return { ...axis, ticks: axis.ticks.filter((_, at) => (at - zero) % every === 0) }
}
