/** From a conversation to a read that an engine can answer: rendered, tokenised, cut into canonical chunks, its labels proven. */
import type { Ask, Conversation } from "../../compiler/conversation.ts"
import type { Segment } from "../../compiler/trial.ts"
import type { LoadedModel, ReadRequest, Token } from "../backend/backend.ts"
import { type ConversationRenderer, conversationRenderer } from "../chat/render.ts"
import { chunksOf } from "./chunks.ts"
import { readKey } from "./key.ts"
import { type LabelsInContext, labelsInContext } from "./labels.ts"
import { labelsOf } from "./reading.ts"
import { placesOf } from "./trie.ts"

export interface Prepared {
  readonly request: ReadRequest
  /** The prompt, character by character, as it is sent; it ends where the read is taken. */
  readonly rendered: readonly Segment[]
  /** Tokens of the prompt, those included that a label may merge with. */
  readonly tokens: number
  /** Tokens by label, from where the read is taken. */
  readonly labels: Readonly<Record<string, readonly Token[]>>
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
export function prepare(model: LoadedModel, conversation: Conversation, ask: Ask): Prepared | Unreadable {
  const workshop = workshopOf(model)
  const rendered = workshop.renderer.render(conversation)
  if ("problem" in rendered) return { problem: rendered.problem, kind: "template" }
  const labels = workshop.labels(ask, rendered.before, rendered.end)
  if ("problem" in labels) return { problem: labels.problem, kind: "label" }

  const length = rendered.tokens.length - labels.back
  const answer = 1 + Math.max(...placesOf(labels.tree).map((place) => place.forced.length))
  if (length + answer > model.contextSize)
    return {
      problem: `the prompt takes ${length} tokens and its answer ${answer} more, but the model's context holds ${model.contextSize}`,
      kind: "too_long",
    }
  const chunks = chunksOf(rendered.tokens.slice(0, length), rendered.turnEnds, model.chunkSize)
  return {
    request: { key: readKey(model.fingerprint, chunks, ask), chunks, labels: labels.tree },
    rendered: rendered.segments,
    tokens: rendered.tokens.length,
    labels: Object.fromEntries(labelsOf(ask).map((label, index) => [label, labels.tokens[index]!])),
  }
}

/** Proofs that are remembered, at most. */
const remembered = 10_000

/** What is worth remembering about a model between reads. */
interface Workshop {
  readonly renderer: ConversationRenderer
  readonly labels: (
    ask: Ask,
    before: string,
    end: Token | null,
  ) => LabelsInContext | { readonly problem: string }
}

const workshops = new WeakMap<LoadedModel, Workshop>()

function workshopOf(model: LoadedModel): Workshop {
  const known = workshops.get(model)
  if (known !== undefined) return known
  const renderer = conversationRenderer(model)
  const proven = new Map<string, LabelsInContext | { readonly problem: string }>()
  const workshop: Workshop = {
    renderer,
    labels: (ask, before, end) => {
      const texts = labelsOf(ask)
      const key = JSON.stringify([texts, before, ask.follow, end])
      const known = proven.get(key)
      if (known !== undefined) return known
      const found = labelsInContext(texts, { tokenize: renderer.tokenize, before, follow: ask.follow, end })
      if (proven.size >= remembered) proven.clear()
      proven.set(key, found)
      return found
    },
  }
  workshops.set(model, workshop)
  return workshop
}
