/** Protocols, their turns, and the judges of what models write. */
import * as t from "../tokens.ts"
import { LibraryParser } from "./libraries.ts"
import { parentheses } from "./rules.ts"
import { provenance } from "./stimuli.ts"

export abstract class ProtocolParser extends LibraryParser {
  protected readonly protocol = this.withBody(
    "protocol",
    "protocol",
    [...[t.Slot, t.Role, t.Draw, t.Options, t.Answers, t.System, t.Turn, t.Extract, t.Judge], ...provenance],
    () => {
      this.CONSUME(t.Protocol)
      this.CONSUME(t.Word, { LABEL: "name" })
    },
    this.oneOf(() => [this.protocolField, this.turn, this.extract, this.judged, this.provenance]),
  )

  protected readonly protocolField = this.island("protocolField", () => {
    this.OR([
      {
        ALT: () => {
          this.OR2([
            { ALT: () => this.CONSUME(t.Slot) },
            { ALT: () => this.CONSUME(t.Role) },
            { ALT: () => this.CONSUME(t.Answers) },
          ])
          this.CONSUME(t.Word)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Draw)
          this.CONSUME2(t.Word, { LABEL: "name" })
          this.CONSUME(t.Equals)
          this.CONSUME(t.NumberToken)
          this.CONSUME(t.Others)
          this.OPTION(() => {
            this.CONSUME(t.From)
            this.CONSUME3(t.Word, { LABEL: "pool" })
          })
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

  protected readonly extract = this.island("extract", () => {
    this.CONSUME(t.Extract)
    this.CONSUME(t.Word, { LABEL: "name" })
    this.CONSUME(t.Colon)
    this.SUBRULE(this.answerType)
    this.CONSUME(t.From)
    this.CONSUME2(t.Word, { LABEL: "from" })
    this.CONSUME(t.Matching)
    this.SUBRULE(this.pattern)
    this.OPTION(() => {
      this.OR([{ ALT: () => this.CONSUME(t.First) }, { ALT: () => this.CONSUME(t.Last) }])
    })
  })

  protected readonly judged = this.island("judged", () => {
    this.CONSUME(t.Judge)
    this.CONSUME(t.Word, { LABEL: "name" })
    this.CONSUME(t.Equals)
    this.CONSUME2(t.Word, { LABEL: "judge" })
    this.SUBRULE(this.judgedReads)
    this.OPTION(() => {
      this.CONSUME(t.By)
      this.CONSUME3(t.Word, { LABEL: "by" })
    })
  })

  protected readonly judgedReads = this.list("judgedReads", parentheses, () => this.path)

  // ---------------------------------------------------------------- turns

  protected readonly turn = this.withBody(
    "turn",
    "turn",
    [t.System, t.User, t.Assistant, t.Read],
    () => {
      this.CONSUME(t.Turn)
      this.CONSUME(t.Word, { LABEL: "name" })
      this.OPTION(() => this.SUBRULE(this.repetition))
      this.OPTION2(() => {
        this.OR([
          {
            ALT: () => {
              this.CONSUME(t.Continues)
              this.CONSUME2(t.Word, { LABEL: "continues" })
            },
          },
          { ALT: () => this.CONSUME(t.Fresh) },
        ])
      })
      this.OPTION3(() => {
        this.CONSUME(t.By)
        this.CONSUME3(t.Word, { LABEL: "by" })
      })
      this.OPTION4(() => {
        this.CONSUME(t.When)
        this.SUBRULE(this.expression)
      })
    },
    this.oneOf(() => [this.turnField, this.read]),
  )

  protected readonly repetition = this.RULE("repetition", () => {
    this.SUBRULE(this.step)
    this.CONSUME(t.Repeat)
    this.CONSUME(t.NumberToken)
  })

  protected readonly turnField = this.island("turnField", () => {
    this.OR([
      { ALT: () => this.CONSUME(t.System) },
      { ALT: () => this.CONSUME(t.User) },
      { ALT: () => this.CONSUME(t.Assistant) },
    ])
    this.SUBRULE(this.text)
  })

  protected readonly read = this.withBody(
    "read",
    "read",
    [t.Max, t.Until, t.Temperature, t.TopP, t.Refusal, t.Mass, t.Score, t.Generate],
    () => {
      this.CONSUME(t.Read)
      this.CONSUME(t.Word, { LABEL: "name" })
    },
    () => this.SUBRULE(this.readSetting),
  )

  protected readonly readSetting = this.island("readSetting", () => {
    this.OR([
      {
        ALT: () => {
          this.OR2([
            { ALT: () => this.CONSUME(t.Max) },
            { ALT: () => this.CONSUME(t.Temperature) },
            { ALT: () => this.CONSUME(t.TopP) },
            { ALT: () => this.CONSUME(t.Mass) },
            { ALT: () => this.CONSUME(t.Generate) },
          ])
          this.CONSUME(t.NumberToken)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Score)
          this.CONSUME(t.Word)
        },
      },
      {
        ALT: () => {
          this.OR3([{ ALT: () => this.CONSUME(t.Until) }, { ALT: () => this.CONSUME(t.Refusal) }])
          this.AT_LEAST_ONE(() => this.SUBRULE(this.text))
        },
      },
    ])
  })

  // ---------------------------------------------------------------- judges

  protected readonly judge = this.withBody(
    "judge",
    "judge",
    [t.System, t.User, t.Assistant, t.Matching, t.EqualsValue, t.Then, t.Gold, ...provenance],
    () => {
      this.CONSUME(t.Judge)
      this.CONSUME(t.Word, { LABEL: "name" })
      this.OPTION(() => this.SUBRULE(this.parameterNames))
    },
    this.oneOf(() => [this.turnField, this.judgeField, this.provenance]),
  )

  protected readonly judgeField = this.island("judgeField", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.Matching)
          this.SUBRULE(this.pattern)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.EqualsValue)
          this.SUBRULE(this.expression)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Then)
          this.CONSUME(t.Word, { LABEL: "yes" })
          this.CONSUME(t.Else)
          this.CONSUME2(t.Word, { LABEL: "no" })
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Gold)
          this.CONSUME3(t.Word, { LABEL: "gold" })
        },
      },
    ])
  })
}
