/**
 * Going on after a syntax error. Chevrotain's own recovery stops at any token that may follow a rule, and since a keyword may
 * be a name nearly anywhere, that finds follow-up errors more often than the next field. So recovery here reads the layout:
 * an error costs the innermost *island* (a field, an arm, a hole), and parsing goes on where the next one starts.
 */
import {
  type CstNode,
  CstParser,
  type IParserErrorMessageProvider,
  type IToken,
  isRecognitionException,
  type ParserMethod,
  type TokenType,
  tokenLabel,
  tokenMatcher,
} from "chevrotain"
import { isKeyword, unexpected } from "./expected.ts"
import type { Lexed, Place } from "./lex.ts"
import { spanOf } from "./lex.ts"
import type { Problem } from "./problem.ts"
import type { Span } from "./source.ts"
import * as t from "./tokens.ts"

/** A `{ ... }` that holds entries; the file itself is the outermost. */
interface Body {
  readonly within: string
  /** Index of the first token of the construct that the body belongs to. */
  readonly owner: number
  readonly starts: readonly TokenType[]
}

/** What an error costs at most. */
interface Island {
  readonly start: number
  readonly within: string
}

const opening = [t.LCurly, t.LParen, t.LSquare]
const closing = [t.RCurly, t.RParen, t.RSquare]
/** After a keyword these show that it was a name: `target = top_wrong`. */
const afterNames = [
  t.Equals,
  t.In,
  t.Comma,
  t.Dot,
  t.RParen,
  t.RSquare,
  t.Comparison,
  t.Plus,
  t.Star,
  t.Slash,
]
const afterDeclaredName = [t.LCurly, t.Equals, t.LParen, t.Extends]

const firstOf = (paths: readonly TokenType[][]): string =>
  paths.flatMap((path) => path.slice(0, 1).map(({ name }) => name)).join(" ")

/** Chevrotain's messages are never shown: each is the names of the token types that were wanted. */
const wantedTypes: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected }) => expected.name,
  buildNotAllInputParsedMessage: () => "EOF",
  buildNoViableAltMessage: ({ expectedPathsPerAlt }) => firstOf(expectedPathsPerAlt.flat()),
  buildEarlyExitMessage: ({ expectedIterationPaths }) => firstOf(expectedIterationPaths),
}

const isSyntaxError = (error: unknown): error is Error =>
  error instanceof Error && isRecognitionException(error)

const isOneOf = (token: IToken | undefined, types: readonly TokenType[]): boolean =>
  token !== undefined && types.some((type) => tokenMatcher(token, type))

class OpenBrackets {
  private readonly closers: TokenType[] = []

  get none(): boolean {
    return this.closers.length === 0
  }

  get braces(): number {
    return this.closers.filter((type) => type === t.RCurly).length
  }

  /** A closing bracket closes what it matches and everything in it; one that matches nothing is passed over. */
  pass(token: IToken): void {
    const opened = opening.indexOf(token.tokenType)
    if (opened >= 0) this.closers.push(closing[opened]!)
    else if (closing.includes(token.tokenType)) {
      const matched = this.closers.lastIndexOf(token.tokenType)
      if (matched >= 0) this.closers.length = matched
    }
  }
}

export abstract class RecoveringParser extends CstParser {
  protected abstract readonly declarationStarts: readonly TokenType[]
  private found: Problem[] = []
  private tokens: readonly IToken[] = []
  private places: readonly Place[] = []
  private unclosed: readonly Span[] = []
  private lexicalProblems: readonly Problem[] = []
  private indices = new Map<number, number>()
  /** Open bodies, the file first. */
  private bodies: Body[] = [{ within: "file", owner: 0, starts: [] }]
  private islands: Island[] = []
  private lastReported = -1
  private resumedAt = -1

  constructor() {
    super(t.vocabulary, {
      recoveryEnabled: false,
      maxLookahead: 2,
      nodeLocationTracking: "onlyOffset",
      errorMessageProvider: wantedTypes,
    })
  }

  protected begin(lexed: Lexed): void {
    this.tokens = lexed.tokens
    this.places = lexed.places
    this.unclosed = lexed.unclosed
    this.lexicalProblems = lexed.problems
    this.indices = new Map(lexed.tokens.map((token, index) => [token.startOffset, index]))
    this.found = []
    this.bodies = [{ within: "file", owner: 0, starts: this.declarationStarts }]
    this.islands = []
    this.lastReported = -1
    this.resumedAt = -1
    this.input = [...lexed.tokens]
  }

  protected end(): readonly Problem[] {
    const found = this.found
    this.input = []
    return found
  }

