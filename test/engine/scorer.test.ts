import { Effect, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"

import type { Ask } from "../../compiler/conversation.ts"
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
  mode: "exact",
  sharing: true,
  order: "depth_first",
  batchSize: 64,
  rewinds: true,
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

  test("gives a reading the raw probability of the label besides, and what a server did not list", () => {
    const answer = { key: "k", probabilities: [0.6, 0.4], mass: 0.9, evaluated: 0 }
    const ask: ReadAsk = { kind: "option", labels: ["A", "B"], follow: "" }
    expect(readingOf({ ...ask, also: ["C"] }, { ...answer, also: [0.05] })).toMatchObject({ placebo: 0.05 })
    const censored = { labels: [1], below: 0.01 }
    expect(readingOf(ask, { ...answer, censored })).toMatchObject({ status: "value", censored })
    expect(readingOf(ask, answer)).toEqual({
      status: "value",
      value: "A",
      index: 0,
      probabilities: [0.6, 0.4],
      mass: 0.9,
    })
    // Where a server does not list it the read stands without it.
    expect(readingOf({ ...ask, also: ["C"] }, answer)).toEqual(readingOf(ask, answer))
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

  test("of reads and prompts are those of before the labels besides and the scores, where an ask has neither", () => {
    const told = conversationOf([["ab", "c"]], "s")
    const asks: readonly Ask[] = [
      { kind: "option", labels: ["A", "B"], follow: '"' },
      { kind: "label", labels: ["yes", "no"], follow: "" },
      { kind: "integer", low: 1, high: 10, follow: "}" },
      { kind: "text", max: 5, until: ["\n"], temperature: 0, topP: 1, draw: "0" },
    ]
    const keys = asks.map((one) => [readKey("f", [[1, 2], [3]], one), promptId("f", told, one)])
    expect(keys.map((pair) => pair.map((key) => key.slice(0, 16)))).toEqual([
      ["48c0ad6ec364789c", "9a0af681de2b9488"],
      ["e6a0a51642e53a2b", "8cd33dfaab69170c"],
      ["339fe69c934674fc", "6313808a47ee9b16"],
      ["911a073be5568f49", "19ce12e1126daca7"],
    ])
  })

  test("of reads and prompts differ with the labels besides and with the score", () => {
    const told = conversationOf([["ab", "c"]])
    const asks: readonly Ask[] = [
      ask,
      { ...ask, also: ["C"] },
      { ...ask, also: ["C", "D"] },
      { ...ask, labels: ["A", "B", "C"] },
      { ...ask, score: "sum" },
      { ...ask, score: "mean" },
      { ...ask, also: ["C"], score: "mean" },
    ]
    expect(new Set(asks.map((one) => readKey("f", [[1]], one))).size).toBe(asks.length)
    expect(new Set(asks.map((one) => promptId("f", told, one))).size).toBe(asks.length)
    expect(readKey("f", [[1]], { ...ask, also: [] })).toBe(readKey("f", [[1]], ask))
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
