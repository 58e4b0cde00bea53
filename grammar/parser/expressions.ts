/** Expressions. */
import type { IToken } from "chevrotain"
import { slip } from "../cst.ts"
import { isOneOf } from "../landmarks.ts"
import { spanOf } from "../lex.ts"
import type { Problem } from "../problem.ts"
import * as t from "../tokens.ts"
import { braces, parentheses, squares } from "./rules.ts"
import { TextParser } from "./texts.ts"

export const otherSign = (sign: IToken, found: string, meant: string): Problem => ({
  kind: "other_sign",
  found,
  meant,
  span: spanOf(sign),
})

/** Operators in a row: a tree of more would be too deep for whoever walks it. */
const longest = 1000

/** What has been read since the last `and` or `or`: a sum, one that is compared with another, what ends with `is` or `in`. */
type Part = "left" | "right" | "complete"

export abstract class ExpressionParser extends TextParser {
  private part: Part = "left"
  /** How many operators have been read. */
  private length = 0

  // Alternatives of what is read most are made once, not whenever they are met.
  private readonly nots = {
    GATE: () => this.mayNest,
    DEF: () => {
      this.CONSUME(t.Not)
      this.depth++
    },
  }

  private readonly comparisons = [
    { ALT: () => this.CONSUME(t.Comparison) },
    // A single `=` can only be meant as a comparison here.
    { ALT: () => this.CONSUME(t.Equals, { LABEL: slip }) },
  ]

  private readonly operation = [
    {
      ALT: () => {
        this.OR2([{ ALT: () => this.CONSUME(t.And) }, { ALT: () => this.CONSUME(t.Or) }])
        this.part = "left"
        this.MANY3({
          GATE: () => this.mayNest,
          DEF: () => {
            this.CONSUME2(t.Not)
            this.depth++
          },
        })
        this.SUBRULE2(this.operand)
      },
    },
    {
      ALT: () => {
        const sign = this.OR3(this.comparisons)
        this.part = "right"
        this.SUBRULE3(this.operand)
        if (sign.tokenType === t.Equals) this.slip(() => otherSign(sign, "=", "=="))
      },
    },
    {
      ALT: () => {
        this.CONSUME(t.Is)
        this.CONSUME(t.Word, { LABEL: "state" })
        this.part = "complete"
      },
    },
    {
      ALT: () => {
        this.CONSUME(t.In)
        this.nested(() => this.SUBRULE(this.levels))
        this.part = "complete"
      },
    },
    {
      ALT: () => {
        this.OR4([
          { ALT: () => this.CONSUME(t.Plus) },
          { ALT: () => this.CONSUME(t.Minus) },
          { ALT: () => this.CONSUME(t.Star) },
          { ALT: () => this.CONSUME(t.Slash) },
        ])
        this.SUBRULE4(this.operand)
      },
    },
  ]

  private readonly operations = {
    GATE: () => this.length < longest && this.goesOn(),
    DEF: () => {
      this.length++
      this.OR(this.operation)
    },
  }

  /** Comparisons don't chain, and what `is` or `in` makes is no number. */
  private goesOn(): boolean {
    const next = this.LA(1).tokenType
    if (next === t.And || next === t.Or) return true
    if (this.part === "left") return next !== t.In || this.mayNest
    return this.part === "right" && [t.Plus, t.Minus, t.Star, t.Slash].includes(next)
  }

  /** Operands and operators in a row: `precedence.ts` groups them. */
  protected readonly expression = this.RULE("expression", () => {
    const { depth, part, length } = this
    this.part = "left"
    this.length = 0
    try {
      this.MANY(this.nots)
      this.SUBRULE(this.operand)
      this.MANY2(this.operations)
    } finally {
      this.depth = depth
      this.part = part
      this.length = length
    }
  })

  protected readonly levels = this.list(
    "levels",
    braces,
    () => this.expression,
    // A factor among the levels of another: their `}` is missing.
    (at) => isOneOf(this.LA(at), [t.Word]) && isOneOf(this.LA(at + 1), [t.Equals, t.In]),
  )

  private readonly signs = {
    GATE: () => this.mayNest,
    DEF: () => {
      this.CONSUME(t.Minus)
      this.depth++
    },
  }

  /** What may stand behind a name. An experiment's `except when` is a field of its own. */
  private readonly behindName = {
    GATE: () => this.mayNest && !(this.LA(1).tokenType === t.Except && this.LA(2).tokenType === t.When),
    DEF: () =>
      this.OR2([
        { GATE: () => this.isIndex(), ALT: () => this.nested(() => this.SUBRULE(this.index)) },
        { IGNORE_AMBIGUITIES: true, ALT: () => this.nested(() => this.SUBRULE(this.levelFilters)) },
        { ALT: () => this.SUBRULE(this.exception) },
      ]),
  }

  private readonly primaries = [
    {
      ALT: () => {
        this.CONSUME(t.Word, { LABEL: "name" })
        this.OPTION(this.behindName)
      },
    },
    { ALT: () => this.CONSUME(t.NumberToken) },
    { ALT: () => this.SUBRULE(this.text) },
    {
      ALT: () => {
        this.limitNesting()
        this.CONSUME(t.LParen)
        this.nested(() => this.SUBRULE(this.expression))
        this.CONSUME(t.RParen)
      },
    },
    {
      ALT: () => {
        this.limitNesting()
        this.nested(() => this.SUBRULE(this.elements))
      },
    },
  ]

  private readonly suffixes = [
    {
      ALT: () => {
        this.CONSUME(t.Dot)
        this.CONSUME2(t.Word, { LABEL: "property" })
      },
    },
    {
      ALT: () => this.nested(() => this.SUBRULE(this.callArguments)),
    },
  ]

  private readonly suffix = {
    GATE: () => this.mayNest,
    DEF: () => {
      this.OR3(this.suffixes)
      this.depth++
    },
  }

  protected readonly operand = this.RULE("operand", () => {
    const { depth } = this
    try {
      this.MANY(this.signs)
      this.OR(this.primaries)
      this.MANY2(this.suffix)
    } finally {
      this.depth = depth
    }
  })

  protected readonly callArguments = this.list("callArguments", parentheses, () => this.expression)

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

  /** `all_wrong except last = gold` */
  protected readonly exception = this.RULE("exception", () => {
    this.CONSUME(t.Except)
    this.OR([
      { ALT: () => this.CONSUME(t.First, { LABEL: "place" }) },
      { ALT: () => this.CONSUME(t.Last, { LABEL: "place" }) },
      { ALT: () => this.CONSUME(t.NumberToken, { LABEL: "place" }) },
    ])
    this.OPTION(() => {
      this.CONSUME(t.Equals)
      this.CONSUME(t.Word, { LABEL: "as" })
    })
  })

  protected readonly elements = this.list("elements", squares, () => this.expression)

  protected readonly levelFilters = this.list("levelFilters", squares, () => this.levelFilter)

  protected readonly levelFilter = this.RULE("levelFilter", () => {
    this.CONSUME(t.Word)
    this.OR([
      {
        ALT: () => {
          this.OR2([
            { ALT: () => this.CONSUME(t.Equals) },
            {
              GATE: () => this.LA(1).image === "!=",
              ALT: () => this.CONSUME(t.Comparison),
            },
          ])
          this.SUBRULE(this.expression)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.In)
          this.nested(() => this.SUBRULE(this.levels))
        },
      },
    ])
  })
}
