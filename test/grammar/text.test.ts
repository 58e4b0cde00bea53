import { describe, expect, it } from "vitest"
import type { Text } from "../../grammar/ast.ts"
import { parse } from "../../grammar/parse.ts"

const textOf = (literal: string): { text: Text; source: string } => {
  const source = `block b {\n  text ${literal}\n}\n`
  const { file, problems } = parse({ name: "test.cfx", text: source })
  expect(problems).toEqual([])
  const block = file.declarations[0]
  if (block?.kind !== "block") throw new Error("no block")
  const [field] = block.fields
  if (field?.field !== "text") throw new Error("no text")
  return { text: field.text, source }
}

/** Literal characters as they are, placeholders and holes as they are written. */
const partsOf = (literal: string): string[] => {
  const { text, source } = textOf(literal)
  return text.parts.map((part) =>
    part.kind === "chars" ? part.text : source.slice(part.span.start, part.span.end),
  )
}

const lines = (...all: string[]): string => `"""${all.join("\n")}"""`

describe("a quoted text", () => {
  it.each([
    ["nothing", '""', []],
    ["escapes", '"a\\n\\t\\"\\\\"', ['a\n\t"\\']],
    ["code points", '"\\u{e9}\\u{1F600}"', ["é😀"]],
    ["doubled braces", '"{{x}}"', ["{x}"]],
    ["a placeholder", '"a {item.question} b"', ["a ", "{item.question}", " b"]],
    ["a placeholder in braces", '"{{{x}}}"', ["{", "{x}", "}"]],
    ["what would be a comment elsewhere", '"http://x // y"', ["http://x // y"]],
    ["three quotes' worth of nothing", '""""""', []],
    [
      "a hole whose brace stands before a doubled one",
      '"""{k0: integer 1..10}}}"""',
      ["{k0: integer 1..10}", "}"],
    ],
    ["quotes in triple quotes", '"""say "hi" or ""so"""', ['say "hi" or ""so']],
  ])("holds %s", (_, literal, parts) => {
    expect(partsOf(literal)).toEqual(parts)
  })
})

describe("a triple-quoted text", () => {
  it("loses its common indentation and its first and last line break", () => {
    expect(partsOf(lines("", "      one", "        two", "      three", "      "))).toEqual([
      "one\n  two\nthree",
    ])
  })

  it("may close at the end of its last line, or below at any indentation", () => {
    expect(partsOf(lines("", "  one", "  two"))).toEqual(["one\ntwo"])
    expect(partsOf(lines("", "  one", "  two", ""))).toEqual(["one\ntwo"])
    expect(partsOf(lines("", "  one", "  two", "          "))).toEqual(["one\ntwo"])
  })

  it("keeps further empty lines, and what its lines end with", () => {
    expect(partsOf(lines("", "", "  one  ", "", "  two", "", "  "))).toEqual(["\none  \n\ntwo\n"])
  })

  it("does not count empty lines when it looks for the common indentation", () => {
    expect(partsOf(lines("", "    one", "  ", "    two", "    "))).toEqual(["one\n\ntwo"])
  })

  it("does not take an escaped tab for indentation", () => {
    expect(partsOf(lines("", "  \\tone", "  \\ttwo", "  "))).toEqual(["\tone\n\ttwo"])
  })

  it("tells tabs from spaces", () => {
    expect(partsOf(lines("", "\tone", "  two", ""))).toEqual(["\tone\n  two"])
  })

  it("takes text behind the opening quotes as it is", () => {
    expect(partsOf(lines("  one", "    two", "      three"))).toEqual(["  one\ntwo\n  three"])
  })

  it("removes indentation before placeholders, too", () => {
    expect(partsOf(lines("", "  {a}", "  {b}", "  "))).toEqual(["{a}", "\n", "{b}"])
  })

  it("reads all line breaks as one newline", () => {
    expect(partsOf('"""\r\n  one\r\n  two\r\n  """')).toEqual(["one\ntwo"])
    expect(partsOf('"""\r  one\r  two\r  """')).toEqual(["one\ntwo"])
  })

  it.each([
    ["a no-break space", "\u00A0"],
    ["an ideographic space", "\u3000"],
    ["a line separator", "\u2028"],
    ["a form feed", "\f"],
    ["a byte order mark", "\uFEFF"],
  ])("has no other layout than spaces, tabs and line breaks: %s is one of its characters", (_, sign) => {
    expect(partsOf(lines("", "  Think again.", `  ${sign}`))).toEqual([`Think again.\n${sign}`])
    expect(partsOf(lines(sign, "  Think again.", "  "))).toEqual([`${sign}\nThink again.`])
    expect(partsOf(lines("", "    one", `  ${sign}`, "    two", ""))).toEqual([`  one\n${sign}\n  two`])
    expect(partsOf(lines("", `  ${sign}one${sign}`, ""))).toEqual([`${sign}one${sign}`])
  })
})

describe("spans of a text's parts", () => {
  it("cover literal characters as they are written", () => {
    const { text, source } = textOf('"a\\n{{{x} b"')
    expect(text.parts.map(({ span }) => source.slice(span.start, span.end))).toEqual(["a\\n{{", "{x}", " b"])
  })

  it("begin behind the indentation that is not part of the text", () => {
    const { text, source } = textOf(lines("", "    one", "    "))
    expect(text.parts.map(({ span }) => source.slice(span.start, span.end))).toEqual(["one"])
  })
})