  /** Index of the next token; the number of tokens at the end of the file. */
  private position(): number {
    return this.indices.get(this.LA(1).startOffset) ?? this.tokens.length
  }

  // ---------------------------------------------------------------- islands

  /** A rule whose errors cost no more than itself: an entry of a body, or a construct with a name of its own. */
  protected island(name: string, rule: () => void, construct?: string) {
    return this.RULE(name, () => {
      const start = this.position()
      const within = construct ?? this.innermost().within
      this.attempt(name, within, start, rule, () => this.nextEntry(start, this.position()))
    })
  }

  /** What is declared with a body: an error before its `{` still lets the body be read. */
  protected withBody(
    name: string,
    within: string,
    starts: readonly TokenType[],
    head: () => void,
    entry: () => void,
  ) {
    return this.RULE(name, () => {
      const start = this.position()
      this.attempt(name, within, start, head, () => this.bodyOrNextEntry(start))
      this.body({ rule: name, start }, within, starts, entry)
    })
  }

  /** The same for a declaration that may end before its body. */
  protected withOptionalBody(
    name: string,
    within: string,
    starts: readonly TokenType[],
    head: () => void,
    entry: () => void,
  ) {
    return this.RULE(name, () => {
      const start = this.position()
      this.attempt(name, within, start, head, () => this.bodyOrNextEntry(start))
      this.OPTION(() => this.body({ rule: name, start }, within, starts, entry))
    })
  }

  /** A text's `{...}`, which the lexer has found to be closed: an error in it costs nothing outside. */
  protected closedHole(name: string, within: string, inside: () => ParserMethod<[], CstNode>) {
    return this.RULE(name, () => {
      const start = this.position()
      this.CONSUME(t.HoleOpen)
      this.SUBRULE(inside())
      try {
        this.CONSUME(t.HoleClose)
      } catch (error) {
        if (!isSyntaxError(error)) throw error
        this.report(name, within, start, error)
        this.resumeAt(this.holeEnd())
        this.CONSUME(t.HoleClose)
      }
    })
  }

  protected insideHole(name: string, within: string, rule: () => void) {
    return this.RULE(name, () => {
      this.attempt(name, within, this.position(), rule, () => this.holeEnd())
    })
  }

  private attempt(name: string, within: string, start: number, rule: () => void, resume: () => number): void {
    this.islands.push({ start, within })
    try {
      rule()
    } catch (error) {
      if (!isSyntaxError(error)) throw error
      this.report(name, within, start, error)
      this.resumeAt(resume())
    } finally {
      this.islands.pop()
    }
  }

  /** `{`, entries that start with one of `starts`, `}`. `owner` is the rule whose start is the construct's. */
  private body(
    owner: { rule: string; start: number },
    within: string,
    starts: readonly TokenType[],
    entry: () => void,
  ): void {
    this.bodies.push({ within, owner: owner.start, starts })
    try {
      if (!this.open(owner, within)) return
      this.MANY({ GATE: () => this.entryAhead(), DEF: entry })
      this.close(within)
    } finally {
      this.bodies.pop()
    }
  }

  private open(owner: { rule: string; start: number }, within: string): boolean {
    try {
      this.CONSUME(t.LCurly)
      return true
    } catch (error) {
      if (!isSyntaxError(error)) throw error
      this.report(owner.rule, within, owner.start, error)
    }
    if (this.startsEntry(this.position()) && !this.belongsOutside(this.position())) return true
    this.resumeAt(this.bodyOrNextEntry(owner.start))
    if (!isOneOf(this.LA(1), [t.LCurly])) return false
    this.CONSUME(t.LCurly)
    return true
  }

  private close(within: string): void {
    try {
      this.CONSUME(t.RCurly)
    } catch (error) {
      if (!isSyntaxError(error)) throw error
      this.reportExpected([...this.innermost().starts, t.RCurly], within, this.innermost().owner)
    }
  }

  /** Elements with commas between, in brackets. A comma after the last is fine; a missing one costs no element. */
  protected list(
    name: string,
    [open, close]: readonly [TokenType, TokenType],
    element: () => ParserMethod<[], CstNode>,
  ) {
    return this.RULE(name, () => {
      const start = this.position()
      this.CONSUME(open)
      let segment = start + 1
      for (;;) {
        try {
          this.OPTION(() => {
            this.SUBRULE(element())
            this.MANY(() => {
              this.CONSUME(t.Comma)
              this.SUBRULE2(element())
            })
            this.OPTION2(() => this.CONSUME2(t.Comma))
          })
          this.CONSUME(close)
          return
        } catch (error) {
          if (!isSyntaxError(error)) throw error
          const island = this.islands.at(-1) ?? { start, within: "file" }
          const here = this.position()
          const read = [...this.tokens.slice(start, start + 1), ...this.tokens.slice(segment, here)]
          this.reportExpected(this.possibleAfter(name, read, error), island.within, island.start)
          segment = this.nextElement(island.start, close)
          if (segment === -1) return
          this.resumeAt(segment)
        }
      }
    })
  }

