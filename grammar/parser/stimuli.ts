/** What stands in a conversation besides its turns: framings, rosters, paraphrases, doses, blocks, and how assertions are put together. */
import * as t from "../tokens.ts"
import { ExpressionParser } from "./expressions.ts"
import { parentheses } from "./rules.ts"

export const provenance = [t.Verbatim, t.Reconstructed]

const framingFields = [t.Preamble, t.Line, t.Lines, t.Speakers, t.Closing]

export abstract class StimulusParser extends ExpressionParser {
  protected readonly provenance = this.island("provenance", () => {
    this.OR([{ ALT: () => this.CONSUME(t.Verbatim) }, { ALT: () => this.CONSUME(t.Reconstructed) }])
    this.SUBRULE(this.text)
  })

  protected readonly framing = this.withBody(
    "framing",
    "framing",
    [...framingFields, t.Wording, ...provenance],
    () => {
      this.OR([{ ALT: () => this.CONSUME(t.Framing) }, { ALT: () => this.CONSUME(t.Container) }])
      this.CONSUME(t.Word, { LABEL: "name" })
      this.OPTION(() => {
        this.CONSUME(t.Extends)
        this.CONSUME2(t.Word, { LABEL: "parent" })
      })
    },
    this.oneOf(() => [this.framingField, this.wording, this.provenance]),
  )

  protected readonly wording = this.withBody(
    "wording",
    "wording",
    framingFields,
    () => {
      this.CONSUME(t.Wording)
      this.CONSUME(t.Word, { LABEL: "name" })
    },
    () => this.SUBRULE(this.framingField),
  )

  protected readonly framingField = this.island("framingField", () => {
    this.OR([
      {
        ALT: () => {
          this.OR2([
            { ALT: () => this.CONSUME(t.Preamble) },
            { ALT: () => this.CONSUME(t.Line) },
            { ALT: () => this.CONSUME(t.Closing) },
          ])
          this.SUBRULE(this.text)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Lines)
          this.AT_LEAST_ONE(() => this.SUBRULE2(this.text))
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
    this.oneOf(() => [this.text, this.provenance]),
  )

  protected readonly lexicon = this.withBody(
    "lexicon",
    "lexicon",
    [t.TextOpen, ...provenance],
    () => {
      this.CONSUME(t.Lexicon)
      this.CONSUME(t.Word, { LABEL: "name" })
    },
    this.oneOf(() => [this.text, this.provenance]),
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
    [t.TextField, t.Texts, ...provenance],
    () => {
      this.CONSUME(t.Block)
      this.CONSUME(t.Word, { LABEL: "name" })
    },
    this.oneOf(() => [this.blockField, this.provenance]),
  )

  protected readonly blockField = this.island("blockField", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.TextField)
          this.SUBRULE(this.text)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Texts)
          this.AT_LEAST_ONE(() => this.SUBRULE2(this.text))
        },
      },
    ])
  })

  protected readonly structure = this.island("structure", () => this.named(t.Structure), "structure")
  protected readonly order = this.island("order", () => this.named(t.Order), "order")
  protected readonly target = this.island("target", () => this.named(t.Target), "target")

  /** `structure dissent = all_wrong except last`: a name for a level. */
  private named(keyword: typeof t.Structure): void {
    this.CONSUME(keyword)
    this.CONSUME(t.Word, { LABEL: "name" })
    this.CONSUME(t.Equals)
    this.SUBRULE(this.expression)
  }
}
