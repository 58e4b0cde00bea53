/**
 * The tokens, and the lexer's modes: `main`, the inside of a quoted text, and the inside of a text's `{...}`.
 *
 * Every keyword is a `Word`, so wherever the grammar wants a name a keyword will do: keywords mean something only where a
 * field or a declaration may start. Only `and`, `or`, `not` and `in` are reserved, since they stand between expressions.
 */
import { type CustomPatternMatcherFunc, createToken, type IToken, Lexer, type TokenType } from "chevrotain"

/** Any name: an identifier or a keyword. */
export const Word = createToken({ name: "Word", pattern: Lexer.NA })
export const Identifier = createToken({
  name: "Identifier",
  pattern: /[A-Za-z_][A-Za-z0-9_]*/,
  categories: [Word],
})

const capitalised = (word: string): string => word[0]!.toUpperCase() + word.slice(1)

const keyword = (word: string): TokenType =>
  createToken({
    name: capitalised(word),
    label: word,
    pattern: new RegExp(`${word}\\b`),
    categories: [Word],
  })

export const Import = keyword("import")
export const From = keyword("from")
export const As = keyword("as")
export const Extends = keyword("extends")

export const Model = keyword("model")
export const Items = keyword("items")
export const Framing = keyword("framing")
export const Container = keyword("container")
export const Roster = keyword("roster")
export const Paraphrase = keyword("paraphrase")
export const Dose = keyword("dose")
export const Block = keyword("block")
export const Protocol = keyword("protocol")
export const Metric = keyword("metric")
export const Experiment = keyword("experiment")

export const Verbatim = keyword("verbatim")
export const Reconstructed = keyword("reconstructed")
export const Preamble = keyword("preamble")
export const Line = keyword("line")
export const Lines = keyword("lines")
export const Speakers = keyword("speakers")
export const TextField = keyword("text")

export const Slot = keyword("slot")
export const Options = keyword("options")
export const Join = keyword("join")
export const System = keyword("system")
export const Turn = keyword("turn")
export const Continues = keyword("continues")
export const User = keyword("user")
export const Assistant = keyword("assistant")
export const Option = keyword("option")
export const Integer = keyword("integer")

export const Rate = keyword("rate")
export const Mean = keyword("mean")
export const Given = keyword("given")
export const Interval = keyword("interval")
export const Invalid = keyword("invalid")

export const Models = keyword("models")
export const Sample = keyword("sample")
export const Seed = keyword("seed")
export const Target = keyword("target")
export const Arms = keyword("arms")
export const Assertion = keyword("assertion")
export const Measure = keyword("measure")
export const Contrast = keyword("contrast")
export const By = keyword("by")
export const Table = keyword("table")
export const Rows = keyword("rows")
export const Columns = keyword("columns")
export const Average = keyword("average")
export const Where = keyword("where")
export const Figure = keyword("figure")
export const Color = keyword("color")
export const Expect = keyword("expect")
export const Allow = keyword("allow")

const keywords: readonly TokenType[] = [
  ...[Import, From, As, Extends],
  ...[
    Models,
    Model,
    Items,
    Framing,
    Container,
    Roster,
    Paraphrase,
    Dose,
    Block,
    Protocol,
    Metric,
    Experiment,
  ],
  ...[Verbatim, Reconstructed, Preamble, Lines, Line, Speakers, TextField],
  ...[Slot, Options, Option, Join, System, Turn, Continues, User, Assistant],
  ...[Integer, Rate, Mean, Given, Interval, Invalid],
  ...[Sample, Seed, Target, Arms, Assertion, Measure, Contrast, By],
  ...[Table, Rows, Columns, Average, Where, Figure, Color, Expect, Allow],
]

/** `other` is how other languages write the word: it is read as that, and reported. */
const reserved = (word: string, other?: string): TokenType =>
  createToken({
    name: capitalised(word),
    label: word,
    pattern: new RegExp(other === undefined ? `${word}\\b` : `${word}\\b|${other}`),
  })

export const And = reserved("and", "&&?")
export const Or = reserved("or", "\\|\\|?")
export const Not = reserved("not", "!(?!=)")
export const In = reserved("in")

/** The words that can never be names. */
const reservedWords: readonly TokenType[] = [And, Or, Not, In]

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

/** `==` and its kin do not chain, so they are one token to the parser. */
export const Comparison = createToken({ name: "Comparison", pattern: Lexer.NA })
for (const type of [EqualEqual, NotEqual, LessEqual, GreaterEqual, Less, Greater]) {
  type.CATEGORIES = [Comparison]
}

export const NumberToken = createToken({ name: "Number", pattern: /\d+(?:\.\d+)?/ })

const Space = createToken({ name: "Space", pattern: /[ \t\r\n]+/, group: Lexer.SKIPPED, line_breaks: true })
const Comment = createToken({ name: "Comment", pattern: /\/\/[^\r\n]*/, group: "comments" })

// ---------------------------------------------------------------- quoted texts

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
const SingleOpen = createToken({
  name: "SingleOpen",
  pattern: /"/,
  push_mode: "single",
  categories: [TextOpen],
})
const TripleClose = createToken({
  name: "TripleClose",
  pattern: /"""/,
  pop_mode: true,
  categories: [TextEnd],
})
const SingleClose = createToken({ name: "SingleClose", pattern: /"/, pop_mode: true, categories: [TextEnd] })

/** A single-quoted text ends with its line, so an unclosed one costs no more than that line. */
export const SingleCut = createToken({
  name: "SingleCut",
  pattern: /\r\n?|\n/,
  pop_mode: true,
  line_breaks: true,
  categories: [TextEnd],
})

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

const inText = [Escape, BadEscape, LeftBraces, RightBraces, HoleOpen, UnclosedBrace, StrayBrace]
const words = [...keywords, ...reservedWords, Identifier]
const operators = [
  ...[LParen, RParen, LSquare, RSquare, Comma, Colon, DotDot, Dot],
  ...[EqualEqual, NotEqual, LessEqual, GreaterEqual, Less, Greater, Equals, Plus, Minus, Star, Slash],
]

const modes = {
  main: [Space, Comment, TripleOpen, SingleOpen, ...words, NumberToken, LCurly, RCurly, ...operators],
  single: [SingleClose, SingleCut, ...inText, SinglePlain],
  triple: [TripleClose, LineBreak, ...inText, TriplePlain],
  hole: [Space, HoleClose, ...words, NumberToken, ...operators],
}

const categories = [Word, TextOpen, TextEnd, Characters, Comparison]

/** All tokens, for the parser. */
export const vocabulary: TokenType[] = [
  ...new Set([...Object.values(modes).flat(), TripleCut, ...categories]),
]

export const lexerModes = { defaultMode: "main", modes }

/** The same, with unclosed triple-quoted texts cut off where the indentation says that they must have ended. */
export const cuttingLexerModes = {
  defaultMode: "main",
  modes: { ...modes, triple: [TripleClose, TripleCut, ...modes.triple.slice(1)] },
}
