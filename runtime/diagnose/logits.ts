/** Probabilities under normal intercepts in logits. */

export const logistic = (x: number): number => 1 / (1 + Math.exp(-x))

/** Standard normal values, evenly spaced, and their weights, which sum to 1. */
export const NODES: readonly { readonly z: number; readonly weight: number }[] = nodes()

/**
 * The trapezium rule over z from -8 to 8 in steps of 1/4. For a smooth function of a normal variable its error falls off exponentially with
 * the inverse of the step: with a standard deviation of 2 in logits it is below the precision of a double, with 5 about 1e-7 (Trefethen &
 * Weideman 2014, SIAM Review 56, 385-458).
 */
function nodes(): readonly { readonly z: number; readonly weight: number }[] {
  const points = Array.from({ length: 65 }, (_, at) => (at - 32) / 4)
  const densities = points.map((z) => Math.exp((-z * z) / 2))
  const total = densities.reduce((sum, density) => sum + density, 0)
  return points.map((z, at) => ({ z, weight: densities[at]! / total }))
}

/** The mean of a function of a standard normal variable. */
export function expected(of: (z: number) => number): number {
  let sum = 0
  for (const { z, weight } of NODES) sum += weight * of(z)
  return sum
}

const known = new Map<string, number>()

/**
 * The intercept, in logits, under which the mean of logistic(intercept + deviation Z) over a standard normal Z is this share: it is further
 * from 0 than the logit of the share, since a mean over Z is drawn towards one half. Infinite for shares of 0 and 1.
 */
export function interceptFor(share: number, deviation: number): number {
  if (share <= 0) return Number.NEGATIVE_INFINITY
  if (share >= 1) return Number.POSITIVE_INFINITY
  const plain = Math.log(share / (1 - share))
  if (deviation === 0) return plain
  const key = `${share} ${deviation}`
  const before = known.get(key)
  if (before !== undefined) return before
  let low = plain - 1
  let high = plain + 1
  const at = (intercept: number) => expected((z) => logistic(intercept + deviation * z))
  while (at(low) > share) low -= 1
  while (at(high) < share) high += 1
  // Halves until no double lies between.
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2
    if (middle === low || middle === high) break
    if (at(middle) < share) low = middle
    else high = middle
  }
  const found = (low + high) / 2
  known.set(key, found)
  return found
}
