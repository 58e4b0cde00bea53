import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { ReadRequest } from "../../runtime/backend/backend.ts"
import type { LabelTree } from "../../runtime/read/labels.ts"
import {
  type Chunk,
  heldAfter,
  type Order,
  pathsOf,
  placesOf,
  type Step,
  tokensOf,
  withoutRewinds,
} from "../../runtime/read/steps.ts"
import { walkTokens, walkTokensNaively } from "../../runtime/read/tokenWalk.ts"
import { buildTrie, unfold, walk, walkNaively } from "../../runtime/read/trie.ts"

const oneOf = (...tokens: number[]): LabelTree => ({
  forced: [],
  branches: tokens.map((token, index) => ({ token, leadsTo: index })),
})

/** "1" and "10": a second place after the token 1. */
const withForcedPlace: LabelTree = {
  forced: [],
  branches: [
    {
      token: 1,
      leadsTo: {
        forced: [1],
        branches: [
          { token: 9, leadsTo: 0 },
          { token: 0, leadsTo: 1 },
        ],
      },
    },
    { token: 2, leadsTo: 2 },
  ],
}

/** Two places below the first: after the token 1, and after the token 2. */
const withTwoForcedPlaces: LabelTree = {
  forced: [],
  branches: [1, 2].map((token, index) => ({
    token,
    leadsTo: {
      forced: [token],
      branches: [
        { token: 9, leadsTo: 2 * index },
        { token: 0, leadsTo: 2 * index + 1 },
      ],
    },
  })),
}

// Few distinct tokens and short chunks, so that prefixes are shared often.
const chunk = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 3 })
const path = fc.array(chunk, { minLength: 1, maxLength: 4 })
const reads: fc.Arbitrary<readonly ReadRequest[]> = fc
  .array(
    fc.record({
      chunks: path,
      labels: fc.constantFrom(oneOf(7, 8), withForcedPlace, withTwoForcedPlaces),
    }),
    { maxLength: 12 },
  )
  .map((list) => list.map((read, index) => ({ ...read, key: String(index) })))
const held = fc.oneof(fc.constant([]), path)
const order: fc.Arbitrary<Order> = fc.constantFrom("depth_first", "reversed")
const batchSize = fc.integer({ min: 1, max: 9 })

/** A sequence of an engine, token by token, that checks every step before it takes it. */
function carryOut(steps: Iterable<Step>, start: readonly Chunk[], { rewinds = true, longest = 99 } = {}) {
  let tokens = start.flat()
  let evaluated = 0
  const seen: string[] = []
  for (const { at, chunk: next, visits } of steps) {
    expect(at).toBeLessThanOrEqual(tokens.length)
    if (!rewinds) expect([0, tokens.length]).toContain(at)
    expect(next.length).toBeGreaterThan(0)
    expect(next.length).toBeLessThanOrEqual(longest)
    tokens = [...tokens.slice(0, at), ...next]
    evaluated += next.length
    for (const { read, place, offset } of visits) {
      expect(offset).toBeLessThan(next.length)
      seen.push(`${read.key} ${place.forced} ${tokens.slice(0, at + offset + 1)}`)
    }
  }
  return { evaluated, seen: seen.sort() }
}

const wanted = (list: readonly ReadRequest[]) =>
  list
    .flatMap((read) =>
      placesOf(read.labels).map(
        (place) => `${read.key} ${place.forced} ${[...read.chunks.flat(), ...place.forced]}`,
      ),
    )
    .sort()

/** Different prefixes, in tokens, of what reads look at. */
const prefixes = (list: readonly ReadRequest[]): Set<string> =>
  new Set(
    list.flatMap(pathsOf).flatMap(({ chunks }) => {
      const tokens = chunks.flat()
      return tokens.map((_, index) => tokens.slice(0, index + 1).join())
    }),
  )

