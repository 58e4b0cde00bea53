/** Two runs compared: what they are, which reads came out otherwise, and by more than the engine differs from itself. */
import { join } from "node:path"
import { Effect, Layer, Stream } from "effect"
import { describe, expect, it } from "vitest"
import type { Reading } from "../../compiler/trial.ts"
import { Backend, type ReadAnswer } from "../../runtime/backend/backend.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { compareReads } from "../../runtime/diff/reads.ts"
import { compareResults } from "../../runtime/diff/results.ts"
import { compareRuns } from "../../runtime/diff/runs.ts"
import { runsText } from "../../runtime/diff/runsText.ts"
import type { FreeAnswer, TrialRecord } from "../../runtime/record.ts"
import { keptRun } from "../../runtime/run/finished.ts"
import { rebuild } from "../../runtime/run/run.ts"
import { reading, trial } from "../measure/sample.ts"
import { carryOut } from "../run/runs.ts"
import { temporary } from "../run/temporary.ts"

const folder = temporary()
let runs = 0

/** A run of the small spec whose every distribution is changed by `change`. */
async function runWith(change: (answer: ReadAnswer, at: number) => ReadAnswer, items?: number) {
  const directory = join(folder, `run-${runs++}`)
  let at = 0
  const layer = Layer.succeed(Backend, {
    load: (file) =>
      Effect.sync(() => {
        const model = simulatedModel(file)
        return {
          ...model,
          score: (reads) => Stream.map(model.score(reads), (answer) => change(answer, at++)),
        }
      }),
  })
  await carryOut(directory, items === undefined ? {} : { items }, layer)
  const run = await Effect.runPromise(keptRun(directory))
  const { results } = await Effect.runPromise(rebuild({ directory, version: "0.1.0", write: false }))
  return { run, results }
}

const asIs = (answer: ReadAnswer): ReadAnswer => answer

/** The two most probable alternatives, the other way round. */
function swapped(answer: ReadAnswer): ReadAnswer {
  const order = answer.probabilities.map((p, index) => ({ p, index })).sort((a, b) => b.p - a.p)
  const [first, second] = [order[0]!, order[1]!]
  const probabilities = [...answer.probabilities]
  probabilities[first.index] = second.p
  probabilities[second.index] = first.p
  return { ...answer, probabilities }
}

describe("two runs", () => {
  it("are the same, read by read and number by number, where one repeats the other", async () => {
    const comparison = compareRuns(await runWith(asIs), await runWith(asIs))
    expect(comparison).toMatchObject({ same: true, setup: [], examples: [], results: { differing: [] } })
    expect(comparison.reads.every(({ compared, same }) => compared === same && compared > 0)).toBe(true)
    expect(runsText(comparison)).toMatch(/^Every read and every number of the two runs is the same\.\n/)
  })

  it("differ in the reads that came out otherwise, and in the numbers that rest on them", async () => {
    const comparison = compareRuns(
      await runWith(asIs),
      await runWith((answer, at) => (at % 5 === 0 ? swapped(answer) : answer)),
    )
    expect(comparison.same).toBe(false)
    const flips = comparison.reads.reduce((sum, { flips }) => sum + flips, 0)
    expect(flips).toBeGreaterThan(0)
    expect(comparison.examples[0]).toMatchObject({ flipped: true, beyond: true })
    expect(comparison.results.differing.length).toBeGreaterThan(0)
    expect(runsText(comparison)).toContain("with another answer")
  })

  it("are compared on the trials that both have", async () => {
    const comparison = compareRuns(await runWith(asIs, 6), await runWith(asIs, 4))
    expect(comparison.trials).toMatchObject({ second: 0 })
    expect(comparison.trials.first).toBeGreaterThan(0)
    expect(comparison.setup.map(({ what }) => what)).toContain("the items")
    expect(comparison.same).toBe(false)
  })
})

const sample = () =>
  [0, 1, 2, 0, 3].map((index, at) => trial("pressure", `i${at}`, reading(index, 0.6), reading(1, 0.8)))

