/** How far two series of numbers go together. */
import { average } from "./mean.ts"

/** Pearson's r of pairs (1896); undefined with fewer than two, or where a side does not vary. */
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
  if (squaresX <= 1e-24 * n * meanX ** 2 || squaresY <= 1e-24 * n * meanY ** 2) return undefined
  return Math.max(-1, Math.min(1, products / Math.sqrt(squaresX * squaresY)))
}

/** Spearman's rho (1904): Pearson's r of ranks, ties with the average of theirs. */
export function spearman(x: readonly number[], y: readonly number[]): number | undefined {
  return pearson(ranksOf(x), ranksOf(y))
}

/** From 1; equal values have the average of their ranks. */
function ranksOf(values: readonly number[]): readonly number[] {
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!)
  const ranks = new Array<number>(values.length)
  for (let from = 0; from < order.length; ) {
    let to = from
    while (to < order.length && values[order[to]!] === values[order[from]!]) to += 1
    for (let at = from; at < to; at++) ranks[order[at]!] = (from + 1 + to) / 2
    from = to
  }
  return ranks
}
