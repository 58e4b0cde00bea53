/** Fast mode: what it costs, and that it comes to what its naive twin comes to, on one sequence and on several whose batches are shared. */
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { ReadAnswer, ReadRequest, Token } from "../../runtime/backend/backend.ts"
import type { Evaluator, Part } from "../../runtime/backend/evaluator.ts"
import { scorer } from "../../runtime/backend/scorer.ts"
import { sharedBatches } from "../../runtime/backend/sharedBatches.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { EnvironmentFailure } from "../../runtime/failure.ts"
import type { ReadAsk } from "../../runtime/read/reading.ts"
import { pathsOf } from "../../runtime/read/steps.ts"
import { conversationOf, prepared, scoreAll } from "./support.ts"

const options = {
  mode: "fast",
  sharing: true,
  order: "depth_first",
  batchSize: 64,
  rewinds: true,
  onFailure: (error: unknown) => new EnvironmentFailure({ what: String(error), where: "test", todo: "-" }),
} as const

/** Several sequences, whose numbers are a sum over the tokens up to a place. `late`: answers come in another order than they are asked for. */
function summing(sequences: number, late: () => Promise<void>) {
  const held: Token[][] = Array.from({ length: sequences }, () => [])
  let last: readonly Part[] = []
  const batches: number[] = []
  let busy = false
  const alone = async <A>(work: () => A): Promise<A> => {
    expect(busy).toBe(false)
    busy = true
    await late()
    busy = false
    return work()
  }
  const evaluator: Evaluator = {
    sequences,
    evaluate: (parts) => {
      expect(new Set(parts.map(({ sequence }) => sequence)).size).toBe(parts.length)
      batches.push(parts.reduce((sum, { chunk }) => sum + chunk.length, 0))
      return alone(() => {
        for (const { sequence, at, chunk } of parts) {
          expect(at).toBeLessThanOrEqual(held[sequence]!.length)
          held[sequence] = [...held[sequence]!.slice(0, at), ...chunk]
        }
        last = parts
      })
    },
    choose: ({ part, offset }, tokens) =>
      alone(() => {
        const { sequence, at, keep } = last[part]!
        expect(keep).toContain(offset)
        const before = held[sequence]!.slice(0, at + offset + 1)
        const weights = tokens.map((token) =>
          [...before, token].reduce((sum, one) => (sum * 131 + one + 1) % 99_991, 7),
        )
        const sum = weights.reduce((total, one) => total + one, 0)
        return { probabilities: weights.map((one) => one / sum), mass: sum / (sum + 50_000) }
      }),
    drawer: () => {
      throw new Error("nothing is drawn")
    },
  }
  return { evaluator, batches }
}

const word = fc.constantFrom("robin", "robins", "oak", "neon")
const turns = fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 3 })
const ask = fc.constantFrom<ReadAsk>(
  { kind: "option", labels: ["A", "B"], follow: "" },
  { kind: "option", labels: ["a robin", "an oak"], follow: "", score: "mean" },
  { kind: "integer", low: 1, high: 30, follow: "}" },
)
const model = simulatedModel({ name: "m", path: "unused" }, { mode: "fast" })
const requests = fc
  .array(fc.tuple(turns, ask), { minLength: 1, maxLength: 12 })
  .map((list) => list.map(([told, asked]) => prepared(model, conversationOf(told), asked).request))

const numbers = ({ key, probabilities, mass }: ReadAnswer) => ({ key, probabilities, mass })

const distinctPrefixes = (reads: readonly ReadRequest[]): number =>
  new Set(
    reads.flatMap(pathsOf).flatMap(({ chunks }) => {
      const tokens = chunks.flat()
      return tokens.map((_, index) => tokens.slice(0, index + 1).join())
    }),
  ).size

