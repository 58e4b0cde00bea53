import { expect, test } from "vitest"
import type { Decoder } from "../../runtime/backend/llamaDecoder.ts"
import { candidates, lanesFor, probeThreads, threadsFromEnvironment } from "../../runtime/backend/threads.ts"
import { pieceLength } from "../../runtime/read/chunks.ts"

/** A decoder that takes so many milliseconds per chunk, by its number of threads, on a clock of its own. */
function decoderThatTakes(milliseconds: Readonly<Record<number, number>>) {
  let threads = 0
  let clock = 0
  const asked = new Set<number>()
  const lengths = new Set<number>()
  const decoder: Pick<Decoder, "evaluate" | "choose" | "setThreads"> = {
    setThreads: (count) => {
      threads = count
    },
    evaluate: async (parts) => {
      for (const { chunk } of parts) lengths.add(chunk.length)
      asked.add(threads)
      clock += milliseconds[threads] ?? 0
    },
    choose: async (_, tokens) => ({ probabilities: tokens.map(() => 1 / tokens.length), mass: 1 }),
  }
  return { decoder, asked, lengths, threads: () => threads, now: () => clock }
}

const tokens = [1, 2, 3, 4, 5]

test("a model that gains from threads gets them, and far fewer are not tried", async () => {
  const { decoder, asked, threads, now } = decoderThatTakes({ 8: 5, 4: 10, 2: 20, 1: 40 })
  expect(await probeThreads(decoder, tokens, { cores: 8, now })).toBe(8)
  expect(threads()).toBe(8)
  expect(asked.has(1)).toBe(false)
})

test("what is measured are batches as long as those of reads: longer ones would flatter threads", async () => {
  const { decoder, lengths, now } = decoderThatTakes({ 2: 10, 1: 10 })
  await probeThreads(decoder, tokens, { cores: 2, now })
  expect([...lengths]).toEqual([pieceLength])
})

test("a small model, whose threads wait for each other, gets one", async () => {
  const { decoder, threads, now } = decoderThatTakes({ 2: 12, 1: 10 })
  expect(await probeThreads(decoder, tokens, { cores: 2, now })).toBe(1)
  expect(threads()).toBe(1)
})

test("a gain that a busy machine would eat is not taken", async () => {
  const { decoder, now } = decoderThatTakes({ 2: 9, 1: 10 })
  expect(await probeThreads(decoder, tokens, { cores: 2, now })).toBe(1)
})

test("candidates are halves of the cores down to one", () => {
  expect(candidates(12)).toEqual([12, 6, 3, 1])
  expect(candidates(1)).toEqual([1])
})

test("CFX_THREADS counts when it is a whole number from 1", () => {
  const values = ["3", "0", "many", "1.5", undefined]
  expect(values.map((CFX_THREADS) => threadsFromEnvironment({ CFX_THREADS }))).toEqual([
    3,
    ...Array.from({ length: 4 }, () => undefined),
  ])
})

test("cores that a model's threads leave idle become lanes, at most three", () => {
  expect(lanesFor(1, 1)).toBe(1)
  expect(lanesFor(1, 2)).toBe(2)
  expect(lanesFor(2, 2)).toBe(1)
  expect(lanesFor(4, 16)).toBe(3)
  expect(lanesFor(8, 4)).toBe(1)
})
