/** A conversation as a model is sent it: the template's own text and the contents, in pieces that are tokenised one by one. */
import type { Conversation } from "../../compiler/conversation.ts"
import type { Closed, Segment } from "../../compiler/trial.ts"
import type { Token, TokenModel } from "../backend/backend.ts"
import { textOf } from "../read/key.ts"
import { type Kept, rewritten, trimmed } from "./contents.ts"
import { type LayoutPart, render } from "./layout.ts"
import { findShape, type Shape } from "./shape.ts"

export interface RenderedConversation {
  readonly tokens: readonly Token[]
  /** Every character that is sent, and where it comes from. */
  readonly segments: readonly Segment[]
  /** Positions just past each turn that is over, ascending. */
  readonly turnEnds: readonly number[]
  /** The plain text after the last control token; it ends where the read is taken. */
  readonly before: string
  /** The control token that closes an assistant's turn, or null. */
  readonly end: Token | null
  /** How many messages the template cut or shortened. */
  readonly changed: number
}

/** Renders conversations for one model; remembers layouts and the tokens of texts that it has seen. */
export interface ConversationRenderer {
  readonly render: (conversation: Conversation) => RenderedConversation | { readonly problem: string }
  /** Tokens of plain text. */
  readonly tokenize: (text: string) => readonly Token[]
}

/** Texts whose tokens are remembered, at most. */
const remembered = 20_000

export function conversationRenderer(model: TokenModel): ConversationRenderer {
  const { vocabulary } = model
  const controlTokens = new Set(vocabulary.control.values())
  const layouts = new Map<string, Shape | Problem>()
  const texts = new Map<string, readonly Token[]>()

  const tokenize = (text: string): readonly Token[] => {
    if (text === "") return []
    const known = texts.get(text)
    if (known !== undefined) return known
    if (texts.size >= remembered) texts.clear()
    const tokens = vocabulary.tokenize(text)
    texts.set(text, tokens)
    return tokens
  }

  const shapeOf = (system: boolean, turns: number): Shape | Problem => {
    const name = `${system ? "s" : ""}${turns}`
    const known = layouts.get(name)
    if (known !== undefined) return known
    const shape = findShape(model, system, turns)
    layouts.set(name, shape)
    return shape
  }

  const render = (conversation: Conversation): RenderedConversation | Problem => {
    const last = conversation.turns.at(-1)
    if (last === undefined) return { problem: "the conversation has no turn" }
    const shape = shapeOf(conversation.system !== undefined, conversation.turns.length)
    if ("problem" in shape) return shape
    const whole = contentsOf(conversation, shape)
    if ([...whole, last.assistant].some((content) => /\p{Surrogate}/u.test(textOf(content))))
      return { problem: "a text holds half of a UTF-16 surrogate pair, which no encoding can send" }
    const kept = keptOf(shape, whole)
    if ("problem" in kept) return kept
    const contents = whole.map((content, message) => sliced(content, kept[message]!))

    const tokens: Token[] = []
    const segments: Segment[] = []
    const turnEnds: number[] = []
    const { pieces } = shape.layout
    if (vocabulary.bos !== null && !shape.writesBos) {
      tokens.push(vocabulary.bos)
      segments.push(fromTemplate(vocabulary.detokenize(vocabulary.bos)))
    }
    let before = ""
    const plain = (parts: readonly LayoutPart[], tail: Closed): Problem | undefined => {
      const added = parts.flatMap((part) =>
        typeof part === "string" ? [fromTemplate(part)] : contents[part]!,
      )
      segments.push(...added, ...tail)
      before = textOf(added) + textOf(tail)
      for (const token of tokenize(before)) {
        if (controlTokens.has(token))
          return {
            problem: `this model's tokenizer cannot keep ${JSON.stringify(vocabulary.detokenize(token))} as plain text`,
          }
        tokens.push(token)
      }
      return undefined
    }
    for (const [index, piece] of pieces.entries()) {
      const tail = index === pieces.length - 1 ? last.assistant : []
      if (piece.kind === "plain") {
        const failed = plain(piece.parts, tail)
        if (failed !== undefined) return failed
      } else {
        tokens.push(piece.token)
        segments.push(fromTemplate(piece.text))
        before = ""
      }
      if (shape.layout.turnEnds.has(index)) turnEnds.push(tokens.length)
    }
    if (pieces.at(-1)?.kind !== "plain") {
      const open = textOf(last.assistant)
      const start = shape.layout.dropsAtEnd ? blanksOf(open) : 0
      const failed = plain([], sliced(last.assistant, { start, end: open.length }))
      if (failed !== undefined) return failed
    }
    const changed = whole.filter((content, message) => textOf(content) !== textOf(contents[message]!)).length
    return { tokens, segments: joined(segments), turnEnds, before, end: shape.end, changed }
  }
  return { render, tokenize }
}

type Problem = { readonly problem: string }

/** Contents of the messages that the template places: all but the last assistant text, which is not over. */
function contentsOf({ system, turns }: Conversation, { merges }: Shape): readonly Closed[] {
  const pairs = turns.flatMap(({ user, assistant }) => [user, assistant]).slice(0, -1)
  if (system === undefined) return pairs
  const [first = [], ...others] = pairs
  return merges ? [[...system, fromTemplate("\n\n"), ...first], ...others] : [system, ...pairs]
}

/** Which part of each content is sent. */
function keptOf({ layout, roles, chat, looks }: Shape, contents: readonly Closed[]): Kept | Problem {
  const texts = contents.map(textOf)
  const kept = looks
    ? rewritten(layout, roles, texts, (written) => render(chat, roles, true, written))
    : trimmed(layout, texts)
  if ("problem" in kept) return kept
  return kept.map(({ start, end }, message) =>
    layout.drops[message] === true
      ? { start: Math.min(end, start + blanksOf(texts[message]!.slice(start))), end }
      : { start, end },
  )
}

/** White space at the start of a text: UTF-16 units. */
const blanksOf = (text: string): number => text.length - text.trimStart().length

/** The segments from `start` to `end`, in UTF-16 units. */
function sliced(content: Closed, { start, end }: Kept[number]): Closed {
  let at = 0
  return content.flatMap((segment) => {
    const text = segment.text.slice(Math.max(0, start - at), Math.max(0, end - at))
    at += segment.text.length
    return text === segment.text ? [segment] : text === "" ? [] : [{ ...segment, text }]
  })
}

const fromTemplate = (text: string): Segment => ({ kind: "text", text, from: { kind: "chat_template" } })

/** Neighbouring segments of the template as one; empty ones left out. */
function joined(segments: readonly Segment[]): readonly Segment[] {
  const result: Segment[] = []
  for (const segment of segments) {
    const last = result.at(-1)
    if (segment.text === "") continue
    if (last?.from.kind === "chat_template" && segment.from.kind === "chat_template")
      result[result.length - 1] = fromTemplate(last.text + segment.text)
    else result.push(segment)
  }
  return result
}
