/**
 * A difference of two groups of trials: the mean of a number where something is true of the trial, less its mean where it is not. Of truth values, as
 * 1 or 0, it is a difference of two proportions.
 */

/** What an item adds to both means. */
export interface Halves {
  readonly inSum: number
  readonly inCount: number
  readonly outSum: number
  readonly outCount: number
}

const NOTHING: Halves = { inSum: 0, inCount: 0, outSum: 0, outCount: 0 }

/** `others`: 1 where a value belongs to the first mean, else 0. */
export function halvesOf({
  values,
  others,
}: {
  readonly values: readonly number[]
  readonly others: readonly number[]
}): Halves {
  const halves = { ...NOTHING }
  for (const [at, value] of values.entries()) {
    const isIn = others[at] === 1
    halves[isIn ? "inSum" : "outSum"] += value
    halves[isIn ? "inCount" : "outCount"] += 1
  }
  return halves
}

/** Undefined where a group has no trial. `weights`: how often each item stands. */
export function differenceOfGroups(
  items: readonly Halves[],
  weights?: (item: number) => number,
): number | undefined {
  const sum = { ...NOTHING }
  for (const [at, { inSum, inCount, outSum, outCount }] of items.entries()) {
    const weight = weights?.(at) ?? 1
    sum.inSum += weight * inSum
    sum.inCount += weight * inCount
    sum.outSum += weight * outSum
    sum.outCount += weight * outCount
  }
  if (sum.inCount === 0 || sum.outCount === 0) return undefined
  return sum.inSum / sum.inCount - sum.outSum / sum.outCount
}
