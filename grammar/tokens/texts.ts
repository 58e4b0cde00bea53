/** The tokens of quoted texts: what opens and ends them, what stands in them, and regular expressions, in which all is raw. */
import { type CustomPatternMatcherFunc, createToken, type IToken, Lexer, type TokenType } from "chevrotain"
import { Matching } from "./words.ts"

/** `"` or `"""` that opens a text. */
export const TextOpen = createToken({ name: "TextOpen", pattern: Lexer.NA })
/** What ends a text: its closing quotes, or the place where an unclosed one was cut off. */
export const TextEnd = createToken({ name: "TextEnd", pattern: Lexer.NA })
/** Everything in a text that is not a hole. */
export const Characters = createToken({ name: "Characters", pattern: Lexer.NA })

export const TripleOpen = createToken({
  name: "TripleOpen",
  pattern: /"""/,
  push_mode: "triple",
  categories: [TextOpen],
})
export const SingleOpen = createToken({
  name: "SingleOpen",
  pattern: /"/,
  push_mode: "single",
  categories: [TextOpen],
})
export const TripleClose = createToken({
  name: "TripleClose",
  pattern: /"""/,
  pop_mode: true,
  categories: [TextEnd],
})
export const SingleClose = createToken({
  name: "SingleClose",
  pattern: /"/,
  pop_mode: true,
  categories: [TextEnd],
})

/** A single-quoted text ends with its line, so an unclosed one costs no more than that line. */
export const SingleCut = createToken({
  name: "SingleCut",
  pattern: /\r\n?|\n/,
  pop_mode: true,
  line_breaks: true,
  categories: [TextEnd],
})

// ---------------------------------------------------------------- regular expressions

const afterMatching: CustomPatternMatcherFunc = (text, offset, tokens) => {
  const isPattern = text[offset] === '"' && tokens.at(-1)?.image === Matching.LABEL
  return isPattern ? /^"/.exec('"') : null
}

/** The quote behind `matching`. What follows is raw, since a regular expression has braces and backslashes of its own. */
export const PatternOpen = createToken({
  name: "PatternOpen",
  pattern: afterMatching,
  start_chars_hint: ['"'],
  line_breaks: false,
  push_mode: "pattern",
})
/** A backslash keeps what follows from ending the pattern, as it keeps it from meaning something in the expression. */
export const PatternCharacters = createToken({
  name: "PatternCharacters",
  pattern: /(?:\\[^\r\n]|[^"\\\r\n])+|\\/,
})

// ---------------------------------------------------------------- unclosed texts

const indentationAt = (text: string, offset: number): number => {
  const lineStart = Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1
  return /^[ \t]*/.exec(text.slice(lineStart, offset))![0].length
}

/** The last triple-quoted text that opened, found once for each list of tokens that the lexer grows. */
const openers = new WeakMap<readonly IToken[], { seen: number; opener?: IToken }>()
const lastOpener = (tokens: readonly IToken[]): IToken | undefined => {
  const state = openers.get(tokens) ?? { seen: 0 }
  for (; state.seen < tokens.length; state.seen++) {
    const token = tokens[state.seen]!
    if (token.tokenType === TripleOpen) state.opener = token
  }
  openers.set(tokens, state)
  return state.opener
}

/** Matches the line break before the first line that is indented no deeper than the line on which the text opens. */
const dedent: CustomPatternMatcherFunc = (text, offset, tokens) => {
  if (text[offset] !== "\n" && text[offset] !== "\r") return null
  const opener = lastOpener(tokens)
  const next = /(?:\r\n?|\n)([ \t]*)(?=[^ \t\r\n])(?!""")/y
  next.lastIndex = offset
  const line = next.exec(text)
  if (opener === undefined || line === null) return null
  if (line[1]!.length > indentationAt(text, opener.startOffset)) return null
  return /^(?:\r\n?|\n)/.exec(text.slice(offset, offset + 2))
}

/** Only in the second try at a file whose last triple-quoted text never closed: see `lex`. */
export const TripleCut = createToken({
  name: "TripleCut",
  pattern: dedent,
  start_chars_hint: ["\n", "\r"],
  pop_mode: true,
  line_breaks: true,
  categories: [TextEnd],
})

// ---------------------------------------------------------------- inside

const characters = (name: string, pattern: RegExp, line_breaks = false): TokenType =>
  createToken({ name, pattern, line_breaks, categories: [Characters] })

export const Escape = characters("Escape", /\\(?:[nt"\\]|u\{[0-9A-Fa-f]{1,6}\})/)
export const BadEscape = characters(
  "BadEscape",
  /\\(?:u\{[^{}"\r\n]*\}?|[\uD800-\uDBFF][\uDC00-\uDFFF]|[^\r\n])?/,
)
export const LeftBraces = characters("LeftBraces", /\{\{/)
export const RightBraces = characters("RightBraces", /\}\}/)
export const LineBreak = characters("LineBreak", /\r\n?|\n/, true)
export const SinglePlain = characters("SinglePlain", /[^"\\{}\r\n]+/)
export const TriplePlain = characters("TriplePlain", /(?:[^"\\{}\r\n]|"(?!""))+/)
/** `{` without its `}` on the same line: the rest of the text is read on as text. */
export const UnclosedBrace = characters("UnclosedBrace", /\{/)
export const StrayBrace = characters("StrayBrace", /\}/)

/** A `{` that is closed on its line, with no brace or quote between: what the hole's mode reads is always complete. */
export const HoleOpen = createToken({
  name: "HoleOpen",
  pattern: /\{(?=[^{}"\r\n]*\})/,
  push_mode: "hole",
})
export const HoleClose = createToken({ name: "HoleClose", pattern: /\}/, pop_mode: true, label: "}" })

export const inText = [Escape, BadEscape, LeftBraces, RightBraces, HoleOpen, UnclosedBrace, StrayBrace]
