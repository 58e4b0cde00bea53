/** Fisher's exact test of two independent counts. */
import type { Count } from "./proportion.ts"

/** Tables that are as likely as the one seen but for rounding count as likely: as much as R's `fisher.test` allows. */
const ROUNDING = 1e-7

/**
 * The two-sided p that two shares are equal: of all tables with the same margins, the probability of those no likelier than the one seen. Fisher (1935),
 * JRSS 98, 39-82; two-sided as in R's `fisher.test`.
 */
export function fisherExact(first: Count, second: Count): number {
  const trues = first.k + second.k
  const n = first.n + second.n
  const least = Math.max(0, trues - second.n)
  const most = Math.min(first.n, trues)
  // Of the hypergeometric probabilities only ratios matter: each from the one before it, as logarithms, since they span hundreds of decades.
  const logs = [0]
  for (let k = least + 1; k <= most; k++) {
    const ratio = ((trues - k + 1) * (first.n - k + 1)) / (k * (n - trues - first.n + k))
    logs.push(logs.at(-1)! + Math.log(ratio))
  }
  const top = logs.reduce((most, log) => Math.max(most, log), Number.NEGATIVE_INFINITY)
  const seen = logs[first.k - least]! + Math.log1p(ROUNDING)
  let [extreme, all] = [0, 0]
  for (const log of logs) {
    const share = Math.exp(log - top)
    all += share
    if (log <= seen) extreme += share
  }
  return Math.min(1, extreme / all)
}
