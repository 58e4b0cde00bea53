import { Effect, Stream } from "effect"
import { describe, expect, test } from "vitest"
import type { Conversation } from "../../compiler/conversation.ts"
import type { TextAnswer, TextRequest, TokenModel } from "../../runtime/backend/backend.ts"
import { prepare } from "../../runtime/read/prepare.ts"
import { conversationOf, withModel } from "./support.ts"

/** What is asked for; at temperature 0 and up to 40 tokens where nothing else is said. */
const request = (
  model: TokenModel,
  conversation: Conversation,
  asked: Partial<Pick<TextRequest, "max" | "until" | "temperature" | "topP" | "draw">> = {},
): TextRequest => {
  const ask = { kind: "text" as const, max: 40, until: [], temperature: 0, topP: 1, draw: "0", ...asked }
  const found = prepare(model, conversation, ask)
  if ("problem" in found) throw new Error(found.problem)
  if (found.kind !== "text") throw new Error(found.kind)
  return found.request
}

const written = (model: TokenModel, requests: readonly TextRequest[]): Promise<readonly TextAnswer[]> =>
  Effect.runPromise(Stream.runCollect(model.generate(requests)))

const openEnded = (word: string) =>
  conversationOf([[`Which kind does ${word} belong to?\nRespond ONLY with: Answer: <kind>`, ""]])

describe("the pocket respondent writes", () => {
  test("what it was taught, up to the end of its turn", () =>
    withModel(async (model) => {
      const [robin, oak] = await written(
        model,
        ["robin", "oak"].map((word) => request(model, openEnded(word))),
      )
      expect(robin).toMatchObject({ text: "Answer: bird", stop: "end" })
      expect(oak).toMatchObject({ text: "Answer: tree", stop: "end" })
    }))

  test("up to a stop string, which is no part of the text, and up to a number of tokens", () =>
    withModel(async (model) => {
      const [until, max] = await written(model, [
        request(model, openEnded("robin"), { until: ["zebra", ": "] }),
        request(model, openEnded("robin"), { max: 1 }),
      ])
      expect(until).toMatchObject({ text: "Answer", stop: "until" })
      expect(max).toMatchObject({ tokens: 1, stop: "max" })
      expect("Answer: bird".startsWith(max!.text)).toBe(true)
    }))
})
