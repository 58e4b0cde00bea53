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
    ["a word of another tool", 'framing a { header "x" }', "The field is called `preamble`."],
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
