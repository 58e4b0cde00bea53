/** What is asked of a served model: the tokens that may come next, a distribution over labels, a text. */
import { createHash } from "node:crypto"
import { Effect } from "effect"
import type { ServedIR } from "../../../compiler/ir.ts"
import { labelsOf, type ReadAsk } from "../../read/reading.ts"
import type { ChatRequest, ModelFile, ReadAnswer, TextAnswer } from "../backend.ts"
import type { Client } from "./client.ts"
import { type Completion, completionOf } from "./completion.ts"
import { begun, continuation, isOneToken } from "./continuation.ts"
import { distributionOf } from "./distribution.ts"
import type { Limits } from "./limits.ts"
import type { Listed } from "./listed.ts"
import { inLetters, orRefused } from "./refusal.ts"
import { lasting, type Trouble } from "./trouble.ts"
import { textAnswer, unwritten } from "./written.ts"

/** Alternatives of a token that are asked for where nothing is declared. */
export const LOGPROBS = 20

/** Questions to a model by its server. What the server says of itself is added to `facts`. */
export function questions(
  { served, template }: ModelFile,
  http: Client,
  limits: Limits,
  facts: Record<string, string | number | boolean>,
) {
  const { name: model, logprobs = LOGPROBS } = served as ServedIR
  // Newer models of OpenAI know the limit by another name, and say so.
  let limit: "max_tokens" | "max_completion_tokens" = "max_tokens"
  let echoes = false

  const post = (
    { messages, opening }: Pick<ChatRequest, "messages" | "opening">,
    settings: Readonly<Record<string, unknown>>,
    max: number,
    key: string,
  ): Effect.Effect<Completion, Trouble> => {
    const send = (name: typeof limit) =>
      http.post(
        "chat/completions",
        {
          model,
          ...begun(messages, opening),
          ...settings,
          [name]: max,
          ...(template === undefined ? {} : { chat_template_kwargs: template }),
        },
        key,
        completionOf,
      )
    const renamed = Effect.suspend(() => {
      // Others are under way with the old name when the first refusal changes it: each goes by the name that it was sent with.
      const name = limit
      return Effect.catchIf(
        send(name),
        ({ what }) => name === "max_tokens" && /^it answered 400.*max_completion_tokens/.test(what),
        () => {
          limit = "max_completion_tokens"
          return send(limit)
        },
      )
    })
    return Effect.map(renamed, (completion) => {
      const { usage, facts: said, text } = completion
      if (usage !== undefined) limits.count(usage.prompt + usage.answer)
      if (said.system !== undefined) facts.systemFingerprint = said.system
      if (said.model !== undefined) facts.answeredAs = said.model
      const isEcho = echoes && opening !== "" && text?.startsWith(opening) === true
      return isEcho ? { ...completion, text: text.slice(opening.length) } : completion
    })
  }

  /** The same; or in words that the server refuses this prompt for good, and no other that is built alike. */
  const postPrompt = (...[request, settings, max, key]: Parameters<typeof post>) =>
    orRefused(post(request, settings, max, key), () => post(inLetters(request), settings, max, key))

  /** The most probable tokens at a place. */
  const listed = (
    request: Pick<ChatRequest, "messages" | "opening">,
    key: string,
    spent: { tokens: number },
  ): Effect.Effect<readonly Listed[] | { readonly problem: string }, Trouble> =>
    Effect.gen(function* () {
      const settings = { temperature: 0, logprobs: true, top_logprobs: logprobs }
      const answer = yield* postPrompt(request, settings, 1, key)
      if ("problem" in answer) return answer
      const { listed, text, usage } = answer
      spent.tokens += usage === undefined ? 0 : usage.prompt - usage.cached
      if (listed !== undefined) return listed
      if (text === null || text === "")
        return { problem: "the model ended its turn at once, and the server lists no token for that" }
      return yield* lasting(
        "it lists no probabilities of tokens (`logprobs`), though it was asked to",
        "declare the model with `logprobs 0` and let it write texts, in which labels are found with extract; or ask it on a server that lists them",
      )
    })

  const oneTokens = new Map<string, boolean>()
  const one = (label: string): Effect.Effect<boolean, Trouble> =>
    Effect.suspend(() => {
      const known = oneTokens.get(label)
      if (known !== undefined) return Effect.succeed(known)
      const found = isOneToken(label, (request) => post(request, { temperature: 0 }, 1, `token ${label}`))
      return Effect.tap(found, (is) => Effect.sync(() => void oneTokens.set(label, is)))
    })

  return {
    /** One token of anything, with its alternatives where the declaration has some. */
    probe: post(
      { messages: [{ role: "user", content: "Say a letter." }], opening: "" },
      { temperature: 0, ...(logprobs === 0 ? {} : { logprobs: true, top_logprobs: logprobs }) },
      1,
      "probe",
    ),

    continues: Effect.map(
      continuation((request) => post(request, { temperature: 0 }, 1, "continues")),
      (found) => {
        echoes = found.echoes
        return found.continues
      },
    ),

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
      return Effect.map(distributionOf(question, { listed: further, isOneToken: one }), (found) => ({
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
      return Effect.flatMap(postPrompt(request, settings, max, request.key), (completion) =>
        "problem" in completion
          ? Effect.succeed(unwritten(request.key, completion.problem))
          : textAnswer(request.key, ask, completion),
      )
    },
  }
}

/** Stop texts that every server takes. What stands behind another is cut off here. */
const STOPS = 4

/** The seed of a sampled text, of 31 bits, since some servers take no more; the draw is part of the key. */
const seedOf = (key: string): number =>
  createHash("sha256").update(`seed ${key}`).digest().readUInt32BE(0) >>> 1
