import { expect, test } from "vitest"
import { samplingOf, seedOf } from "../../runtime/backend/text/sampling.ts"

const request = { max: 1, until: [], chunks: [], draw: "0", temperature: 1, topP: 0.9 }

test("the seed of a text follows from its key: the same each time, and another for another key", () => {
  const { seed } = samplingOf({ ...request, key: "a" })
  expect(samplingOf({ ...request, key: "a" })).toEqual({ temperature: 1, topP: 0.9, seed })
  expect(samplingOf({ ...request, key: "b" }).seed).not.toBe(seed)
})

test("no text has the one seed by which the engine draws another one each time", () => {
  expect(seedOf(0xffff_ffff)).toBe(0)
  for (const word of [0, 1, 0xffff_fffe]) expect(seedOf(word)).toBe(word)
})
