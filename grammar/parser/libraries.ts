/** What libraries hold: imports, models, items, stimuli, metrics. */
import * as t from "../tokens.ts"
import { braces, ExpressionParser, parentheses } from "./expressions.ts"

export const provenance = [t.Verbatim, t.Reconstructed]

export abstract class LibraryParser extends ExpressionParser {
  // ---------------------------------------------------------------- imports, models, items

  protected readonly import = this.island(
    "import",
    () => {
      this.CONSUME(t.Import)
      this.SUBRULE(this.importedNames)
      this.CONSUME(t.From)
      this.SUBRULE(this.text)
    },
    "import",
  )

  protected readonly importedNames = this.list("importedNames", braces, () => this.importedName)

  protected readonly importedName = this.RULE("importedName", () => {
    this.CONSUME(t.Word, { LABEL: "name" })
    this.OPTION(() => {
      this.CONSUME(t.As)
      this.CONSUME2(t.Word, { LABEL: "alias" })
    })
  })

  protected readonly model = this.withOptionalBody(
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

  protected readonly attribute = this.island("attribute", () => {
    this.CONSUME(t.Word, { LABEL: "key" })
    this.OR([
      { ALT: () => this.SUBRULE(this.text) },
      { ALT: () => this.CONSUME(t.NumberToken) },
      { ALT: () => this.CONSUME2(t.Word, { LABEL: "value" }) },
    ])
  })

  protected readonly items = this.withOptionalBody(
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

  protected readonly fieldMapping = this.island("fieldMapping", () => {
    this.CONSUME(t.Word, { LABEL: "field" })
    this.CONSUME(t.Equals)
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.column) })
  })

  protected readonly column = this.RULE("column", () => {
    this.OR([
      { ALT: () => this.SUBRULE(this.text) },
      {
        ALT: () => {
          this.CONSUME(t.Word, { LABEL: "path" })
          this.MANY(() => {
            this.CONSUME(t.Dot)
            this.CONSUME2(t.Word, { LABEL: "path" })
          })
        },
      },
    ])
  })

  // ---------------------------------------------------------------- stimuli

  protected readonly provenance = this.island("provenance", () => {
    this.OR([{ ALT: () => this.CONSUME(t.Verbatim) }, { ALT: () => this.CONSUME(t.Reconstructed) }])
    this.SUBRULE(this.text)
  })

  protected readonly framing = this.withBody(
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

  protected readonly framingField = this.island("framingField", () => {
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

  protected readonly roster = this.withBody(
    "roster",
    "roster",
    [t.TextOpen],
    () => {
      this.CONSUME(t.Roster)
      this.CONSUME(t.Word, { LABEL: "name" })
    },
    () => this.SUBRULE(this.text),
  )

  protected readonly paraphrase = this.withBody(
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

  protected readonly dose = this.withBody(
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

  protected readonly parameterNames = this.list("parameterNames", parentheses, () => this.name)

  protected readonly doseField = this.island("doseField", () => {
    this.OR([{ ALT: () => this.CONSUME(t.Lines) }, { ALT: () => this.CONSUME(t.Speakers) }])
    this.SUBRULE(this.expression)
  })

  protected readonly block = this.withBody(
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

  protected readonly blockField = this.island("blockField", () => {
    this.CONSUME(t.TextField)
    this.SUBRULE(this.text)
  })

  // ---------------------------------------------------------------- metrics

  protected readonly metric = this.withBody(
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

  protected readonly parameters = this.list("parameters", parentheses, () => this.parameter)

  protected readonly parameter = this.RULE("parameter", () => {
    this.CONSUME(t.Word)
    this.CONSUME(t.Equals)
    this.SUBRULE(this.expression)
  })

  protected readonly metricField = this.island("metricField", () => {
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
}
