/**
 * Going on after a syntax error. Chevrotain's own recovery stops at any token that may follow a rule, which with contextual
 * keywords finds follow-up errors more often than the next field. Here an error costs the innermost *island* (a field, an
 * arm, a hole, an element of a list), and parsing goes on at the next landmark.
 */
import {
  type CstNode,
  CstParser,
  type IToken,
  isRecognitionException,
  NoViableAltException,
  type TokenType,
} from "chevrotain"
import { NOWHERE, prune } from "./cst.ts"
import { wantedBy, wantedTypes } from "./expected.ts"
import { isOneOf, Landmarks, opening } from "./landmarks.ts"
import { type Lexed, lex } from "./lex.ts"
import type { Problem } from "./problem.ts"
import { FirstReport, Reports, Unsound } from "./reports.ts"
import * as t from "./tokens.ts"

export interface Island {
  readonly rule: string
  readonly within: string
  /** Index of its first token. */
  readonly start: number
}

const deepest = 64

/** After how many tokens it is still looked for what could follow: the time for it grows with their square, and with how deep they nest. */
const assisted = 300

const isSyntaxError = (error: unknown): error is Error =>
  error instanceof Error && isRecognitionException(error)

export abstract class RecoveringParser extends CstParser {
  abstract readonly declarationStarts: readonly TokenType[]
  protected marks = new Landmarks([], [], [])
  protected reports = new Reports(lex(""))
  protected islands: Island[] = []
  /** By where they stand, since what is given back is read twice. */
  private slips = new Map<number, Problem>()
  /** How deep what is being read nests. */
  protected depth = 0
  /** The entry that was read last, and the token after it. */
  protected lastEntry: (Island & { readonly end: number }) | undefined
  /** Entries that were read to their end before they showed to be wrong. */
  private disowned: Island[] = []
  /** Chevrotain's own, missing from its types: the index of the last token that was consumed, and the nodes that are being made. */
  declare private importLexerState: (index: number) => void
  declare private exportLexerState: () => number
  declare private CST_STACK: CstNode[]

  /** Checking the grammar itself takes longer than reading a file with it: the tests do it, once. */
  constructor(skipValidations: boolean) {
    super(t.vocabulary, {
      skipValidations,
      recoveryEnabled: false,
      maxLookahead: 2,
      nodeLocationTracking: "onlyOffset",
      errorMessageProvider: wantedTypes,
    })
  }

  /**
   * Runs the rule for whole files. A file without errors means the same in any layout: only after the first error does a second
   * try look at lines and indentation.
   */
  protected run(lexed: Lexed, file: () => CstNode): { tree: CstNode; problems: readonly Problem[] } {
    const sound = lexed.problems.length === 0 ? this.soundTree(lexed, file) : undefined
    if (sound !== undefined) return { tree: sound, problems: [...this.slips.values()] }
    const tree = this.runOnce(
      lexed,
      file,
      new Landmarks(lexed.tokens, lexed.places, this.declarationStarts),
      new Reports(lexed),
    )
    const disowned = new Set(
      this.disowned.map(({ rule, start }) => `${rule} ${lexed.tokens[start]?.startOffset}`),
    )
    if (disowned.size > 0)
      prune(tree, ({ name, location }) => disowned.has(`${name} ${location?.startOffset}`))
    return { tree, problems: [...this.reports.problems, ...this.slips.values()] }
  }

  private soundTree(lexed: Lexed, file: () => CstNode): CstNode | undefined {
    const marks = new Landmarks(lexed.tokens, [], this.declarationStarts)
    try {
      return this.runOnce(lexed, file, marks, new FirstReport(lexed))
    } catch (error) {
      if (error instanceof Unsound) return undefined
      throw error
    }
  }

  private runOnce(lexed: Lexed, file: () => CstNode, marks: Landmarks, reports: Reports): CstNode {
    this.marks = marks
    this.reports = reports
    this.islands = []
    this.lastEntry = undefined
    this.disowned = []
    this.slips = new Map()
    this.depth = 0
    this.input = [...lexed.tokens]
    try {
      return file()
    } finally {
      this.input = []
    }
  }

