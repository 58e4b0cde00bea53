/** Experiments: what is asked of whom, and which factors vary. */
import type { IToken } from "chevrotain"
import { slip } from "../cst.ts"
import { spanOf } from "../lex.ts"
import type { Problem } from "../problem.ts"
import * as t from "../tokens.ts"
import { otherSign } from "./expressions.ts"
import { RecordsParser } from "./records.ts"
import { braces, parentheses } from "./rules.ts"

const misspeltAssertion = (word: IToken): Problem => ({
  kind: "unknown_keyword",
  found: word.image,
  expected: ["assertion"],
  besides: [],
  within: "arms",
  span: spanOf(word),
})

export abstract class ExperimentParser extends RecordsParser {
  protected readonly experiment = this.withBody(
    "experiment",
    "experiment",
    [
      ...[t.Protocol, t.Models, t.Items, t.Seed, t.Target, t.Options, t.Factor, t.Replicates],
      ...[
        t.Independent,
        t.Tolerate,
        t.Only,
        t.Except,
        t.Arms,
        t.Measure,
        t.Summary,
        t.Contrast,
        t.Family,
        t.ModelFit,
        t.Table,
        t.Figure,
      ],
      ...[t.Assume, t.Expect, t.Allow, t.Records],
    ],
    () => {
      this.CONSUME(t.Experiment)
      this.CONSUME(t.Word, { LABEL: "name" })
    },
    this.oneOf(() => [
      this.experimentField,
      this.factor,
      this.arms,
      this.measure,
      this.summary,
      this.contrast,
      this.family,
      this.modelFit,
      this.table,
      this.figure,
      this.assume,
      this.expect,
      this.records,
    ]),
  )

  protected readonly experimentField = this.island("experimentField", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.Protocol)
          this.CONSUME(t.Word)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Models)
          this.SUBRULE(this.modelNames)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Items)
          this.SUBRULE(this.pools)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Seed)
          this.OR2([
            { ALT: () => this.CONSUME(t.NumberToken) },
            {
              ALT: () => {
                this.CONSUME(t.In)
                this.SUBRULE(this.levels)
              },
            },
          ])
        },
      },
      {
        ALT: () => {
          this.OR3([{ ALT: () => this.CONSUME(t.Target) }, { ALT: () => this.CONSUME2(t.Options) }])
          this.OR4([
            { ALT: () => this.SUBRULE(this.expression) },
            {
              ALT: () => {
                this.CONSUME2(t.In)
                this.SUBRULE2(this.levels)
              },
            },
          ])
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Replicates)
          this.CONSUME2(t.NumberToken)
        },
      },
      { ALT: () => this.CONSUME(t.Independent) },
      {
        ALT: () => {
          this.CONSUME(t.Tolerate)
          this.CONSUME3(t.NumberToken)
        },
      },
      {
        ALT: () => {
          this.OR5([{ ALT: () => this.CONSUME(t.Only) }, { ALT: () => this.CONSUME(t.Except) }])
          this.CONSUME(t.When)
          this.SUBRULE2(this.expression)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Allow)
          this.CONSUME2(t.Word)
          this.SUBRULE(this.text)
        },
      },
    ])
  })

  protected readonly modelNames = this.list("modelNames", braces, () => this.name)

  protected readonly pools = this.list("pools", braces, () => this.poolUse)

  protected readonly poolUse = this.RULE("poolUse", () => {
    this.CONSUME(t.Word)
    this.OPTION(() => {
      this.CONSUME(t.Sample)
      this.CONSUME(t.NumberToken)
      this.OPTION2(() => {
        this.CONSUME(t.Per)
        this.CONSUME2(t.Word, { LABEL: "per" })
      })
    })
    this.OPTION3(() => {
      this.CONSUME(t.Where)
      this.SUBRULE(this.expression)
    })
  })

  protected readonly factor = this.island("factor", () => {
    this.CONSUME(t.Factor)
    this.CONSUME(t.Word, { LABEL: "factor" })
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.In)
          this.OR2([{ ALT: () => this.SUBRULE(this.levels) }, { ALT: () => this.CONSUME(t.Models) }])
        },
      },
      { ALT: () => this.SUBRULE(this.equated) },
    ])
  })

  protected readonly arms = this.withBody(
    "arms",
    "arms",
    [t.Word],
    () => {
      this.CONSUME(t.Arms)
    },
    () => this.SUBRULE(this.arm),
  )

  protected readonly arm = this.island("arm", () => {
    this.CONSUME(t.Word, { LABEL: "name" })
    this.CONSUME(t.Equals)
    this.OR([
      { GATE: () => this.LA(2).tokenType === t.LParen, ALT: () => this.SUBRULE(this.assertion) },
      { IGNORE_AMBIGUITIES: true, ALT: () => this.CONSUME2(t.Word, { LABEL: "block" }) },
    ])
  })

  protected readonly assertion = this.RULE("assertion", () => {
    // Another word before arguments can only be meant as `assertion`.
    const word = this.OR([
      { ALT: () => this.CONSUME(t.Assertion) },
      { IGNORE_AMBIGUITIES: true, ALT: () => this.CONSUME(t.Word, { LABEL: slip }) },
    ])
    this.SUBRULE(this.assertionArguments)
    if (word.tokenType !== t.Assertion) this.slip(() => misspeltAssertion(word))
  })

  protected readonly assertionArguments = this.list(
    "assertionArguments",
    parentheses,
    () => this.assertionArgument,
  )

  protected readonly assertionArgument = this.RULE("assertionArgument", () => {
    this.CONSUME(t.Word, { LABEL: "factor" })
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.In)
          this.SUBRULE(this.levels)
        },
      },
      { ALT: () => this.SUBRULE(this.equated) },
    ])
  })

  /** `= level`. Several levels after `=` can only be meant as `in`. */
  protected readonly equated = this.RULE("equated", () => {
    const sign = this.CONSUME(t.Equals)
    this.OR([
      {
        ALT: () => {
          this.SUBRULE(this.levels, { LABEL: slip })
          this.slip(() => otherSign(sign, "= {", "in {"))
        },
      },
      { ALT: () => this.SUBRULE(this.expression) },
    ])
  })
}
