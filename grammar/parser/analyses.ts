/** Metrics, and what an experiment says of its results: measures, contrasts, fits, tables, figures, and what is expected of them. */
import * as t from "../tokens.ts"
import { ProtocolParser } from "./protocols.ts"
import { parentheses, squares } from "./rules.ts"

export abstract class AnalysisParser extends ProtocolParser {
  // ---------------------------------------------------------------- metrics

  protected readonly metric = this.withBody(
    "metric",
    "metric",
    [
      ...[t.Rate, t.Mean, t.Sum, t.Count, t.Quantile, t.Ratio, t.Kappa, t.Auroc, t.Difference],
      ...[t.Given, t.Weight, t.Interval, t.Invalid],
    ],
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

  /** `second = a1`: what a metric reads unless it is told otherwise, and what a measure tells it. */
  protected readonly parameter = this.RULE("parameter", () => {
    this.CONSUME(t.Word)
    this.CONSUME(t.Equals)
    this.SUBRULE(this.expression)
  })

  protected readonly metricField = this.island("metricField", () => {
    this.OR([
      {
        ALT: () => {
          this.OR2([
            { ALT: () => this.CONSUME(t.Rate) },
            { ALT: () => this.CONSUME(t.Mean) },
            { ALT: () => this.CONSUME(t.Sum) },
            { ALT: () => this.CONSUME(t.Count) },
            { ALT: () => this.CONSUME(t.Given) },
            { ALT: () => this.CONSUME(t.Weight) },
          ])
          this.SUBRULE(this.expression)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Quantile)
          this.CONSUME(t.NumberToken)
          this.CONSUME(t.Of)
          this.SUBRULE2(this.expression)
        },
      },
      {
        ALT: () => {
          this.OR3([
            { ALT: () => this.CONSUME(t.Ratio) },
            { ALT: () => this.CONSUME(t.Kappa) },
            { ALT: () => this.CONSUME(t.Auroc) },
            { ALT: () => this.CONSUME(t.Difference) },
          ])
          this.SUBRULE3(this.expression)
          this.CONSUME(t.Comma)
          this.SUBRULE4(this.expression, { LABEL: "other" })
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Interval)
          this.CONSUME(t.Word)
          this.CONSUME2(t.NumberToken)
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

  // ---------------------------------------------------------------- measures and what is made of them

  protected readonly measure = this.island("measure", () => {
    this.CONSUME(t.Measure)
    this.CONSUME(t.Word, { LABEL: "name" })
    this.OPTION(() => {
      this.CONSUME(t.Equals)
      this.CONSUME2(t.Word, { LABEL: "metric" })
      this.OPTION2(() => this.SUBRULE(this.parameters))
    })
  })

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

  protected readonly modelFit = this.island(
    "modelFit",
    () => {
      this.CONSUME(t.ModelFit)
      this.CONSUME(t.Word, { LABEL: "name" })
      this.CONSUME(t.LCurly)
      this.CONSUME(t.Logit)
      this.CONSUME2(t.Word, { LABEL: "metric" })
      this.CONSUME(t.Tilde)
      this.SUBRULE(this.expression, { LABEL: "terms" })
      this.OPTION(() => {
        this.CONSUME(t.Random)
        this.SUBRULE(this.randomFactors)
      })
      this.OPTION2(() => {
        this.CONSUME(t.Slopes)
        this.SUBRULE(this.slopes)
      })
      this.OPTION3(() => {
        this.CONSUME(t.Where)
        this.SUBRULE2(this.expression)
      })
      this.CONSUME(t.RCurly)
    },
    "model_fit",
  )

  protected readonly randomFactors = this.list("randomFactors", squares, () => this.name)

  protected readonly slopes = this.list("slopes", squares, () => this.slope)

  protected readonly slope = this.RULE("slope", () => {
    this.CONSUME(t.Word, { LABEL: "factor" })
    this.CONSUME(t.By)
    this.CONSUME2(t.Word, { LABEL: "by" })
    this.OPTION(() => this.CONSUME(t.Correlated))
  })

  /** One number over cells, each with its own value of a measure. */
  protected readonly summary = this.island(
    "summary",
    () => {
      this.CONSUME(t.Summary)
      this.CONSUME(t.Word, { LABEL: "name" })
      this.CONSUME(t.Equals)
      this.CONSUME2(t.Word, { LABEL: "statistic" })
      this.SUBRULE(this.expression, { LABEL: "measure" })
      this.OPTION(() => {
        this.CONSUME(t.Against)
        this.SUBRULE2(this.expression, { LABEL: "against" })
      })
      this.CONSUME(t.Over)
      this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.CONSUME3(t.Word, { LABEL: "column" }) })
      this.OPTION2(() => {
        this.CONSUME(t.By)
        this.AT_LEAST_ONE_SEP2({ SEP: t.Comma, DEF: () => this.CONSUME4(t.Word, { LABEL: "by" }) })
      })
      this.OPTION3(() => {
        this.CONSUME(t.Where)
        this.SUBRULE3(this.expression)
      })
    },
    "summary",
  )

  protected readonly family = this.island(
    "family",
    () => {
      this.CONSUME(t.Family)
      this.CONSUME(t.Word, { LABEL: "name" })
      this.CONSUME(t.Equals)
      this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.CONSUME2(t.Word, { LABEL: "contrast" }) })
      this.CONSUME(t.By)
      this.CONSUME3(t.Word, { LABEL: "adjust" })
    },
    "family",
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
        this.SUBRULE(this.expression, { LABEL: "average" })
      })
      this.OPTION2(() => {
        this.CONSUME(t.Where)
        this.SUBRULE2(this.expression)
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
      this.OR({
        MAX_LOOKAHEAD: 1,
        DEF: [
          {
            GATE: () => this.LA(1).tokenType === t.Forest,
            ALT: () => {
              this.CONSUME(t.Forest)
              this.OPTION4(() =>
                this.AT_LEAST_ONE_SEP({
                  SEP: t.Comma,
                  DEF: () => this.CONSUME2(t.Word, { LABEL: "contrast" }),
                }),
              )
            },
          },
          {
            IGNORE_AMBIGUITIES: true,
            ALT: () => {
              this.CONSUME3(t.Word, { LABEL: "mark" })
              this.CONSUME4(t.Word, { LABEL: "measure" })
              this.CONSUME(t.By)
              this.CONSUME5(t.Word, { LABEL: "factor" })
              this.OPTION(() => {
                this.CONSUME(t.Color)
                this.CONSUME6(t.Word, { LABEL: "color" })
              })
              this.OPTION2(() => {
                this.CONSUME(t.Facet)
                this.CONSUME7(t.Word, { LABEL: "facet" })
              })
              this.OPTION3(() => {
                this.CONSUME(t.Where)
                this.SUBRULE(this.expression)
              })
            },
          },
        ],
      })
      this.CONSUME(t.RCurly)
    },
    "figure",
  )

