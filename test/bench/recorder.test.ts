import { describe, expect, it } from "vitest"
import { idealTokens, newRecording, overheadOf, recordInto, replay, tokensOf } from "../../bench/recorder.ts"
import type { Evaluator, Part } from "../../runtime/backend/evaluator.ts"

const part = (at: number, chunk: readonly number[], sequence = 0): Part => ({ sequence, at, chunk, keep: [] })

describe("a recording of what an engine evaluates", () => {
  it("counts every token that was evaluated, and once each that no engine could have shared", () => {
    // 1 2 3, then 1 2 4, then 1 2 3 again: a trie of 1, 2, 3 and 4.
    const steps = [[part(0, [1, 2])], [part(2, [3])], [part(2, [4])], [part(2, [3])]]
    expect(tokensOf({ steps })).toBe(5)
    expect(idealTokens({ steps })).toBe(4)
  })

  it("takes what two sequences begin with for one", () => {
    const steps = [[part(0, [1, 2, 3], 0), part(0, [1, 2, 5], 1)], [part(3, [6], 1)]]
    expect(tokensOf({ steps })).toBe(7)
    expect(idealTokens({ steps })).toBe(5)
  })

  it("forgets what a sequence held where it goes back", () => {
    const steps = [[part(0, [1, 2, 3])], [part(1, [9])], [part(2, [3])]]
    expect(idealTokens({ steps })).toBe(5)
  })

  it("evaluates the same chunks at the same depths again, and reads nothing", async () => {
    const asked: (readonly Part[])[] = []
    const engine: Evaluator = {
      sequences: 1,
      evaluate: async (parts) => {
        asked.push(parts)
      },
      choose: async () => ({ probabilities: [1], mass: 1 }),
      drawer: () => ({ draw: async () => undefined, close: () => {} }),
    }
    const recording = newRecording()
    const recorded = recordInto(recording)(engine)
    await recorded.evaluate([{ ...part(0, [1, 2]), keep: [1] }])
    await recorded.choose({ part: 0, offset: 1 }, [7])
    expect(recording.times).toHaveLength(1)
    expect(recording.times[0]).toBeGreaterThan(0)
    expect(overheadOf(recording)).toBeGreaterThanOrEqual(0)
    expect(await replay(engine, recording)).toHaveLength(1)
    expect(asked).toEqual([[{ ...part(0, [1, 2]), keep: [1] }], [part(0, [1, 2])]])
  })
})
