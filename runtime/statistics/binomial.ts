/** Exact tests of counts, by the incomplete beta function: P(X >= k) = I_p(k, n - k + 1). Abramowitz & Stegun (1964), 26.5.24. */
import betainc from "@stdlib/math-base-special-betainc"

/** P(X >= k) of so many independent tries, each of which succeeds with probability p. */
export function binomialTail(k: number, n: number, p: number): number {
  if (k <= 0) return 1
  return k > n ? 0 : betainc(p, k, n - k + 1)
}

/** Of a test of signs: values above 0, below it, and at it, which are left out. Dixon & Mood (1946), JASA 41, 557-566. */
interface Signs {
  readonly above: number
  readonly below: number
  readonly ties: number
  /** That a sign is as likely above as below: twice the smaller tail, at most 1. */
  readonly twoSided: number
  /** That a sign is no likelier above than below, and no likelier below than above: only for who named the side beforehand. */
  readonly greater: number
  readonly less: number
}

/** Undefined where every value is at 0, to rounding. */
export function signTest(values: readonly number[]): Signs | undefined {
  const size = 1e-12
  const above = values.filter((value) => value > size).length
  const below = values.filter((value) => value < -size).length
  const ties = values.length - above - below
  if (above + below === 0) return undefined
  const [greater, less] = [binomialTail(above, above + below, 0.5), binomialTail(below, above + below, 0.5)]
  return { above, below, ties, greater, less, twoSided: Math.min(1, 2 * Math.min(greater, less)) }
}

/** McNemar's exact test of two discordant counts: two-sided p of the smaller under Binomial(b + c, 1/2), at most 1. McNemar (1947), Psychometrika 12. */
export function mcnemarExact(b: number, c: number): number {
  return Math.min(1, 2 * binomialTail(Math.max(b, c), b + c, 0.5))
}
