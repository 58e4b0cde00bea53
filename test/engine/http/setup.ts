/** A served model beside a fake server, and what is asked of it. */
import { Effect, Stream } from "effect"
import { onTestFinished } from "vitest"
import type { Ask } from "../../../compiler/conversation.ts"
import type { ServedIR } from "../../../compiler/ir.ts"
import type { ChatModel, ChatRequest, ReadAnswer, TextAnswer } from "../../../runtime/backend/backend.ts"
import type { HttpOptions } from "../../../runtime/backend/http/connection.ts"
import { servedModel } from "../../../runtime/backend/http/http.ts"
import { nothingSpent } from "../../../runtime/backend/http/limits.ts"
import { EnvironmentFailure } from "../../../runtime/failure.ts"
import { type FakeOptions, type FakeServer, fakeServer } from "./fakeServer.ts"

/** A server that is closed after the test. */
export async function serverFor(options: FakeOptions = {}): Promise<FakeServer> {
  const server = await fakeServer(options)
  onTestFinished(() => server.close())
  return server
}

export const modelAt = (
  address: string,
  served: Partial<ServedIR> = {},
  options: HttpOptions = {},
): ChatModel =>
  Effect.runSync(
    servedModel({ name: "m", path: address, served: { name: "tiny", ...served } }, nothingSpent(), {
      env: {},
      ...options,
    }),
  )

export const labels: Ask = { kind: "option", labels: ["A", "B"], follow: "" }

export const writing: Ask = { kind: "text", max: 20, until: [], temperature: 0, topP: 1, draw: "0" }

let number = 0

/** A request with a key of its own. */
export const request = (
  ask: Ask,
  { user = "Which one?", opening = "" }: { readonly user?: string; readonly opening?: string } = {},
): ChatRequest => ({
  key: `key ${number++}`,
  messages: [{ role: "user", content: user }],
  opening,
  ask,
})

export const answersOf = (
  model: ChatModel,
  requests: readonly ChatRequest[],
): Promise<readonly (ReadAnswer | TextAnswer)[]> =>
  Effect.runPromise(Stream.runCollect(model.answer(requests)))

/** The answer to one request. */
export const answerOf = async (model: ChatModel, one: ChatRequest): Promise<ReadAnswer | TextAnswer> =>
  (await answersOf(model, [one]))[0]!

export const failureOf = async (work: Promise<unknown>): Promise<EnvironmentFailure> => {
  const found = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (found instanceof EnvironmentFailure) return found
  throw found ?? new Error("nothing failed")
}
