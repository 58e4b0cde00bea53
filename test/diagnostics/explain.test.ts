import { describe, expect, test } from "vitest"
import { compile } from "../../compiler/compile.ts"
import { catalogue, codes } from "../../compiler/diagnostics/catalogue.ts"
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.ts"
import { explain, explainAll, pages } from "../../compiler/diagnostics/explain.ts"
import { type Example, POOL_FILE } from "../../compiler/diagnostics/pages/page.ts"
import { render } from "../../compiler/diagnostics/render.ts"
import { inMemory } from "./examples.ts"

/** Sound questions, enough that no warning about their number is given, nor about the place of the right answer. The third option is always wrong. */
const questions = Array.from({ length: 40 }, (_, index) => {
  const [right, wrong] = [`${index + 1}`, `${index}`]
  const options = [...(index % 2 === 0 ? [right, wrong] : [wrong, right]), `${index + 2}`]
  return JSON.stringify({ question: `What is ${index} + 1?`, options, gold: index % 2 === 0 ? "A" : "B" })
}).join("\n")

const compiled = ({ spec, name, entry, files, behind }: Example) =>
  compile(`/spec/${entry}`, inMemory({ [POOL_FILE]: questions, [name]: spec, ...files, ...behind }))
    .diagnostics

/** Each example is compiled once for all tests. */
const found = new Map<Example, readonly Diagnostic[]>()
const all = (example: Example): readonly Diagnostic[] => {
  const known = found.get(example) ?? compiled(example)
  found.set(example, known)
  return known
}

const rendered = (example: Example): string =>
  all(example)
    .map((diagnostic) => render(diagnostic, { color: false }))
    .join("\n\n")

/** Needs a model's tokenizer: `test/forecast/plan.test.ts` shows that its wrong example gives it. */
const ofPlans: readonly string[] = ["CFX4030"]

describe("every code has a page", () => {
  test.each(codes)("%s: its wrong example gives exactly this code", (code) => {
    const given = all(pages[code].wrong)
    expect(
      given.map((diagnostic) => diagnostic.code),
      rendered(pages[code].wrong),
    ).toEqual(ofPlans.includes(code) ? [] : [code])
    if (given.length > 0) expect(given[0]?.severity).toBe(catalogue[code].severity)
  })

  test.each(codes)("%s: its right example gives nothing to complain about", (code) => {
    expect(rendered(pages[code].right)).toBe("")
  })

  test.each(codes)("%s: the page says what it is about, and shows both examples", (code) => {
    const text = explain(code) ?? ""
    const { wrong, right } = pages[code]
    expect(text.startsWith(`${code}: ${catalogue[code].title} (${catalogue[code].severity})\n`)).toBe(true)
    expect(wrong.shown + JSON.stringify(wrong.files)).not.toBe(right.shown + JSON.stringify(right.files))
    for (const line of [...wrong.shown.split("\n"), ...right.shown.split("\n")]) expect(text).toContain(line)
  })
})

describe("cfx explain", () => {
  test("knows no code that is not in the catalogue", () => {
    expect(explain("CFX9999")).toBeUndefined()
    expect(explain("toString")).toBeUndefined()
  })

  test("lists every code with its severity and title", () => {
    const lines = explainAll().split("\n")
    for (const code of codes) {
      expect(lines.find((line) => line.startsWith(code))).toMatch(
        new RegExp(`^${code} +${catalogue[code].severity} +${catalogue[code].title}$`),
      )
    }
  })

  test("breaks its sentences at 96 columns", () => {
    const prose = codes.flatMap((code) => explain(code)!.split("\nWrong:")[0]!.split("\n"))
    expect(Math.max(...prose.map((line) => line.length))).toBeLessThanOrEqual(96)
  })

  test("reads: title, meaning, reason, wrong, right", () => {
    expect(explain("CFX1005")).toBe(
      String.raw`CFX1005: Unknown escape (error)

A backslash in a text is followed by something that it has no meaning with.

Every character of a prompt is declared, so an escape is never guessed at. A backslash itself is
written twice.

Wrong:

    block path {
      text "The file is C:\data."
    }

Right:

    block path {
      text "The file is C:\\data."
    }`,
    )
  })
})
