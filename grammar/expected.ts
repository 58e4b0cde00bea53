/** What could have stood at an error, and what stood there, in words for a person. */
import {
  EOF,
  type IParserErrorMessageProvider,
  type IToken,
  type TokenType,
  tokenLabel,
  tokenMatcher,
} from "chevrotain"
import type { Problem } from "./problem.ts"
import type { Span } from "./source.ts"
import * as t from "./tokens.ts"

/** Going on with an expression is possible nearly everywhere; saying so would bury what was forgotten. */
const continuations = new Set<TokenType>([
  ...[t.And, t.Or, t.Comparison, t.Plus, t.Minus, t.Star, t.Slash, t.Dot, t.LParen, t.LSquare],
  ...[t.Is, t.In, t.Except],
])
const expressionStarts = [t.Word, t.NumberToken, t.TextOpen, t.LParen, t.LSquare]

/** Without what goes on with an expression, if one can end here and something else is possible. */
export const withoutContinuations = (types: readonly TokenType[]): readonly TokenType[] => {
  if (!types.includes(t.Or)) return types
  const needed = types.filter((type) => !continuations.has(type))
  return needed.length > 0 ? needed : types
}

const words = new Map<TokenType, string>([
  [t.Word, "a name"],
  [t.NumberToken, "a number"],
  [t.TextOpen, "a text"],
  [t.PatternOpen, "a regular expression in quotes"],
  [EOF, "the end of the file"],
  // A comparison of values; where a column is given a level only `!=` stands beside `=`, as `describeExpected` says.
  [t.Comparison, "a comparison such as `==`"],
  [t.TextEnd, "the end of a text"],
  [t.Characters, "a text"],
  [t.PatternCharacters, "a regular expression"],
  [t.HoleOpen, "a placeholder"],
])

export const isKeyword = (type: TokenType): boolean =>
  type !== t.Identifier && (type.CATEGORIES ?? []).includes(t.Word)

/** What a token is to a person: its own words or signs, or what kinds of words there are; never its name in the grammar. */
export const describeType = (type: TokenType): string => words.get(type) ?? `\`${tokenLabel(type)}\``

/** A short list without repetition. */
const describeExpected = (types: readonly TokenType[]): string[] => {
  const possible = new Set(types)
  const described: string[] = []
  if (expressionStarts.every((type) => possible.has(type))) {
    for (const type of [...expressionStarts, t.Minus, t.Not]) possible.delete(type)
    described.push("an expression")
  }
  const needed = withoutContinuations([...possible]).filter((type) => !tokenIsInsideText(type))
  const isFilter = possible.has(t.Comparison) && !possible.has(t.Or)
  const inWords = needed.map((type) => (isFilter && type === t.Comparison ? "`!=`" : describeType(type)))
  return [...new Set([...described, ...inWords])]
}

const tokenIsInsideText = (type: TokenType): boolean =>
  type === t.Characters || type === t.HoleOpen || type === t.TextEnd

const describeFound = (token: IToken | undefined): string => {
  if (token === undefined || token.tokenType === EOF) return "the end of the file"
  if (tokenMatcher(token, t.TextOpen) || token.tokenType === t.PatternOpen) return "a text"
  return `\`${token.image}\``
}

export interface Unexpected {
  readonly token: IToken | undefined
  readonly span: Span
  readonly expected: readonly TokenType[]
  readonly within: string
  /** What a name would stand for here, where that is known: "the name of a measure". */
  readonly noun?: string | undefined
  /** Whether the token may be a keyword gone wrong: it stands where a keyword should, on the line where it should. */
  readonly mayBeMisspelt: boolean
}

export const unexpected = (about: Unexpected): Problem => {
  const { token, span, expected, within, noun, mayBeMisspelt } = about
  const needed = withoutContinuations(expected)
  if (mayBeMisspelt && token?.tokenType === t.Identifier && needed.length > 0 && needed.every(isKeyword)) {
    return {
      kind: "unknown_keyword",
      found: token.image,
      expected: needed.map(tokenLabel),
      besides: [],
      within,
      span,
    }
  }
  return {
    kind: "unexpected",
    found: describeFound(token),
    expected: describeExpected(expected)
      .map((each) => (each === "a name" ? (noun ?? each) : each))
      // A word that is one of those that the noun lists.
      .filter((each) => each === noun || noun?.includes(each) !== true),
    within,
    span,
  }
}

/** What a name stands for at the end of these tokens of a table or a figure, whose clauses are mostly names. */
export const nounAfter = (within: string, tokensBefore: () => readonly IToken[]): string | undefined => {
  if (within !== "figure" && within !== "table") return undefined
  const before = tokensBefore()
  if (within === "figure" && before[3]?.tokenType === t.Forest) return "the name of a contrast"
  if (within === "figure" && before.length === 3) {
    return "`bar`, `dot`, `line`, `matrix`, `distribution` or `forest`"
  }
  if (within === "figure" && before.length === 4) return "the name of a measure"
  const clause = before.findLast(({ tokenType }) => clauses.has(tokenType) && tokenType !== t.Word)
  return clause && clauses.get(clause.tokenType)
}

const clauses = new Map<TokenType, string>([
  [t.By, "the name of a column"],
  [t.Color, "the name of a column"],
  [t.Facet, "the name of a column"],
  [t.Rows, "the name of a column"],
  [t.Columns, "the name of a measure"],
])

const firstOf = (paths: readonly TokenType[][]): string =>
  paths.flatMap((path) => path.slice(0, 1).map(({ name }) => name)).join(" ")

/** Chevrotain's messages are never shown: each is the names of the token types that were wanted. */
export const wantedTypes: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected }) => expected.name,
  buildNotAllInputParsedMessage: () => "EOF",
  buildNoViableAltMessage: ({ expectedPathsPerAlt }) => firstOf(expectedPathsPerAlt.flat()),
  buildEarlyExitMessage: ({ expectedIterationPaths }) => firstOf(expectedIterationPaths),
}

export const wantedBy = (error: Error): TokenType[] =>
  error.message.split(" ").flatMap((name) => t.vocabulary.find((type) => type.name === name) ?? [])