  protected readonly expect = this.island("expect", () => {
    this.CONSUME(t.Expect)
    this.OR([
      {
        GATE: () => this.LA(2).tokenType === t.Equivalent,
        ALT: () => {
          this.CONSUME(t.Word)
          this.CONSUME(t.Equivalent)
          this.CONSUME(t.Within)
          this.CONSUME(t.NumberToken)
          this.OPTION(() => this.CONSUME(t.Points))
        },
      },
      {
        IGNORE_AMBIGUITIES: true,
        ALT: () => {
          this.SUBRULE(this.expression)
          this.OPTION2(() => this.SUBRULE(this.publishedNumber))
        },
      },
    ])
  })

  /** `equals 52.3 percent within 0.5 pp` */
  protected readonly publishedNumber = this.RULE("publishedNumber", () => {
    this.CONSUME(t.EqualsValue)
    this.OPTION(() => this.CONSUME(t.Minus))
    this.CONSUME(t.NumberToken, { LABEL: "value" })
    this.OPTION2(() => this.CONSUME(t.Percent))
    this.CONSUME(t.Within)
    this.CONSUME2(t.NumberToken, { LABEL: "margin" })
    this.OPTION3(() => this.CONSUME(t.Points))
  })

  // ---------------------------------------------------------------- what is assumed before anything runs

  protected readonly assume = this.withBody(
    "assume",
    "assume",
    [t.Word],
    () => {
      this.CONSUME(t.Assume)
    },
    () => this.SUBRULE(this.assumption),
  )

  protected readonly assumption = this.island("assumption", () => {
    this.CONSUME(t.Word)
    this.OR([{ ALT: () => this.CONSUME(t.NumberToken) }, { ALT: () => this.SUBRULE(this.assumedLevels) }])
  })

  protected readonly assumedLevels = this.bodyOnly("assumedLevels", "assume", [t.Word], () =>
    this.SUBRULE(this.assumedLevel),
  )

  protected readonly assumedLevel = this.island("assumedLevel", () => {
    this.CONSUME(t.Word)
    this.CONSUME(t.NumberToken)
  })
}
