/** Quoted texts: escapes, doubled braces, and the layout of triple-quoted ones that is not part of the text. */
import type { CstElement, CstNode, IToken } from "chevrotain"
import type { Chars, Hole, Placeholder, Text, TextPart } from "./ast.ts"
import { collect, has, inOrder, isNode, maybeToken, spanOfNode, token, tokens } from "./cst.ts"
import { isCharacter, spanOf } from "./lex.ts"
import { join, type Span } from "./source.ts"
import {
  Characters,
  Escape,
  LeftBraces,
  LineBreak,
  RightBraces,
  SingleCut,
  SinglePlain,
  TripleCut,
  TripleOpen,
  TriplePlain,
} from "./tokens.ts"

/** One line of a quoted text as it is written, in pieces: tokens of characters, and holes. */
export interface TextLine {
  readonly pieces: readonly CstElement[]
  /** The line break that ends it, when a further line follows. */
  readonly end?: IToken
}

const isPlain = (piece: CstElement | undefined): piece is IToken =>
  piece !== undefined &&
  !isNode(piece) &&
  (piece.tokenType === SinglePlain || piece.tokenType === TriplePlain)

/** What stands between the quotes. */
const contentsOf = (text: CstNode): readonly CstElement[] =>
  has(text, "hole")
    ? inOrder(text).filter(
        (element) => isNode(element) || (element.tokenType.CATEGORIES ?? []).includes(Characters),
      )
    : tokens(text, Characters.name)

const linesOf = (text: CstNode): TextLine[] => {
  const lines: TextLine[] = []
  let pieces: CstElement[] = []
  for (const piece of contentsOf(text)) {
    if (!isNode(piece) && piece.tokenType === LineBreak) {
      lines.push({ pieces, end: piece })
      pieces = []
    } else pieces.push(piece)
  }
  return [...lines, { pieces }]
}

/** Whether a line has nothing but the white space that can be layout: any other, such as a no-break space, is a character of the text. */
export const isBlank = ({ pieces }: TextLine): boolean =>
  pieces.every((piece) => isPlain(piece) && /^[ \t]*$/.test(piece.image))

export const indentationOf = ({ pieces }: TextLine): string =>
  isPlain(pieces[0]) ? /^[ \t]*/.exec(pieces[0].image)![0] : ""

const sharedStart = (a: string, b: string): string => {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return a.slice(0, length)
}

/** The spaces and tabs that all lines begin with, blank ones aside. */
const commonIndentation = (lines: readonly TextLine[]): string =>
  lines
    .filter((line) => !isBlank(line))
    .map(indentationOf)
    .reduce<string | undefined>(
      (shared, each) => (shared === undefined ? each : sharedStart(shared, each)),
      undefined,
    ) ?? ""

export interface Block {
  /** Text that stands right behind the opening quotes: indentation says nothing about it. */
  readonly first?: TextLine
  readonly lines: readonly TextLine[]
  readonly indentation: string
  /** Whether the closing quotes stand on a line of their own. */
  readonly closed: boolean
}

/** A triple-quoted text without its first and last line break, when nothing but spaces and tabs part them from the quotes. */
export const blockOf = (text: CstNode): Block => {
  const all = linesOf(text)
  const several = all.length > 1
  const opened = several && isBlank(all[0]!)
  const closed = several && isBlank(all.at(-1)!)
  const lines = all.slice(1, closed ? -1 : undefined)
  return {
    ...(opened ? {} : { first: all[0]! }),
    lines,
    indentation: commonIndentation(lines),
    closed,
  }
}

const escapes: Record<string, string> = { n: "\n", t: "\t", '"': '"', "\\": "\\" }

const decode = (piece: IToken): string => {
  if (piece.tokenType === LeftBraces) return "{"
  if (piece.tokenType === RightBraces) return "}"
  if (piece.tokenType === LineBreak) return "\n"
  if (piece.tokenType !== Escape || !isCharacter(piece.image)) return piece.image
  return escapes[piece.image[1]!] ?? String.fromCodePoint(Number.parseInt(piece.image.slice(3, -1), 16))
}

type Unit = Chars | CstNode

const charsOf = (piece: IToken, skip = 0): Chars => {
  const { start, end } = spanOf(piece)
  return { kind: "chars", text: decode(piece).slice(skip), span: { start: start + skip, end } }
}

const unitsOf = (line: TextLine, indentation: string): Unit[] =>
  line.pieces.map((piece, index) => {
    if (isNode(piece)) return piece
    return charsOf(piece, index === 0 ? sharedStart(indentation, indentationOf(line)).length : 0)
  })

const unitsOfBlock = (text: CstNode): Unit[] => {
  const { first, lines, indentation } = blockOf(text)
  const kept = [
    ...(first === undefined ? [] : [{ line: first, indentation: "" }]),
    ...lines.map((line) => ({ line, indentation })),
  ]
  return kept.flatMap(({ line, indentation }, index) => {
    const units = unitsOf(line, indentation)
    return line.end === undefined || index === kept.length - 1 ? units : [...units, charsOf(line.end)]
  })
}

const merge = (parts: readonly TextPart[]): TextPart[] => {
  const merged: TextPart[] = []
  for (const part of parts) {
    const last = merged.at(-1)
    if (part.kind !== "chars") merged.push(part)
    else if (part.text === "") continue
    else if (last?.kind !== "chars") merged.push(part)
    else
      merged[merged.length - 1] = {
        kind: "chars",
        text: last.text + part.text,
        span: join(last.span, part.span),
      }
  }
  return merged
}

/** A text's span ends with its closing quotes, or where an unclosed one was cut off. */
const spanOfText = (text: CstNode): Span => {
  const ends = maybeToken(text, "TextEnd")
  const span = spanOfNode(text)
  const cut = ends !== undefined && (ends.tokenType === SingleCut || ends.tokenType === TripleCut)
  return cut ? { start: span.start, end: ends.startOffset } : span
}

/** `buildHole` builds what stands in braces; one that was broken off is left out. */
export const buildText = (text: CstNode, buildHole: (hole: CstNode) => Placeholder | Hole): Text => {
  const triple = token(text, "TextOpen").tokenType === TripleOpen
  const units = triple ? unitsOfBlock(text) : linesOf(text).flatMap((line) => unitsOf(line, ""))
  const parts = units.flatMap((unit): TextPart[] =>
    "children" in unit ? collect([unit], buildHole) : [unit],
  )
  return { kind: "text", triple, parts: merge(parts), span: spanOfText(text) }
}
