/** A conversation as a model is sent it: the template's own text and the contents, in pieces that are tokenised one by one. */
import type { Conversation } from "../../compiler/conversation.ts"
import type { Closed, Segment } from "../../compiler/trial.ts"
import type { Token, TokenModel } from "../backend/backend.ts"
import { textOf } from "../read/key.ts"
import { type ChatTemplate, closingToken, type Layout, type LayoutPart, layoutOf } from "./layout.ts"
import { plainTemplate, type Role } from "./template.ts"

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
    const contents = contentsOf(conversation)
    const problem = contentProblem(shape.layout, contents, last.assistant)
    if (problem !== undefined) return { problem }

    const tokens: Token[] = []
    const segments: Segment[] = []
    const turnEnds: number[] = []
    const { pieces } = shape.layout
    if (vocabulary.bos !== null && !startsWith(shape.layout, vocabulary.bos)) {
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
      const failed = plain([], last.assistant)
      if (failed !== undefined) return failed
    }
    return { tokens, segments: joined(segments), turnEnds, before, end: shape.end }
  }
  return { render, tokenize }
}

type Problem = { readonly problem: string }

interface Shape {
  readonly layout: Layout
  readonly end: Token | null
}

function findShape(model: TokenModel, system: boolean, turns: number): Shape | Problem {
  const { vocabulary, declared } = model
  const template = declared === "plain" ? plainTemplate : model.chatTemplate
  if (template === null) {
    const problem = `the model ${model.name} has no chat template, so it cannot be asked in turns; \`template plain\` in its declaration writes them one below the other`
    return { problem }
  }
  const chat: ChatTemplate = {
    template,
    ...(declared === undefined || declared === "plain" ? {} : { declared }),
    control: vocabulary.control,
    bosToken: vocabulary.names?.bos ?? "",
    eosToken: vocabulary.names?.eos ?? "",
  }
  const open = rolesOf(system, turns).slice(0, -1)
  const layout = layoutOf(chat, open, true)
  if ("problem" in layout) return layout
  const closed = layoutOf(chat, [...open, "assistant"], false)
  return { layout, end: "problem" in closed ? null : closingToken(closed, open.length) }
}

function rolesOf(system: boolean, turns: number): readonly Role[] {
  const pairs = Array.from({ length: turns }, (): readonly Role[] => ["user", "assistant"]).flat()
  return system ? ["system", ...pairs] : pairs
}

/** Contents of the messages that the template places: all but the last assistant text, which is not over. */
function contentsOf(conversation: Conversation): readonly Closed[] {
  const pairs = conversation.turns.flatMap(({ user, assistant }) => [user, assistant]).slice(0, -1)
  return conversation.system === undefined ? pairs : [conversation.system, ...pairs]
}

function contentProblem(layout: Layout, contents: readonly Closed[], open: Closed): string | undefined {
  for (const [index, content] of contents.entries()) {
    const text = textOf(content)
    if (layout.trims[index] === true && text.trim() !== text)
      return `the model's chat template cuts white space off messages, and message ${index + 1} begins or ends with some`
  }
  if ([...contents, open].some((content) => /\p{Surrogate}/u.test(textOf(content))))
    return "a text holds half of a UTF-16 surrogate pair, which no encoding can send"
  return undefined
}

function startsWith(layout: Layout, token: Token): boolean {
  const first = layout.pieces[0]
  return first?.kind === "control" && first.token === token
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
