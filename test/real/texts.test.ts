import { Effect, Stream } from "effect"
import { expect, test } from "vitest"
import type { TextRequest, TokenModel } from "../../runtime/backend/backend.ts"
import type { LlamaOptions } from "../../runtime/backend/llama.ts"
import { prepare } from "../../runtime/read/prepare.ts"
import { conversationOf, withModel } from "../engine/support.ts"
import { smollm2 } from "./smollm2.ts"

const requests = (model: TokenModel): readonly TextRequest[] =>
  ["Why is the sky blue?", "Name a bird.", "Argue that oaks are fish, in one sentence."].flatMap((question) =>
    [0, 0.8].map((temperature) => {
      const ask = { kind: "text" as const, max: 16, until: [], temperature, topP: 0.95, draw: "1" }
      const found = prepare(model, conversationOf([[question, ""]]), ask)
      if ("problem" in found || found.kind !== "text") throw new Error("the prompt cannot be asked")
      return found.request
    }),
  )

test("SmolLM2 writes the same bytes alone and beside others, on one thread or two", async ({ skip }) => {
  const file = await smollm2()
  if ("missing" in file) return skip(file.missing)
  const texts = (options: LlamaOptions) =>
    withModel(
      async (model) => {
        const answers = await Effect.runPromise(Stream.runCollect(model.generate(requests(model))))
        return new Map([...answers].map(({ key, text, tokens, stop }) => [key, { text, tokens, stop }]))
      },
      options,
      file,
    )
  const alone = await texts({ threads: 1, sharing: false })
  expect(alone.size).toBe(6)
  expect(await texts({ threads: 1 })).toEqual(alone)
  expect(await texts({ threads: 2 })).toEqual(alone)
}, 900_000)
