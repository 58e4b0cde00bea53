import { Effect } from "effect"
import { getLlamaGpuTypes } from "node-llama-cpp"
import { describe, expect, test } from "vitest"
import { Backend, type ModelFile } from "../../runtime/backend/backend.ts"
import { type LlamaOptions, llamaBackend } from "../../runtime/backend/llama.ts"
import { lacking } from "../../runtime/backend/memory.ts"
import { pocketFile, withModel } from "./support.ts"

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

  test("is enough where it is as much as is taken", () => {
    const model = { name: "m", path: "m.gguf" }
    const memory = { weights: 3 * 2 ** 30, context: 2 ** 30 }
    expect(lacking(memory, 4 * 2 ** 30, model)).toBeUndefined()
    expect(lacking(memory, 4 * 2 ** 30 - 1, model)?.what).toBe(
      "the model m takes about 4.00 GiB (weights 3.00 GiB and its context and buffers 1.00 GiB), and this machine has 4.00 GiB free",
    )
  })
})
