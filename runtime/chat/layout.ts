/**
 * The layout of a conversation: a model's chat template rendered once with placeholders in place of the contents, and split at control
 * tokens. Contents are put in afterwards, as plain text, so nothing that an item says can open or close a turn.
 */
import type { Token, Vocabulary } from "../backend/backend.ts"
import { type Role, renderTemplate } from "./template.ts"

/** A piece is one control token, or the plain text between two of them: fixed text and contents, tokenised together. */
export type LayoutPiece =
  | { readonly kind: "control"; readonly text: string; readonly token: Token }
  | { readonly kind: "plain"; readonly parts: readonly LayoutPart[] }

/** Fixed text of the template, or the content of a message, by index. */
export type LayoutPart = string | number

export interface Layout {
  readonly pieces: readonly LayoutPiece[]
  /** Indices of pieces after which a turn is over: its closing control token, or the line break that follows it. */
  readonly turnEnds: ReadonlySet<number>
  /** For each message, whether the template cuts white space off the start and the end of its content. */
  readonly trims: readonly { readonly start: boolean; readonly end: boolean }[]
  /** For each message, whether the tokenizer drops white space at the start of its content, which follows a control token. */
  readonly drops: readonly boolean[]
  /** The same of an answer that is open at the end. */
  readonly dropsAtEnd: boolean
  /** What stood for each message's content. */
  readonly placeholders: readonly string[]
  /** The rendered text with these contents in the places of the placeholders. */
  readonly fill: (contents: readonly string[]) => string
}

export interface ChatTemplate {
  readonly template: string
  readonly control: Vocabulary["control"]
  readonly bosToken: string
  readonly eosToken: string
  readonly strips?: Vocabulary["strips"]
  /** Of the template's own, as the model's declaration gives them. */
  readonly declared?: Readonly<Record<string, string | number | boolean>>
}

/** The layout of messages with these roles, or a problem in words. `generate`: open the assistant's turn at the end. */
export function layoutOf(
  chat: ChatTemplate,
  roles: readonly Role[],
  generate: boolean,
): Layout | { readonly problem: string } {
  const placeholders = roles.map((_, index) => placeholder(index))
  const rendered = render(chat, roles, generate, placeholders)
  if (typeof rendered !== "string") return rendered
  const padded = render(
    chat,
    roles,
    generate,
    placeholders.map((mark) => `${edge}${mark}${edge}`),
  )
  if (typeof padded !== "string") return padded

  for (const [index, role] of roles.entries()) {
    const found = rendered.split(placeholders[index]!).length - 1
    if (found === 0 && role === "system")
      return { problem: "the model's chat template has no place for a system message" }
    if (found !== 1)
      return { problem: `the model's chat template rewrites, drops or repeats the text of a ${role} message` }
  }
  const pieces = piecesOf(rendered, placeholders, chat)
  const dropped = (index: number): boolean => {
    const piece = pieces[index - 1]
    return piece?.kind === "control" && chat.strips?.after.has(piece.token) === true
  }
  const parts = splitAt(rendered, placeholders)
  const messages = parts.map((part) => placeholders.indexOf(part))
  return {
    pieces,
    turnEnds: turnEndsOf(pieces),
    trims: placeholders.map((mark) => ({
      start: !padded.includes(`${edge}${mark}`),
      end: !padded.includes(`${mark}${edge}`),
    })),
    drops: placeholders.map((_, message) =>
      pieces.some((piece, index) => piece.kind === "plain" && piece.parts[0] === message && dropped(index)),
    ),
    dropsAtEnd: dropped(pieces.length),
    placeholders,
    fill: (contents) => parts.map((part, index) => contents[messages[index]!] ?? part).join(""),
  }
}

/** The control token that closes an assistant's turn, or null where plain text does. */
export function closingToken(layout: Layout, message: number): Token | null {
  const at = layout.pieces.findIndex((piece) => piece.kind === "plain" && piece.parts.includes(message))
  const piece = layout.pieces[at]
  const next = layout.pieces[at + 1]
  const endsIt = piece?.kind === "plain" && piece.parts.at(-1) === message
  return endsIt && next?.kind === "control" ? next.token : null
}

/** White space that a template which trims contents takes off. */
const edge = " \n "

/** Holds what a template that escapes or rewrites contents would change. */
const placeholder = (index: number): string => `\u00e9"'<&>\\cfx-${index}-content\\<&>'"\u00e9`

/** The template's text of a conversation, or why it has none, in words. */
export function render(
  chat: ChatTemplate,
  roles: readonly Role[],
  generate: boolean,
  contents: readonly string[],
): string | { readonly problem: string } {
  const messages = roles.map((role, index) => ({ role, content: contents[index]! }))
  try {
    const { bosToken, eosToken, declared = {} } = chat
    return renderTemplate(chat.template, messages, { bosToken, eosToken, generate, declared })
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    const about = roles.includes("system") ? "a conversation with a system message" : "this conversation"
    return { problem: `the model's chat template refuses ${about}: ${said}` }
  }
}

/**
 * Splits a rendered template at placeholders and control tokens; neighbouring plain parts make one piece. White space of the template goes where
 * the tokenizer drops it beside a control token.
 */
function piecesOf(
  rendered: string,
  placeholders: readonly string[],
  { control, strips }: ChatTemplate,
): readonly LayoutPiece[] {
  const pieces: LayoutPiece[] = []
  let plain: LayoutPart[] = []
  const closePlain = (): void => {
    if (plain.length > 0) pieces.push({ kind: "plain", parts: plain })
    plain = []
  }
  const marks = [...placeholders, ...control.keys()].filter((mark) => mark !== "")
  const parts = splitAt(rendered, marks)
  for (const [index, part] of parts.entries()) {
    const content = placeholders.indexOf(part)
    const token = control.get(part)
    if (content !== -1) plain.push(content)
    else if (token !== undefined) {
      closePlain()
      pieces.push({ kind: "control", text: part, token })
    } else {
      const isAfter = strips?.after.has(control.get(parts[index - 1] ?? "") ?? -1) === true
      const isBefore = strips?.before.has(control.get(parts[index + 1] ?? "") ?? -1) === true
      const left = isAfter ? part.trimStart() : part
      const text = isBefore ? left.trimEnd() : left
      if (text !== "") plain.push(text)
    }
  }
  closePlain()
  return pieces
}

/** The text cut into marks and what stands between them. At one place the longest mark wins. */
function splitAt(text: string, marks: readonly string[]): readonly string[] {
  const longestFirst = [...marks].sort((a, b) => b.length - a.length)
  const pattern = longestFirst.map((mark) => mark.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")
  if (pattern === "") return text === "" ? [] : [text]
  return text.split(new RegExp(`(${pattern})`)).filter((part) => part !== "")
}

/** A token that closes some message closes a turn wherever it stands, a message that the template inserts by itself included. */
function turnEndsOf(pieces: readonly LayoutPiece[]): ReadonlySet<number> {
  const hasContent = (piece: LayoutPiece | undefined): boolean =>
    piece?.kind === "plain" && piece.parts.some((part) => typeof part === "number")
  const closing = new Set<Token>()
  for (const [index, piece] of pieces.entries())
    if (piece.kind === "control" && hasContent(pieces[index - 1])) closing.add(piece.token)
  const ends = new Set<number>()
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind !== "control" || !closing.has(piece.token)) continue
    const next = pieces[index + 1]
    const lineBreak =
      next?.kind === "plain" && next.parts.every((p) => typeof p === "string" && p.trim() === "")
    ends.add(lineBreak ? index + 1 : index)
  }
  return ends
}
