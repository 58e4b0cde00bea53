/** How values are counted for a histogram. */
import { scaleOf } from "../scale.ts"
import { type Axis, plainLabel } from "./axis.ts"

/** Equal steps; a value at an inner edge counts above it, one at the last edge below. */
export interface Bins {
  readonly low: number
  readonly step: number
  readonly count: number
  readonly axis: Axis
}

/** Whole numbers that are few have a bin each, around them; shares have twentieths; others about twenty round steps. */
export function binsOf(all: readonly Float64Array[]): Bins {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let whole = true
  for (const values of all) {
    for (const value of values) {
      least = Math.min(least, value)
      most = Math.max(most, value)
      whole &&= Number.isInteger(value)
    }
  }
  if (least > most) [least, most] = [0, 1]
  if (whole && most - least <= 30) {
    const ticks = Array.from({ length: most - least + 1 }, (_, at) => least + at)
    const axis = { low: least - 0.5, high: most + 0.5, ticks, label: plainLabel(ticks) }
    return { low: axis.low, step: 1, count: ticks.length, axis }
  }
  if (least >= 0 && most <= 1) {
    const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
    return { low: 0, step: 0.05, count: 20, axis: { low: 0, high: 1, ticks, label: plainLabel(ticks) } }
  }
  const fine = scaleOf([least, most], 20)
  const { ticks } = scaleOf([least, most], 5)
  const axis = { low: fine.low, high: fine.high, ticks, label: plainLabel(ticks) }
  return {
    low: fine.low,
    step: (fine.high - fine.low) / (fine.ticks.length - 1),
    count: fine.ticks.length - 1,
    axis,
  }
}

/** The share of the values that is in each bin; no shares of no values. */
export function sharesIn(values: Float64Array, { low, step, count }: Bins): readonly number[] {
  if (values.length === 0) return []
  const counts = new Uint32Array(count)
  // 0.15 / 0.05 is a little less than 3.
  for (const value of values)
    counts[Math.max(0, Math.min(count - 1, Math.floor((value - low) / step + 1e-9)))]! += 1
  return Array.from(counts, (one) => one / values.length)
}
