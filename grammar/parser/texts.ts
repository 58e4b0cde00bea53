/** Names, quoted texts and what stands in their braces, regular expressions. */
import type { CstNode, ParserMethod } from "chevrotain"
import * as t from "../tokens.ts"
import { parentheses, RuleParser } from "./rules.ts"

export abstract class TextParser extends RuleParser {
  protected abstract readonly expression: ParserMethod<[], CstNode>

  protected readonly name = this.RULE("name", () => {
    this.CONSUME(t.Word)
  })

  // ---------------------------------------------------------------- texts

  private readonly contents = [
    { ALT: () => this.CONSUME(t.Characters) },
    { ALT: () => this.SUBRULE(this.hole) },
  ]

  private readonly content = () => this.OR(this.contents)
  private readonly textEnd = () => this.CONSUME(t.TextEnd)

  protected readonly text = this.RULE("text", () => {
    this.CONSUME(t.TextOpen)
    this.MANY(this.content)
    this.OPTION(this.textEnd)
  })

  protected readonly hole = this.closedHole("hole", "placeholder", () => this.inHole)

  protected readonly inHole = this.insideHole("inHole", "placeholder", () => {
    this.OR({
      MAX_LOOKAHEAD: 1,
      DEF: [
        {
          GATE: () => this.isTypedHole(),
          IGNORE_AMBIGUITIES: true,
          ALT: () => {
            this.CONSUME(t.Word)
            this.OPTION(() => this.SUBRULE(this.step))
            this.CONSUME(t.Colon)
            this.SUBRULE(this.holeType)
          },
        },
        { ALT: () => this.SUBRULE(this.expression) },
      ],
    })
  })

  private isTypedHole(): boolean {
    const bracketed = this.LA(2).tokenType === t.LSquare
    const closed = this.LA(4).tokenType === t.RSquare
    return this.LA(bracketed ? (closed ? 5 : 4) : 2).tokenType === t.Colon
  }

  /** `[t]`, behind the name of a repeated turn and of what is read in it. */
  protected readonly step = this.RULE("step", () => {
    this.CONSUME(t.LSquare)
    this.CONSUME(t.Word)
    this.CONSUME(t.RSquare)
  })

  protected readonly holeType = this.RULE("holeType", () => {
    this.OR([{ ALT: () => this.SUBRULE(this.answerType) }, { ALT: () => this.CONSUME(t.TextField) }])
  })

  protected readonly answerType = this.RULE("answerType", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.Option)
          this.OPTION(() => {
            this.CONSUME(t.Of)
            this.SUBRULE(this.expression)
          })
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Label)
          this.SUBRULE(this.labels)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Integer)
          this.CONSUME(t.NumberToken)
          this.CONSUME(t.DotDot)
          this.CONSUME2(t.NumberToken)
        },
      },
    ])
  })

  protected readonly labels = this.list("labels", parentheses, () => this.label)

  protected readonly label = this.RULE("label", () => {
    this.OR([{ ALT: () => this.CONSUME(t.Word) }, { ALT: () => this.CONSUME(t.NumberToken) }])
  })

  protected readonly pattern = this.RULE("pattern", () => {
    this.CONSUME(t.PatternOpen)
    this.MANY(() => this.CONSUME(t.PatternCharacters))
    this.OPTION(() => this.CONSUME(t.TextEnd))
  })
}
