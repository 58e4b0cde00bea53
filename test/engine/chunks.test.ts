import fc from "fast-check"
import { expect, test } from "vitest"
import { chunksOf, longestChunk, pieceLength } from "../../runtime/read/chunks.ts"

const tokens = (count: number, from = 0): readonly number[] =>
  Array.from({ length: count }, (_, i) => from + i)

test("chunks joined are the tokens, none is a single token or longer than allowed, and every turn's end is a boundary but of turns of one token", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 2, maxLength: 5 }),
      fc.nat(40),
      (turns, rest) => {
        const ends = turns.map((_, i) => turns.slice(0, i + 1).reduce((sum, n) => sum + n, 0))
        const all = tokens(ends.at(-1)! + rest)
        const chunks = chunksOf(all, ends)
        expect(chunks.flat()).toEqual(all)
        for (const chunk of chunks) {
          expect(chunk.length).toBeGreaterThan(1)
          const single = turns.filter((length) => length === 1).length + (rest === 1 ? 1 : 0)
          expect(chunk.length).toBeLessThanOrEqual(longestChunk + single)
        }
        const boundaries = new Set(chunks.map((_, i) => chunks.slice(0, i + 1).flat().length))
        const whole = [...turns, rest].every((length) => length !== 1)
        if (whole) for (const end of ends) expect(boundaries.has(end)).toBe(true)
      },
    ),
  )
})

test("a conversation that goes on keeps the chunks of its turns that are over", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 300 }), fc.integer({ min: 2, max: 300 }), (first, second) => {
      const shorter = chunksOf(tokens(first), [first])
      const longer = chunksOf(tokens(first + second), [first, first + second])
      expect(longer.slice(0, shorter.length)).toEqual(shorter)
    }),
  )
})

test("turns that begin alike share their chunks up to where they part, but for less than two pieces", () => {
  const length = fc.integer({ min: 1, max: 300 })
  fc.assert(
    fc.property(length, length, length, (alike, one, other) => {
      const left = chunksOf([...tokens(alike), ...tokens(one, 1000)], [])
      const right = chunksOf([...tokens(alike), ...tokens(other, 2000)], [])
      const shared = left.filter((chunk, i) => chunk.join() === right[i]?.join()).flat().length
      expect(shared).toBeGreaterThan(alike - 2 * pieceLength)
    }),
  )
})

test("a turn is cut at a fixed distance, and its remainder is not left shorter than that", () => {
  const lengths = (count: number) => chunksOf(tokens(count), []).map((chunk) => chunk.length)
  expect(lengths(longestChunk)).toEqual([longestChunk])
  expect(lengths(longestChunk + 1)).toEqual([pieceLength, pieceLength])
  expect(lengths(3 * pieceLength + 5)).toEqual([pieceLength, pieceLength, pieceLength + 5])
})

test("the end of a turn that a read is taken before is none of its boundaries, and takes nothing away", () => {
  const all = tokens(longestChunk + 7)
  expect(chunksOf(all, [longestChunk, all.length + 1]).flat()).toEqual(all)
  expect(chunksOf(all, [all.length + 1]).flat()).toEqual(all)
})
