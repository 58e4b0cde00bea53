/** The grammar. `README.md` has it as EBNF; `recovery.ts` says what an error costs. */
import type { CstNode, TokenType } from "chevrotain"
import type { Lexed } from "./lex.ts"
import type { Problem } from "./problem.ts"
import { RecoveringParser } from "./recovery.ts"
import * as t from "./tokens.ts"

const provenance = [t.Verbatim, t.Reconstructed]
const braces = [t.LCurly, t.RCurly] as const
const parentheses = [t.LParen, t.RParen] as const
const squares = [t.LSquare, t.RSquare] as const

/** Expressions nest no deeper: beyond it the error is theirs, not a full stack. */
const deepest = 64

export class CfxParser extends RecoveringParser {
  private depth = 0

  protected readonly declarationStarts: readonly TokenType[] = [
    ...[t.Import, t.Model, t.Items, t.Framing, t.Container, t.Roster, t.Paraphrase],
    ...[t.Dose, t.Block, t.Protocol, t.Metric, t.Experiment],
  ]

  constructor() {
    super()
    this.performSelfAnalysis()
  }

  private nested(rule: () => void): void {
    this.depth++
    try {
      rule()
    } finally {
      this.depth--
    }
  }

  parse(lexed: Lexed): { readonly tree: CstNode; readonly problems: readonly Problem[] } {
    return this.run(lexed, () => this.file())
  }

  private readonly file = this.RULE("file", () => {
    this.topLevel(() => {
      this.OR([
        { ALT: () => this.SUBRULE(this.import) },
        { ALT: () => this.SUBRULE(this.model) },
        { ALT: () => this.SUBRULE(this.items) },
        { ALT: () => this.SUBRULE(this.framing) },
        { ALT: () => this.SUBRULE(this.roster) },
        { ALT: () => this.SUBRULE(this.paraphrase) },
        { ALT: () => this.SUBRULE(this.dose) },
        { ALT: () => this.SUBRULE(this.block) },
        { ALT: () => this.SUBRULE(this.protocol) },
        { ALT: () => this.SUBRULE(this.metric) },
        { ALT: () => this.SUBRULE(this.experiment) },
      ])
    })
  })

  // ---------------------------------------------------------------- imports, models, items

  private readonly import = this.island(
    "import",
    () => {
      this.CONSUME(t.Import)
      this.SUBRULE(this.importedNames)
      this.CONSUME(t.From)
      this.SUBRULE(this.text)
    },
    "import",
  )

  private readonly importedNames = this.list("importedNames", braces, () => this.importedName)

  private readonly importedName = this.RULE("importedName", () => {
    this.CONSUME(t.Word, { LABEL: "name" })
    this.OPTION(() => {
      this.CONSUME(t.As)
      this.CONSUME2(t.Word, { LABEL: "alias" })
    })
  })

  private readonly model = this.withOptionalBody(
    "model",
    "model",
    [t.Word],
    () => {
      this.CONSUME(t.Model)
      this.CONSUME(t.Word, { LABEL: "name" })
      this.CONSUME(t.Equals)
      this.CONSUME2(t.Word, { LABEL: "engine" })
      this.SUBRULE(this.text)
    },
    () => this.SUBRULE(this.attribute),
  )

  private readonly attribute = this.island("attribute", () => {
    this.CONSUME(t.Word, { LABEL: "key" })
    this.OR([
      { ALT: () => this.SUBRULE(this.text) },
      { ALT: () => this.CONSUME(t.NumberToken) },
      { ALT: () => this.CONSUME2(t.Word, { LABEL: "value" }) },
    ])
  })

  private readonly items = this.withOptionalBody(
    "items",
    "items",
    [t.Word],
    () => {
      this.CONSUME(t.Items)
      this.CONSUME(t.Word, { LABEL: "name" })
      this.CONSUME(t.Equals)
      this.SUBRULE(this.text)
    },
    () => this.SUBRULE(this.fieldMapping),
  )

  private readonly fieldMapping = this.island("fieldMapping", () => {
    this.CONSUME(t.Word, { LABEL: "field" })
    this.CONSUME(t.Equals)
    this.CONSUME2(t.Word, { LABEL: "path" })
    this.MANY(() => {
      this.CONSUME(t.Dot)
      this.CONSUME3(t.Word, { LABEL: "path" })
    })
  })

  // ---------------------------------------------------------------- stimuli

  private readonly provenance = this.island("provenance", () => {
    this.OR([{ ALT: () => this.CONSUME(t.Verbatim) }, { ALT: () => this.CONSUME(t.Reconstructed) }])
    this.SUBRULE(this.text)
  })

