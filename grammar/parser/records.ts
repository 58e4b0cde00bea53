/** Records made elsewhere: where their rows have what a trial is made of. */
import * as t from "../tokens.ts"
import { AnalysisParser } from "./analyses.ts"
import { braces } from "./rules.ts"

export abstract class RecordsParser extends AnalysisParser {
  protected readonly records = this.withBody(
    "records",
    "records",
    [t.Word],
    () => {
      this.CONSUME(t.Records)
      this.OPTION(() => this.SUBRULE(this.text))
    },
    () => this.OR9({ MAX_LOOKAHEAD: 1, DEF: this.recordsEntries }),
  )

  /** A keyword that is given a column, a type or a part is the name of what is mapped, and so is any other word. */
  private readonly recordsEntries = [
    {
      GATE: () => {
        const isField = [t.Labels, t.Format, t.On].includes(this.LA(1).tokenType)
        return !isField || [t.Equals, t.Dot, t.Colon].includes(this.LA(2).tokenType)
      },
      IGNORE_AMBIGUITIES: true,
      ALT: () => this.SUBRULE(this.recordMapping),
    },
    { ALT: () => this.SUBRULE(this.recordsField) },
  ]

  protected readonly recordMapping = this.island("recordMapping", () => {
    this.CONSUME(t.Word, { LABEL: "target" })
    this.OPTION(() => this.SUBRULE(this.recordedPart))
    this.OPTION2(() => {
      this.CONSUME(t.Colon)
      this.SUBRULE(this.holeType)
    })
    this.CONSUME(t.Equals)
    this.SUBRULE(this.columns)
    this.OPTION3(() => this.SUBRULE(this.recordedLevels))
  })

  /** `.p(A)`, `.mass`, `.subject` */
  protected readonly recordedPart = this.RULE("recordedPart", () => {
    this.CONSUME(t.Dot)
    this.CONSUME(t.Word, { LABEL: "part" })
    this.OPTION(() => {
      this.CONSUME(t.LParen)
      this.SUBRULE(this.recordedLabel)
      this.CONSUME(t.RParen)
    })
  })

  protected readonly recordedLabel = this.RULE("recordedLabel", () => {
    this.OR([
      { ALT: () => this.CONSUME(t.Word) },
      { ALT: () => this.CONSUME(t.NumberToken) },
      { ALT: () => this.SUBRULE(this.text) },
    ])
  })

  protected readonly recordedLevels = this.list("recordedLevels", braces, () => this.recordedLevel)

  /** `experts = "expert panel" or "panel"`: a level, and what stands for it in the file where that is another. */
  protected readonly recordedLevel = this.RULE("recordedLevel", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.Word, { LABEL: "level" })
          this.OPTION(() => this.SUBRULE(this.callArguments))
        },
      },
      { ALT: () => this.CONSUME(t.NumberToken, { LABEL: "level" }) },
      { ALT: () => this.SUBRULE(this.text) },
    ])
    this.OPTION2(() => {
      this.CONSUME(t.Equals)
      this.SUBRULE(this.recordedLabel)
      this.MANY(() => {
        this.CONSUME(t.Or)
        this.SUBRULE2(this.recordedLabel)
      })
    })
  })

  protected readonly recordsField = this.island("recordsField", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.Labels)
          this.SUBRULE(this.recordedLabels)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Format)
          this.CONSUME(t.Word)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.On)
          this.CONSUME2(t.Word, { LABEL: "problem" })
          this.CONSUME3(t.Word, { LABEL: "policy" })
        },
      },
    ])
  })

  protected readonly recordedLabels = this.list("recordedLabels", braces, () => this.recordedLabel)
}
