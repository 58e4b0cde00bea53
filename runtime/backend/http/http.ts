/**
 * Models on servers that speak OpenAI's `chat/completions`. Messages go out, and what comes back is a text, or the most probable tokens at one place, from
 * which a distribution over labels is made (`distribution.ts`).
 *
 * The server's own cache of prefixes: a run walks one item in each of `concurrency` places, and asks the requests of an item's wave one after the
 * other, those with the same beginning next to each other. So the prompt before is still in the cache when the next one, which shares most with it, comes.
 */
import { Effect, Layer, Stream } from "effect"
import type { ServedIR } from "../../../compiler/ir.ts"
import type { EnvironmentFailure } from "../../failure.ts"
import type { ReadAsk } from "../../read/reading.ts"
import {
  Backend,
  type ChatModel,
  type ChatRequest,
  type ModelFile,
  type ReadAnswer,
  type TextAnswer,
} from "../backend.ts"
import { templateMark } from "../declaredTemplate.ts"
import { connected, type HttpOptions } from "./connection.ts"
import { notContinued } from "./continuation.ts"
import { askable } from "./declared.ts"
import { nothingSpent, type Spent } from "./limits.ts"
import { LOGPROBS } from "./questions.ts"
import type { Trouble } from "./trouble.ts"

export function httpBackend(options: HttpOptions = {}): Layer.Layer<Backend> {
  return Layer.sync(Backend, () => {
    // A model may be opened more than once, and has one budget.
    const spent = new Map<string, Spent>()
    return {
      load: (file) => {
        const own = spent.get(file.name) ?? nothingSpent()
        spent.set(file.name, own)
        return servedModel(file, own, options)
      },
      prepare: (models) => Effect.forEach(models, (file) => askable(file, options.env), { discard: true }),
    }
  })
}

/** The model behind `httpBackend`. Nothing is asked, and no key is needed, before the first request. */
export const servedModel = Effect.fnUntraced(function* (
  file: ModelFile,
  spent: Spent = nothingSpent(),
  options: HttpOptions = {},
): Effect.fn.Return<ChatModel, EnvironmentFailure> {
  const { name, system } = file
  const { served, address, asking, concurrency, facts, keyed, failed } = yield* connected(
    file,
    spent,
    options,
  )
  const continued = yield* Effect.cached(asking.continues)
  const answer = (request: ChatRequest): Effect.Effect<ReadAnswer | TextAnswer, Trouble> =>
    Effect.gen(function* () {
      const { ask, opening } = request
      if (typeof keyed !== "boolean") return yield* keyed
      if (opening !== "" && !(yield* continued)) return yield* notContinued(opening)
      return yield* ask.kind === "text" ? asking.text(request, ask) : asking.read(request, ask, continued)
    })
  return {
    kind: "chat",
    name,
    fingerprint: fingerprintOf(file, address.shown, served),
    facts,
    ...(system === undefined ? {} : { system }),
    concurrency,
    cannot: (ask) => (ask.kind === "text" ? undefined : unreadable(ask, served)),
    answer: (requests) =>
      Stream.fromIterable(inOrder(requests)).pipe(
        Stream.mapEffect((request) => Effect.mapError(answer(request), failed)),
      ),
  }
})

/** All that an answer may hang on, as far as it can be known from here. */
const fingerprintOf = (file: ModelFile, address: string, { name, logprobs = LOGPROBS }: ServedIR): string =>
  `chat/completions ${address}, ${name}, logprobs ${logprobs}${templateMark(file)}`

/** Why a distribution cannot be had, whatever the prompt. */
function unreadable(ask: ReadAsk, { logprobs = LOGPROBS }: ServedIR): string | undefined {
  if (logprobs === 0)
    return "the model is declared with `logprobs 0`: its server lists no probabilities, so that only texts can be had of it"
  if (ask.kind !== "integer" && ask.score !== undefined)
    return "whole option texts cannot be scored on a server, which lists probabilities of the tokens that come next, and not of given ones"
  return undefined
}

/** Those with the same beginning next to each other. */
const inOrder = (requests: readonly ChatRequest[]): readonly ChatRequest[] => {
  const textOf = ({ messages, opening }: ChatRequest): string =>
    `${messages.map(({ role, content }) => `${role}\u0000${content}`).join("\u0000")}\u0000${opening}`
  return requests
    .map((request) => ({ request, text: textOf(request) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ request }) => request)
}
