/** What else libraries hold: imports, models and items. */
import type { IToken } from "chevrotain"
import { spanOf } from "../lex.ts"
import type { Problem } from "../problem.ts"
import * as t from "../tokens.ts"
import { braces } from "./rules.ts"
import { StimulusParser } from "./stimuli.ts"

const notAChecksum = (sum: IToken): Problem => ({
  kind: "unexpected",
  found: `\`${sum.image}\``,
  expected: ["`sha256:` and 64 hexadecimal digits"],
  within: "import",
  span: spanOf(sum),
})

export abstract class LibraryParser extends StimulusParser {
  // ---------------------------------------------------------------- imports, models

  protected readonly import = this.island(
    "import",
    () => {
      this.CONSUME(t.Import)
      this.SUBRULE(this.importedNames)
      this.CONSUME(t.From)
      this.SUBRULE(this.text)
      this.OPTION(() => {
        const sum = this.CONSUME(t.Checksum)
        if (!/^sha256:[0-9a-fA-F]{64}$/.test(sum.image)) this.slip(() => notAChecksum(sum))
      })
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
      { ALT: () => this.SUBRULE(this.attributes) },
    ])
  })

  protected readonly attributes = this.bodyOnly("attributes", "attribute", [t.Word], () =>
    this.SUBRULE(this.innerAttribute),
  )

  protected readonly innerAttribute = this.island("innerAttribute", () => {
    this.CONSUME(t.Word, { LABEL: "key" })
    this.OR([
      { ALT: () => this.SUBRULE(this.text) },
      { ALT: () => this.CONSUME(t.NumberToken) },
      { ALT: () => this.CONSUME2(t.Word, { LABEL: "value" }) },
    ])
  })

  // ---------------------------------------------------------------- items

  protected readonly items = this.withOptionalBody(
    "items",
    "items",
    [
      ...[t.Word, t.Records, t.Where, t.Shuffle, t.Size, t.Choices, t.Strata],
      ...[t.Experiment, t.Keep, t.One],
    ],
    () => {
      this.CONSUME(t.Items)
      this.CONSUME(t.Word, { LABEL: "name" })
      this.CONSUME(t.Equals)
      this.SUBRULE(this.itemsSource)
    },
    () => this.OR9({ MAX_LOOKAHEAD: 1, DEF: this.itemsEntries }),
  )

  /** A keyword that is given columns is the name of a column. */
  private readonly itemsEntries = [
    {
      GATE: () => this.LA(2).tokenType === t.Equals,
      IGNORE_AMBIGUITIES: true,
      ALT: () => this.SUBRULE(this.fieldMapping),
    },
    { ALT: () => this.SUBRULE(this.itemsField) },
    { ALT: () => this.SUBRULE(this.runField) },
  ]

  protected readonly itemsSource = this.RULE("itemsSource", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.Run)
          this.SUBRULE(this.text)
        },
      },
      { ALT: () => this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE2(this.text) }) },
    ])
  })

  protected readonly fieldMapping = this.island("fieldMapping", () => {
    this.CONSUME(t.Word, { LABEL: "target" })
    this.CONSUME(t.Equals)
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.columns) })
  })

  /** Ways to a value, of which the first that a row has is taken. */
  protected readonly columns = this.RULE("columns", () => {
    this.SUBRULE(this.column)
    this.chain(() => {
      this.CONSUME(t.Or)
      this.SUBRULE2(this.column)
    })
  })

  protected readonly column = this.RULE("column", () => {
    this.OR([
      { ALT: () => this.SUBRULE(this.text) },
      {
        ALT: () => {
          this.SUBRULE(this.path)
          this.OPTION(() => this.SUBRULE(this.callArguments))
        },
      },
    ])
  })

  protected readonly path = this.RULE("path", () => {
    this.CONSUME(t.Word)
    this.chain(() => {
      this.CONSUME(t.Dot)
      this.CONSUME2(t.Word)
    })
  })

  /** What groups to the left, and so nests once more with each of its parts. */
  private chain(part: () => void): void {
    const { depth } = this
    try {
      this.MANY({
        GATE: () => this.mayNest,
        DEF: () => {
          part()
          this.depth++
        },
      })
    } finally {
      this.depth = depth
    }
  }

  protected readonly itemsField = this.island("itemsField", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.Records)
          this.SUBRULE(this.path)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Where)
          this.SUBRULE(this.expression)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Shuffle)
          this.CONSUME(t.Options)
        },
      },
      {
        ALT: () => {
          this.OR2([{ ALT: () => this.CONSUME(t.Size) }, { ALT: () => this.CONSUME(t.Choices) }])
          this.CONSUME(t.NumberToken)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Strata)
          this.CONSUME(t.Word)
          this.CONSUME2(t.NumberToken)
        },
      },
    ])
  })

  /** What is taken from a finished run. */
  protected readonly runField = this.island("runField", () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.Experiment)
          this.CONSUME(t.Word)
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Keep)
          this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.CONSUME2(t.Word) })
        },
      },
      {
        ALT: () => {
          for (const type of [t.One, t.Per, t.Item, t.By, t.Max]) this.CONSUME(type)
          this.CONSUME3(t.Word, { LABEL: "metric" })
          this.CONSUME(t.Over)
          this.CONSUME(t.Model)
          this.OPTION(() => {
            this.CONSUME(t.Except)
            this.CONSUME2(t.Model)
          })
        },
      },
    ])
  })
}
