/** Characters -> tokens, comments and the problems that show without any grammar. */
import { type ILexerConfig, type IToken, Lexer, type TokenType, tokenLabel, tokenMatcher } from "chevrotain"
import type { Problem } from "./problem.ts"
import type { Span } from "./source.ts"
import {
  And,
  BadEscape,
  cuttingLexerModes,
  Escape,
  Identifier,
  lexerModes,
  Not,
  Or,
  PatternOpen,
  SingleCut,
  StrayBrace,
  TextEnd,
  TextOpen,
  TripleCut,
  TripleOpen,
  UnclosedBrace,
  wordTypes,
} from "./tokens.ts"

export interface Comment extends Span {
  /** As written, slashes included, without spaces and tabs at the end. */
  readonly text: string
}

/** Where a token stands, for recovery: people show by lines and indentation where they meant a thing to end. */
export interface Place {
  /** Nothing but white space stands before it on its line, and it is not inside a quoted text. */
  readonly opensLine: boolean
  /** Width of its line's leading white space. */
  readonly indent: number
}

export interface Lexed {
  readonly tokens: readonly IToken[]
  /** One for each token; found when they are first asked for. */
  readonly places: readonly Place[]
  readonly comments: readonly Comment[]
  readonly problems: readonly Problem[]
  /** Texts that never closed, up to where they were cut off. */
  readonly unclosed: readonly Span[]
}

export const spanOf = (token: IToken): Span => ({
  start: token.startOffset,
  end: token.startOffset + token.image.length,
})

const options: ILexerConfig = { positionTracking: "onlyOffset", skipValidations: true }

let plain: Lexer | undefined
let cutting: Lexer | undefined
const plainLexer = (): Lexer => {
  plain ??= new Lexer(lexerModes, options)
  return plain
}
const cuttingLexer = (): Lexer => {
  cutting ??= new Lexer(cuttingLexerModes, options)
  return cutting
}

const opensText = (token: IToken): boolean => tokenMatcher(token, TextOpen) || token.tokenType === PatternOpen

/** The opening quotes of texts that never closed, with the token that cut each off (none at the end of the file). */
const unclosedTexts = (tokens: readonly IToken[]): { opener: IToken; cut?: IToken }[] => {
  const found: { opener: IToken; cut?: IToken }[] = []
  let opener: IToken | undefined
  for (const token of tokens) {
    if (opensText(token)) opener = token
    if (opener === undefined || !tokenMatcher(token, TextEnd)) continue
    if (token.tokenType === SingleCut || token.tokenType === TripleCut) found.push({ opener, cut: token })
    opener = undefined
  }
  if (opener !== undefined) found.push({ opener })
  return found
}

/** Whether `\\u{...}` names a character: surrogates and numbers past the last code point don't. */
export const isCharacter = (image: string): boolean => {
  const code = image.startsWith("\\u") ? Number.parseInt(image.slice(3, -1), 16) : 0
  return code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
}

/** What a record has under a name before anything is put into it. */
const taken: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

/** Most tokens are what they are; these may be problems, unless they were written as words. */
const suspicious = new Set<TokenType>([And, Or, Not, BadEscape, Escape, StrayBrace, UnclosedBrace])

const problemOf = (token: IToken): Problem | undefined => {
  const { tokenType, image } = token
  if (tokenType === And || tokenType === Or || tokenType === Not) {
    return { kind: "other_sign", found: image, meant: tokenLabel(tokenType), span: spanOf(token) }
  }
  const badEscape = token.tokenType === BadEscape || (token.tokenType === Escape && !isCharacter(token.image))
  if (badEscape) return { kind: "bad_escape", found: token.image, span: spanOf(token) }
  if (token.tokenType === StrayBrace) return { kind: "stray_brace", span: spanOf(token) }
  if (token.tokenType === UnclosedBrace) return { kind: "unclosed_placeholder", span: spanOf(token) }
  return undefined
}

const placesOf = (text: string, tokens: readonly IToken[]): Place[] => {
  let at = 0
  let lineStart = 0
  let blank = true
  let indent = 0
  let inText = false
  return tokens.map((token) => {
    for (; at < token.startOffset; at++) {
      if (text[at] === "\n" || text[at] === "\r") {
        lineStart = at + 1
        blank = true
      } else if (text[at] !== " " && text[at] !== "\t") blank = false
    }
    const opensLine = blank && !inText
    if (opensLine) indent = at - lineStart
    if (opensText(token)) inText = true
    if (tokenMatcher(token, TextEnd)) inText = false
    return { opensLine, indent }
  })
}

/** Other white space than what may stand between tokens is a character of the comment. */
const commentOf = ({ image, startOffset: start }: IToken): Comment => {
  const text = image.replace(/[ \t]+$/, "")
  return { text, start, end: start + text.length }
}

/**
 * Never fails: what cannot be read becomes a problem. A triple-quoted text that is still open at the end of the file makes a
 * second try, in which indentation ends such texts, since else it would hide everything after it.
 */
export const lex = (text: string): Lexed => {
  const readable = text.startsWith("\uFEFF") ? ` ${text.slice(1)}` : text
  let result = plainLexer().tokenize(readable)
  let unclosed = unclosedTexts(result.tokens)
  if (unclosed.at(-1)?.opener.tokenType === TripleOpen) {
    result = cuttingLexer().tokenize(readable)
    unclosed = unclosedTexts(result.tokens)
  }
  const suspects: Problem[] = []
  for (const token of result.tokens) {
    if (token.tokenType === Identifier) {
      if (taken.has(token.image))
        suspects.push({ kind: "taken_name", found: token.image, span: spanOf(token) })
      const word = wordTypes.get(token.image)
      if (word === undefined) continue
      token.tokenType = word
      token.tokenTypeIdx = word.tokenTypeIdx!
    } else if (suspicious.has(token.tokenType)) {
      const problem = problemOf(token)
      if (problem !== undefined) suspects.push(problem)
    }
  }
  const cutOff: Span[] = unclosed.map(({ opener, cut }) => ({
    start: opener.startOffset,
    end: cut?.startOffset ?? readable.length,
  }))
  // In a text that ran on, a brace is more likely one that was meant to stand outside.
  const isBraceOfCutOff = ({ kind, span }: Problem): boolean =>
    (kind === "stray_brace" || kind === "unclosed_placeholder") &&
    cutOff.some(({ start, end }) => start <= span.start && span.end <= end)
  const problems: Problem[] = [
    ...result.errors.map(({ offset, length }): Problem => {
      const found = readable.slice(offset, offset + length)
      return { kind: "stray_character", found, span: { start: offset, end: offset + length } }
    }),
    ...unclosed.map(({ opener }): Problem => ({ kind: "unclosed_text", span: spanOf(opener) })),
    ...suspects.filter((problem) => !isBraceOfCutOff(problem)),
  ]
  let places: readonly Place[] | undefined
  return {
    tokens: result.tokens,
    get places() {
      places ??= placesOf(readable, result.tokens)
      return places
    },
    comments: (result.groups.comments ?? []).map(commentOf),
    problems,
    unclosed: cutOff,
  }
}