  /** Where a list goes on after an error: the element after the next comma, its closing bracket, or nowhere (-1). */
  private nextElement(islandStart: number, close: TokenType): number {
    const here = this.position()
    if (this.lacksComma(here)) return here
    const limit = this.nextEntry(islandStart, here)
    let depth = 0
    for (let index = here; index < limit; index++) {
      if (depth === 0 && isOneOf(this.tokens[index], [t.Comma])) return index + 1
      if (depth === 0 && isOneOf(this.tokens[index], [close])) return index
      if (isOneOf(this.tokens[index], [t.HoleClose])) return -1
      if (isOneOf(this.tokens[index], opening)) depth++
      else if (isOneOf(this.tokens[index], closing)) depth--
      if (depth < 0) return -1
    }
    return -1
  }

  /** Whether an element follows another with no comma between. */
  private lacksComma(index: number): boolean {
    return (
      isOneOf(this.tokens[index], [t.Word]) &&
      isOneOf(this.tokens[index - 1], [t.Word, t.NumberToken, t.RParen]) &&
      !this.belongsOutside(index) &&
      !(this.opensLine(index) && this.clearlyStartsEntry(index))
    )
  }

  /** The file is a body without braces. */
  protected topLevel(entry: () => void): void {
    this.MANY({ GATE: () => this.entryAhead(), DEF: entry })
  }

  // ---------------------------------------------------------------- where things start

  private innermost(): Body {
    return this.bodies.at(-1)!
  }

  private indent(index: number): number {
    return this.places[index]?.indent ?? 0
  }

  private opensLine(index: number): boolean {
    return this.places[index]?.opensLine ?? false
  }

  private startsEntry(index: number, body = this.innermost()): boolean {
    return isOneOf(this.tokens[index], body.starts)
  }

  /** Whether an entry starts here beyond doubt: a field's keyword that is no name, a name with `=` after it. */
  private clearlyStartsEntry(index: number, body = this.innermost()): boolean {
    if (!this.startsEntry(index, body)) return false
    const next = this.tokens[index + 1]
    return body.starts.includes(t.Word) ? isOneOf(next, [t.Equals]) : !isOneOf(next, afterNames)
  }

  private startsDeclaration(index: number): boolean {
    const token = this.tokens[index]
    if (!this.opensLine(index) || !isOneOf(token, this.declarationStarts)) return false
    if (token?.tokenType === t.Import) return isOneOf(this.tokens[index + 1], [t.LCurly])
    if (isOneOf(this.tokens[index + 1], [t.Word]) && isOneOf(this.tokens[index + 2], afterDeclaredName))
      return true
    const declaration = this.bodies[1]
    return (
      declaration !== undefined &&
      this.indent(index) <= this.indent(declaration.owner) &&
      !this.startsEntry(index)
    )
  }

  /** Whether what stands here belongs to a construct around the innermost body, which must then have lost its `}`. */
  private belongsOutside(index: number): boolean {
    if (this.bodies.length < 2) return false
    if (this.startsDeclaration(index)) return true
    const owner = this.innermost().owner
    return (
      this.opensLine(index) &&
      this.indent(index) <= this.indent(owner) &&
      this.bodies.slice(1, -1).some((body) => this.clearlyStartsEntry(index, body))
    )
  }

  /** The gate of a body's repetition. What stands there without being an entry is reported and passed over. */
  private entryAhead(): boolean {
    for (;;) {
      const here = this.position()
      const token = this.tokens[here]
      if (token === undefined || this.belongsOutside(here)) return false
      if (token.tokenType === t.RCurly && this.bodies.length > 1) return false
      if (this.startsEntry(here)) return true
      this.reportStray(here)
      this.resumeAt(token.tokenType === t.RCurly ? here + 1 : this.nextEntry(here, here + 1))
    }
  }

  /** Where to go on after an error at `from` in the entry of the innermost body that starts at `start`. */
  private nextEntry(start: number, from: number): number {
    const open = new OpenBrackets()
    for (let index = start; index < from; index++) open.pass(this.tokens[index]!)
    let index = Math.max(from, start + 1)
    for (; index < this.tokens.length; index++) {
      if (this.endsEntry(index, start, open)) break
      open.pass(this.tokens[index]!)
    }
    return index
  }

