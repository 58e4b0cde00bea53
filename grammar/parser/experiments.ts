/** Protocols, and the experiments that follow them. */
import { isOneOf } from "../landmarks.ts"
import * as t from "../tokens.ts"
import { braces, parentheses } from "./expressions.ts"
import { LibraryParser, provenance } from "./libraries.ts"

export abstract class ExperimentParser extends LibraryParser {
  // ---------------------------------------------------------------- protocols

  protected readonly protocol = this.withBody(
    "protocol",
    "protocol",
    [t.Slot, t.Options, t.System, t.Turn, ...provenance],
    () => {
      this.CONSUME(t.Protocol)
      this.CONSUME(t.Word, { LABEL: "name" })
    },
    () => {
      this.OR([
        { ALT: () => this.SUBRULE(this.protocolField) },
        { ALT: () => this.SUBRULE(this.turn) },
        { ALT: () => this.SUBRULE(this.provenance) },
      ])
    },
  )

  protected readonly protocolField = this.island("protocolField", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.Slot)
          this.CONSUME(t.Word)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Options)
          this.SUBRULE(this.text)
          this.CONSUME(t.Join)
          this.SUBRULE2(this.text)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.System)
          this.SUBRULE3(this.text)
        },
      },
    ])
  })

  protected readonly turn = this.withBody(
    "turn",
    "turn",
    [t.User, t.Assistant],
    () => {
      this.CONSUME(t.Turn)
      this.CONSUME(t.Word, { LABEL: "name" })
      this.OPTION(() => {
        this.CONSUME(t.Continues)
        this.CONSUME2(t.Word, { LABEL: "continues" })
      })
    },
    () => this.SUBRULE(this.turnField),
  )

  protected readonly turnField = this.island("turnField", () => {
    this.OR([{ ALT: () => this.CONSUME(t.User) }, { ALT: () => this.CONSUME(t.Assistant) }])
    this.SUBRULE(this.text)
  })

  // ---------------------------------------------------------------- experiments

  protected readonly experiment = this.withBody(
    "experiment",
    "experiment",
    [
      ...[t.Protocol, t.Models, t.Items, t.Seed, t.Target, t.Arms],
      ...[t.Measure, t.Contrast, t.Table, t.Figure, t.Expect, t.Allow],
    ],
    () => {
      this.CONSUME(t.Experiment)
      this.CONSUME(t.Word, { LABEL: "name" })
    },
    () => {
      this.OR([
        { ALT: () => this.SUBRULE(this.arms) },
        { ALT: () => this.SUBRULE(this.contrast) },
        { ALT: () => this.SUBRULE(this.table) },
        { ALT: () => this.SUBRULE(this.figure) },
        { ALT: () => this.SUBRULE(this.experimentField) },
      ])
    },
  )

  protected readonly experimentField = this.island("experimentField", () => {
    this.OR([
      {
        ALT: () => {
          this.OR2([{ ALT: () => this.CONSUME(t.Protocol) }, { ALT: () => this.CONSUME(t.Measure) }])
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
          this.CONSUME(t.NumberToken)
        },
      },
      {
        ALT: () => {
          this.OR3([{ ALT: () => this.CONSUME(t.Target) }, { ALT: () => this.CONSUME(t.Expect) }])
          this.SUBRULE(this.expression)
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
    })
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
    // Another word before arguments can only be meant as `assertion`; `parse.ts` reports it.
    this.OR([
      { ALT: () => this.CONSUME(t.Assertion) },
      { IGNORE_AMBIGUITIES: true, ALT: () => this.CONSUME(t.Word, { LABEL: "misspelt" }) },
    ])
    this.SUBRULE(this.assertionArguments)
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
      {
        ALT: () => {
          this.CONSUME(t.Equals)
          // Several levels after `=` can only be meant as `in`; `parse.ts` reports it.
          this.OR2([{ ALT: () => this.SUBRULE2(this.levels) }, { ALT: () => this.SUBRULE(this.expression) }])
        },
      },
    ])
  })

  protected readonly levels = this.list(
    "levels",
    braces,
    () => this.expression,
    // A factor among the levels of another: their `}` is missing.
    (at) => isOneOf(this.LA(at), [t.Word]) && isOneOf(this.LA(at + 1), [t.Equals, t.In]),
  )

  protected readonly contrast = this.island(
    "contrast",
    () => {
      this.CONSUME(t.Contrast)
      this.CONSUME(t.Word)
      this.CONSUME(t.Equals)
      this.SUBRULE(this.expression, { LABEL: "value" })
      this.CONSUME(t.By)
      this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE2(this.expression, { LABEL: "by" }) })
    },
    "contrast",
  )

  protected readonly table = this.island(
    "table",
    () => {
      this.CONSUME(t.Table)
      this.CONSUME(t.Word)
      this.CONSUME(t.LCurly)
      this.CONSUME(t.Rows)
      this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.CONSUME2(t.Word, { LABEL: "row" }) })
      this.CONSUME(t.Columns)
      this.AT_LEAST_ONE_SEP2({ SEP: t.Comma, DEF: () => this.CONSUME3(t.Word, { LABEL: "column" }) })
      this.OPTION(() => {
        this.CONSUME(t.Average)
        this.CONSUME4(t.Word, { LABEL: "average" })
      })
      this.OPTION2(() => {
        this.CONSUME(t.Where)
        this.SUBRULE(this.expression)
      })
      this.CONSUME(t.RCurly)
    },
    "table",
  )

  protected readonly figure = this.island(
    "figure",
    () => {
      this.CONSUME(t.Figure)
      this.CONSUME(t.Word)
      this.CONSUME(t.LCurly)
      this.CONSUME2(t.Word, { LABEL: "mark" })
      this.CONSUME3(t.Word, { LABEL: "measure" })
      this.CONSUME(t.By)
      this.CONSUME4(t.Word, { LABEL: "factor" })
      this.OPTION(() => {
        this.CONSUME(t.Color)
        this.CONSUME5(t.Word, { LABEL: "color" })
      })
      this.OPTION2(() => {
        this.CONSUME(t.Where)
        this.SUBRULE(this.expression)
      })
      this.CONSUME(t.RCurly)
    },
    "figure",
  )
}
