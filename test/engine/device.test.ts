import { copyFile, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Stream } from "effect"
import { getLlamaGpuTypes } from "node-llama-cpp"
import { describe, expect, test } from "vitest"
import { Backend, type ModelFile } from "../../runtime/backend/backend.ts"
import { type LlamaOptions, llamaBackend } from "../../runtime/backend/llama.ts"
import { lacking } from "../../runtime/backend/memory.ts"
import type { TextEngine } from "../../runtime/backend/text/textEngine.ts"
import { prepare } from "../../runtime/read/prepare.ts"
import { conversationOf, pocketFile, withModel } from "./support.ts"

const opening = (file: ModelFile, options: LlamaOptions = {}) =>
  Effect.gen(function* () {
    const backend = yield* Backend
    return yield* Effect.scoped(backend.load(file))
  }).pipe(Effect.provide(llamaBackend({ threads: 1, ...options })), Effect.scoped)

const failure = (file: ModelFile, options?: LlamaOptions) =>
  Effect.runPromise(Effect.flip(opening(file, options)))

describe("a model's device", { timeout: 60_000 }, () => {
  test("is the processor where no GPU is at hand, whose instructions are part of the fingerprint then", async () => {
    const gpus = (await getLlamaGpuTypes("supported")).filter((type) => type !== false)
    const opened = (gpu: "auto" | "none") =>
      withModel(
        async ({ facts, fingerprint }) => ({ device: facts.device, fingerprint }),
        { threads: 1 },
        { ...pocketFile, device: { gpu } },
      )
    const none = await opened("none")
    expect(none.device).toBe("cpu")
    expect(none.fingerprint).toMatch(/, cpu \w+( \w+)*, sha256/)
    if (gpus.length === 0) expect(await opened("auto")).toEqual(none)
  })

  test("that the machine does not have is an environment's failure which says what to do", async () => {
    const missing = (["cuda", "metal", "vulkan"] as const).find(
      (gpu) => gpu === (process.platform === "darwin" ? "cuda" : "metal"),
    )!
    const found = await failure({ ...pocketFile, device: { gpu: missing } })
    expect(found.what).toBe(`the engine cannot use ${missing} on this machine`)
    expect(found.todo).toMatch(/gpu auto.*gpu none/)
  })

  test("may be given the tokens of a conversation, up to what the model was made for", async () => {
    const size = await withModel(
      async ({ contextSize }) => contextSize,
      { threads: 1 },
      { ...pocketFile, device: { context: 512 } },
    )
    expect(size).toBe(512)
    const odd = await withModel(
      async ({ contextSize, fingerprint }) => ({ contextSize, fingerprint }),
      { threads: 1 },
      { ...pocketFile, device: { context: 300 } },
    )
    expect(odd.contextSize).toBe(300)
    expect(odd.fingerprint).toContain("context 300,")
    const found = await failure({ ...pocketFile, device: { context: 2048 } })
    expect(found.what).toMatch(/declared with a context of 2048 tokens, but it can have 256 to 1024/)
  })
})

describe("memory", { timeout: 60_000 }, () => {
  test("that a model would not leave is said before it is taken, with both numbers", async () => {
    const weights = await failure(pocketFile, { freeMemory: () => 2 << 20 })
    expect(weights.what).toMatch(
      /the model pocket takes about 3 MiB \(weights 3 MiB\), and this machine has 2 MiB free/,
    )
    const context = await failure(pocketFile, { freeMemory: () => 6 << 20 })
    expect(context.what).toMatch(/its context and buffers/)
    expect(context.todo).toMatch(/shorter `context`/)
  })

  test("of a model in several files is that of all of them", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cfx-parts-"))
    try {
      const part = (number: number) => join(folder, `m-0000${number}-of-00002.gguf`)
      for (const number of [1, 2]) await copyFile(pocketFile.path, part(number))
      const { what } = await failure({ name: "m", path: part(1) }, { freeMemory: () => 5 << 20 })
      expect(what).toMatch(/the model m takes about 6 MiB \(weights 6 MiB\), and this machine has 5 MiB free/)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test.each([
    ["is short", 13 << 20, { lanes: 1, sequences: 1 }],
    ["is plenty", 1 << 30, { lanes: 3, sequences: 8 }],
  ])("that %s decides how many conversations are held at a time", async (_, free, expected) => {
    const freeMemory = () => free
    const lanes = await withModel(async ({ facts, extraLanes }) => [facts.lanes, 1 + extraLanes.length], {
      threads: 1,
      lanes: 3,
      freeMemory,
    })
    expect(lanes).toEqual([expected.lanes, expected.lanes])
    const sequences = await withModel(
      async ({ facts, extraLanes }) => [facts.sequences ?? 1, 1 + extraLanes.length],
      { threads: 1, mode: "fast", sequences: 8, freeMemory },
    )
    expect(sequences).toEqual([expected.sequences, expected.sequences])
  })

  test("that is short while texts are written has them written fewer at a time, to the same bytes", async () => {
    const written = (left: number) => {
      let free = 1 << 30
      let sequences = 0
      const wrapTexts = (engine: TextEngine): TextEngine => {
        sequences = engine.sequences
        return engine
      }
      return withModel(
        async (model) => {
          free = left
          const texts = Array.from({ length: 6 }, (_, draw) => {
            const ask = { kind: "text", max: 8, temperature: 1, topP: 1, until: [], draw: `${draw}` } as const
            const text = prepare(model, conversationOf([[`Which is a bird? ${draw}`, ""]]), ask)
            if ("problem" in text || text.kind !== "text") throw new Error("this is no text")
            return text.request
          })
          const answers = await Effect.runPromise(Stream.runCollect(model.generate(texts)))
          const byKey = new Map(answers.map(({ key, text }) => [key, text]))
          return { sequences, texts: texts.map(({ key }) => byKey.get(key)) }
        },
        { threads: 1, freeMemory: () => free, wrapTexts },
      )
    }
    const plenty = await written(1 << 30)
    const short = await written(8 << 20)
    expect(plenty.sequences).toBe(7)
    expect(short.sequences).toBe(3)
    expect(short.texts).toEqual(plenty.texts)
  })

  test("is enough where it is as much as is taken", () => {
    const model = { name: "m", path: "m.gguf" }
    const memory = { weights: 3 * 2 ** 30, context: 2 ** 30 }
    expect(lacking(memory, 4 * 2 ** 30, model)).toBeUndefined()
    expect(lacking(memory, 4 * 2 ** 30 - 1, model)?.what).toBe(
      "the model m takes about 4.00 GiB (weights 3.00 GiB and its context and buffers 1.00 GiB), and this machine has 4.00 GiB free",
    )
  })
})
