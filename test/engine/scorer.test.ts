import { Effect, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"

import type { ReadRequest } from "../../runtime/backend/backend.ts"
import type { Choice, Evaluator } from "../../runtime/backend/evaluator.ts"
import { type ScorerOptions, scorer } from "../../runtime/backend/scorer.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { EnvironmentFailure } from "../../runtime/failure.ts"
import { promptId, readKey } from "../../runtime/read/key.ts"
import type { LabelTree } from "../../runtime/read/labels.ts"
import { type ReadAsk, readingOf } from "../../runtime/read/reading.ts"
import { conversationOf, prepared, scoreAll } from "./support.ts"

const options: ScorerOptions = {
  sharing: true,
  order: "depth_first",
  onFailure: (error) => new EnvironmentFailure({ what: String(error), where: "test", todo: "-" }),
}

/** An engine whose choices are written down, by the tokens asked for. */
const scripted = (choices: Readonly<Record<string, Choice>>): Evaluator => ({
  sequences: 1,
  evaluate: async () => {},
  choose: async (_, tokens) => choices[tokens.join(",")]!,
  drawer: () => {
    throw new Error("nothing is drawn")
  },
})

const answerOf = async (labels: LabelTree, choices: Readonly<Record<string, Choice>>) => {
  const request: ReadRequest = { key: "k", chunks: [[1]], labels }
  return [
    ...(await Effect.runPromise(Stream.runCollect(scorer(scripted(choices), options).score([request])))),
  ][0]!
}

describe("an answer", () => {
  const tree: LabelTree = {
    forced: [],
    branches: [
      {
        token: 1,
        leadsTo: {
          forced: [1],
          branches: [
            { token: 9, leadsTo: 0 },
            { token: 0, leadsTo: 2 },
          ],
        },
      },
      { token: 2, leadsTo: 1 },
    ],
  }

  test("is the product of restricted probabilities along its branches; its mass, of the unrestricted ones", async () => {
    const answer = await answerOf(tree, {
      "1,2": { probabilities: [0.75, 0.25], mass: 0.8 },
      "9,0": { probabilities: [0.4, 0.6], mass: 0.5 },
    })
    expect(answer.probabilities).toEqual([0.75 * 0.4, 0.25, 0.75 * 0.6].map((p) => expect.closeTo(p, 12)))
    expect(answer.mass).toBeCloseTo(0.8 * (0.75 * 0.5 + 0.25), 12)
  })

  test("of a label with two spellings is the sum of both, each as probable as it is", async () => {
    const respelt: LabelTree = {
      forced: [],
      branches: [
        { token: 1, leadsTo: 0 },
        { token: 2, leadsTo: 1 },
        {
          token: 3,
          leadsTo: {
            forced: [3],
            respelt: true,
            branches: [
              { token: 4, leadsTo: 0 },
              { token: 5, leadsTo: 1 },
            ],
          },
        },
      ],
    }
    const answer = await answerOf(respelt, {
      "1,2,3": { probabilities: [0.3, 0.1, 0.6], mass: 0.9 },
      "4,5": { probabilities: [0.2, 0.8], mass: 0.5 },
    })
    const ways = [0.3 + 0.6 * 0.5 * 0.2, 0.1 + 0.6 * 0.5 * 0.8]
    const sum = ways[0]! + ways[1]!
    expect(answer.probabilities).toEqual(ways.map((way) => expect.closeTo(way / sum, 12)))
    expect(answer.mass).toBeCloseTo(0.9 * sum, 12)
  })

  test("that is not a number is invalid, and no number leaves", async () => {
    const answer = await answerOf(tree, {
      "1,2": { probabilities: [0.5, 0.5], mass: Number.NaN },
      "9,0": { probabilities: [0.5, 0.5], mass: 1 },
    })
    expect(answer).toMatchObject({
      probabilities: [],
      mass: 0,
      invalid: expect.stringContaining("not a number"),
    })
    const ask: ReadAsk = { kind: "integer", low: 1, high: 3, follow: "" }
    expect(readingOf(ask, answer)).toEqual({ status: "invalid", why: answer.invalid })
  })

  test("ties go to the first label", () => {
    const ask: ReadAsk = { kind: "option", labels: ["A", "B", "C"], follow: "" }
    const reading = readingOf(ask, { key: "k", probabilities: [0.2, 0.4, 0.4], mass: 1, evaluated: 0 })
    expect(reading).toMatchObject({ value: "B", index: 1 })
  })
})

test("an engine that fails is an environment failure, and the next read starts from nothing", async () => {
  const fails: Evaluator = { ...scripted({}), evaluate: () => Promise.reject(new Error("no memory")) }
  const request: ReadRequest = { key: "k", chunks: [[1], [2]], labels: { forced: [], branches: [] } }
  const failing = scorer(fails, options)
  const failure = await Effect.runPromise(Effect.flip(Stream.runCollect(failing.score([request]))))
  expect(failure.what).toContain("no memory")
  expect(failing.count([request])).toBe(2)
})

test("the simulated engine answers a set of reads as it answers each alone, in any order, and counts exactly", async () => {
  const word = fc.constantFrom("robin", "oak", "neon")
  const turns = fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 3 })
  const ask = fc.constantFrom<ReadAsk>(
    { kind: "option", labels: ["A", "B"], follow: "" },
    { kind: "integer", low: 1, high: 10, follow: "}" },
  )
  const file = { name: "m", path: "unused" }
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(turns, ask), { minLength: 1, maxLength: 8 }), async (list) => {
      const results = []
      for (const o of [{}, { order: "reversed" }, { sharing: false }] as const) {
        const model = simulatedModel(file, o)
        const requests = list.map(([t, a]) => prepared(model, conversationOf(t), a).request)
        const counted = model.count(requests)
        const { answers, evaluated } = await scoreAll(model, requests)
        expect(evaluated).toBe(counted)
        results.push(answers.map(({ key, probabilities, mass }) => ({ key, probabilities, mass })))
      }
      expect(results[1]).toEqual(results[0])
      expect(results[2]).toEqual(results[0])
    }),
    { numRuns: 30 },
  )
})

describe("keys", () => {
  const ask: ReadAsk = { kind: "option", labels: ["A", "B"], follow: "" }

  test("of reads differ with the fingerprint, the tokens, the chunks and what is asked", () => {
    const keys = [
      readKey("f", [[1, 2], [3]], ask),
      readKey("g", [[1, 2], [3]], ask),
      readKey("f", [[1], [2, 3]], ask),
      readKey("f", [[1, 2], [4]], ask),
      readKey("f", [[1, 2], [3]], { ...ask, labels: ["A", "C"] }),
      readKey("f", [[1, 2], [3]], { ...ask, follow: "," }),
      readKey("f", [[1, 2], [3]], { kind: "integer", low: 1, high: 2, follow: "" }),
    ]
    expect(new Set(keys).size).toBe(keys.length)
    expect(readKey("f", [[1, 2], [3]], ask)).toBe(keys[0])
  })

  test("of prompts do not confuse roles or where a text ends", () => {
    const ids = [
      promptId("f", conversationOf([["ab", "c"]]), ask),
      promptId("f", conversationOf([["a", "bc"]]), ask),
      promptId("f", conversationOf([["b", "c"]], "a"), ask),
      promptId(
        "f",
        conversationOf([
          ["ab", "c"],
          ["", ""],
        ]),
        ask,
      ),
    ]
    expect(new Set(ids).size).toBe(ids.length)
  })
})
