/** Quantiles by linear interpolation: Hyndman & Fan (1996), The American Statistician 50, 361-365, definition 7, the default of R. */

/** Of sorted values, at least one. */
export function quantile(sorted: ArrayLike<number>, probability: number): number {
  const at = (sorted.length - 1) * probability
  const below = Math.floor(at)
  const low = sorted[below]!
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!
  return low + (high - low) * (at - below)
}

/** Values in ascending order, and the item that each is of. */
export interface Ordered {
  readonly values: readonly number[]
  readonly items: readonly number[]
}

/** The same quantile, of values each of which counts as often as its item; undefined where none counts. */
export function weightedQuantile(
  { values, items }: Ordered,
  weights: ArrayLike<number>,
  probability: number,
): number | undefined {
  let total = 0
  for (let place = 0; place < items.length; place++) total += weights[items[place]!]!
  if (total === 0) return undefined
  const at = (total - 1) * probability
  const below = Math.floor(at)
  const above = Math.min(below + 1, total - 1)
  let passed = 0
  let low: number | undefined
  for (let place = 0; place < values.length; place++) {
    passed += weights[items[place]!]!
    if (low === undefined && passed > below) low = values[place]!
    if (low !== undefined && passed > above) return low + (values[place]! - low) * (at - below)
  }
  return low
}