describe("numbers", () => {
  const contrast = (estimate: number) => ({
    experiment: "sample",
    kind: "contrast" as const,
    name: "authority",
    by: {},
    taken: "cells" as const,
    n: 4,
    excluded: {},
    estimate,
    method: "over cells",
  })

  it("of one name that are taken in several ways stand each for itself", () => {
    const both = [contrast(0.1), contrast(0.2)]
    expect(compareResults(both, both)).toEqual({ same: 2, differing: [], only: { first: 0, second: 0 } })
    expect(compareResults(both, [contrast(0.1), contrast(0.3)]).differing).toMatchObject([
      { first: 0.2, second: 0.3 },
    ])
    expect(compareResults(both, [contrast(0.1)]).only).toEqual({ first: 1, second: 0 })
  })

  it("differ in whatever was found, and the method's words are none of it", () => {
    const one = contrast(0.1)
    const adjusted = (p: number) => ({ ...one, adjusted: { family: "main", method: "holm" as const, p } })
    expect(compareResults([adjusted(0.1)], [adjusted(0.2)]).differing).toMatchObject([{ in: ["adjusted"] }])
    expect(compareResults([one], [{ ...one, excluded: { given: 2 } }]).differing).toMatchObject([
      { in: ["excluded"] },
    ])
    expect(compareResults([one], [{ ...one, method: "in other words" }])).toMatchObject({ same: 1 })
  })
})

describe("reads", () => {
  const moved = (by: number) =>
    sample().map((record) => ({
      ...record,
      readings: Object.fromEntries(
        Object.entries(record.readings).map(([hole, reading]) => [
          hole,
          reading.status === "value" ? { ...reading, mass: reading.mass - by } : reading,
        ]),
      ),
    }))

  it("differ within the engine's floor, or beyond it", () => {
    const within = compareReads(sample(), moved(0.01), () => 0.02)
    expect(within.reads.every(({ beyond, within, compared }) => beyond === 0 && within === compared)).toBe(
      true,
    )
    expect(within.examples[0]).toMatchObject({ of: "the mass", flipped: false, beyond: false })
    const beyond = compareReads(sample(), moved(0.01), () => 0.005)
    expect(beyond.reads.every(({ beyond, compared }) => beyond === compared)).toBe(true)
    expect(beyond.reads[0]?.largest).toBeCloseTo(0.01, 12)
  })

  it("differ where the model's own text does, which it was also asked for", () => {
    const of = (freely: TrialRecord["freely"]) => sample().map((record) => ({ ...record, freely: freely! }))
    const said = (text: string, label?: string): FreeAnswer => ({
      status: "text",
      text,
      agrees: label === "A",
      ...(label === undefined ? {} : { label }),
    })
    const compared = (first: FreeAnswer, second: FreeAnswer) => {
      const { reads, examples } = compareReads(of({ a0: first }), of({ a0: second }), () => 1)
      const { same, beyond, flips } = reads.find(({ hole }) => hole === "a0, written freely")!
      return { same, beyond, flips, of: examples[0]?.of }
    }
    const all = sample().length
    expect(compared(said("A.", "A"), said("A.", "A"))).toMatchObject({ same: all, beyond: 0 })
    expect(compared(said("A.", "A"), said("A!", "A"))).toEqual({
      same: 0,
      beyond: all,
      flips: 0,
      of: "the text",
    })
    expect(compared(said("A.", "A"), said("B.", "B"))).toMatchObject({ flips: all, of: "the text" })
    expect(compared(said("A.", "A"), { status: "invalid", why: "too long" })).toMatchObject({
      of: "the status",
      flips: all,
    })
    const { reads } = compareReads(of({ a0: said("A.", "A") }), sample(), () => 1)
    expect(reads.find(({ hole }) => hole === "a0, written freely")).toMatchObject({ beyond: all })
  })

  it("differ in all that is kept of them: how a text ended, what a server did not list", () => {
    const text = { status: "text", text: "So.", tokens: 2, stop: "end" } as const
    const value = reading(0)
    const one = (a0: Reading, a1: Reading) => [trial("pressure", "i", a0, a1)]
    const found = (a0: Reading, a1: Reading, b0: Reading, b1: Reading) =>
      compareReads(one(a0, a1), one(b0, b1), () => 1).examples.map(({ hole, of }) => `${hole}: ${of}`)
    expect(found(text, value, text, value)).toEqual([])
    expect(found(text, value, { ...text, stop: "max" }, value)).toEqual(["a0: how it ended"])
    expect(found(text, value, { ...text, tokens: 3 }, value)).toEqual(["a0: the number of tokens"])
    const censored = { ...value, censored: { labels: [2], below: 0.1 } } as Reading
    expect(found(text, value, text, censored)).toEqual(["a1: what the server did not list"])
    // A mass that nobody knows is no other than one that nobody knows.
    const unknown = { ...value, mass: Number.NaN } as Reading
    expect(found(text, unknown, text, unknown)).toEqual([])
  })

  it("find each other in whatever order the trials come", () => {
    const shuffled = moved(0).reverse()
    const { trials, reads } = compareReads(sample(), shuffled, () => 0)
    expect(trials).toEqual({ both: sample().length, first: 0, second: 0 })
    expect(reads.every(({ compared, same }) => compared === same)).toBe(true)
  })
})
