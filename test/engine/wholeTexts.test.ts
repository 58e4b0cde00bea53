/** Reads of whole texts and of labels besides: by hand-made choices, and on the pocket respondent against its whole distribution, token by token. */
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Conversation } from "../../compiler/conversation.ts"
import type { ReadRequest, Token, TokenModel } from "../../runtime/backend/backend.ts"
import type { Choice, Evaluator } from "../../runtime/backend/evaluator.ts"
import { scorer } from "../../runtime/backend/scorer.ts"
import { simulatedModel } from "../../runtime/backend/simulated.ts"
import { EnvironmentFailure } from "../../runtime/failure.ts"
import type { LabelTree } from "../../runtime/read/labels.ts"
import { prepare } from "../../runtime/read/prepare.ts"
import { type ReadAsk, readingOf } from "../../runtime/read/reading.ts"
import { pathsOf, placesOf } from "../../runtime/read/steps.ts"
import { wholeTextsInContext } from "../../runtime/read/wholeTexts.ts"
import { conversationOf, prepared, scoreAll, withModel } from "./support.ts"

const characters = (text: string): readonly number[] => [...text].map((one) => one.codePointAt(0)!)

/** Longest match over a few pieces; other characters are tokens of their own. */
const pieces =
  (...known: readonly string[]) =>
  (text: string): readonly number[] => {
    const tokens: number[] = []
    for (let at = 0; at < text.length; ) {
      const found = known.findIndex((piece) => text.startsWith(piece, at))
      tokens.push(found === -1 ? text.codePointAt(at)! : 1_000_000 + found)
      at += found === -1 ? 1 : known[found]!.length
    }
    return tokens
  }

/** Answers a read of one chunk where a token after some others is as probable as `p` says. */
const answerOf = async (
  request: Omit<ReadRequest, "key" | "chunks">,
  p: (before: readonly Token[], token: Token) => number,
) => {
  let tokens: readonly Token[] = []
  const evaluator: Evaluator = {
    sequences: 1,
    evaluate: async ([part]) => {
      tokens = [...tokens.slice(0, part!.at), ...part!.chunk]
    },
    choose: async ({ offset }, asked): Promise<Choice> => {
      const raw = asked.map((token) => p(tokens.slice(1, offset + 1), token))
      const mass = raw.reduce((sum, one) => sum + one, 0)
      return { probabilities: raw.map((one) => one / mass), mass }
    },
    drawer: () => {
      throw new Error("nothing is drawn")
    },
  }
  const { score } = scorer(evaluator, {
    mode: "exact",
    sharing: true,
    order: "depth_first",
    batchSize: 64,
    rewinds: true,
    onFailure: (error) => new EnvironmentFailure({ what: String(error), where: "test", todo: "-" }),
  })
  const read: ReadRequest = { ...request, key: "k", chunks: [[0]] }
  return [...(await Effect.runPromise(Stream.runCollect(score([read]))))][0]!
}

const treeOf = (texts: readonly string[], tokenize = characters, before = ":"): LabelTree => {
  const found = wholeTextsInContext(texts, { tokenize, before }, 100)
  if ("problem" in found) throw new Error(found.problem)
  return found.tree
}

