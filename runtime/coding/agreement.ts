/** How far two codings of the same texts agree: share, and Cohen's kappa with a cluster bootstrap by item. */
import { type Bootstrapped, percentile, valuesOver } from "../statistics/bootstrap.ts"
import { Draws } from "../statistics/draws.ts"
import { kappaOfCounts, pairCode } from "../statistics/kappa.ts"
import type { CodedText } from "./texts.ts"

/** Who coded: "judge", or the name of a sheet. */
export interface Coding {
  readonly by: string
  /** Label by code. */
  readonly labels: ReadonlyMap<string, string>
}

export interface Agreement {
  readonly left: string
  readonly right: string
  /** Texts that both coded, and the items that they are of. */
  readonly n: number
  readonly items: number
  readonly agreed: number
  /** Absent where there is no text, or agreement by chance is certain. */
  readonly kappa?: number
  readonly low?: number
  readonly high?: number
  /** Of the interval, in percent. */
  readonly level: number
  /** How often each pair of labels was given; pairs that never were are left out. */
  readonly pairs: readonly { readonly left: string; readonly right: string; readonly count: number }[]
}

const LEVEL = 95

/** The judge's labels as a coding. */
export const judgeOf = (name: string, texts: Iterable<CodedText>): Coding => ({
  by: name,
  labels: new Map(
    [...texts].flatMap(({ code, judged }) => (judged === undefined ? [] : [[code, judged] as const])),
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
  const pairs = labels.flatMap((a) =>
    labels.flatMap((b) => {
      const count = both.filter((one) => one.a === a && one.b === b).length
      return count === 0 ? [] : [{ left: a, right: b, count }]
    }),
  )
  const codes = both.map(({ a, b }) => pairCode(labels.indexOf(a), labels.indexOf(b)))
  const kappa = kappaOfCounts(
    codes,
    codes.map(() => 1),
  )
  return {
    left: left.by,
    right: right.by,
    n: both.length,
    items: new Set(both.map(({ item }) => item)).size,
    agreed: both.filter(({ a, b }) => a === b).length,
    ...(kappa === undefined ? {} : { kappa }),
    ...endsOf(
      codes,
      both.map(({ item }) => item),
      seed,
    ),
    level: LEVEL,
    pairs,
  }
}

function endsOf(codes: readonly number[], items: readonly string[], seed: number) {
  const names = [...new Set(items)].sort()
  const numbers = new Map(names.map((name, at) => [name, at]))
  if (names.length < 2) return {}
  const draws = new Draws(new Uint8Array(names.length), seed)
  const values = valuesOver(
    draws,
    items.map((item) => numbers.get(item) ?? 0),
    (weights) => kappaOfCounts(codes, weights),
  )
  const interval: Bootstrapped = percentile(values, LEVEL)
  return "low" in interval ? { low: interval.low, high: interval.high } : {}
}
