/**
 * The area under the receiver operating characteristic: the share of pairs of a trial that came about and one that did not in which the first has
 * the higher score, ties at one half; Mann & Whitney's U over the number of pairs (Hanley & McNeil 1982, Radiology 143, 29-36).
 *
 * With average ranks R of all scores, U of the n1 that came about is the sum of their R less n1 (n1 + 1) / 2; here, in one pass over ties,
 * each trial that came about has beaten those below it that did not, and half of those at its own score.
 */
import type { Ordered } from "./quantile.ts"

/** `truths`: 1 or 0. Undefined where all trials came out alike. */
export function aurocOf(truths: readonly number[], scores: readonly number[]): number | undefined {
  return weightedAuroc(ranked([{ values: truths, others: scores }]), [1])
}

/** Trials in ascending order of their scores, each with its item's number. */
interface Ranked extends Ordered {
  /** Of each trial whether it came about, 1 or 0. */
  readonly truths: Uint8Array
}

/** Trials of numbered items. */
export function ranked(
  items: readonly { readonly values: readonly number[]; readonly others: readonly number[] }[],
): Ranked {
  const trials = items
    .flatMap(({ values, others }, item) =>
      values.map((truth, at) => ({ truth, score: others[at] as number, item })),
    )
    .sort((a, b) => a.score - b.score)
  return {
    values: trials.map(({ score }) => score),
    items: trials.map(({ item }) => item),
    truths: Uint8Array.from(trials, ({ truth }) => truth),
  }
}

/** The same where each trial counts as often as its item. */
export function weightedAuroc(
  { values, items, truths }: Ranked,
  weights: ArrayLike<number>,
): number | undefined {
  let [wins, positives, negatives] = [0, 0, 0]
  for (let at = 0; at < values.length; ) {
    const score = values[at]
    let [here, against] = [0, 0]
    for (; at < values.length && values[at] === score; at++) {
      const weight = weights[items[at]!]!
      if (truths[at] === 1) here += weight
      else against += weight
    }
    wins += here * (negatives + against / 2)
    positives += here
    negatives += against
  }
  return positives === 0 || negatives === 0 ? undefined : wins / (positives * negatives)
}
