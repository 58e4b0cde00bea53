/** How far two series of numbers go together. */
import { average } from "./mean.ts"

/** Sums of the same numbers in another order differ by as much, relative to their size; no real difference is as small. */
const ROUNDING = 1e-12

/** Pearson's r of pairs (1896); undefined with fewer than two, or where a side does not vary, to rounding. */
export function pearson(x: readonly number[], y: readonly number[]): number | undefined {
  const n = x.length
  if (n < 2) return undefined
  const [meanX, meanY] = [average(x), average(y)]
  let [products, squaresX, squaresY] = [0, 0, 0]
  for (let at = 0; at < n; at++) {
    const [a, b] = [x[at]! - meanX, y[at]! - meanY]
    products += a * b
    squaresX += a * a
    squaresY += b * b
  }
  const isNothing = (squares: number, mean: number) => squares <= ROUNDING ** 2 * n * Math.max(1, mean ** 2)
  if (isNothing(squaresX, meanX) || isNothing(squaresY, meanY)) return undefined
  return Math.max(-1, Math.min(1, products / Math.sqrt(squaresX * squaresY)))
}

/** Spearman's rho (1904): Pearson's r of ranks, ties with the average of theirs. */
export function spearman(x: readonly number[], y: readonly number[]): number | undefined {
  return pearson(ranksOf(x), ranksOf(y))
}

/** From 1; values that are equal, to rounding, have the average of their ranks. */
function ranksOf(values: readonly number[]): readonly number[] {
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!)
  const ranks = new Array<number>(values.length)
  for (let from = 0; from < order.length; ) {
    const least = values[order[from]!]!
    const tie = ROUNDING * Math.max(1, Math.abs(least))
    let to = from
    while (to < order.length && values[order[to]!]! - least <= tie) to += 1
    for (let at = from; at < to; at++) ranks[order[at]!] = (from + 1 + to) / 2
    from = to
  }
  return ranks
}
