/** Two runs' numbers, by what they are of. */
import type { Result } from "../measure/result.ts"

export interface ResultDifference {
  readonly experiment: string
  readonly kind: Result["kind"]
  readonly name: string
  /** The levels and conditions that tell it from others of its name, in words. */
  readonly of: string
  readonly first?: number
  readonly second?: number
  /** Trials that entered. */
  readonly n: { readonly first: number; readonly second: number }
}

export interface ResultsCompared {
  readonly same: number
  /** Numbers of both that differ, the largest difference first. */
  readonly differing: readonly ResultDifference[]
  /** How many only one of them has. */
  readonly only: { readonly first: number; readonly second: number }
}

export function compareResults(first: readonly Result[], second: readonly Result[]): ResultsCompared {
  const others = new Map(second.map((result) => [keyOf(result), result]))
  const differing: ResultDifference[] = []
  let same = 0
  let alone = 0
  for (const result of first) {
    const other = others.get(keyOf(result))
    others.delete(keyOf(result))
    if (other === undefined) alone += 1
    else if (numbersOf(result) === numbersOf(other)) same += 1
    else {
      const { experiment, kind, name, estimate, n } = result
      differing.push({
        experiment,
        kind,
        name,
        of: wordsOf(result),
        ...(estimate === undefined ? {} : { first: estimate }),
        ...(other.estimate === undefined ? {} : { second: other.estimate }),
        n: { first: n, second: other.n },
      })
    }
  }
  const size = ({ first: a, second: b }: ResultDifference): number =>
    a === undefined || b === undefined ? Number.POSITIVE_INFINITY : Math.abs(a - b)
  differing.sort((a, b) => (size(a) === size(b) ? 0 : size(b) > size(a) ? 1 : -1))
  return { same, differing, only: { first: alone, second: others.size } }
}

/** What a number is of, whatever it comes to. */
const keyOf = ({ experiment, kind, name, by, where, average, taken, part, term }: Result): string =>
  JSON.stringify([experiment, kind, name, Object.entries(by).sort(), where, average, taken, part, term])

/** All that was found. */
const numbersOf = ({ estimate, low, high, p, n, k, held }: Result): string =>
  JSON.stringify([estimate, low, high, p, n, k, held])

const wordsOf = ({ by, where, average, taken, part, term }: Result): string =>
  [
    ...Object.entries(by).map(([factor, level]) => `${factor} = ${level}`),
    ...[where, average, taken, part, term].flatMap((words) => words ?? []),
  ].join(", ")
