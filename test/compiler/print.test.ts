/** Expressions as they are printed: in reports, in diagnostics, as names of levels. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { levelName, print } from "../../compiler/lower/print.ts"
import type { Expression } from "../../grammar/ast.ts"
import { parse } from "../../grammar/parse.ts"
import { expression } from "../grammar/arbitrary/tokens.ts"

const parsed = (text: string): Expression => {
  const { file, problems } = parse({ name: "test.cfx", text: `target t = ${text}` })
  expect(problems, text).toEqual([])
  const [target] = file.declarations
  if (target?.kind !== "target") throw new Error(`no expression: ${text}`)
  return target.value
}

/** Where a number stands for its value, its spelling is not printed. */
const aside = new Set(["span", "written"])

const meaning = (tree: Expression): unknown =>
  JSON.parse(JSON.stringify(tree, (key, value) => (aside.has(key) ? undefined : value)))

describe("a printed expression", () => {
  it("parses to the same tree, and is printed in one way", () => {
    fc.assert(
      fc.property(expression, (tokens) => {
        const tree = parsed(tokens.join(" "))
        const once = print(tree)
        const again = parsed(once)
        expect(meaning(again)).toEqual(meaning(tree))
        expect(print(again)).toBe(once)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ["a sum under a sign", "d > -(0.02 + 0.03)"],
    ["a difference under a sign", "-(1 - 7)"],
    ["two signs", "--a * b"],
    ["a sign before what has a property", "-a.p(pushed)"],
    ["a property of what has a sign", "(-a).p"],
    ["`not` before a conjunction", "not (a and b)"],
    ["`not` before a comparison", "not a == b"],
    ["a comparison of what is negated", "(not a) == b"],
    ["a comparison of a comparison", "(a == b) == (c < d)"],
    ["a state in a comparison", "(a is invalid) != (b in { x, y })"],
    ["a state of a sum", "not a + b is invalid"],
    ["operators in a row", "a - b - (c - d) - e * (f / g)"],
    ["alternatives of conjunctions", "a and b or c and (d or e)"],
    ["a number so small that it would have an exponent", "a < 0.0000001"],
    ["quotation marks, braces and signs that are not seen", '"\\"{{x}}\\" \\\\ \\n\\u{7F}{item.subject}"'],
  ])("keeps the brackets that it needs: %s", (_, text) => {
    expect(print(parsed(text))).toBe(text)
  })

  it("has no more brackets than it needs", () => {
    expect(print(parsed("((a) + (b * c)) > (0.1)"))).toBe("a + b * c > 0.1")
    expect(print(parsed("((a - b) - c) or (not (d))"))).toBe("a - b - c or not d")
  })
})

describe("the name of a level", () => {
  it("is what is written, a text without its quotes, a number in its own spelling", () => {
    const names = ["people", '"Be {{brief}}."', "9.90", "01"].map((text) => levelName(parsed(text)))
    expect(names).toEqual(["people", "Be {brief}.", "9.90", "01"])
  })

  it("has its numbers by their value where they count something", () => {
    expect(levelName(parsed("distinct(06)"))).toBe("distinct(6)")
    expect(levelName(parsed("distinct(-(1 - 7))"))).toBe("distinct(-(1 - 7))")
  })
})