describe("the trie of reads", () => {
  test("unfolds to the paths it was built from", () => {
    fc.assert(
      fc.property(reads, (list) => {
        const paths = unfold(buildTrie(list)).flatMap(({ chunks, visits }) =>
          visits.map(({ read, place, offset }) => {
            const end = chunks.flat().length - chunks.at(-1)!.length + offset + 1
            return `${read.key} ${place.forced} ${chunks.flat().slice(0, end)}`
          }),
        )
        expect(paths.sort()).toEqual(wanted(list))
      }),
    )
  })

  test("takes every place once, at the end of its own tokens, whatever is held and in either order", () => {
    fc.assert(
      fc.property(reads, held, order, (list, start, way) => {
        expect(carryOut(walk(list, start, way), start).seen).toEqual(wanted(list))
        expect(carryOut(walkNaively(list, way), start).seen).toEqual(wanted(list))
      }),
    )
  })

  test("costs the same in either order", () => {
    fc.assert(
      fc.property(reads, held, (list, start) => {
        expect(tokensOf(walk(list, start, "reversed"))).toBe(tokensOf(walk(list, start)))
      }),
    )
  })

  test("never costs more than the paths, and from an empty sequence exactly the distinct chunks after what stands before them", () => {
    fc.assert(
      fc.property(reads, held, (list, start) => {
        expect(tokensOf(walk(list, start))).toBeLessThanOrEqual(tokensOf(walkNaively(list)))
        const distinct = new Map<string, number>()
        for (const { chunks } of unfold(buildTrie(list)))
          for (const [index, last] of chunks.entries())
            distinct.set(JSON.stringify(chunks.slice(0, index + 1)), last.length)
        expect(tokensOf(walk(list, []))).toBe([...distinct.values()].reduce((sum, n) => sum + n, 0))
      }),
    )
  })

  test("does not evaluate again what is held, but for a place whose logits are gone", () => {
    const read: ReadRequest = { key: "a", chunks: [[1, 2], [3]], labels: oneOf(7, 8) }
    const cost = (start: readonly Chunk[], one: ReadRequest) => tokensOf(walk([one], start))
    expect(cost([], read)).toBe(3)
    expect(cost([[1, 2]], read)).toBe(1)
    expect(cost([[1, 2], [3]], read)).toBe(1)
    expect(cost([[1, 2], [3], [4]], { ...read, chunks: [[1, 2], [3], [4], [5]] })).toBe(1)
  })

  test("shares at chunk boundaries only", () => {
    const one: ReadRequest = { key: "a", chunks: [[1, 2, 3]], labels: oneOf(7, 8) }
    const other: ReadRequest = { key: "b", chunks: [[1, 2], [3]], labels: oneOf(7, 8) }
    expect(tokensOf(walk([one, other], []))).toBe(6)
  })
})

describe("forced tokens", () => {
  const of = (labels: LabelTree) =>
    [...walk([{ key: "a", chunks: [[5], [6, 6]], labels }], [])].map(({ at, chunk, visits }) => ({
      at,
      chunk,
      offsets: visits.map(({ offset }) => offset),
    }))

  test("are evaluated with the last chunk, and places on one path are visited together", () => {
    expect(of(withForcedPlace)).toEqual([
      { at: 0, chunk: [5], offsets: [] },
      { at: 1, chunk: [6, 6, 1], offsets: [1, 2] },
    ])
  })

  test("of places that part have a batch each, of a shape that hangs on the read alone", () => {
    expect(of(withTwoForcedPlaces)).toEqual([
      { at: 0, chunk: [5], offsets: [] },
      { at: 1, chunk: [6, 6, 1], offsets: [1, 2] },
      { at: 1, chunk: [6, 6, 2], offsets: [2] },
    ])
  })
})

describe("the walk over tokens", () => {
  test("takes every place once, at the end of its own tokens, whatever is held, in either order and in batches of any size", () => {
    fc.assert(
      fc.property(reads, held, order, batchSize, (list, start, way, longest) => {
        expect(carryOut(walkTokens(list, start, longest, way), start, { longest }).seen).toEqual(wanted(list))
        expect(carryOut(walkTokensNaively(list, longest, way), start, { longest }).seen).toEqual(wanted(list))
      }),
      { numRuns: 500 },
    )
  })

  test("costs from an empty sequence exactly the tokens of the trie, and never more than by chunks", () => {
    fc.assert(
      fc.property(reads, order, batchSize, (list, way, size) => {
        const cost = tokensOf(walkTokens(list, [], size, way))
        expect(cost).toBe(prefixes(list).size)
        expect(cost).toBeLessThanOrEqual(tokensOf(walk(list, [])))
      }),
    )
  })

  test("costs from what is held the tokens that are not, and one for each token there at which something is read", () => {
    fc.assert(
      fc.property(reads, held, order, batchSize, (list, start, way, size) => {
        const tokens = start.flat()
        const known = new Set(tokens.map((_, index) => tokens.slice(0, index + 1).join()))
        const open = [...prefixes(list)].filter((prefix) => !known.has(prefix)).length
        const gone = new Set(
          list.flatMap((read) =>
            placesOf(read.labels)
              .map(({ forced }) => [...read.chunks.flat(), ...forced].join())
              .filter((prefix) => known.has(prefix)),
          ),
        )
        expect(tokensOf(walkTokens(list, start, size, way))).toBe(open + gone.size)
      }),
      { numRuns: 500 },
    )
  })
})

describe("a sequence that forgets all or nothing", () => {
  test("is never rewound, whatever the walk, and takes the same places after the same chunks", () => {
    fc.assert(
      fc.property(reads, held, order, fc.boolean(), (list, start, way, fast) => {
        const steps = [...(fast ? walkTokens(list, start, 4, way) : walk(list, start, way))]
        const forward = [...withoutRewinds(steps, start)]
        expect(carryOut(forward, start, { rewinds: false }).seen).toEqual(wanted(list))
        const lastChunks = (of: readonly Step[]) => {
          let now: readonly Chunk[] = start
          return of.flatMap((step) => {
            now = heldAfter(now, step)
            return step.visits.length === 0 ? [] : [JSON.stringify(now)]
          })
        }
        expect(lastChunks(forward)).toEqual(lastChunks(steps))
      }),
    )
  })
})
