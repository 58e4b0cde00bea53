import { Effect, Stream } from "effect"
import { getLlama, LlamaLogLevel } from "node-llama-cpp"
import { describe, expect, test } from "vitest"
import type { TextRequest } from "../../runtime/backend/backend.ts"
import type { Part } from "../../runtime/backend/evaluator.ts"
import { alphabetOf } from "../../runtime/backend/llamaVocabulary.ts"
import { generator } from "../../runtime/backend/text/generator.ts"
import { GrowingText } from "../../runtime/backend/text/growingText.ts"
import { commonChunks, inTrieOrder } from "../../runtime/backend/text/order.ts"
import { piecesOf } from "../../runtime/backend/text/pieces.ts"
import { stepParts, type TextEngine } from "../../runtime/backend/text/textEngine.ts"
import { EnvironmentFailure } from "../../runtime/failure.ts"
import { pocketFile } from "./support.ts"

const end = 99
/** Each token is one of these pieces. */
const writtenFrom = (
  pieces: readonly (string | readonly number[])[],
  { max = 100, until = [] }: { readonly max?: number; readonly until?: readonly string[] } = {},
) => {
  const text = new GrowingText(
    { key: "k", max, until },
    {
      piece: (token) => {
        const piece = pieces[token]!
        return typeof piece === "string" ? Buffer.from(piece) : Uint8Array.from(piece)
      },
      isEnd: (token) => token === end,
    },
  )
  for (const token of pieces.keys()) {
    const answer = text.take(token)
    if (answer !== undefined) return answer
  }
  return text.take(end)
}

describe("a text grows", () => {
  test("by whole characters, whose bytes may come in several tokens", () => {
    expect(writtenFrom(["a", [0xf0, 0x9f], [0x98], [0x80], "b"])).toMatchObject({
      text: "a\u{1f600}b",
      tokens: 5,
      stop: "end",
    })
  })

  test("without the half of a character at which its tokens are used up", () => {
    expect(writtenFrom(["a", [0xf0, 0x9f], [0x98]], { max: 3 })).toMatchObject({ text: "a", stop: "max" })
  })

  test("with bytes that are no UTF-8 as U+FFFD", () => {
    expect(writtenFrom(["a", [0xff], "b", [0xc3]])).toMatchObject({ text: "a\ufffdb\ufffd", stop: "end" })
  })

  test("up to the first of its stop strings, which may come in several tokens or with more behind", () => {
    expect(writtenFrom(["one", " t", "wo. th", "ree"], { until: ["three", "two."] })).toEqual({
      key: "k",
      text: "one ",
      tokens: 3,
      stop: "until",
    })
    expect(writtenFrom(["x", "\n\ny"], { until: ["\n", "\n\n"] })).toMatchObject({ text: "x", stop: "until" })
  })

  test("to a stop string sooner than to the number of its tokens", () => {
    expect(writtenFrom(["one", "."], { max: 2, until: ["."] })).toMatchObject({ text: "one", stop: "until" })
  })

  test("until the engine has no number: then it is no answer", () => {
    const text = new GrowingText(
      { key: "k", max: 9, until: [] },
      { piece: () => Buffer.from("a"), isEnd: () => false },
    )
    text.take(0)
    expect(text.take(undefined)).toMatchObject({
      text: "a",
      invalid: expect.stringContaining("not a number"),
    })
  })
})

describe("the bytes of tokens", () => {
  test("are those that the engine's own detokenizer gives, control tokens by their spelling", async () => {
    const llama = await getLlama({
      build: "never",
      skipDownload: true,
      gpu: false,
      logLevel: LlamaLogLevel.error,
    })
    const model = await llama.loadModel({ modelPath: pocketFile.path, gpuLayers: 0 })
    const { piece, isEnd } = alphabetOf(model)
    const all = [...model.iterateAllTokens()]
    for (const token of all)
      expect(Buffer.from(piece(token)).toString()).toBe(model.detokenize([token], true))
    expect(all.filter(isEnd).map((token) => Buffer.from(piece(token)).toString())).toContain("<|im_end|>")
    await llama.dispose()
  })

  test("of vocabularies with U+2581 for a space, and with bytes of their own", () => {
    const piece = piecesOf(
      { model: "llama", tokens: ["<s>", "<0x0A>", "\u2581the", "<0x0A>"], token_type: [3, 6, 1, 1] },
      () => "?",
    )
    expect([0, 1, 2, 3, 4].map((token) => Buffer.from(piece(token)).toString())).toEqual([
      "<s>",
      "\n",
      " the",
      "<0x0A>",
      "?",
    ])
  })

  test("keep the space before a full stop", () => {
    const piece = piecesOf({ model: "gpt2", tokens: ["\u0120."], token_type: [1] }, () => ".")
    expect(Buffer.from(piece(0)).toString()).toBe(" .")
  })
})

