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

/** Categories are numbered below this; pairs stay exact in a double. */
const CATEGORIES = 2 ** 26

/** Two categories, each as a whole number from 0, as one number. */
export const pairCode = (left: number, right: number): number => left * CATEGORIES + right

/** Of pairs with how often each stands; undefined where agreement by chance is certain, or there is no pair. */
export function kappaOfCounts(codes: ArrayLike<number>, counts: ArrayLike<number>): number | undefined {
  const left = new Map<number, number>()
  const right = new Map<number, number>()
  let agreed = 0
  let n = 0
  for (let at = 0; at < codes.length; at++) {
    const [code, count] = [codes[at]!, counts[at]!]
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
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return kappaOfCounts([...counts.keys()], [...counts.values()])
}