  private readonly framing = this.withBody(
    "framing",
    "framing",
    [t.Preamble, t.Line, t.Lines, t.Speakers, ...provenance],
    () => {
      this.OR([{ ALT: () => this.CONSUME(t.Framing) }, { ALT: () => this.CONSUME(t.Container) }])
      this.CONSUME(t.Word, { LABEL: "name" })
      this.OPTION(() => {
        this.CONSUME(t.Extends)
        this.CONSUME2(t.Word, { LABEL: "parent" })
      })
    },
    () => {
      this.OR2([{ ALT: () => this.SUBRULE(this.framingField) }, { ALT: () => this.SUBRULE(this.provenance) }])
    },
  )

  private readonly framingField = this.island("framingField", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.Preamble)
          this.SUBRULE(this.text)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Line)
          this.SUBRULE2(this.text)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Lines)
          this.AT_LEAST_ONE(() => this.SUBRULE3(this.text))
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Speakers)
          this.CONSUME(t.Word)
        },
      },
    ])
  })

  private readonly roster = this.withBody(
    "roster",
    "roster",
    [t.TextOpen],
    () => {
      this.CONSUME(t.Roster)
      this.CONSUME(t.Word, { LABEL: "name" })
    },
    () => this.SUBRULE(this.text),
  )

  private readonly paraphrase = this.withBody(
    "paraphrase",
    "paraphrase",
    [t.TextOpen, ...provenance],
    () => {
      this.CONSUME(t.Paraphrase)
      this.CONSUME(t.Word, { LABEL: "name" })
    },
    () => {
      this.OR([{ ALT: () => this.SUBRULE(this.text) }, { ALT: () => this.SUBRULE(this.provenance) }])
    },
  )

  private readonly dose = this.withBody(
    "dose",
    "dose",
    [t.Lines, t.Speakers],
    () => {
      this.CONSUME(t.Dose)
      this.CONSUME(t.Word, { LABEL: "name" })
      this.OPTION(() => this.SUBRULE(this.parameterNames))
    },
    () => this.SUBRULE(this.doseField),
  )

  private readonly parameterNames = this.list("parameterNames", parentheses, () => this.name)

  private readonly name = this.RULE("name", () => {
    this.CONSUME(t.Word)
  })

  private readonly doseField = this.island("doseField", () => {
    this.OR([{ ALT: () => this.CONSUME(t.Lines) }, { ALT: () => this.CONSUME(t.Speakers) }])
    this.SUBRULE(this.expression)
  })

  private readonly block = this.withBody(
    "block",
    "block",
    [t.TextField, ...provenance],
    () => {
      this.CONSUME(t.Block)
      this.CONSUME(t.Word, { LABEL: "name" })
    },
    () => {
      this.OR([{ ALT: () => this.SUBRULE(this.blockField) }, { ALT: () => this.SUBRULE(this.provenance) }])
    },
  )

  private readonly blockField = this.island("blockField", () => {
    this.CONSUME(t.TextField)
    this.SUBRULE(this.text)
  })

  // ---------------------------------------------------------------- protocols

  private readonly protocol = this.withBody(
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

  private readonly protocolField = this.island("protocolField", () => {
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

  private readonly turn = this.withBody(
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

  private readonly turnField = this.island("turnField", () => {
    this.OR([{ ALT: () => this.CONSUME(t.User) }, { ALT: () => this.CONSUME(t.Assistant) }])
    this.SUBRULE(this.text)
  })

  // ---------------------------------------------------------------- metrics

  private readonly metric = this.withBody(
    "metric",
    "metric",
    [t.Rate, t.Mean, t.Given, t.Interval, t.Invalid],
    () => {
      this.CONSUME(t.Metric)
      this.CONSUME(t.Word, { LABEL: "name" })
      this.OPTION(() => this.SUBRULE(this.parameters))
      this.OPTION2(() => {
        this.CONSUME(t.Extends)
        this.CONSUME2(t.Word, { LABEL: "parent" })
      })
    },
    () => this.SUBRULE(this.metricField),
  )

  private readonly parameters = this.list("parameters", parentheses, () => this.parameter)

  private readonly parameter = this.RULE("parameter", () => {
    this.CONSUME(t.Word)
    this.CONSUME(t.Equals)
    this.SUBRULE(this.expression)
  })

  private readonly metricField = this.island("metricField", () => {
    this.OR([
      {
        ALT: () => {
          this.OR2([{ ALT: () => this.CONSUME(t.Rate) }, { ALT: () => this.CONSUME(t.Mean) }])
          this.SUBRULE(this.expression)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Given)
          this.SUBRULE2(this.expression)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Interval)
          this.CONSUME(t.Word)
          this.CONSUME(t.NumberToken)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Invalid)
          this.CONSUME2(t.Word)
        },
      },
    ])
  })

  // ---------------------------------------------------------------- experiments

  private readonly experiment = this.withBody(
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

  private readonly experimentField = this.island("experimentField", () => {
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

  private readonly modelNames = this.list("modelNames", braces, () => this.name)

  private readonly pools = this.list("pools", braces, () => this.poolUse)

  private readonly poolUse = this.RULE("poolUse", () => {
    this.CONSUME(t.Word)
    this.OPTION(() => {
      this.CONSUME(t.Sample)
      this.CONSUME(t.NumberToken)
    })
  })

  private readonly arms = this.withBody(
    "arms",
    "arms",
    [t.Word],
    () => {
      this.CONSUME(t.Arms)
    },
    () => this.SUBRULE(this.arm),
  )

  private readonly arm = this.island("arm", () => {
    this.CONSUME(t.Word, { LABEL: "name" })
    this.CONSUME(t.Equals)
    this.OR([
      { GATE: () => this.LA(2).tokenType === t.LParen, ALT: () => this.SUBRULE(this.assertion) },
      { IGNORE_AMBIGUITIES: true, ALT: () => this.CONSUME2(t.Word, { LABEL: "block" }) },
    ])
  })

  private readonly assertion = this.RULE("assertion", () => {
    this.CONSUME(t.Assertion)
    this.SUBRULE(this.assertionArguments)
  })

  private readonly assertionArguments = this.list(
    "assertionArguments",
    parentheses,
    () => this.assertionArgument,
  )

  private readonly assertionArgument = this.RULE("assertionArgument", () => {
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
          this.SUBRULE(this.expression)
        },
      },
    ])
  })

  private readonly levels = this.list("levels", braces, () => this.expression)

  private readonly contrast = this.island(
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

  private readonly table = this.island(
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

  private readonly figure = this.island(
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

  // ---------------------------------------------------------------- texts

  private readonly text = this.RULE("text", () => {
    this.CONSUME(t.TextOpen)
    this.MANY(() => {
      this.OR([{ ALT: () => this.CONSUME(t.Characters) }, { ALT: () => this.SUBRULE(this.hole) }])
    })
    this.OPTION(() => this.CONSUME(t.TextEnd))
  })

  private readonly hole = this.closedHole("hole", "placeholder", () => this.inHole)

  private readonly inHole = this.insideHole("inHole", "placeholder", () => {
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

  private readonly holeType = this.RULE("holeType", () => {
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

  private readonly expression = this.RULE("expression", () => {
    this.SUBRULE(this.conjunction)
    this.MANY(() => {
      this.CONSUME(t.Or)
      this.SUBRULE2(this.conjunction)
    })
  })

  private readonly conjunction = this.RULE("conjunction", () => {
    this.SUBRULE(this.negation)
    this.MANY(() => {
      this.CONSUME(t.And)
      this.SUBRULE2(this.negation)
    })
  })

  private readonly negation = this.RULE("negation", () => {
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

  private readonly comparison = this.RULE("comparison", () => {
    this.SUBRULE(this.sum)
    this.OPTION(() => {
      this.CONSUME(t.Comparison)
      this.SUBRULE2(this.sum)
    })
  })

  private readonly sum = this.RULE("sum", () => {
    this.SUBRULE(this.product)
    this.MANY(() => {
      this.OR([{ ALT: () => this.CONSUME(t.Plus) }, { ALT: () => this.CONSUME(t.Minus) }])
      this.SUBRULE2(this.product)
    })
  })

  private readonly product = this.RULE("product", () => {
    this.SUBRULE(this.signed)
    this.MANY(() => {
      this.OR([{ ALT: () => this.CONSUME(t.Star) }, { ALT: () => this.CONSUME(t.Slash) }])
      this.SUBRULE2(this.signed)
    })
  })

  private readonly signed = this.RULE("signed", () => {
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

  private readonly postfix = this.RULE("postfix", () => {
    this.SUBRULE(this.primary)
    this.MANY(() => this.SUBRULE(this.suffix))
  })

  private readonly suffix = this.RULE("suffix", () => {
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

  private readonly callArguments = this.list("callArguments", parentheses, () => this.expression)

  private readonly primary = this.RULE("primary", () => {
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

  private readonly levelFilters = this.list("levelFilters", squares, () => this.levelFilter)

  private readonly levelFilter = this.RULE("levelFilter", () => {
    this.CONSUME(t.Word)
    this.CONSUME(t.Equals)
    this.SUBRULE(this.expression)
  })
}