describe("the order of texts", () => {
  const text = (key: string, ...chunks: number[][]): TextRequest => ({
    key,
    chunks,
    max: 1,
    until: [],
    temperature: 0,
    topP: 1,
    draw: "0",
  })

  test("keeps prompts together that begin alike, and texts of one prompt up to a number", () => {
    const groups = inTrieOrder(
      [text("a", [1], [2]), text("b", [3]), text("c", [1], [4]), text("d", [1], [2]), text("e", [1], [2])],
      2,
    )
    expect(groups.map(({ texts }) => texts.map(({ key }) => key).join(""))).toEqual(["ad", "e", "c", "b"])
  })

  test("knows how far two prompts are the same", () => {
    expect(commonChunks([[1], [2, 3], [4]], [[1], [2, 3], [5]])).toBe(2)
    expect(commonChunks([[1]], [[1, 2]])).toBe(0)
  })
})

test("a step has a row for each sequence up to the last that is written on, and two at least", () => {
  const row = { at: 7, token: 5 }
  expect(stepParts([row], 1).map(({ sequence, at, chunk }) => [sequence, at, chunk[0]])).toEqual([
    [0, 7, 5],
    [1, 0, 1],
  ])
  expect(stepParts([undefined, undefined, row, undefined], 1).map(({ chunk }) => chunk[0])).toEqual([1, 1, 5])
})

describe("an engine whose rows hang on those beside them", () => {
  /** Draws what is put last, counted on, and gives other numbers in larger batches. */
  const engineThatRounds = (rounds: boolean) => {
    const batches: number[] = []
    let parts: readonly Part[] = []
    const engine: TextEngine = {
      sequences: 9,
      filler: 0,
      rewinds: true,
      evaluate: async (next) => {
        parts = next
        batches.push(next.length)
      },
      choose: async () => ({ probabilities: [1], mass: rounds ? 1 / parts.length : 0.5 }),
      drawer: () => ({
        draw: async ({ part }) => (parts[part]!.chunk.at(-1)! + 1) % 100,
        close: () => {},
      }),
      snapshot: async () => ({ restore: async () => {}, free: async () => {} }),
    }
    return { engine, batches }
  }
  const written = async (rounds: boolean) => {
    const { engine, batches } = engineThatRounds(rounds)
    const { generate, close } = generator({
      alphabet: { piece: (token) => Buffer.from(`${token} `), isEnd: () => false },
      most: 8,
      sharing: true,
      openRoom: async () => ({ engine, cells: 64, close: async () => {} }),
      onFailure: (error) => new EnvironmentFailure({ what: String(error), where: "test", todo: "-" }),
    })
    const requests = [10, 20, 30, 40].map((token) => ({
      key: String(token),
      chunks: [[1], [token]],
      max: 3,
      until: [],
      temperature: 0,
      topP: 1,
      draw: "0",
    }))
    const texts = await Effect.runPromise(Stream.runCollect(generate(requests)))
    await close()
    return { texts: [...texts].map(({ text }) => text).sort(), largest: Math.max(...batches.slice(9)) }
  }

  test("writes one text at a time; one whose rows agree writes them together: the same texts", async () => {
    const apart = await written(true)
    const together = await written(false)
    expect(apart.texts).toEqual(["11 12 13 ", "21 22 23 ", "31 32 33 ", "41 42 43 "])
    expect(together.texts).toEqual(apart.texts)
    expect(apart.largest).toBe(2)
    expect(together.largest).toBe(4)
  })
})
