/**
 * Random choices that never move one another. A stream is named by all that its draw may depend on and by nothing else; its numbers
 * are sha256 in counter mode over that name, so they are the same on every machine, in every order and in every shard.
 */
import { sha256 } from "./hash.ts"

/** What a stream is keyed by. Two keys that differ in any part give unrelated streams. */
export interface StreamKey {
  readonly seed: number
  /** What draws, and from which pool: "sample kinds", "target kinds". */
  readonly declaration: string
  readonly item?: string
  readonly replicate?: number
  /** Only those factors that the draw names; their order does not matter. */
  readonly factors?: Readonly<Record<string, string>>
}

export interface Stream {
  /** The next 32 bits, as an integer from 0. */
  readonly next: () => number
  /** A uniform integer from 0 up to and without `bound` (1 to 2^32); takes as many words as it needs to be without bias. */
  readonly below: (bound: number) => number
}

// Absent and empty must differ, and no two lists of parts may have one spelling: each part carries its kind and its length. JSON's
// spelling keeps lone surrogates apart, which UTF-8 would not.
const part = (kind: string, value: string): string => {
  const spelt = JSON.stringify(value)
  return `${kind}${spelt.length}:${spelt}`
}

/** The one spelling of a key. Distinct keys have distinct spellings. */
export const spell = (key: StreamKey): string => {
  const factors = Object.entries(key.factors ?? {}).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return [
    part("seed", String(key.seed)),
    part("declaration", key.declaration),
    ...(key.item === undefined ? [] : [part("item", key.item)]),
    ...(key.replicate === undefined ? [] : [part("replicate", String(key.replicate))]),
    ...factors.flatMap(([name, level]) => [part("factor", name), part("level", level)]),
  ].join("")
}

/** The stream of a key: always from its start. */
export const stream = (key: StreamKey): Stream => {
  const name = spell(key)
  let counter = 0
  let words: readonly number[] = []
  let at = 0
  const next = (): number => {
    if (at === words.length) {
      const block = sha256(`${name}#${counter}`)
      counter += 1
      words = Array.from({ length: 8 }, (_, index) =>
        Number.parseInt(block.slice(8 * index, 8 * index + 8), 16),
      )
      at = 0
    }
    const word = words[at] as number
    at += 1
    return word
  }
  const below = (bound: number): number => {
    // Words past the last whole multiple of the bound would make small results likelier.
    const limit = 2 ** 32 - (2 ** 32 % bound)
    let word = next()
    while (word >= limit) word = next()
    return word % bound
  }
  return { next, below }
}

/**
 * `count` members of a pool, in the order of the pool. Each member is ranked by a hash of its own id (rendezvous), so adding a member
 * changes at most one place of the sample, and a larger sample contains a smaller one.
 */
export const sample = <Member>(
  members: readonly Member[],
  count: number,
  idOf: (member: Member) => string,
  key: Pick<StreamKey, "seed" | "declaration">,
): readonly Member[] => {
  if (count >= members.length) return members
  const ranked = members
    .map((member) => {
      const id = idOf(member)
      return { id, rank: sha256(`${spell({ ...key, item: id })}#0`) }
    })
    .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : a.id < b.id ? -1 : 1))
  const chosen = new Set(ranked.slice(0, count).map(({ id }) => id))
  return members.filter((member) => chosen.has(idOf(member)))
}
