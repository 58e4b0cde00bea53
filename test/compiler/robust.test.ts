import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { codes } from "../../compiler/diagnostics/catalogue.ts"
import { base } from "./base.ts"
import { compileText, text } from "./files.ts"

/** Words and signs of the base, to be put where they do not belong. */
const tokens = [...new Set(base.match(/"(?:\\.|[^"\\])*"|[\w.]+|[^\w\s]/g))]

/** A spec with a few places cut, doubled or replaced. */
const mangled = fc
  .array(fc.tuple(fc.nat(base.length), fc.nat(30), fc.constantFrom("", ...tokens)), {
    minLength: 1,
    maxLength: 3,
  })
  .map((cuts) =>
    cuts.reduce((spec, [at, length, put]) => `${spec.slice(0, at)} ${put} ${spec.slice(at + length)}`, base),
  )

/** A spec with one of its words in place of another: sound syntax more often than not, and seldom sound sense. */
const swapped = fc.tuple(fc.nat(), fc.constantFrom(...tokens)).map(([at, put]) => {
  const words = [...base.matchAll(/"(?:\\.|[^"\\])*"|[\w.]+/g)]
  const word = words[at % words.length]!
  return base.slice(0, word.index) + put + base.slice(word.index + word[0].length)
})

const holds = (spec: string): void => {
  const { program, hash, diagnostics } = compileText(spec)
  const errors = diagnostics.filter(({ severity }) => severity === "error")
  expect(program === undefined).toBe(errors.length > 0)
  expect(hash === undefined).toBe(errors.length > 0)
  for (const { code, source, span } of diagnostics) {
    expect(codes).toContain(code)
    expect(span.start).toBeGreaterThanOrEqual(0)
    expect(span.end).toBeGreaterThanOrEqual(span.start)
    expect(span.end).toBeLessThanOrEqual(source.text.length)
  }
}

describe("whatever stands in a spec", () => {
  it("compiling throws nothing, and gives a program exactly where there is no error", () => {
    fc.assert(fc.property(fc.oneof(mangled, swapped), holds), { numRuns: 50 })
  })

  it("even if it is any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), holds), { numRuns: 20 })
  })

  it("a file that imports itself, under a name and under another", () => {
    holds('import { a } from "./main.cfx"\nimport { a as b } from "./x/../main.cfx"\nblock a { text "A" }')
  })
})

describe("the standard library", () => {
  it.each(["baselines", "doses", "framings", "metrics", "models", "paraphrases", "protocols"])(
    "%s is sound by itself",
    (name) => {
      const { diagnostics } = compileText(text(`stdlib/${name}.cfx`))
      expect(diagnostics).toEqual([])
    },
  )
})
