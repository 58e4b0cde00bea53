/** Items that a trial's conversation holds besides its own: drawn for each item from a stream of its own. */
import { sha256 } from "./hash.ts"
import type { DrawIR } from "./ir.ts"
import type { Item } from "./item.ts"
import { type ItemKey, streamOf } from "./shown.ts"

/** The pool's items as a draw ranks them; made once for all items that draw from it. */
export interface Population {
  readonly pool: string
  readonly members: readonly { readonly item: Item; readonly words: Words }[]
}

/** 128 bits of a hash. */
type Words = readonly [number, number, number, number]

const wordsOf = (text: string): Words => {
  const hash = sha256(text)
  const word = (at: number): number => Number.parseInt(hash.slice(8 * at, 8 * at + 8), 16)
  return [word(0), word(1), word(2), word(3)]
}

export const populationOf = (pool: string, items: readonly Item[]): Population => ({
  pool,
  members: items.map((item) => ({ item, words: wordsOf(item.id) })),
})

/**
 * The items of a draw, in the order of their ranks. A member's rank is a hash of the item's key and its own id (rendezvous), so adding one to the pool
 * changes at most one place of each draw. Fewer than asked for where the pool has no more. `model`: the studied one.
 */
export const othersOf = (
  { name, count, pool: from }: DrawIR,
  population: Population,
  key: ItemKey,
  model: string,
): readonly Item[] => {
  const own = from === undefined || from === key.pool
  const { seed, pool, item, replicate } = key
  const words = wordsOf(JSON.stringify(["draw", name, population.pool, seed, pool, item, replicate]))
  const ranked: { readonly item: Item; readonly rank: number }[] = []
  for (const member of population.members) {
    if (own && member.item.id === item) continue
    if (member.item.only !== undefined && member.item.only !== model) continue
    const rank = mixed(words, member.words)
    // Pools are long and draws short: of the ranks so far only the first are kept.
    if (ranked.length === count && !before({ item: member.item, rank }, ranked[count - 1])) continue
    let at = ranked.length
    while (at > 0 && before({ item: member.item, rank }, ranked[at - 1])) at -= 1
    ranked.splice(at, 0, { item: member.item, rank })
    if (ranked.length > count) ranked.pop()
  }
  return ranked.map(({ item }) => item)
}

interface Ranked {
  readonly item: Item
  readonly rank: number
}

const before = (a: Ranked, b: Ranked | undefined): boolean =>
  b === undefined || a.rank < b.rank || (a.rank === b.rank && a.item.id < b.item.id)

/**
 * A uniform number from 0 to 2^53 out of two hashes: the rounds and the end of MurmurHash3 (Appleby), twice. A hash of its own for each pair would take
 * seconds for some thousand items, each with some thousand others.
 */
const mixed = (a: Words, b: Words): number => {
  const high = murmur(0x9747b28c, a, b)
  const low = murmur(high, b, a)
  return high * 2 ** 21 + (low >>> 11)
}

const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by))

const murmur = (seed: number, a: Words, b: Words): number => {
  let hash = seed | 0
  for (let index = 0; index < 8; index += 1) {
    const word = (index % 2 === 0 ? a : b)[index >> 1] as number
    const scrambled = Math.imul(rotated(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593)
    hash = (Math.imul(rotated(hash ^ scrambled, 13), 5) + 0xe6546b64) | 0
  }
  hash ^= 32
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The wrong option of another item that its texts speak of: drawn by that item alone, so that it is the same wherever the item is shown. */
export const wrongOf = (item: Item, pool: string, seed: number): number => {
  const wrong = item.options.map((_, index) => index).filter((index) => index !== item.gold)
  return wrong[streamOf("wrong", { seed, pool, item: item.id, replicate: 1 }).below(wrong.length)] as number
}
