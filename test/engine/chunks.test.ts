import fc from "fast-check"
import { expect, test } from "vitest"
import { chunksOf, forcedRoom, shortestCut } from "../../runtime/read/chunks.ts"

const chunkSize = 96
const limit = chunkSize - forcedRoom
const tokens = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)

test("chunks joined are the tokens, none is empty or longer than allowed, and every turn's end is a boundary", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 5 }),
      fc.nat(40),
      (turns, rest) => {
        const ends = turns.map((_, i) => turns.slice(0, i + 1).reduce((sum, n) => sum + n, 0))
        const all = tokens(ends.at(-1)! + rest)
        const chunks = chunksOf(all, ends, chunkSize)
        expect(chunks.flat()).toEqual(all)
        for (const chunk of chunks) {
          expect(chunk.length).toBeGreaterThan(0)
          expect(chunk.length).toBeLessThanOrEqual(limit)
        }
        const boundaries = new Set(chunks.map((_, i) => chunks.slice(0, i + 1).flat().length))
        for (const end of ends) expect(boundaries.has(end)).toBe(true)
      },
    ),
  )
})

test("a conversation that goes on keeps the chunks of its turns that are over", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 }), (first, second) => {
      const shorter = chunksOf(tokens(first), [first], chunkSize)
      const longer = chunksOf(tokens(first + second), [first, first + second], chunkSize)
      expect(longer.slice(0, shorter.length)).toEqual(shorter)
    }),
  )
})

test("a long turn is cut at a fixed distance, and its remainder is not left very short", () => {
  const lengths = (count: number) => chunksOf(tokens(count), [], chunkSize).map((chunk) => chunk.length)
  expect(lengths(limit)).toEqual([limit])
  expect(lengths(limit + 40)).toEqual([limit, 40])
  expect(lengths(limit + 1)).toEqual([limit + 1 - shortestCut, shortestCut])
})
