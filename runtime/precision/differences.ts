/** How far the answers of two engines to the same reads are from each other. */

export interface Differences {
  readonly reads: number
  /** Of the probabilities of one label, over all reads. */
  readonly largest: number
  /** Of the largest in each read. */
  readonly median: number
  /** Reads whose most probable label is another. */
  readonly flips: number
}

/** Answers in the same order, one probability for each label; at least one read. */
export function differences(
  one: readonly (readonly number[])[],
  other: readonly (readonly number[])[],
): Differences {
  const each = one.map((probabilities, read) =>
    Math.max(...probabilities.map((p, label) => Math.abs(p - (other[read]?.[label] ?? Number.NaN)))),
  )
  const sorted = each.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const median =
    sorted.length % 2 === 1
      ? sorted[Math.floor(middle)]
      : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
  return {
    reads: one.length,
    largest: sorted.at(-1) ?? Number.NaN,
    median: median ?? Number.NaN,
    flips: one.filter((probabilities, read) => most(probabilities) !== most(other[read] ?? [])).length,
  }
}

const most = (probabilities: readonly number[]): number =>
  probabilities.reduce(
    (best, p, label) => (p > (probabilities[best] ?? Number.NEGATIVE_INFINITY) ? label : best),
    0,
  )