  /** Brackets tell where an entry ends unless one is missing, and then the layout does. */
  private endsEntry(index: number, start: number, open: OpenBrackets): boolean {
    const closes = isOneOf(this.tokens[index], [t.RCurly])
    if (closes && open.braces === 0 && this.bodies.length > 1) return true
    if (!this.opensLine(index)) {
      return !this.opensLine(start) && open.none && this.clearlyStartsEntry(index)
    }
    if (this.startsDeclaration(index) || this.belongsOutside(index)) return true
    if (this.indent(index) > this.indent(start)) return false
    if (closes) return this.indent(index) < this.indent(start) && this.lacksBrace(index, open)
    return open.none || this.clearlyStartsEntry(index)
  }

  /** Whether too few braces are left, up to the next declaration, to close all that are open. */
  private lacksBrace(from: number, open: OpenBrackets): boolean {
    let needed = open.braces + this.bodies.length - 1
    for (let index = from; index < this.tokens.length && needed > 0; index++) {
      if (this.startsDeclaration(index)) break
      if (isOneOf(this.tokens[index], [t.LCurly])) needed++
      else if (isOneOf(this.tokens[index], [t.RCurly])) needed--
    }
    return needed > 0
  }

  private bodyOrNextEntry(start: number): number {
    const next = this.nextEntry(start, this.position())
    for (let index = this.position(); index < next; index++) {
      if (isOneOf(this.tokens[index], [t.LCurly])) return index
    }
    return next
  }

  private holeEnd(): number {
    let index = this.position()
    while (index < this.tokens.length && this.tokens[index]?.tokenType !== t.HoleClose) index++
    return index
  }

  private resumeAt(index: number): void {
    while (this.position() < index) this.SKIP_TOKEN()
    this.resumedAt = index
  }

  // ---------------------------------------------------------------- reports

  /** Reports the next token as unexpected in the rule that started at `start`. */
  private report(rule: string, within: string, start: number, error: Error): void {
    const read = this.tokens.slice(start, this.position())
    this.reportExpected(this.possibleAfter(rule, read, error), within, start)
  }

  /** What could follow these tokens in a rule; where an error was passed over among them, what the parser says it wanted. */
  private possibleAfter(rule: string, read: IToken[], error: Error): TokenType[] {
    const possible = this.computeContentAssist(rule, read).map(({ nextTokenType }) => nextTokenType)
    if (possible.length > 0) return possible
    return error.message.split(" ").flatMap((name) => t.vocabulary.find((type) => type.name === name) ?? [])
  }

  /** Something stands in a body that is no entry of it; a word there was meant as one. */
  private reportStray(index: number): void {
    const { within, starts } = this.innermost()
    const token = this.tokens[index]
    const keywords = starts.filter(isKeyword)
    const span = this.spanAt(index)
    if (token !== undefined && tokenMatcher(token, t.Word) && keywords.length > 0) {
      const expected = keywords.map(tokenLabel)
      this.add({ kind: "unknown_keyword", found: token.image, expected, within, span }, index)
    } else {
      const expected = this.bodies.length > 1 ? [...starts, t.RCurly] : starts
      this.add(unexpected({ token, span, expected, within, mayBeMisspelt: false }), index)
    }
  }

  private reportExpected(expected: readonly TokenType[], within: string, start: number): void {
    const here = this.position()
    if (here === this.resumedAt || this.isConsequence(start, here)) return
    const mayBeMisspelt = !this.opensLine(here)
    const token = this.tokens[here]
    this.add(unexpected({ token, span: this.spanAt(here), expected, within, mayBeMisspelt }), here)
  }

  /** At most one problem for a place: what follows from an error at the same token is no error of its own. */
  private add(problem: Problem, index: number): void {
    if (index === this.lastReported) return
    this.lastReported = index
    this.found.push(problem)
  }

  /** Whether the lexer has already named the cause: a character it left out just before, an unclosed text that ate a bracket. */
  private isConsequence(start: number, here: number): boolean {
    const from = this.tokens[here - 1] === undefined ? 0 : spanOf(this.tokens[here - 1]!).end
    const to = this.tokens[here]?.startOffset ?? Number.POSITIVE_INFINITY
    const first = this.tokens[start]?.startOffset ?? 0
    return (
      this.lexicalProblems.some(
        ({ kind, span }) => kind === "stray_character" && span.start >= from && span.end <= to,
      ) || this.unclosed.some((text) => text.start >= first && text.start < to)
    )
  }

  private spanAt(index: number): Span {
    const token = this.tokens[index]
    if (token !== undefined) return spanOf(token)
    const last = this.tokens.at(-1)
    const end = last === undefined ? 0 : spanOf(last).end
    return { start: end, end }
  }
}