describe("whole texts in context", () => {
  test("have a place before every token of theirs, and texts that begin alike share those", () => {
    const forced = placesOf(treeOf(["ab", "ac", "d"])).map((place) => String.fromCodePoint(...place.forced))
    expect(forced.sort()).toEqual(["", "a"])
    expect(
      placesOf(treeOf(["abc", "abd", "xy"]))
        .map((place) => place.forced.length)
        .sort(),
    ).toEqual([0, 1, 1, 2])
  })

  test("may be the beginning of one another", () => {
    const tree = treeOf(["ab", "abc"])
    const b = placesOf(tree).find(({ forced }) => forced.length === 1)!.branches[0]
    expect(b).toMatchObject({ token: characters("b")[0], ends: 0, leadsTo: { branches: [{ leadsTo: 1 }] } })
  })

  test("that merge with the text before them are all read from the boundary that they share", () => {
    const tokenize = pieces(" oak")
    const found = wholeTextsInContext(["oak", "robin"], { tokenize, before: "A: " }, 100)
    if ("problem" in found) throw new Error(found.problem)
    expect(found.back).toBe(1)
    expect(found.tokens).toEqual([tokenize(" oak"), tokenize(" robin")])
  })

  test("that are the same tokens, none, or too many are a problem in words", () => {
    const problem = (texts: readonly string[], tokenize = characters, room = 100) => {
      const found = wholeTextsInContext(texts, { tokenize, before: ":" }, room)
      return "problem" in found ? found.problem : undefined
    }
    expect(problem(["ab", "ab"])).toMatch(/no token tells the text "ab" from the text "ab"/)
    expect(problem(["a", ""])).toMatch(/"" adds no token/)
    expect(problem(["a", "bcdef"], characters, 4)).toMatch(/"bcdef…" takes 5 tokens, more than 4/)
  })

  test("have the product of their tokens' raw probabilities, or its geometric mean; the mass is the sum of products, each begun text counted once", async () => {
    const texts = fc.uniqueArray(fc.stringMatching(/^[abc]{1,5}$/), { minLength: 2, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.constantFrom("sum" as const, "mean" as const),
        fc.nat(1000),
        async (list, score, seed) => {
          /** Some probability of a token after others, the same every time. */
          const p = (before: readonly Token[], token: Token): number => {
            const mixed = [...before, token].reduce((sum, one) => (sum * 31 + one * 7 + seed) % 997, 1)
            return (mixed + 1) / 4000
          }
          const answer = await answerOf({ labels: treeOf(list), score }, p)
          const products = list.map((text) =>
            characters(text).reduce((product, token, at, all) => product * p(all.slice(0, at), token), 1),
          )
          const weights = products.map((product, index) =>
            score === "sum" ? product : product ** (1 / list[index]!.length),
          )
          const sum = weights.reduce((total, one) => total + one, 0)
          for (const [index, weight] of weights.entries())
            expect(answer.probabilities[index]).toBeCloseTo(weight / sum, 9)
          // A text that goes on after another is among those that begin with the other.
          const apart = products.filter(
            (_, index) => !list.some((other) => other !== list[index] && list[index]!.startsWith(other)),
          )
          expect(answer.mass / apart.reduce((total, one) => total + one, 0)).toBeCloseTo(1, 9)
        },
      ),
    )
  })

  test("of which one begins another hold no more than all probability there is", async () => {
    const after: Readonly<Record<string, number>> = { "": 0.9, a: 0.8, ab: 1 }
    const answer = await answerOf({ labels: treeOf(["a", "abc", "d"]), score: "sum" }, (before, token) =>
      token === "d".charCodeAt(0) ? 0.1 : after[String.fromCharCode(...before)]!,
    )
    expect(answer.mass).toBeCloseTo(1, 12)
    expect(answer.probabilities).toEqual([0.9, 0.72, 0.1].map((p) => expect.closeTo(p / 1.72, 12)))
  })

  test("of some hundred tokens have probabilities too, though their products are too small for a double", async () => {
    const long = "a".repeat(90)
    const labels = treeOf([`${long}b`, `${long}c`])
    const answer = await answerOf({ labels, score: "sum" }, (_, token) => (token === 99 ? 3e-10 : 1e-10))
    expect(answer.mass).toBe(0)
    expect(answer.probabilities.map((one) => one.toFixed(6))).toEqual(["0.250000", "0.750000"])
  })

  test("none of which has a probability are an invalid read", async () => {
    const answer = await answerOf({ labels: treeOf(["a", "b"]), score: "mean" }, () => Number.NaN)
    expect(answer.invalid).toMatch(/not a number/)
  })
})

describe("labels besides", () => {
  const p = (before: readonly Token[], token: Token) => 1 / (token + 10 * before.length)
  const tree = (count: number): LabelTree => ({
    forced: [],
    branches: Array.from({ length: count }, (_, index) => ({ token: 2 + index, leadsTo: index })),
  })

  test("have their raw probability, and change nothing in the answer", async () => {
    const without = await answerOf({ labels: tree(3) }, p)
    const { also, ...answer } = await answerOf({ labels: tree(5), also: 2 }, p)
    expect(answer).toEqual(without)
    expect(also).toEqual([1 / 5, 1 / 6].map((one) => expect.closeTo(one, 12)))
  })

  test("of which another label is the beginning have the product; the other label stays as it is without them", async () => {
    // "1" and "2", and "10" besides: after "1" comes "." or "0".
    const labels: LabelTree = {
      forced: [],
      branches: [
        {
          token: 1,
          leadsTo: {
            forced: [1],
            branches: [
              { token: 9, leadsTo: 0 },
              { token: 4, leadsTo: 2 },
            ],
          },
        },
        { token: 2, leadsTo: 1 },
      ],
    }
    const answer = await answerOf({ labels, also: 1 }, p)
    const without = await answerOf(
      {
        labels: {
          forced: [],
          branches: [
            { token: 1, leadsTo: 0 },
            { token: 2, leadsTo: 1 },
          ],
        },
      },
      p,
    )
    expect(answer.probabilities).toEqual(without.probabilities)
    expect(answer.mass).toBe(without.mass)
    expect(answer.also![0]).toBeCloseTo(1 * p([1], 4), 12)
  })
})

const question = (thing: string): string =>
  `You are answering a multiple-choice question.\nQuestion:\nWhich kind does ${thing} belong to?\nOptions:\nA. bird\nB. fish\nC. tree\nD. gas\n` +
  'Respond ONLY with JSON: {"judgment":"<label>","confidence":<1-10>}.'