test("each distinct prefix is evaluated once, as counted, and answers are those of the naive twin", async () => {
  await fc.assert(
    fc.asyncProperty(requests, fc.boolean(), async (reads, reversed) => {
      const fast = simulatedModel(
        { name: "m", path: "unused" },
        { mode: "fast", order: reversed ? "reversed" : "depth_first" },
      )
      const naive = simulatedModel({ name: "m", path: "unused" }, { mode: "fast", sharing: false })
      expect(fast.count(reads)).toBe(distinctPrefixes(reads))
      const { answers, evaluated } = await scoreAll(fast, reads)
      expect(evaluated).toBe(distinctPrefixes(reads))
      expect(answers.map(numbers)).toEqual((await scoreAll(naive, reads)).answers.map(numbers))
      // Again, from whatever is held now.
      const counted = fast.count(reads)
      const again = await scoreAll(fast, reads)
      expect(again.evaluated).toBe(counted)
      expect(again.answers.map(numbers)).toEqual(answers.map(numbers))
    }),
    { numRuns: 40 },
  )
})

describe("several sequences whose batches are shared", () => {
  test.each([1, 2, 4])(
    "%i of them answer as one does, each counts what it evaluates, and no call is made during another",
    async (sequences) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(requests, { minLength: 1, maxLength: 6 }),
          fc.scheduler(),
          fc.integer({ min: 20, max: 200 }),
          async (items, scheduler, batchSize) => {
            const one = scorer(summing(1, async () => {}).evaluator, { ...options, sharing: false })
            const { evaluator, batches } = summing(sequences, () => scheduler.schedule(Promise.resolve()))
            const lanes = sharedBatches(evaluator, batchSize).map((lane) =>
              scorer(lane, { ...options, batchSize }),
            )
            const open = [...items]
            const found = new Map<string, unknown>()
            let counted = 0
            let evaluated = 0
            const walk = async (lane: (typeof lanes)[number]): Promise<void> => {
              for (let reads = open.shift(); reads !== undefined; reads = open.shift()) {
                counted += lane.count(reads)
                for (const answer of await Effect.runPromise(Stream.runCollect(lane.score(reads)))) {
                  evaluated += answer.evaluated
                  found.set(answer.key, numbers(answer))
                }
              }
            }
            await scheduler.waitFor(Promise.all(lanes.map(walk)))
            expect(evaluated).toBe(counted)
            expect(batches.reduce((sum, tokens) => sum + tokens, 0)).toBe(evaluated)
            for (const tokens of batches) expect(tokens).toBeLessThanOrEqual(batchSize)
            const alone = await Effect.runPromise(Stream.runCollect(one.score(items.flat())))
            for (const answer of alone) expect(found.get(answer.key)).toEqual(numbers(answer))
          },
        ),
        { numRuns: 30 },
      )
    },
    300_000,
  )

  test("fill one batch with what all of them evaluate", async () => {
    const { evaluator, batches } = summing(4, async () => {})
    const lanes = sharedBatches(evaluator, 512).map((lane) => scorer(lane, { ...options, batchSize: 512 }))
    const reads = lanes.map(
      (_, index) =>
        prepared(model, conversationOf([[`Question ${index}`, ""]]), {
          kind: "option",
          labels: ["A", "B"],
          follow: "",
        }).request,
    )
    await Promise.all(
      lanes.map((lane, index) => Effect.runPromise(Stream.runCollect(lane.score([reads[index]!])))),
    )
    expect(batches).toHaveLength(1)
  })

  test("one that fails leaves the others to go on", async () => {
    const { evaluator } = summing(2, async () => {})
    let calls = 0
    const failing: Evaluator = {
      ...evaluator,
      evaluate: (parts) =>
        calls++ === 0 ? Promise.reject(new Error("no memory")) : evaluator.evaluate(parts),
    }
    const [left, right] = sharedBatches(failing, 512).map((lane) => scorer(lane, options))
    const reads = [
      prepared(model, conversationOf([["?", ""]]), { kind: "option", labels: ["A", "B"], follow: "" })
        .request,
    ]
    const failure = await Effect.runPromise(Effect.flip(Stream.runCollect(left!.score(reads))))
    expect(failure.what).toContain("no memory")
    expect([...(await Effect.runPromise(Stream.runCollect(right!.score(reads))))]).toHaveLength(1)
    expect([...(await Effect.runPromise(Stream.runCollect(left!.score(reads))))]).toHaveLength(1)
  })
})
