import { describe, expect, it } from "vitest"
import { syntaxError } from "../../compiler/load.ts"
import { parse } from "../../grammar/parse.ts"

const hintOf = (text: string): string | undefined => {
  const source = { name: "test.cfx", text }
  const [problem] = parse(source).problems
  return problem === undefined ? undefined : syntaxError(problem, source).hint
}

describe("what a syntax error suggests", () => {
  it.each([
    ["a word of another tool", 'framing a { header "x" }', "In a framing this is `preamble`."],
    ["a word of another declaration", "metric a { rate b where c }", "In a metric this is `given`."],
    [
      "the same where it is a keyword",
      "experiment a { where b == c }",
      "In an experiment this is `only when`.",
    ],
    [
      "a text that stands in no turn",
      'protocol a { prompt "x" }',
      'Texts stand in the turns of a protocol, such as: turn first { user "{item.question}" assistant "{a0: option}" }',
    ],
    ["`is not`", "metric a { rate b is not value }", "Write `not (b is value)`."],
    [
      "a percentage",
      "experiment a { expect b > 5% }",
      "Percentage points are written `pp`: `within 3 pp`. Rates and differences are compared with fractions of 1: `0.05`.",
    ],
    [
      "one model where all are meant",
      "experiment a { factor b in model }",
      "Write `in models` for each model of the experiment, `= model` for the studied one, or levels in braces: `in { a, b }`.",
    ],
    ["the same where the field cannot stand", 'block a { header "x" }', undefined],
    ["a misspelt field", 'framing a { premable "x" }', "Did you mean `preamble`?"],
    [
      "a misspelt clause at the end of a field",
      'protocol p { extract a: option from r matching "x" lst }',
      "Did you mean `last`?",
    ],
    [
      "the name of a column in two words",
      'items a = "x.csv" {\n  question = Question text\n  gold = g\n}',
      "The name of a column that holds a space stands in quotation marks, and between columns stand commas.",
    ],
  ])("%s", (_, text, hint) => {
    expect(hintOf(text)).toBe(hint)
  })
})
