/**
 * Models on servers that speak OpenAI's `chat/completions`. Messages go out, and what comes back is a text, or the most probable tokens at one place, from
 * which a distribution over labels is made (`distribution.ts`).
 *
 * The server's own cache of prefixes: a run walks one item in each of `concurrency` places, and asks the requests of an item's wave one after the
 * other, those with the same beginning next to each other. So the prompt before is still in the cache when the next one, which shares most with it, comes.
 */
import { createHash } from "node:crypto"
import { Effect, Layer, Stream } from "effect"
import type { ServedIR } from "../../../compiler/ir.ts"
import { EnvironmentFailure } from "../../failure.ts"
import { labelsOf, type ReadAsk } from "../../read/reading.ts"
import {
  Backend,
  type ChatModel,
  type ChatRequest,
  type ModelFile,
  type ReadAnswer,
  type TextAnswer,
} from "../backend.ts"
import { templateMark } from "../declaredTemplate.ts"
import { addressOf } from "./address.ts"
import { type Client, client } from "./client.ts"
import { type Completion, completionOf } from "./completion.ts"
import { begun, continues, notContinued } from "./continuation.ts"
import { distributionOf } from "./distribution.ts"
import { CONCURRENCY, type Limits, limitsOf, nothingSpent, type Spent } from "./limits.ts"
import type { Listed } from "./listed.ts"
import { keyOf } from "./secret.ts"
import { lasting, passing, type Trouble } from "./trouble.ts"
import { textAnswer } from "./written.ts"

export interface HttpOptions {
  /** The environment that holds the keys. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Hears of waits that a person would notice. */
  readonly note?: (text: string) => void
}

/** Alternatives of a token that are asked for where nothing is declared. */
export const LOGPROBS = 20

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
    }
  })
}

/** The model behind `httpBackend`. Nothing is asked, and no key is needed, before the first request. */
export const servedModel = (
  file: ModelFile,
  spent: Spent = nothingSpent(),
  options: HttpOptions = {},
): Effect.Effect<ChatModel, EnvironmentFailure> =>
  Effect.suspend(() => {
    const { name, path, served, template, system } = file
    if (served === undefined) return Effect.die(new Error(`the model ${name} is no server's`))
    const address = addressOf(path)
    if ("problem" in address)
      return Effect.fail(
        new EnvironmentFailure({
          what: `the server of model ${name} cannot be asked: ${address.problem}`,
          where: `the declaration of ${name}`,
          todo: 'give an address such as "https://api.example.com/v1", and the key, if there is one, by `key VARIABLE`',
        }),
      )
    if (template === "plain")
      return Effect.fail(
        new EnvironmentFailure({
          what: `the model ${name} is declared with \`template plain\`, but a server puts messages into its own chat template`,
          where: address.shown,
          todo: "take `template plain` out of the model's declaration, or open the model's file with gguf",
        }),
      )
    const fails = failing(name, address.shown)
    const found = keyOf(file, options.env)
    const limits = limitsOf(served, spent)
    const { note } = options
    const http = client({
      address,
      served,
      ...("key" in found && found.key !== undefined ? { key: found.key } : {}),
      limits,
      ...(note === undefined
        ? {}
        : {
            waiting: ({ what }, milliseconds) =>
              note(`model ${name}: ${what}; trying again in ${Math.ceil(milliseconds / 1000)} s`),
          }),
    })
    const facts: Record<string, string | number | boolean> = {
      engine: "http",
      address: address.shown,
      servedName: served.name,
      concurrency: served.concurrency ?? CONCURRENCY,
    }
    const conversation = conversing(file, http, limits, facts)
    return Effect.map(Effect.cached(conversation.continues), (isContinued): ChatModel => {
      const keyed = "problem" in found ? lasting(found.problem, found.todo) : undefined
      const answer = (request: ChatRequest): Effect.Effect<ReadAnswer | TextAnswer, Trouble> =>
        Effect.gen(function* () {
          if (keyed !== undefined) return yield* keyed
          if (request.opening !== "" && !(yield* isContinued)) return yield* notContinued(request.opening)
          return yield* request.ask.kind === "text"
            ? conversation.text(request, request.ask)
            : conversation.read(request, request.ask, isContinued)
        })
      return {
        kind: "chat",
        name,
        fingerprint: fingerprintOf(file, address.shown, served),
        facts,
        ...(system === undefined ? {} : { system }),
        concurrency: served.concurrency ?? CONCURRENCY,
        cannot: (ask) => unreadable(ask.kind === "text" ? undefined : ask, served),
        answer: (requests) =>
          Stream.fromIterable(inOrder(requests)).pipe(
            Stream.mapEffect((request) => Effect.mapError(answer(request), fails)),
          ),
      }
    })
  })

/** All that an answer may hang on, as far as it can be known from here. */
const fingerprintOf = (file: ModelFile, address: string, { name, logprobs = LOGPROBS }: ServedIR): string =>
  `chat/completions ${address}, ${name}, logprobs ${logprobs}${file.system === undefined ? "" : `, system ${file.system}`}${templateMark(file)}`

