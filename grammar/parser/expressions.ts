/** Texts with their holes, and expressions. */
import { RecoveringParser } from "../recovery.ts"
import * as t from "../tokens.ts"

export const braces = [t.LCurly, t.RCurly] as const
export const parentheses = [t.LParen, t.RParen] as const
const squares = [t.LSquare, t.RSquare] as const

/** Expressions nest no deeper: beyond it the error is theirs, not a full stack. */
const deepest = 64

export abstract class ExpressionParser extends RecoveringParser {
  private depth = 0

  private nested(rule: () => void): void {
    this.depth++
    try {
      rule()
    } finally {
      this.depth--
    }
  }

  protected readonly name = this.RULE("name", () => {
    this.CONSUME(t.Word)
  })

  // ---------------------------------------------------------------- texts

  protected readonly text = this.RULE("text", () => {
    this.CONSUME(t.TextOpen)
    this.MANY(() => {
      this.OR([{ ALT: () => this.CONSUME(t.Characters) }, { ALT: () => this.SUBRULE(this.hole) }])
    })
    this.OPTION(() => this.CONSUME(t.TextEnd))
  })

  protected readonly hole = this.closedHole("hole", "placeholder", () => this.inHole)

  protected readonly inHole = this.insideHole("inHole", "placeholder", () => {
    this.OR({
      MAX_LOOKAHEAD: 1,
      DEF: [
        {
          GATE: () => this.LA(2).tokenType === t.Colon,
          IGNORE_AMBIGUITIES: true,
          ALT: () => {
            this.CONSUME(t.Word)
            this.CONSUME(t.Colon)
            this.SUBRULE(this.holeType)
          },
        },
        { ALT: () => this.SUBRULE(this.expression) },
      ],
    })
  })

  protected readonly holeType = this.RULE("holeType", () => {
    this.OR([
      { ALT: () => this.CONSUME(t.Option) },
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

  // ---------------------------------------------------------------- expressions

  protected readonly expression = this.RULE("expression", () => {
    this.SUBRULE(this.conjunction)
    this.MANY(() => {
      this.CONSUME(t.Or)
      this.SUBRULE2(this.conjunction)
    })
  })

  protected readonly conjunction = this.RULE("conjunction", () => {
    this.SUBRULE(this.negation)
    this.MANY(() => {
      this.CONSUME(t.And)
      this.SUBRULE2(this.negation)
    })
  })

  protected readonly negation = this.RULE("negation", () => {
    this.OR([
      {
        GATE: () => this.depth < deepest,
        ALT: () => {
          this.CONSUME(t.Not)
          this.nested(() => this.SUBRULE(this.negation))
        },
      },
      { ALT: () => this.SUBRULE(this.comparison) },
    ])
  })

  protected readonly comparison = this.RULE("comparison", () => {
    this.SUBRULE(this.sum)
    this.OPTION(() => {
      // A single `=` can only be meant as a comparison here; `parse.ts` reports it.
      this.OR([{ ALT: () => this.CONSUME(t.Comparison) }, { ALT: () => this.CONSUME(t.Equals) }])
      this.SUBRULE2(this.sum)
    })
  })

  protected readonly sum = this.RULE("sum", () => {
    this.SUBRULE(this.product)
    this.MANY(() => {
      this.OR([{ ALT: () => this.CONSUME(t.Plus) }, { ALT: () => this.CONSUME(t.Minus) }])
      this.SUBRULE2(this.product)
    })
  })

  protected readonly product = this.RULE("product", () => {
    this.SUBRULE(this.signed)
    this.MANY(() => {
      this.OR([{ ALT: () => this.CONSUME(t.Star) }, { ALT: () => this.CONSUME(t.Slash) }])
      this.SUBRULE2(this.signed)
    })
  })

  protected readonly signed = this.RULE("signed", () => {
    this.OR([
      {
        GATE: () => this.depth < deepest,
        ALT: () => {
          this.CONSUME(t.Minus)
          this.nested(() => this.SUBRULE(this.signed))
        },
      },
      { ALT: () => this.SUBRULE(this.postfix) },
    ])
  })

  protected readonly postfix = this.RULE("postfix", () => {
    this.SUBRULE(this.primary)
    this.MANY(() => this.SUBRULE(this.suffix))
  })

  protected readonly suffix = this.RULE("suffix", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.Dot)
          this.CONSUME(t.Word)
        },
      },
      {
        GATE: () => this.depth < deepest,
        ALT: () => this.nested(() => this.SUBRULE(this.callArguments)),
      },
    ])
  })

  protected readonly callArguments = this.list("callArguments", parentheses, () => this.expression)

  protected readonly primary = this.RULE("primary", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.Word)
          this.OPTION({
            GATE: () => this.depth < deepest,
            DEF: () => this.nested(() => this.SUBRULE(this.levelFilters)),
          })
        },
      },
      { ALT: () => this.CONSUME(t.NumberToken) },
      { ALT: () => this.SUBRULE(this.text) },
      {
        GATE: () => this.depth < deepest,
        ALT: () => {
          this.CONSUME(t.LParen)
          this.nested(() => this.SUBRULE(this.expression))
          this.CONSUME(t.RParen)
        },
      },
    ])
  })

  protected readonly levelFilters = this.list("levelFilters", squares, () => this.levelFilter)

  protected readonly levelFilter = this.RULE("levelFilter", () => {
    this.CONSUME(t.Word)
    this.CONSUME(t.Equals)
    this.SUBRULE(this.expression)
  })
}
