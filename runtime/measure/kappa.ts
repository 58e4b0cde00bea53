/**
 * Cohen's kappa: how far two codings of the same trials agree beyond what their marginal shares alone would give.
 *
 *   kappa = (p_o - p_e) / (1 - p_e)
 *
 * p_o is the share of trials that both put into one category, p_e the sum over categories of the product of the two codings' shares of it (Cohen 1960,
 * "A coefficient of agreement for nominal scales", Educational and Psychological Measurement 20, 37-46). Where both put every trial into one and the
 * same category, p_e is 1 and there is no value.
 *
 * A trial's value is the pair of its categories as one number, so that trials with kappa pass through what other measures pass through.
 */
import type { Stream } from "../../compiler/draw.ts"
import { type Bootstrapped, percentiles } from "./bootstrap.ts"
import { type Column, Numbers } from "./column.ts"

/** Categories are numbered below this; pairs stay exact in a double. */
const CATEGORIES = 2 ** 26

/** Pairs of categories, each as a number, of texts that `cfx_pair` made; null where a trial has none. Equal categories of either side are one. */
export function pairCodes(pairs: Column): Column {
  const known = new Map<string, number>()
  const codeOf = (category: string): number => {
    const code = known.get(category) ?? known.size
    known.set(category, code)
    return code
  }
  const codes = new Numbers()
  for (let row = 0; row < pairs.length; row++) {
    const pair = pairs.at(row)
    if (pair === null) codes.push(null)
    else {
      const [left, right] = JSON.parse(pair as string) as [string, string]
      codes.push(codeOf(left) * CATEGORIES + codeOf(right))
    }
  }
  return codes
}

/** Of pairs with how often each stands; undefined where agreement by chance is certain, or there is no pair. */
export function kappaOfCounts(
  pairs: readonly (readonly [code: number, count: number])[],
): number | undefined {
  const left = new Map<number, number>()
  const right = new Map<number, number>()
  let agreed = 0
  let n = 0
  for (const [code, count] of pairs) {
    const [a, b] = [Math.floor(code / CATEGORIES), code % CATEGORIES]
    left.set(a, (left.get(a) ?? 0) + count)
    right.set(b, (right.get(b) ?? 0) + count)
    if (a === b) agreed += count
    n += count
  }
  let chance = 0
  for (const [category, count] of left) chance += count * (right.get(category) ?? 0)
  // In whole numbers: p_e is 1 exactly where `chance` is n squared.
  if (chance === n * n) return undefined
  return (agreed * n - chance) / (n * n - chance)
}

/** Of the values of trials; undefined where agreement by chance is certain, or there is no trial. */
export function kappaOf(values: readonly number[]): number | undefined {
  return kappaOfCounts([...countsOf(values)])
}

function countsOf(values: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/**
 * Interval of a sum of signed kappas over the same resampled items; of one kappa with one term. Each term has the values of each item. A draw in which a
 * term has no kappa has no value.
 */
export function bootstrapKappas(
  terms: readonly (readonly (readonly number[])[])[],
  signs: readonly number[],
  items: number,
  level: number,
  stream: Stream,
): Bootstrapped {
  if (items < 2) return { none: "one item" }
  const counted = terms.map((term) => {
    const codes = [...new Set(term.flat())]
    const places = new Map(codes.map((code, place) => [code, place]))
    const shares = term.map((values) =>
      [...countsOf(values)].map(([code, count]) => [places.get(code)!, count] as const),
    )
    return { codes, shares }
  })
  const weights = new Int32Array(items)
  return percentiles(level, () => {
    weights.fill(0)
    for (let i = 0; i < items; i++) weights[stream.below(items)]!++
    let value = 0
    for (const [at, { codes, shares }] of counted.entries()) {
      const counts = codes.map(() => 0)
      for (const [item, share] of shares.entries()) {
        const weight = weights[item]!
        if (weight > 0) for (const [place, count] of share) counts[place]! += weight * count
      }
      const one = kappaOfCounts(codes.map((code, place) => [code, counts[place]!]))
      if (one === undefined) return undefined
      value += signs[at]! * one
    }
    return value
  })
}
