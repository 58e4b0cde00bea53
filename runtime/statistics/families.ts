/** Adjusting the p values of a family of tests, each in the order given. */

/**
 * Holm (1979), Scandinavian Journal of Statistics 6, 65-70: the chance that any true hypothesis of the family is rejected stays below the level. The
 * smallest p times m, the next times m - 1, and so on; none below one before it, none above 1.
 */
export function holm(ps: readonly number[]): readonly number[] {
  const order = ascending(ps)
  const adjusted = new Array<number>(ps.length)
  let least = 0
  for (const [rank, at] of order.entries()) {
    least = Math.max(least, Math.min(1, (ps.length - rank) * ps[at]!))
    adjusted[at] = least
  }
  return adjusted
}

/**
 * Benjamini & Hochberg (1995), JRSS B 57, 289-300: of the hypotheses that are rejected, the share of true ones stays below the level, on average. The
 * p at rank i times m / i; none above one behind it.
 */
export function benjaminiHochberg(ps: readonly number[]): readonly number[] {
  const order = ascending(ps)
  const adjusted = new Array<number>(ps.length)
  let most = 1
  for (let rank = order.length; rank > 0; rank--) {
    const at = order[rank - 1]!
    most = Math.min(most, (ps.length / rank) * ps[at]!)
    adjusted[at] = most
  }
  return adjusted
}

function ascending(ps: readonly number[]): readonly number[] {
  return [...ps.keys()].sort((a, b) => ps[a]! - ps[b]!)
}
