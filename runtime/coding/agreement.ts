/**
 * How far two codings of the same texts agree: share, and Cohen's kappa with a cluster bootstrap by item. Every text counts once. Where a judge labelled it in
 * several ways, each of these labels counts as its share: what agrees is what a trial's label, drawn from those of its text, agrees in on average.
 */
import { type Bootstrapped, percentile, valuesOver } from "../statistics/bootstrap.ts"
import { Draws } from "../statistics/draws.ts"
import { kappaOfCounts, pairCode } from "../statistics/kappa.ts"
import type { CodedText } from "./texts.ts"

/** Who coded: "judge", or the name of a sheet. */
export interface Coding {
  readonly by: string
  /** By code the label, or those that were given in turn. */
  readonly labels: ReadonlyMap<string, readonly string[]>
}

export interface Agreement {
  readonly left: string
  readonly right: string
  /** Texts that both coded, and the items that they are of. */
  readonly n: number
  readonly items: number
  /** Of the texts, those that one of the two labelled in several ways. */
  readonly several: number
  /** Texts, and shares of those. */
  readonly agreed: number
  /** Absent where there is no text, or agreement by chance is certain. */
  readonly kappa?: number
  readonly low?: number
  readonly high?: number
  /** Of the interval, in percent. */
  readonly level: number
  /** How often each pair of labels was given, in texts and shares of those; pairs that never were are left out. */
  readonly pairs: readonly { readonly left: string; readonly right: string; readonly count: number }[]
}

const LEVEL = 95

/** The judge's labels as a coding. */
export const judgeOf = (name: string, texts: Iterable<CodedText>): Coding => ({
  by: name,
  labels: new Map(
    [...texts].flatMap(({ code, judged }) => (judged.length === 0 ? [] : [[code, judged] as const])),
  ),
})

/** Of each two codings. `labels`: in the order of the read; `seed`: the experiment's. */
export function agreements(
  codings: readonly Coding[],
  texts: ReadonlyMap<string, CodedText>,
  labels: readonly string[],
  seed: number,
): readonly Agreement[] {
  return codings.flatMap((left, at) =>
    codings.slice(at + 1).map((right) => agreementOf(left, right, texts, labels, seed)),
  )
}

function agreementOf(
  left: Coding,
  right: Coding,
  texts: ReadonlyMap<string, CodedText>,
  labels: readonly string[],
  seed: number,
): Agreement {
  const both = [...texts.values()].flatMap(({ code, pool, item }) => {
    const [a, b] = [left.labels.get(code), right.labels.get(code)]
    return a === undefined || b === undefined ? [] : [{ a, b, item: `${pool}\n${item}` }]
  })
  const given = both.flatMap(({ a, b, item }) =>
    a.flatMap((one) => b.map((other) => ({ a: one, b: other, item, share: 1 / (a.length * b.length) }))),
  )
  const shareOf = (holds: (one: (typeof given)[number]) => boolean): number =>
    given.filter(holds).reduce((sum, { share }) => sum + share, 0)
  const pairs = labels.flatMap((a) =>
    labels.flatMap((b) => {
      const count = shareOf((one) => one.a === a && one.b === b)
      return count === 0 ? [] : [{ left: a, right: b, count }]
    }),
  )
  const codes = given.map(({ a, b }) => pairCode(labels.indexOf(a), labels.indexOf(b)))
  const shares = given.map(({ share }) => share)
  const kappa = kappaOfCounts(codes, shares)
  const isOne = (all: readonly string[]): boolean => new Set(all).size === 1
  return {
    left: left.by,
    right: right.by,
    n: both.length,
    items: new Set(both.map(({ item }) => item)).size,
    several: both.filter(({ a, b }) => !isOne(a) || !isOne(b)).length,
    agreed: shareOf(({ a, b }) => a === b),
    ...(kappa === undefined ? {} : { kappa }),
    ...endsOf(
      codes,
      shares,
      given.map(({ item }) => item),
      seed,
    ),
    level: LEVEL,
    pairs,
  }
}

function endsOf(codes: readonly number[], shares: readonly number[], items: readonly string[], seed: number) {
  const names = [...new Set(items)].sort()
  const numbers = new Map(names.map((name, at) => [name, at]))
  if (names.length < 2) return {}
  const draws = new Draws(new Uint8Array(names.length), seed)
  const values = valuesOver(
    draws,
    items.map((item) => numbers.get(item) ?? 0),
    (weights) =>
      kappaOfCounts(
        codes,
        shares.map((share, at) => share * weights[at]!),
      ),
  )
  const interval: Bootstrapped = percentile(values, LEVEL)
  return "low" in interval ? { low: interval.low, high: interval.high } : {}
}
