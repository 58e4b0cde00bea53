/** From a conversation to what an engine can be asked: rendered, tokenised, cut into canonical chunks, labels proven. */
import type { Ask, Conversation } from "../../compiler/conversation.ts"
import type { Segment } from "../../compiler/trial.ts"
import type {
  ChatRequest,
  LoadedModel,
  ReadRequest,
  TextRequest,
  Token,
  TokenModel,
} from "../backend/backend.ts"
import { type ConversationRenderer, conversationRenderer, type RenderedConversation } from "../chat/render.ts"
import { chunksOf, longestChunk } from "./chunks.ts"
import { readKey } from "./key.ts"
import { type LabelsInContext, labelsInContext } from "./labels.ts"
import { chatRequest } from "./messages.ts"
import { alsoOf, labelsOf, type ReadAsk } from "./reading.ts"
import { placesOf } from "./steps.ts"
import { wholeTextsInContext } from "./wholeTexts.ts"

export type Prepared = PreparedTokens | PreparedChat

export type PreparedTokens = PreparedRead | PreparedText

interface PreparedPrompt {
  /** The prompt, character by character, as it is sent; it ends where the read is taken. */
  readonly rendered: readonly Segment[]
  /** Tokens of the prompt, those included that a label may merge with; absent where only a server can count them. */
  readonly tokens?: number
}

export interface PreparedRead extends PreparedPrompt {
  readonly tokens: number
  readonly kind: "read"
  readonly request: ReadRequest
  /** Tokens by label, from where the read is taken. */
  readonly labels: Readonly<Record<string, readonly Token[]>>
  /** Labels that merge with the text before them. */
  readonly merged: ReadonlySet<string>
}

export interface PreparedText extends PreparedPrompt {
  readonly tokens: number
  readonly kind: "text"
  readonly request: TextRequest
}

/** For a server, be it a distribution or a text. */
export interface PreparedChat extends PreparedPrompt {
  readonly kind: "chat"
  readonly request: ChatRequest
}

export interface Unreadable {
  /** A sentence for a person. */
  readonly problem: string
  readonly kind: "too_long" | "label" | "template"
}

/**
 * Prepares a read; sends nothing. Unreadable where the chat template cannot say the conversation, where a label cannot be told by
 * its tokens, or where prompt and answer do not fit the model's context.
 */
export function prepare(
  model: TokenModel,
  conversation: Conversation,
  ask: ReadAsk,
): PreparedRead | Unreadable
export function prepare(model: TokenModel, conversation: Conversation, ask: Ask): PreparedTokens | Unreadable
export function prepare(model: LoadedModel, conversation: Conversation, ask: Ask): Prepared | Unreadable
export function prepare(model: LoadedModel, conversation: Conversation, ask: Ask): Prepared | Unreadable {
  if (model.kind === "chat") {
    const problem = model.cannot(ask)
    if (problem !== undefined) return { problem, kind: "label" }
    return { kind: "chat", ...chatRequest(model, conversation, ask) }
  }
  const workshop = workshopOf(model)
  const rendered = workshop.renderer.render(conversation)
  if ("problem" in rendered) return { problem: rendered.problem, kind: "template" }
  return ask.kind === "text"
    ? preparedText(model, rendered, ask)
    : preparedRead(model, workshop, rendered, ask)
}

function preparedText(
  model: TokenModel,
  { tokens, turnEnds, segments }: RenderedConversation,
  ask: Ask & { readonly kind: "text" },
): PreparedText | Unreadable {
  if (tokens.length + ask.max > model.contextSize)
    return tooLong(model, tokens.length, `the text up to ${ask.max}`)
  const chunks = chunksOf(tokens, turnEnds)
  const { max, until, temperature, topP, draw } = ask
  const key = readKey(model.fingerprint, chunks, ask)
  return {
    kind: "text",
    request: { key, chunks, max, until, temperature, topP, draw },
    rendered: segments,
    tokens: tokens.length,
  }
}

function preparedRead(
  model: TokenModel,
  workshop: Workshop,
  rendered: RenderedConversation,
  ask: ReadAsk,
): PreparedRead | Unreadable {
  const texts = [...labelsOf(ask), ...alsoOf(ask)]
  const score = ask.kind === "integer" ? undefined : ask.score
  const labels = workshop.labels(texts, { follow: ask.follow, whole: score !== undefined }, rendered)
  if ("problem" in labels) return { problem: labels.problem, kind: "label" }

  const length = rendered.tokens.length - labels.back
  const answer = 1 + Math.max(...placesOf(labels.tree).map((place) => place.forced.length))
  if (length + answer > model.contextSize) return tooLong(model, length, `its answer ${answer}`)
  const chunks = chunksOf(rendered.tokens.slice(0, length), rendered.turnEnds)
  const also = alsoOf(ask).length
  return {
    kind: "read",
    request: {
      key: readKey(model.fingerprint, chunks, ask),
      chunks,
      labels: labels.tree,
      ...(also === 0 ? {} : { also }),
      ...(score === undefined ? {} : { score }),
    },
    rendered: rendered.segments,
    tokens: rendered.tokens.length,
    labels: Object.fromEntries(texts.map((label, index) => [label, labels.tokens[index]!])),
    merged: new Set(texts.filter((_, index) => labels.merged[index])),
  }
}

const tooLong = ({ contextSize }: TokenModel, prompt: number, answer: string): Unreadable => ({
  problem: `the prompt takes ${prompt} tokens and ${answer} more, but the model's context holds ${contextSize}`,
  kind: "too_long",
})

/** Proofs that are remembered, at most. */
const remembered = 10_000

/** What is worth remembering about a model between reads. */
interface Workshop {
  readonly renderer: ConversationRenderer
  readonly labels: (
    texts: readonly string[],
    ask: { readonly follow: string; readonly whole: boolean },
    place: Pick<RenderedConversation, "before" | "end">,
  ) => LabelsInContext | { readonly problem: string }
}

const workshops = new WeakMap<TokenModel, Workshop>()

function workshopOf(model: TokenModel): Workshop {
  const known = workshops.get(model)
  if (known !== undefined) return known
  const renderer = conversationRenderer(model)
  const proven = new Map<string, LabelsInContext | { readonly problem: string }>()
  const workshop: Workshop = {
    renderer,
    labels: (texts, { follow, whole }, { before, end }) => {
      const key = JSON.stringify([texts, before, follow, end, whole])
      const known = proven.get(key)
      if (known !== undefined) return known
      const { tokenize } = renderer
      const found = whole
        ? wholeTextsInContext(texts, { tokenize, before }, model.chunkSize - longestChunk)
        : labelsInContext(texts, { tokenize, before, follow, end })
      if (proven.size >= remembered) proven.clear()
      proven.set(key, found)
      return found
    },
  }
  workshops.set(model, workshop)
  return workshop
}
