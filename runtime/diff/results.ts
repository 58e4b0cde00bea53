/** Two runs' numbers, by what they are of. */
import { canonicalJson } from "../../compiler/hash.ts"
import type { Result } from "../measure/result.ts"
import { wayText } from "../measure/way.ts"

export interface ResultDifference {
  readonly experiment: string
  readonly kind: Result["kind"]
  readonly name: string
  /** The levels and conditions that tell it from others of its name, in words. */
  readonly of: string
  /** The estimate; of a test, its statistic. */
  readonly first?: number
  readonly second?: number
  /** Trials that entered. */
  readonly n: { readonly first: number; readonly second: number }
  /** What of it differs, by the keys of `results.json`: `estimate`, `low`, `adjusted`. */
  readonly in: readonly string[]
}

export interface ResultsCompared {
  readonly same: number
  /** Numbers of both that differ, the largest difference first. */
  readonly differing: readonly ResultDifference[]
  /** How many only one of them has. */
  readonly only: { readonly first: number; readonly second: number }
}

export function compareResults(first: readonly Result[], second: readonly Result[]): ResultsCompared {
  const [named, others] = [numbered(first), new Map(numbered(second))]
  const differing: ResultDifference[] = []
  let same = 0
  let alone = 0
  for (const [key, result] of named) {
    const other = others.get(key)
    others.delete(key)
    if (other === undefined) alone += 1
    else {
      const differences = differencesOf(result, other)
      if (differences.length === 0) {
        same += 1
        continue
      }
      const { experiment, kind, name, n } = result
      const [before, after] = [estimateOf(result), estimateOf(other)]
      differing.push({
        experiment,
        kind,
        name,
        of: wordsOf(result),
        ...(before === undefined ? {} : { first: before }),
        ...(after === undefined ? {} : { second: after }),
        n: { first: n, second: other.n },
        in: differences,
      })
    }
  }
  const size = ({ first: a, second: b }: ResultDifference): number =>
    a === undefined || b === undefined ? 0 : Math.abs(a - b)
  differing.sort((a, b) => (size(a) === size(b) ? 0 : size(b) > size(a) ? 1 : -1))
  return { same, differing, only: { first: alone, second: others.size } }
}

const estimateOf = ({ estimate, statistic }: Result): number | undefined => estimate ?? statistic?.value

/** Each by what it is of, and the how manieth of these: a contrast may be taken over cells in several ways. */
function numbered(results: readonly Result[]): readonly (readonly [string, Result])[] {
  const seen = new Map<string, number>()
  return results.map((result) => {
    const key = keyOf(result)
    const count = seen.get(key) ?? 0
    seen.set(key, count + 1)
    return [`${key}${count}`, result] as const
  })
}

/** What a number is of, whatever it comes to. */
const keyOf = ({ experiment, kind, name, by, where, average, taken, columns, part, term }: Result): string =>
  JSON.stringify([
    experiment,
    kind,
    name,
    Object.entries(by).sort(),
    where,
    average,
    taken,
    columns,
    part,
    term,
  ])

/** Keys of which the two have something else. Words follow from numbers, and are no difference of their own. */
function differencesOf(result: Result, other: Result): readonly string[] {
  const [one, two] = [result, other].map(
    ({ method: _method, cautions: _cautions, ...found }) => new Map<string, unknown>(Object.entries(found)),
  )
  return [...new Set([...one!.keys(), ...two!.keys()])].filter(
    (key) => canonicalJson(one!.get(key)) !== canonicalJson(two!.get(key)),
  )
}

const wordsOf = ({ by, where, average, taken, columns = [], part, term }: Result): string =>
  [
    ...Object.entries(by).map(([factor, level]) => `${factor} = ${level}`),
    ...[where, average, taken && wayText({ taken, columns }), part, term].flatMap((words) => words ?? []),
  ].join(", ")
