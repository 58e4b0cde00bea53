/**
 * The tokens, and the lexer's modes: `main`, the inside of a quoted text, the inside of a text's `{...}`, and the inside of a
 * regular expression.
 */
import { createToken, Lexer, type TokenType } from "chevrotain"
import {
  Characters,
  HoleClose,
  inText,
  LineBreak,
  PatternCharacters,
  PatternOpen,
  SingleClose,
  SingleCut,
  SingleOpen,
  SinglePlain,
  TextEnd,
  TextOpen,
  TripleClose,
  TripleCut,
  TripleOpen,
  TriplePlain,
} from "./tokens/texts.ts"
import { And, Identifier, keywords, Not, Or, reservedWords, Word } from "./tokens/words.ts"

export * from "./tokens/texts.ts"
export * from "./tokens/words.ts"

const sign = (name: string, pattern: RegExp): TokenType =>
  createToken({ name, pattern, label: pattern.source.replaceAll("\\", "") })

export const LCurly = sign("LCurly", /\{/)
export const RCurly = sign("RCurly", /\}/)
export const LParen = sign("LParen", /\(/)
export const RParen = sign("RParen", /\)/)
export const LSquare = sign("LSquare", /\[/)
export const RSquare = sign("RSquare", /\]/)
export const Comma = sign("Comma", /,/)
export const Colon = sign("Colon", /:/)
export const DotDot = sign("DotDot", /\.\./)
export const Dot = sign("Dot", /\./)
const EqualEqual = sign("EqualEqual", /==/)
const NotEqual = sign("NotEqual", /!=/)
const LessEqual = sign("LessEqual", /<=/)
const GreaterEqual = sign("GreaterEqual", />=/)
const Less = sign("Less", /</)
const Greater = sign("Greater", />/)
export const Equals = sign("Equals", /=/)
export const Plus = sign("Plus", /\+/)
export const Minus = sign("Minus", /-/)
export const Star = sign("Star", /\*/)
export const Slash = sign("Slash", /\//)
export const Tilde = sign("Tilde", /~/)

/** `==` and its kin do not chain, so they are one token to the parser. */
export const Comparison = createToken({ name: "Comparison", pattern: Lexer.NA })
for (const type of [EqualEqual, NotEqual, LessEqual, GreaterEqual, Less, Greater]) {
  type.CATEGORIES = [Comparison]
}

export const NumberToken = createToken({ name: "Number", pattern: /\d+(?:\.\d+)?/ })

/** What an import must mean; how many digits it has is looked at when it is parsed. */
export const Checksum = createToken({
  name: "Checksum",
  pattern: /sha256:(?=[0-9A-Fa-f])\w+/,
  label: "sha256:...",
})

const Space = createToken({ name: "Space", pattern: /[ \t\r\n]+/, group: Lexer.SKIPPED, line_breaks: true })
const Comment = createToken({ name: "Comment", pattern: /\/\/[^\r\n]*/, group: "comments" })

const words = [Identifier, And, Or]
const operators = [
  ...[LParen, RParen, LSquare, RSquare, Comma, Colon, DotDot, Dot],
  ...[EqualEqual, NotEqual, Not, LessEqual, GreaterEqual, Less, Greater],
  ...[Equals, Plus, Minus, Star, Slash, Tilde],
]
const quotes = [PatternOpen, TripleOpen, SingleOpen]

const modes = {
  main: [Space, Comment, ...quotes, Checksum, ...words, NumberToken, LCurly, RCurly, ...operators],
  single: [SingleClose, SingleCut, ...inText, SinglePlain],
  triple: [TripleClose, LineBreak, ...inText, TriplePlain],
  hole: [Space, HoleClose, ...words, NumberToken, ...operators],
  pattern: [SingleClose, SingleCut, PatternCharacters],
}

const categories = [Word, TextOpen, TextEnd, Characters, Comparison]

/** All tokens, for the parser. */
export const vocabulary: TokenType[] = [
  ...new Set([...keywords, ...reservedWords, ...Object.values(modes).flat(), TripleCut, ...categories]),
]

export const lexerModes = { defaultMode: "main", modes }

/** The same, with unclosed triple-quoted texts cut off where the indentation says that they must have ended. */
export const cuttingLexerModes = {
  defaultMode: "main",
  modes: { ...modes, triple: [TripleClose, TripleCut, ...modes.triple.slice(1)] },
}
