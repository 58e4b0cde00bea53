/** The problems that parsing finds: one for each error, none for what merely follows from another. */
import { EOF, type IToken, type TokenType, tokenLabel, tokenMatcher } from "chevrotain"
import { isKeyword, nounAfter, unexpected, withoutContinuations } from "./expected.ts"
import { closing, isOneOf, opening } from "./landmarks.ts"
import type { Lexed } from "./lex.ts"
import { spanOf } from "./lex.ts"
import type { Problem } from "./problem.ts"
import type { Span } from "./source.ts"
import * as t from "./tokens.ts"

export class Reports {
  readonly problems: Problem[] = []
  private readonly lexed: Lexed
  private last = -1
  private resumedAt = -1

  constructor(lexed: Lexed) {
    this.lexed = lexed
  }

  /** Parsing goes on at this token: if it does not fit there, the error before it is why. */
  resume(index: number): void {
    this.resumedAt = index
  }

  /** The token does not fit; `start` is that of the entry it stands in. */
  unexpected(index: number, expected: readonly TokenType[], within: string, start: number): void {
    if (index === this.resumedAt || this.isConsequence(start, index)) return
    const token = this.lexed.tokens[index]
    if (token?.tokenType === t.Not && this.lexed.tokens[index - 1]?.tokenType === t.Is) {
      this.add(this.isNot(index), index)
      return
    }
    const mayBeMisspelt = !(this.lexed.places[index]?.opensLine ?? true)
    const noun = nounAfter(within, () => this.lexed.tokens.slice(start, index))
    const problem = unexpected({ token, span: this.spanAt(index), expected, within, noun, mayBeMisspelt })
    const opened = this.unclosedAt(index, expected, start)
    if (problem.kind !== "unexpected") this.add(problem, index)
    else if (opened !== undefined) this.add({ ...problem, opened }, index)
    else this.add({ ...problem, ...this.endsBefore(index, expected, start) }, index)
  }

  /** `x is not value`, at its `not`: what is meant stands around the whole. */
  private isNot(index: number): Problem {
    const [subject, is, not, state] = [-2, -1, 0, 1].map((away) => this.lexed.tokens[index + away])
    const around = (token: IToken | undefined, otherwise: string): string =>
      isOneOf(token, [t.Word]) ? token!.image : otherwise
    const meant = `not (${around(subject, "...")} is ${around(state, "value")})`
    return {
      kind: "other_sign",
      found: "is not",
      meant,
      span: { start: spanOf(is!).start, end: spanOf(not!).end },
    }
  }

  /** The end of the line where a construct lacks something, when what follows on a later line is no part of it. */
  private endsBefore(index: number, expected: readonly TokenType[], start: number) {
    const before = this.lexed.tokens[index - 1]
    const continuesLine = !(this.lexed.places[index]?.opensLine ?? false)
    if (before === undefined || index <= start || continuesLine || canEnd(expected)) return undefined
    const { end } = spanOf(before)
    return { span: { start: end, end }, ends: true }
  }

  /** What stands at a token belongs to what is around the bracket at `open`, which should have been closed before. */
  unclosed(index: number, open: number, close: TokenType, within: string): void {
    const token = this.lexed.tokens[index]
    const mayBeMisspelt = false
    const problem = unexpected({ token, span: this.spanAt(index), expected: [close], within, mayBeMisspelt })
    this.add(problem.kind === "unexpected" ? { ...problem, opened: this.spanAt(open) } : problem, index)
  }

  /** The bracket that is open at a token and should be closed there: what stands on its line shows itself. */
  private unclosedAt(index: number, expected: readonly TokenType[], start: number): Span | undefined {
    const opensLine = this.lexed.places[index]?.opensLine ?? true
    if (!opensLine || !closing.some((type) => expected.includes(type))) return undefined
    const open: IToken[] = []
    for (const token of this.lexed.tokens.slice(start, index)) {
      if (opening.includes(token.tokenType)) open.push(token)
      else if (closing.includes(token.tokenType)) open.pop()
    }
    const last = open.at(-1)
    const close = last === undefined ? undefined : closing[opening.indexOf(last.tokenType)]
    return last !== undefined && close !== undefined && expected.includes(close) ? spanOf(last) : undefined
  }

  /** Something stands in a body that is no entry of it; a word there was meant as one. */
  stray(index: number, starts: readonly TokenType[], within: string): void {
    const token = this.lexed.tokens[index]
    const keywords = withoutContinuations(starts).filter(isKeyword)
    const span = this.spanAt(index)
    if (token !== undefined && tokenMatcher(token, t.Word) && keywords.length > 0) {
      const expected = keywords.map(tokenLabel)
      const besides = [
        ...(starts.includes(t.TextOpen) ? ["a text"] : []),
        ...(starts.includes(t.Word) ? ["a name with `=`"] : []),
      ]
      this.add({ kind: "unknown_keyword", found: token.image, expected, besides, within, span }, index)
    } else {
      const expected = within === "file" ? starts : [...starts, t.RCurly]
      this.add(unexpected({ token, span, expected, within, mayBeMisspelt: false }), index)
    }
  }

  /** Whether the last problem is that of this place. */
  isTold(index: number): boolean {
    return index === this.last
  }

  /** At most one problem for a place. */
  protected add(problem: Problem, index: number): void {
    if (index === this.last) return
    this.last = index
    this.problems.push(problem)
  }

  /** Whether the lexer has named the cause: a character it left out just before, an unclosed text that ate a bracket. */
  private isConsequence(start: number, index: number): boolean {
    const tokens: readonly (IToken | undefined)[] = this.lexed.tokens
    const before = tokens[index - 1]
    const from = before === undefined ? 0 : spanOf(before).end
    const to = tokens[index]?.startOffset ?? Number.POSITIVE_INFINITY
    const first = tokens[start]?.startOffset ?? 0
    const leftOut = this.lexed.problems.some(
      ({ kind, span }) => kind === "stray_character" && span.start >= from && span.end <= to,
    )
    return leftOut || this.lexed.unclosed.some((text) => text.start >= first && text.start < to)
  }

  /** The end of the last token stands for the end of the file. */
  private spanAt(index: number): Span {
    const token = this.lexed.tokens[index]
    if (token !== undefined) return spanOf(token)
    const last = this.lexed.tokens.at(-1)
    const end = last === undefined ? 0 : spanOf(last).end
    return { start: end, end }
  }
}

/** Whether what was read may be complete, so that rather what follows is wrong. */
const canEnd = (expected: readonly TokenType[]): boolean =>
  expected.length === 0 || expected.some((type) => type === EOF || closing.includes(type))

export class Unsound extends Error {}

/** For a try that ends at the first error. */
export class FirstReport extends Reports {
  protected override add(): void {
    throw new Unsound()
  }
}
