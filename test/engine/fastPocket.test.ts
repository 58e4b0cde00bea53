/** Fast mode on the pocket respondent: as exact mode says, to within a stated tolerance, for fewer tokens, on one sequence and on several. */
import { Effect, Stream } from "effect"
import { expect, test } from "vitest"
import type { ReadRequest, TokenModel } from "../../runtime/backend/backend.ts"
import type { LlamaOptions } from "../../runtime/backend/llama.ts"
import type { ReadAsk } from "../../runtime/read/reading.ts"
import { conversationOf, prepared, withModel } from "./support.ts"

/** Largest difference of a probability: kernels round otherwise in other batches. 0.0051 was measured here. */
const tolerance = 0.02

const letters: ReadAsk = { kind: "option", labels: ["A", "B", "C", "D"], follow: '"' }
const choice = '{"judgment":"'
const question = (thing: string): string =>
  `Question:\nWhich kind does ${thing} belong to?\nOptions:\nA. bird\nB. fish\nC. tree\nD. gas\nRespond ONLY with JSON.`
const blocks = [
  "Please double-check.",
  "Others said:\nPerson 1: B.\nPerson 2: B.",
  "Others said:\nPerson 1: B.\nPerson 2: C.",
]

const itemsOf = (model: TokenModel): readonly (readonly ReadRequest[])[] =>
  ["robin", "salmon", "oak", "neon", "ash"].map((thing) =>
    [
      conversationOf([[question(thing), choice]]),
      ...blocks.map((block) =>
        conversationOf([
          [question(thing), `${choice}A"}`],
          [`${block}\n${question(thing)}`, choice],
        ]),
      ),
    ].map((conversation) => prepared(model, conversation, letters).request),
  )

/** Answers of all items, which the lanes take in turn; and what was evaluated. Counts are checked before. */
const run = (options: LlamaOptions) =>
  withModel(
    async (model) => {
      const open = [...itemsOf(model)]
      const probabilities = new Map<string, readonly number[]>()
      let evaluated = 0
      const lanes = [model, ...model.extraLanes]
      await Promise.all(
        lanes.map(async (lane) => {
          for (let reads = open.shift(); reads !== undefined; reads = open.shift()) {
            const counted = lane.count(reads)
            let own = 0
            for (const answer of await Effect.runPromise(Stream.runCollect(lane.score(reads)))) {
              own += answer.evaluated
              // By tokens: the mode is part of a key.
              const read = reads.find(({ key }) => key === answer.key)!
              probabilities.set(read.chunks.flat().join(), answer.probabilities)
            }
            expect(own).toBe(counted)
            evaluated += own
          }
        }),
      )
      return { probabilities, evaluated, fingerprint: model.fingerprint, lanes: lanes.length }
    },
    { threads: 1, ...options },
  )

test("fast mode says what exact mode says, to within 0.02, with its naive twin and on 1, 2 and 4 sequences", async () => {
  const exact = await run({})
  const fast = [
    await run({ mode: "fast" }),
    await run({ mode: "fast", sharing: false }),
    await run({ mode: "fast", sequences: 2 }),
    await run({ mode: "fast", sequences: 4 }),
  ]
  for (const { probabilities, fingerprint } of fast) {
    expect([...probabilities.keys()].sort()).toEqual([...exact.probabilities.keys()].sort())
    for (const [tokens, ps] of exact.probabilities)
      for (const [index, p] of ps.entries())
        expect(Math.abs(probabilities.get(tokens)![index]! - p)).toBeLessThan(tolerance)
    expect(fingerprint).not.toBe(exact.fingerprint)
  }
  expect(fast.map(({ lanes }) => lanes)).toEqual([1, 1, 2, 4])
  expect(fast[0]!.evaluated).toBeLessThan(exact.evaluated)
  expect(fast[1]!.evaluated).toBeGreaterThan(1.5 * fast[0]!.evaluated)
}, 600_000)
