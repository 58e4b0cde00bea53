import { describe, expect, it } from "vitest"
import { leastTimes, wholeOf } from "../../bench/leastTimes.ts"
import { newRecording, roundOf } from "../../bench/recorder.ts"

describe("least times", () => {
  it("take each batch from the round in which it was fastest, and what is beyond them from one round", () => {
    const least = leastTimes([
      { batches: [10, 40, 12], beyond: 5 },
      { batches: [30, 20, 11], beyond: 3 },
      { batches: [11, 21, 90], beyond: 9 },
    ])
    expect(least).toEqual({ batches: 10 + 20 + 11, beyond: 3 })
    expect(wholeOf(least)).toBe(44)
  })

  it("find the ratio of two ways to do the same work under losses of any size, as long as none falls on a batch each time", () => {
    /** 100 batches of 7 to 9 ms; in round r every third batch from r on loses up to a second to others. */
    const rounds = (factor: number, beyond: number) =>
      Array.from({ length: 3 }, (_, round) => ({
        batches: Array.from({ length: 100 }, (_, index) => {
          const lost = index % 3 === round ? ((index * 7919 + round * 104_729) % 1000) + 1 : 0
          return factor * (7 + (index % 3)) + lost
        }),
        beyond: beyond + 50 * round,
      }))
    const [run, replay] = [leastTimes(rounds(1, 16)), leastTimes(rounds(1, 0))]
    expect(replay.batches).toBeCloseTo(799, 9)
    expect(wholeOf(run) / wholeOf(replay)).toBeCloseTo(815 / 799, 9)
    expect(wholeOf(leastTimes(rounds(2.5, 0))) / wholeOf(replay)).toBeCloseTo(2.5, 9)
  })

  it("refuse rounds that did not do the same, and none at all", () => {
    const rounds = [
      { batches: [1, 2], beyond: 0 },
      { batches: [1], beyond: 0 },
    ]
    expect(() => leastTimes(rounds)).toThrow("a round has 2 batches, another 1")
    expect(() => leastTimes([])).toThrow("nothing was measured")
  })

  it("take of a run as beyond its batches what passed from the opened model to its last answer outside them", () => {
    const recording = { ...newRecording(), times: [30, 20], span: { ready: 100, first: 110, done: 170 } }
    expect(roundOf(recording)).toEqual({ batches: [30, 20], beyond: 20 })
  })
})
