import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { clamp, lineOf, placeOf } from "../../compiler/diagnostics/place.ts"
import type { Source } from "../../grammar/source.ts"

const lineCount = (source: Source): number => lineOf(source, Number.MAX_SAFE_INTEGER).number

const source = (text: string) => ({ name: "x.cfx", text })

describe("a place", () => {
  test("counts lines and columns from 1", () => {
    const text = source("ab\ncd\n")
    expect(placeOf(text, 0)).toEqual({ line: 1, column: 1 })
    expect(placeOf(text, 4)).toEqual({ line: 2, column: 2 })
    expect(placeOf(text, 6)).toEqual({ line: 3, column: 1 })
  })

  test.each([
    ["LF", "a\nb\nc"],
    ["CR LF", "a\r\nb\r\nc"],
    ["CR", "a\rb\rc"],
  ])("ends a line at %s, and the line's text is without it", (_, text) => {
    expect([1, 2, 3].map((number) => lineOf(source(text), number).text)).toEqual(["a", "b", "c"])
    expect(placeOf(source(text), text.indexOf("c"))).toEqual({ line: 3, column: 1 })
  })

  test("counts columns in UTF-16 units: a tab is one, an emoji two", () => {
    expect(placeOf(source("\tx"), 1)).toEqual({ line: 1, column: 2 })
    expect(placeOf(source("🙂x"), 2)).toEqual({ line: 1, column: 3 })
  })

  test("gives a byte order mark no column", () => {
    expect(placeOf(source("\ufeffab\ncd"), 1)).toEqual({ line: 1, column: 1 })
    expect(placeOf(source("\ufeffab\ncd"), 0)).toEqual({ line: 1, column: 1 })
    expect(placeOf(source("\ufeffab\ncd"), 4)).toEqual({ line: 2, column: 1 })
    expect(lineOf(source("\ufeffab\ncd"), 1).text).toBe("ab")
  })

  test("of an offset outside of the text is the text's start or end", () => {
    expect(placeOf(source("ab"), -3)).toEqual({ line: 1, column: 1 })
    expect(placeOf(source("ab"), 99)).toEqual({ line: 1, column: 3 })
    expect(placeOf(source(""), 5)).toEqual({ line: 1, column: 1 })
  })

  test("leads back to its offset: line start plus column", () => {
    const texts = fc.string({
      unit: fc.constantFrom("a", "\n", "\r", "\r\n", "🙂", "\t", "\ufeff"),
      maxLength: 40,
    })
    fc.assert(
      fc.property(texts, fc.nat(80), (text, offset) => {
        const it = source(text)
        const at = Math.min(Math.max(offset, text.startsWith("\ufeff") ? 1 : 0), text.length)
        const { line, column } = placeOf(it, at)
        expect(line).toBeLessThanOrEqual(lineCount(it))
        expect(lineOf(it, line).start + column - 1).toBe(at)
      }),
    )
  })

  test("lines and their breaks make up the text", () => {
    const texts = fc.string({ unit: fc.constantFrom("a", "\n", "\r", "\r\n"), maxLength: 40 })
    fc.assert(
      fc.property(texts, (text) => {
        const it = source(text)
        const lines = Array.from({ length: lineCount(it) }, (_, index) => lineOf(it, index + 1).text)
        expect(lines).toEqual(text.split(/\r\n|\n|\r/))
      }),
    )
  })
})

describe("a span is brought into its text", () => {
  test("whole characters are never split", () => {
    expect(clamp(source("a🙂b"), { start: 2, end: 3 })).toEqual({ start: 1, end: 3 })
    expect(clamp(source("a🙂b"), { start: 1, end: 2 })).toEqual({ start: 1, end: 3 })
    expect(clamp(source("a\r\nb"), { start: 2, end: 2 })).toEqual({ start: 1, end: 1 })
  })

  test("a span past the end, or turned around, is empty", () => {
    expect(clamp(source("ab"), { start: 7, end: 9 })).toEqual({ start: 2, end: 2 })
    expect(clamp(source("ab"), { start: 1, end: 0 })).toEqual({ start: 1, end: 1 })
    expect(clamp(source("ab"), { start: Number.NaN, end: 1 })).toEqual({ start: 0, end: 1 })
  })
})