  /** Something that is read as what it must mean, and reported. */
  protected slip(problemOf: () => Problem): void {
    if (this.RECORDING_PHASE) return
    const problem = problemOf()
    this.slips.set(problem.span.start, problem)
  }

  /** Index of the next token; the number of tokens at the end of the file. */
  protected position(): number {
    return Math.min(this.exportLexerState() + 1, this.marks.tokens.length)
  }

  protected resumeAt(index: number): void {
    while (this.position() < index) this.SKIP_TOKEN()
    this.reports.resume(index)
  }

  /** Whether what nests may nest once more. Beyond, the error is the file's, not a full stack. */
  protected get mayNest(): boolean {
    return this.depth < deepest
  }

  protected nested(rule: () => void): void {
    const { depth } = this
    this.depth++
    try {
      rule()
    } finally {
      this.depth = depth
    }
  }

  /** Where nothing may nest any more, what would is as wrong as a sign that starts no operand. */
  protected limitNesting(): void {
    const next = this.LA(1)
    if (this.mayNest || this.RECORDING_PHASE || !isOneOf(next, opening)) return
    throw new NoViableAltException(t.Word.name, next, this.LA(0))
  }

  // ---------------------------------------------------------------- the concrete tree

  /**
   * Instead of Chevrotain's own, called when a rule starts: it gives each node a dictionary, which takes several times as long to fill and
   * to read as a record. Labels are the grammar's, so that a record will do.
   */
  protected cstInvocationStateUpdate(name: string): void {
    const start = this.LA(1).startOffset
    this.CST_STACK.push({ name, children: {}, location: { startOffset: start, endOffset: start } })
  }

  /** Instead of Chevrotain's own, called when a rule ends. What holds no token starts before the text. */
  protected cstPostRuleOnlyOffset({ location }: CstNode): void {
    const last = this.LA(0)
    if (location === undefined) return
    if (location.startOffset <= last.startOffset)
      location.endOffset = last.startOffset + last.image.length - 1
    else location.startOffset = NOWHERE
  }

  // ---------------------------------------------------------------- what rules do on errors

  /** Whether the rule was parsed without an error of its own. */
  protected attempt(island: Island, parse: () => void, resume: () => number): boolean {
    this.islands.push(island)
    try {
      parse()
      return true
    } catch (error) {
      const swallowed = this.marks.swallowedEntry(island.start, this.position())
      if (swallowed !== undefined) this.importLexerState(swallowed - 1)
      this.report(island, error)
      this.resumeAt(resume())
      return false
    } finally {
      this.islands.pop()
    }
  }

  protected body(owner: Island, starts: readonly TokenType[], entry: () => void): void {
    this.marks.bodies.push({ within: owner.within, owner: owner.start, starts })
    try {
      const opened = this.open(owner)
      if (opened === undefined) return
      this.MANY({ GATE: () => this.entryAhead(), DEF: entry })
      // Braces that are both missing are one mistake.
      if (opened || this.marks.closes(this.position(), owner.start)) this.close(owner)
    } finally {
      this.marks.bodies.pop()
      this.lastEntry = undefined
    }
  }

  /** Whether there is a `{`; undefined where there is no body either. */
  private open(owner: Island): boolean | undefined {
    try {
      this.CONSUME(t.LCurly)
      return true
    } catch (error) {
      this.report(owner, error)
    }
    const here = this.position()
    if (this.marks.startsEntry(here) && !this.marks.belongsOutside(here)) return false
    this.resumeAt(this.marks.bodyOrNextEntry(owner.start, here))
    if (!isOneOf(this.LA(1), [t.LCurly])) return undefined
    this.CONSUME(t.LCurly)
    return true
  }

  private close({ within, start }: Island): void {
    try {
      this.CONSUME(t.RCurly)
    } catch (error) {
      if (!isSyntaxError(error)) throw error
      const expected = [...this.marks.innermost.starts, t.RCurly]
      this.reports.unexpected(this.position(), expected, within, start)
    }
  }

