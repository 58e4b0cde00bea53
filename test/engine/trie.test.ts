import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { ReadRequest } from "../../runtime/backend/backend.ts"
import type { LabelTree } from "../../runtime/read/labels.ts"
import {
  buildTrie,
  type Chunk,
  countTokens,
  type Order,
  placesOf,
  type Step,
  tokensOf,
  unfold,
  walk,
  walkNaively,
} from "../../runtime/read/trie.ts"

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

// Few distinct tokens and short chunks, so that prefixes are shared often.
const chunk = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 3 })
const path = fc.array(chunk, { minLength: 1, maxLength: 4 })
const reads: fc.Arbitrary<readonly ReadRequest[]> = fc
  .array(fc.record({ chunks: path, labels: fc.constantFrom(oneOf(7, 8), withForcedPlace) }), {
    maxLength: 12,
  })
  .map((list) => list.map((read, index) => ({ ...read, key: String(index) })))
const held = fc.oneof(fc.constant([]), path)
const order: fc.Arbitrary<Order> = fc.constantFrom("depth_first", "reversed")

/** A sequence of an engine, token by token, that checks every step before it takes it. */
function carryOut(steps: Iterable<Step>, start: readonly Chunk[]) {
  let tokens = start.flat()
  let evaluated = 0
  const seen: string[] = []
  for (const { at, chunk: next, visits } of steps) {
    expect(at).toBeLessThanOrEqual(tokens.length)
    tokens = [...tokens.slice(0, at), ...next]
    evaluated += next.length
    for (const visit of visits) seen.push(`${visit.read} ${visit.place.forced} ${tokens}`)
  }
  return { evaluated, seen: seen.sort() }
}

const wanted = (list: readonly ReadRequest[]) =>
  list
    .flatMap((read, index) =>
      placesOf(read.labels).map(
        (place) => `${index} ${place.forced} ${[...read.chunks.flat(), ...place.forced]}`,
      ),
    )
    .sort()

describe("the trie of reads", () => {
  test("unfolds to the paths it was built from", () => {
    fc.assert(
      fc.property(reads, (list) => {
        const paths = unfold(buildTrie(list)).map(
          ({ visit, path }) => `${visit.read} ${visit.place.forced} ${path.flat()}`,
        )
        expect(paths.sort()).toEqual(wanted(list))
      }),
    )
  })

  test("takes every place once, at the end of its own tokens, whatever is held and in either order", () => {
    fc.assert(
      fc.property(reads, held, order, (list, start, way) => {
        expect(carryOut(walk(buildTrie(list), start, way), start).seen).toEqual(wanted(list))
        expect(carryOut(walkNaively(list, way), start).seen).toEqual(wanted(list))
      }),
    )
  })

  test("counts the tokens that are then evaluated, in either order", () => {
    fc.assert(
      fc.property(reads, held, order, (list, start, way) => {
        const { evaluated } = carryOut(walk(buildTrie(list), start, way), start)
        expect(countTokens(start, list)).toBe(evaluated)
      }),
    )
  })

  test("never costs more than the paths, and from an empty sequence exactly the distinct prefixes", () => {
    fc.assert(
      fc.property(reads, held, (list, start) => {
        expect(countTokens(start, list)).toBeLessThanOrEqual(tokensOf(walkNaively(list)))
        const prefixes = new Map<string, number>()
        for (const { path: chunks } of unfold(buildTrie(list)))
          for (const [index, last] of chunks.entries())
            prefixes.set(JSON.stringify(chunks.slice(0, index + 1)), last.length)
        expect(countTokens([], list)).toBe([...prefixes.values()].reduce((sum, n) => sum + n, 0))
      }),
    )
  })

  test("does not evaluate again what is held, but for a place whose logits are gone", () => {
    const read: ReadRequest = { key: "a", chunks: [[1, 2], [3]], labels: oneOf(7, 8) }
    expect(countTokens([], [read])).toBe(3)
    expect(countTokens([[1, 2]], [read])).toBe(1)
    expect(countTokens([[1, 2], [3]], [read])).toBe(1)
    expect(countTokens([[1, 2], [3], [4]], [{ ...read, chunks: [[1, 2], [3], [4], [5]] }])).toBe(1)
  })

  test("shares at chunk boundaries only", () => {
    const one: ReadRequest = { key: "a", chunks: [[1, 2, 3]], labels: oneOf(7, 8) }
    const other: ReadRequest = { key: "b", chunks: [[1, 2], [3]], labels: oneOf(7, 8) }
    expect(countTokens([], [one, other])).toBe(6)
  })

  test("evaluates forced tokens together with the last chunk", () => {
    const steps = [...walk(buildTrie([{ key: "a", chunks: [[5], [6, 6]], labels: withForcedPlace }]), [])]
    expect(steps.map((step) => step.chunk)).toEqual([[5], [6, 6], [6, 6, 1]])
    expect(steps.map((step) => step.at)).toEqual([0, 1, 1])
  })
})
