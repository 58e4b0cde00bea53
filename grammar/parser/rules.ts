/** The kinds of rules that the grammar is made of: entries, bodies, lists, holes. Each goes on after an error in its own way. */
import type { CstNode, IOrAlt, ParserMethod, TokenType } from "chevrotain"
import { isOneOf } from "../landmarks.ts"
import { type Island, RecoveringParser } from "../recovery.ts"
import * as t from "../tokens.ts"

export const braces = [t.LCurly, t.RCurly] as const
export const parentheses = [t.LParen, t.RParen] as const
export const squares = [t.LSquare, t.RSquare] as const

export abstract class RuleParser extends RecoveringParser {
  /** One of these rules, as the entry of a body. The alternatives are made once, not at every entry. */
  protected oneOf(rules: () => readonly ParserMethod<[], CstNode>[]): () => void {
    let alternatives: IOrAlt<CstNode>[] | undefined
    return () => {
      alternatives ??= rules().map((rule) => ({ ALT: () => this.SUBRULE(rule) }))
      this.OR9({ MAX_LOOKAHEAD: 1, DEF: alternatives })
    }
  }

  /** A rule whose errors cost no more than itself: an entry of a body, or a construct with a name of its own. */
  protected island(rule: string, parse: () => void, construct?: string) {
    return this.RULE(rule, () => {
      const start = this.position()
      const island = { rule, within: construct ?? this.marks.innermost.within, start }
      const complete = this.attempt(island, parse, () => this.marks.nextEntry(start, this.position()))
      this.lastEntry = complete ? { rule, within: island.within, start, end: this.position() } : undefined
    })
  }

  /** What is declared with a body: an error before its `{` still lets the body be read. */
  protected withBody(
    rule: string,
    within: string,
    starts: readonly TokenType[],
    head: () => void,
    entry: () => void,
  ) {
    return this.RULE(rule, () => {
      const island = this.headOf(rule, within, head)
      this.body(island, starts, entry)
    })
  }

  /** The same for a declaration that may end before its body. */
  protected withOptionalBody(
    rule: string,
    within: string,
    starts: readonly TokenType[],
    head: () => void,
    entry: () => void,
  ) {
    return this.RULE(rule, () => {
      const island = this.headOf(rule, within, head)
      this.OPTION(() => this.body(island, starts, entry))
    })
  }

  /** A body alone, for what an entry ends with. */
  protected bodyOnly(rule: string, within: string, starts: readonly TokenType[], entry: () => void) {
    return this.RULE(rule, () => this.body({ rule, within, start: this.position() }, starts, entry))
  }

  private headOf(rule: string, within: string, head: () => void): Island {
    // A container is a framing by another name, and is called by it.
    const called = isOneOf(this.LA(1), [t.Container]) ? "container" : within
    const island = { rule, within: called, start: this.position() }
    this.attempt(island, head, () => this.marks.bodyOrNextEntry(island.start, this.position()))
    return island
  }

  /** A text's `{...}`, which the lexer has found to be closed: an error in it costs nothing outside. */
  protected closedHole(rule: string, within: string, inside: () => ParserMethod<[], CstNode>) {
    return this.RULE(rule, () => {
      const start = this.position()
      this.CONSUME(t.HoleOpen)
      this.SUBRULE(inside())
      try {
        this.CONSUME(t.HoleClose)
      } catch (error) {
        this.report({ rule, within, start }, error)
        this.resumeAt(this.marks.holeEnd(this.position()))
        this.CONSUME(t.HoleClose)
      }
    })
  }

  protected insideHole(rule: string, within: string, parse: () => void) {
    return this.RULE(rule, () => {
      const island = { rule, within, start: this.position() }
      this.attempt(island, parse, () => this.marks.holeEnd(this.position()))
    })
  }

  /**
   * Elements with commas between, in brackets. A comma after the last is fine; a missing one costs no element. `isOutside` says of a
   * token ahead, counted from 1, that it belongs to what is around the list, which must then have lost its bracket.
   */
  protected list(
    rule: string,
    [open, close]: readonly [TokenType, TokenType],
    element: () => ParserMethod<[], CstNode>,
    isOutside: (ahead: number) => boolean = () => false,
  ) {
    const next = {
      GATE: () => !isOutside(2),
      DEF: () => {
        this.CONSUME(t.Comma)
        this.SUBRULE2(element())
      },
    }
    const comma = { GATE: next.GATE, DEF: () => this.CONSUME2(t.Comma) }
    const elements = () => {
      this.SUBRULE(element())
      this.MANY(next)
      this.OPTION2(comma)
    }
    return this.RULE(rule, () => {
      const start = this.position()
      this.CONSUME(open)
      for (let from: number | undefined = start + 1; from !== undefined; ) {
        try {
          this.OPTION(elements)
          const outside = (isOneOf(this.LA(1), [t.Comma]) ? [1, 2] : [1]).find(isOutside)
          if (outside !== undefined && !this.RECORDING_PHASE) {
            this.reports.unclosed(
              this.position() + outside - 1,
              start,
              close,
              this.islands.at(-1)?.within ?? "file",
            )
            return
          }
          this.CONSUME(close)
          return
        } catch (error) {
          from = this.afterListError(rule, [start, from], close, error)
        }
      }
    })
  }

  /** The file is a body without braces. */
  protected topLevel(entry: () => void): void {
    this.MANY({ GATE: () => this.entryAhead(), DEF: entry })
  }
}