  /** The gate of a body's repetition. What stands there without being an entry is reported and passed over. */
  protected entryAhead(): boolean {
    for (;;) {
      const here = this.position()
      const token = this.marks.tokens[here]
      if (token === undefined || this.marks.belongsOutside(here)) return false
      if (token.tokenType === t.RCurly && this.marks.bodies.length > 1) return false
      if (this.marks.startsEntry(here)) return true
      if (this.releaseSwallowed(here)) return true
      const { within, starts } = this.marks.innermost
      this.reports.stray(here, [...this.possibleOnLine(here), ...starts], within)
      this.resumeAt(token.tokenType === t.RCurly ? here + 1 : this.marks.nextEntry(here, here + 1))
    }
  }

  /** How the entry that ends here could go on, if what stands here shares its line and so may have been meant for it. */
  private possibleOnLine(here: number): TokenType[] {
    const entry = this.lastEntry
    if (entry === undefined || entry.end !== here || this.marks.opensLine(here)) return []
    return this.possibleAfter(entry.rule, this.marks.tokens.slice(entry.start, here))
  }

  /** When the last entry took the start of the next for a part of itself, goes back to there. */
  private releaseSwallowed(here: number): boolean {
    const entry = this.lastEntry
    if (entry === undefined || entry.end !== here) return false
    const swallowed = this.marks.swallowedEntry(entry.start, here)
    if (swallowed === undefined) return false
    this.importLexerState(swallowed - 1)
    const read = this.marks.tokens.slice(entry.start, swallowed)
    this.reports.unexpected(swallowed, this.possibleAfter(entry.rule, read), entry.within, entry.start)
    this.disowned.push(entry)
    this.lastEntry = undefined
    return true
  }

  /** Where a list that starts at `start`, and was last taken up at `from`, goes on. */
  protected afterListError(
    rule: string,
    [start, from]: readonly [number, number],
    close: TokenType,
    error: unknown,
  ): number | undefined {
    const island = this.islands.at(-1) ?? { within: "file", start }
    const here = this.position()
    const unseen = from === start + 1 ? island.start + 1 : from
    const swallowed = this.marks.swallowedEntry(island.start, here, unseen) !== undefined
    if (!isSyntaxError(error) || swallowed) throw error
    const possible = this.possibleInList(rule, [start, from], close)
    this.reports.unexpected(here, possible, island.within, island.start)
    const next = this.marks.nextElement(island.start, here, close, possible.includes(t.Comma))
    if (next !== undefined) this.resumeAt(next)
    return next
  }

  /**
   * What could stand here in a list. Where a list within it has told of the same place, its end is enough: all the lists around one would
   * go through what they hold again, and with many of them that takes long.
   */
  private possibleInList(
    rule: string,
    [start, from]: readonly [number, number],
    close: TokenType,
  ): readonly TokenType[] {
    const here = this.position()
    const ends = [t.Comma, close]
    if (this.reports.isTold(here) || here - from > assisted) return ends
    const read = [...this.marks.tokens.slice(start, start + 1), ...this.marks.tokens.slice(from, here)]
    const possible = this.possibleAfter(rule, read)
    return possible.length > 0 ? possible : ends
  }

  /** Reports the next token as unexpected in an island; throws on what is no syntax error. */
  protected report({ rule, within, start }: Island, error: unknown): void {
    if (!isSyntaxError(error)) throw error
    const here = this.position()
    const possible = this.possibleAfter(rule, this.marks.tokens.slice(start, here))
    // Nothing is possible after tokens among which an error was passed over; then the parser says what it wanted last.
    const wanted = wantedBy(error)
    this.reports.unexpected(here, possible.length > 0 ? possible : wanted, within, start)
  }

  private possibleAfter(rule: string, read: IToken[]): TokenType[] {
    if (read.length > assisted) return []
    const possible = this.computeContentAssist(rule, read).map(({ nextTokenType }) => nextTokenType)
    // What is read as something else, and reported, is not what should stand there: a single `=` between values, levels after `=`.
    // Behind the name of a column in brackets `=` is the sign that belongs there: no expression goes on, so that `or` cannot stand there.
    const isSlip = (type: TokenType): boolean =>
      (type === t.Equals && possible.includes(t.Comparison) && possible.includes(t.Or)) ||
      (type === t.LCurly && possible.includes(t.LParen) && possible.includes(t.NumberToken))
    return possible.filter((type) => !isSlip(type))
  }
}
