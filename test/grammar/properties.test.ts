import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { format } from "../../grammar/format.ts"
import { lex } from "../../grammar/lex.ts"
import { parse } from "../../grammar/parse.ts"
import { damaged, samples, soup, wellFormed } from "./arbitrary.ts"

const source = (text: string) => ({ name: "test.cfx", text })

const withoutSpans = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, each) => (key === "span" ? undefined : each)))

const formatted = (text: string): string => {
  const result = format(source(text))
  if ("problems" in result) throw new Error(JSON.stringify(result.problems))
  return result.text
}

const comments = (text: string): string[] => lex(text).comments.map((comment) => comment.text)

interface Placed {
  readonly kind?: string
  readonly text?: unknown
  readonly span: { readonly start: number; readonly end: number }
}

/** Every node of a tree with the nodes directly in it. */
const walk = (value: unknown, visit: (node: Placed, inner: readonly Placed[]) => void): Placed[] => {
  if (Array.isArray(value)) return value.flatMap((each) => walk(each, visit))
  if (typeof value !== "object" || value === null) return []
  const inner = Object.entries(value).flatMap(([key, each]) => (key === "span" ? [] : walk(each, visit)))
  if (!("span" in value)) return inner
  visit(value as Placed, inner)
  return [value as Placed]
}

describe("a well-formed file, whatever its layout", () => {
  it("parses without problems", () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        expect(parse(source(text)).problems).toEqual([])
      }),
    )
  })

  it("means the same after formatting", () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        const again = parse(source(formatted(text)))
        expect(again.problems).toEqual([])
        expect(withoutSpans(again.file)).toEqual(withoutSpans(parse(source(text)).file))
      }),
    )
  })

  it("is not changed by formatting it twice", () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        const once = formatted(text)
        expect(formatted(once)).toBe(once)
      }),
    )
  })

  it("keeps its comments, in their order", () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        expect(comments(formatted(text))).toEqual(comments(text))
      }),
    )
  })

  it("has spans that nest, and whose text is the node", () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        walk(parse(source(text)).file, (node, inner) => {
          const written = text.slice(node.span.start, node.span.end)
          for (const each of inner) {
            expect(each.span.start).toBeGreaterThanOrEqual(node.span.start)
            expect(each.span.end).toBeLessThanOrEqual(node.span.end)
          }
          if (node.kind === "name") expect(written).toBe(node.text)
          if ("parts" in node) expect(written).toMatch(/^".*"$/s)
          if (node.kind === "hole" || node.kind === "placeholder") expect(written).toMatch(/^\{.*\}$/s)
          if (node.kind !== "file" && node.kind !== "chars") expect(written).toBe(written.trim())
        })
      }),
    )
  })
})

describe("any text at all", () => {
  const anything = fc.oneof(
    damaged,
    soup,
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.string({ unit: fc.constantFrom(...'{}()[]"\\\n =,.ain/'), maxLength: 200 }),
  )

  it("is parsed without an exception, with problems inside the text and in its order", () => {
    fc.assert(
      fc.property(anything, (text) => {
        const { problems } = parse(source(text))
        let last = 0
        for (const { span } of problems) {
          expect(span.start).toBeGreaterThanOrEqual(last)
          expect(span.end).toBeGreaterThanOrEqual(span.start)
          expect(span.end).toBeLessThanOrEqual(text.length)
          last = span.start
        }
      }),
      { numRuns: 500 },
    )
  })

  it("is laid out, or has problems", () => {
    fc.assert(
      fc.property(anything, (text) => {
        const { problems } = parse(source(text))
        const result = format(source(text))
        expect("problems" in result).toBe(problems.length > 0)
      }),
      { numRuns: 300 },
    )
  })

  it("says what could stand at every unexpected thing", () => {
    fc.assert(
      fc.property(anything, (text) => {
        for (const problem of parse(source(text)).problems) {
          if ("expected" in problem) expect(problem.expected).not.toEqual([])
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe("a library file", () => {
  it.each(samples)("$name is laid out as `cfx fmt` would", ({ text }) => {
    expect(formatted(text)).toBe(text)
  })

  it.each(samples)("$name means the same with CRLF line breaks and a byte order mark", ({ text }) => {
    const windows = parse(source(`\uFEFF${text.replaceAll("\n", "\r\n")}`))
    expect(windows.problems).toEqual([])
    expect(withoutSpans(windows.file)).toEqual(withoutSpans(parse(source(text)).file))
  })

  it.each(samples.filter(({ text }) => text.trimEnd().endsWith("}")))(
    "$name gives a tree and at least one problem wherever it is cut off inside a body",
    ({ text }) => {
      const end = text.lastIndexOf("}")
      for (const at of [0.3, 0.5, 0.7, 0.9].map((share) => Math.floor(end * share))) {
        const { file } = parse(source(text.slice(0, at)))
        expect(file.kind).toBe("file")
      }
      expect(parse(source(text.slice(0, end))).problems).toHaveLength(1)
    },
  )
})