/** Why a distribution cannot be had, whatever the prompt. */
function unreadable(ask: ReadAsk | undefined, { logprobs = LOGPROBS }: ServedIR): string | undefined {
  if (ask === undefined) return undefined
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

const failing =
  (name: string, where: string) =>
  ({ what, todo }: Trouble): EnvironmentFailure =>
    new EnvironmentFailure({ what: `the server of model ${name} does not answer: ${what}`, where, todo })

/** The seed of a sampled text, of 31 bits, since some servers take no more; the draw is part of the key. */
const seedOf = (key: string): number =>
  createHash("sha256").update(`seed ${key}`).digest().readUInt32BE(0) >>> 1

/** The questions of a conversation, and what the server's answers say. */
function conversing(
  { served, template }: ModelFile,
  http: Client,
  limits: Limits,
  facts: Record<string, string | number | boolean>,
) {
  const { name: model, logprobs = LOGPROBS } = served as ServedIR
  // Newer models of OpenAI know the limit by another name, and say so.
  let limit: "max_tokens" | "max_completion_tokens" = "max_tokens"

  const post = (
    { messages, opening }: Pick<ChatRequest, "messages" | "opening">,
    settings: Readonly<Record<string, unknown>>,
    max: number,
    key: string,
  ): Effect.Effect<Completion, Trouble> => {
    const send = Effect.suspend(() =>
      http.post(
        "chat/completions",
        {
          model,
          ...begun(messages, opening),
          ...settings,
          [limit]: max,
          ...(template === undefined ? {} : { chat_template_kwargs: template }),
        },
        key,
      ),
    )
    const renamed = Effect.catchIf(
      send,
      ({ what }) => limit === "max_tokens" && /^it answered 400.*max_completion_tokens/.test(what),
      () => {
        limit = "max_completion_tokens"
        return send
      },
    )
    return Effect.flatMap(renamed, (value) => {
      const completion = completionOf(value)
      if ("problem" in completion) return Effect.fail(passing(completion.problem))
      const { usage, facts: said } = completion
      if (usage !== undefined) limits.count(usage.prompt + usage.answer)
      if (said.system !== undefined) facts.systemFingerprint = said.system
      if (said.model !== undefined) facts.answeredAs = said.model
      return Effect.succeed(completion)
    })
  }

  /** The most probable tokens at a place. */
  const listed = (
    request: Pick<ChatRequest, "messages" | "opening">,
    key: string,
    spent: { tokens: number },
  ): Effect.Effect<readonly Listed[] | { readonly problem: string }, Trouble> =>
    Effect.gen(function* () {
      const settings = { temperature: 0, logprobs: true, top_logprobs: logprobs }
      const { listed, unlisted, usage } = yield* post(request, settings, 1, key)
      spent.tokens += usage === undefined ? 0 : usage.prompt - usage.cached
      if (listed !== undefined) return listed
      if (!unlisted)
        return { problem: "the model ended its turn at once, and the server lists no token for that" }
      return yield* lasting(
        "it lists no probabilities of tokens (`logprobs`), though it was asked to",
        "declare the model with `logprobs 0` and let it write texts, in which labels are found with extract; or ask it on a server that lists them",
      )
    })

  return {
    continues: continues((request) => post(request, { temperature: 0 }, 1, "continues")),

    read: (
      { key, messages, opening }: ChatRequest,
      ask: ReadAsk,
      isContinued: Effect.Effect<boolean, Trouble>,
    ): Effect.Effect<ReadAnswer, Trouble> => {
      const spent = { tokens: 0 }
      const question = {
        labels: labelsOf(ask),
        also: ask.kind === "integer" ? [] : (ask.also ?? []),
        opening,
        follow: ask.follow,
      }
      const further = (forced: string) =>
        Effect.gen(function* () {
          const text = Buffer.from(forced, "latin1").toString("utf8")
          if (text.includes("\uFFFD"))
            return { problem: "a label parts from another in the middle of a character" }
          if (forced !== "" && !(yield* isContinued))
            return {
              problem: `labels that begin with ${JSON.stringify(text)} take several tokens, and the server cannot be asked on behind the first`,
            }
          return yield* listed({ messages, opening: opening + text }, key, spent)
        })
      return Effect.map(distributionOf(question, further), (found) => ({
        key,
        ...found,
        evaluated: spent.tokens,
      }))
    },

    text: (
      request: ChatRequest,
      ask: ChatRequest["ask"] & { readonly kind: "text" },
    ): Effect.Effect<TextAnswer, Trouble> => {
      const { max, until, temperature, topP } = ask
      const settings = {
        temperature,
        ...(temperature === 0 ? {} : { top_p: topP, seed: seedOf(request.key) }),
        ...(until.length === 0 ? {} : { stop: until.slice(0, STOPS) }),
      }
      return Effect.flatMap(post(request, settings, max, request.key), (completion) =>
        textAnswer(request.key, ask, completion),
      )
    },
  }
}

/** Stop texts that every server takes. What stands behind another is cut off here. */
const STOPS = 4
