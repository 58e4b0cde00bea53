/** Texts with their holes, and expressions. */
import { isOneOf } from "../landmarks.ts"
import { RecoveringParser } from "../recovery.ts"
import * as t from "../tokens.ts"

export const braces = [t.LCurly, t.RCurly] as const
export const parentheses = [t.LParen, t.RParen] as const
export const squares = [t.LSquare, t.RSquare] as const

export abstract class ExpressionParser extends RecoveringParser {
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
    const named = this.LA(2).tokenType === t.LSquare ? this.LA(5) : this.LA(2)
    return named.tokenType === t.Colon
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
        GATE: () => this.mayNest,
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
      this.OR([
        {
          ALT: () => {
            // A single `=` can only be meant as a comparison here; `parse.ts` reports it.
            this.OR2([{ ALT: () => this.CONSUME(t.Comparison) }, { ALT: () => this.CONSUME(t.Equals) }])
            this.SUBRULE2(this.sum)
          },
        },
        {
          ALT: () => {
            this.CONSUME(t.Is)
            this.CONSUME(t.Word, { LABEL: "state" })
          },
        },
        {
          GATE: () => this.mayNest,
          ALT: () => {
            this.CONSUME(t.In)
            this.nested(() => this.SUBRULE(this.levels))
          },
        },
      ])
    })
  })

  protected readonly levels = this.list(
    "levels",
    braces,
    () => this.expression,
    // A factor among the levels of another: their `}` is missing.
    (at) => isOneOf(this.LA(at), [t.Word]) && isOneOf(this.LA(at + 1), [t.Equals, t.In]),
  )

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
        GATE: () => this.mayNest,
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
        GATE: () => this.mayNest,
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
            GATE: () =>
              this.mayNest && !(this.LA(1).tokenType === t.Except && this.LA(2).tokenType === t.When),
            DEF: () =>
              this.OR2([
                {
                  GATE: () => this.isIndex(),
                  ALT: () => this.nested(() => this.SUBRULE(this.index)),
                },
                {
                  IGNORE_AMBIGUITIES: true,
                  ALT: () => this.nested(() => this.SUBRULE(this.levelFilters)),
                },
                { ALT: () => this.SUBRULE(this.exception) },
              ]),
          })
        },
      },
      { ALT: () => this.CONSUME(t.NumberToken) },
      { ALT: () => this.SUBRULE(this.text) },
      {
        GATE: () => this.mayNest,
        ALT: () => {
          this.CONSUME(t.LParen)
          this.nested(() => this.SUBRULE(this.expression))
          this.CONSUME(t.RParen)
        },
      },
      {
        GATE: () => this.mayNest,
        ALT: () => this.nested(() => this.SUBRULE(this.elements)),
      },
    ])
  })

  /** Whether the `[` ahead opens an index: `past[1]`, `a[t]`. Filters have a factor and a sign in them. */
  private isIndex(): boolean {
    const [first, next] = [this.LA(2).tokenType, this.LA(3).tokenType]
    return first === t.NumberToken || next === t.RSquare
  }

  protected readonly index = this.RULE("index", () => {
    this.CONSUME(t.LSquare)
    this.SUBRULE(this.expression)
    this.CONSUME(t.RSquare)
  })

  /** `all_wrong except last = gold`; behind an experiment's field `except when` starts another. */
  protected readonly exception = this.RULE("exception", () => {
    this.CONSUME(t.Except)
    this.OR([
      { ALT: () => this.CONSUME(t.Word, { LABEL: "place" }) },
      { ALT: () => this.CONSUME(t.NumberToken, { LABEL: "place" }) },
    ])
    this.OPTION(() => {
      this.CONSUME(t.Equals)
      this.CONSUME2(t.Word, { LABEL: "as" })
    })
  })

  protected readonly elements = this.list("elements", squares, () => this.expression)

  protected readonly levelFilters = this.list("levelFilters", squares, () => this.levelFilter)

  protected readonly levelFilter = this.RULE("levelFilter", () => {
    this.CONSUME(t.Word)
    this.CONSUME(t.Equals)
    this.SUBRULE(this.expression)
  })
}