describe("on the pocket respondent", () => {
  const vocabularySize = 1280
  const placesToAsk: readonly (readonly [string, Conversation])[] = [
    ["after a quote", conversationOf([[question("an oak"), '{"judgment":"']])],
    ["after a blank", conversationOf([[question("a robin"), "The answer is "]])],
    ["at the start of a turn", conversationOf([[question("neon"), ""]])],
  ]
  const letters = [..."ABCD"]
  const many = Array.from(
    { length: 30 },
    (_, index) => (index < 26 ? "" : "A") + String.fromCharCode(65 + (index % 26)),
  )
  const asks: readonly (readonly [string, ReadAsk])[] = [
    [
      "texts by their sum",
      { kind: "option", labels: ["bird", "fish", "tree", "gas"], follow: '"', score: "sum" },
    ],
    [
      "texts by their mean",
      {
        kind: "option",
        labels: ["a bird of prey", "a bird", "fish", "noble gas"],
        follow: '"',
        score: "mean",
      },
    ],
    ["letters and a placebo", { kind: "option", labels: letters, follow: '"', also: ["E"] }],
    ["thirty labels", { kind: "option", labels: many, follow: '"' }],
    ["words that begin alike", { kind: "label", labels: ["yes", "yesterday", "no", "none"], follow: '"' }],
  ]

  test("every kind of label at every kind of place comes to what the whole distribution says, token by token", async () => {
    let engine: Evaluator | undefined
    const wrap = (raw: Evaluator): Evaluator => {
      engine = raw
      return raw
    }
    await withModel(
      async (model: TokenModel) => {
        const all = Array.from({ length: vocabularySize }, (_, token) => token)
        /** The engine's whole distribution at each place of a read, in batches of the same shapes: kernels round otherwise in others. */
        const distributionsOf = async (request: ReadRequest) => {
          const found = new Map<LabelTree, readonly number[]>()
          for (const { chunks, visits } of pathsOf(request)) {
            let at = 0
            for (const chunk of chunks) {
              await engine!.evaluate([{ sequence: 0, at, chunk, keep: chunk.map((_, offset) => offset) }])
              at += chunk.length
            }
            for (const { place, offset } of visits)
              found.set(place, (await engine!.choose({ part: 0, offset }, all)).probabilities)
          }
          return found
        }
        const answers = new Map<string, Awaited<ReturnType<typeof scoreAll>>["answers"][number]>()
        const reads = placesToAsk.flatMap(([where, conversation]) =>
          asks.map(([what, ask]) => ({
            name: `${what} ${where}`,
            ask,
            read: prepared(model, conversation, ask),
          })),
        )
        for (const { name, read } of reads)
          answers.set(name, (await scoreAll(model, [read.request])).answers[0]!)
        for (const { name, ask, read } of reads) {
          const answer = answers.get(name)!
          expect(readingOf(ask, answer).status, name).toBe("value")
          if (ask.kind === "integer") continue
          const { labels } = read.request
          const distributions = await distributionsOf(read.request)
          // Every spelling of every label: the products of raw probabilities along the tree.
          const raw: number[] = []
          const counts: number[] = []
          let mass = 0
          const own = ask.labels.length
          const descend = (place: LabelTree, reached: number, begun: boolean): void => {
            for (const { token, leadsTo, ends } of place.branches) {
              const p = distributions.get(place)![token]!
              const label = typeof leadsTo === "number" ? leadsTo : ends
              if (label !== undefined) {
                raw[label] = (raw[label] ?? 0) + reached * p
                counts[label] = place.forced.length + 1
              }
              const ended = label !== undefined && label < own
              if (ended && !begun) mass += reached * p
              if (typeof leadsTo === "object") descend(leadsTo, reached * p, begun || ended)
            }
          }
          descend(labels, 1, false)
          expect(answer.mass / mass, name).toBeCloseTo(1, 3)
          for (const [index, one] of raw.slice(own).entries())
            expect(answer.also![index]! / one, name).toBeCloseTo(1, 3)
          // Where labels part more than once, restricted probabilities are renormalised at each place: another number by design.
          if (ask.score === undefined && placesOf(labels).length > 1) continue
          const weights = raw
            .slice(0, own)
            .map((one, index) => (ask.score === "mean" ? one ** (1 / counts[index]!) : one))
          const sum = weights.reduce((total, one) => total + one, 0)
          for (const [index, weight] of weights.entries())
            expect(answer.probabilities[index]!, `${name}: ${ask.labels[index]}`).toBeCloseTo(weight / sum, 4)
        }
        const [, conversation] = placesToAsk[0]!
        const bare: ReadAsk = { kind: "option", labels: letters, follow: '"' }
        const requests = [bare, { ...bare, also: ["E"] }].map(
          (ask) => prepared(model, conversation, ask).request,
        )
        const [without, withIt] = (await scoreAll(model, requests)).answers
        expect(withIt!.probabilities).toEqual(without!.probabilities)
        expect(withIt!.mass).toBe(without!.mass)
      },
      { threads: 1, wrap },
    )
  }, 600_000)
})

test("a whole text that is longer than a batch has room for is refused by its beginning", () => {
  const model = simulatedModel({ name: "m", path: "/none" })
  const ask: ReadAsk = { kind: "option", labels: ["x".repeat(600), "y"], follow: "", score: "sum" }
  expect(prepare(model, conversationOf([["Which?", ""]]), ask)).toMatchObject({
    kind: "label",
    problem: expect.stringMatching(/"x+…" takes 600 tokens, more than 481/),
  })
})
