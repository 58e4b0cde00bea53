/** The meaning of real libraries: what leaves it as it is, and what changes it. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { standardLibraries } from "../../compiler/standard.ts"
import type { Declaration } from "../../grammar/ast.ts"
import { format } from "../../grammar/format.ts"
import { parse } from "../../grammar/parse.ts"
import type { Span } from "../../grammar/source.ts"
import { meaning, meanings, standard } from "./support.ts"

const paths = standardLibraries.map((name) => `/std/${name}.cfx`)

const original = new Map(paths.map((path) => [path, meanings(path)]))

const fileOf = (path: string) => parse({ name: path, text: standard.get(path) ?? "" }).file

const changedTo = (path: string, text: string) => meanings(path, { [path]: text })

const edited = (path: string, { start, end }: Span, text: string): string => {
  const source = standard.get(path) ?? ""
  return source.slice(0, start) + text + source.slice(end)
}

/** Every node below one, itself first. */
function* nodes(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (Array.isArray(value)) for (const one of value) yield* nodes(one)
  else if (typeof value === "object" && value !== null) {
    yield value as Readonly<Record<string, unknown>>
    for (const one of Object.values(value)) yield* nodes(one)
  }
}

/** Letters of the texts of a declaration that a model or a reader of a model's text is given: citations and a pinned model's path are none. */
const letters = (path: string, declaration: Declaration): readonly number[] => {
  if (declaration.kind === "model") return []
  const source = standard.get(path) ?? ""
  const content = "provenance" in declaration ? { ...declaration, provenance: [] } : declaration
  return [...nodes(content)].flatMap(({ kind, span }) => {
    if (kind !== "chars") return []
    const { start, end } = span as Span
    return Array.from({ length: end - start }, (_, index) => start + index).filter(
      (at) => /[A-Za-z0-9,.:?]/.test(source[at] ?? "") && source[at - 1] !== "\\",
    )
  })
}

const stimuli = paths.flatMap((path) =>
  fileOf(path).declarations.flatMap((declaration) => {
    const places = letters(path, declaration)
    return places.length === 0 ? [] : [{ path, name: declaration.name.text, places }]
  }),
)

/** Neighbouring fields of different kinds, anywhere in a declaration. */
const swaps = paths.flatMap((path) =>
  fileOf(path).declarations.flatMap((declaration) =>
    [...nodes(declaration)].flatMap((node) =>
      ["fields", "settings", "attributes"].flatMap((key) => {
        const all = node[key]
        if (!Array.isArray(all)) return []
        return all.slice(1).flatMap((second: SwapNode, index) => {
          const first = all[index] as SwapNode
          const kind = (one: SwapNode) => one.field ?? one.setting ?? one.key?.text
          const derived = (one: SwapNode) => one.field === "extract" || one.field === "judge"
          const between = standard.get(path)?.slice(first.span.end, second.span.start) ?? ""
          return kind(first) === kind(second) || (derived(first) && derived(second)) || between.trim() !== ""
            ? []
            : [{ path, first: first.span, second: second.span }]
        })
      }),
    ),
  ),
)

interface SwapNode {
  readonly field?: string
  readonly setting?: string
  readonly key?: { readonly text: string }
  readonly span: Span
}

describe("the meaning of a library's declarations", () => {
  test("is known for every one of the standard library, and no two of one library are alike", () => {
    for (const [path, found] of original) {
      expect([...found.keys()], path).toEqual(fileOf(path).declarations.map(({ name }) => name.text))
      for (const hash of found.values()) expect(hash).toMatch(/^[0-9a-f]{64}$/)
      expect(new Set(found.values()).size, path).toBe(found.size)
    }
  })

  test.each(paths)("%s: the canonical layout leaves it", (path) => {
    const formatted = format({ name: path, text: standard.get(path) ?? "" })
    if ("problems" in formatted) throw new Error(`${path} has syntax errors`)
    expect(changedTo(path, formatted.text)).toEqual(original.get(path))
  })

  test.each(paths)("%s: without docs, comments and citations it is the same", (path) => {
    const file = fileOf(path)
    const cited = file.declarations.flatMap((one) => ("provenance" in one ? one.provenance : []))
    const source = cited
      .toSorted((a, b) => b.span.start - a.span.start)
      .reduce((text, { span }) => text.slice(0, span.start) + text.slice(span.end), standard.get(path) ?? "")
    expect(changedTo(path, source.replace(/^\s*\/\/.*$/gm, ""))).toEqual(original.get(path))
  })

  test("blanks, line breaks and comments between fields leave it", () => {
    const gaps = fc.constantFrom(
      "\n",
      "  \n\n",
      " // a remark\n",
      "\n/// A doc that explains nothing.\n\n",
      "\t",
    )
    fc.assert(
      fc.property(fc.constantFrom(...swaps), gaps, ({ path, first, second }, gap) => {
        expect(changedTo(path, edited(path, { start: first.end, end: second.start }, ` ${gap} `))).toEqual(
          original.get(path),
        )
      }),
      { numRuns: 60 },
    )
  })

  test("the order of fields of different kinds leaves it", () => {
    expect(swaps.length).toBeGreaterThan(30)
    fc.assert(
      fc.property(fc.constantFrom(...swaps), ({ path, first, second }) => {
        const text = standard.get(path) ?? ""
        const [one, other] = [text.slice(first.start, first.end), text.slice(second.start, second.end)]
        expect(
          changedTo(path, edited(path, { start: first.start, end: second.end }, `${other}\n${one}`)),
        ).toEqual(original.get(path))
      }),
      { numRuns: 80 },
    )
  })

  test("any character of a stimulus changes it: another one, one more, one less", () => {
    expect(stimuli.length).toBeGreaterThan(40)
    const place = fc
      .constantFrom(...stimuli)
      .chain(({ places, ...one }) => fc.record({ one: fc.constant(one), at: fc.constantFrom(...places) }))
    fc.assert(
      fc.property(place, fc.constantFrom("q", "Z", "7", "qq", ""), ({ one: { path, name }, at }, other) => {
        fc.pre(standard.get(path)?.[at] !== other)
        const found = changedTo(path, edited(path, { start: at, end: at + 1 }, other))
        expect(found.get(name)).toMatch(/^[0-9a-f]{64}$/)
        expect(found.get(name)).not.toBe(original.get(path)?.get(name))
      }),
      { numRuns: 250 },
    )
  })
})

describe("what a declaration means", () => {
  const framing = 'framing f { preamble "People say:" line "{assertion}" }'

  test("is pinned: a change of these hashes breaks every sum that was written into an import", () => {
    expect(meaning(framing, "f")).toMatchInlineSnapshot(
      `"5f20c28a1646792490450fa9435e47ba797b64a54531a9d375d0dad5930b2c9b"`,
    )
    expect(
      meaning("metric m(first = a0) { rate first == item.gold interval wilson 95 }", "m"),
    ).toMatchInlineSnapshot(`"67958ec74c22cf6866fe7cedf9915e0e8252914d2a134d85ad23ce92cb5f18a5"`)
  })

  test("is not its own name, nor the keyword that a framing goes by", () => {
    expect(meaning(framing.replace("framing f", "container other"), "other")).toBe(meaning(framing, "f"))
  })

  test("does not show how a character was escaped or quoted", () => {
    expect(meaning('block b { text "a\\nb {{c}}" }', "b")).toBe(
      meaning('block b {\n  text """\n    a\n    b {{c}}\n    """\n}', "b"),
    )
    expect(meaning('block b { text "a\\nb" }', "b")).not.toBe(meaning('block b { text "a b" }', "b"))
  })

  test("tells a placeholder from the same letters", () => {
    expect(meaning('block b { text "{item.question}" }', "b")).not.toBe(
      meaning('block b { text "{{item.question}}" }', "b"),
    )
  })

  test("has inheritance applied: to inherit a field is to have it", () => {
    const child = `${framing} framing g extends f { line "Person {i}: {assertion}" }`
    const whole = 'framing g { line "Person {i}: {assertion}" preamble "People say:" }'
    expect(meaning(child, "g")).toBe(meaning(whole, "g"))
    expect(meaning(child.replace("People say", "Some say"), "g")).not.toBe(meaning(whole, "g"))
    expect(meaning(child.replace('line "{assertion}"', 'line "{assertion}!"'), "g")).toBe(meaning(whole, "g"))
  })

  test("has a framing's wordings in it", () => {
    const worded = (second: string) => `framing f { line "{assertion}" wording second { line "${second}" } }`
    expect(meaning(worded("So: {assertion}"), "f")).not.toBe(meaning(worded("Thus: {assertion}"), "f"))
    expect(meaning(worded("So: {assertion}"), "f")).not.toBe(meaning('framing f { line "{assertion}" }', "f"))
  })

  test("goes through the names that it uses, whatever they are called there", () => {
    const talk = (roster: string, name = "friends") =>
      `roster ${name} { ${roster} } framing talk { speakers ${name} line "{speaker}: {answer}" }`
    expect(meaning(talk('"Ann" "Ben"', "others"), "talk")).toBe(meaning(talk('"Ann" "Ben"'), "talk"))
    expect(meaning(talk('"Ann" "Bea"'), "talk")).not.toBe(meaning(talk('"Ann" "Ben"'), "talk"))
    expect(meaning(talk('"Ben" "Ann"'), "talk")).not.toBe(meaning(talk('"Ann" "Ben"'), "talk"))
  })

  test("goes through files", () => {
    const source = 'import { f as base } from "./other.cfx"\nframing g extends base { line "{assertion}!" }'
    const with_ = (text: string) => meaning(source, "g", { "/spec/other.cfx": text })
    expect(with_(`// moved\n${framing}`)).toBe(with_(framing))
    expect(with_(framing.replace("say:", "say"))).not.toBe(with_(framing))
  })

  test("of a metric has the default policy for invalid answers, written or not", () => {
    const metric = (rest: string) =>
      `metric m(first = a0) { rate first == item.gold interval wilson 95 ${rest} }`
    expect(meaning(metric("invalid exclude"), "m")).toBe(meaning(metric(""), "m"))
    expect(meaning(metric("invalid wrong"), "m")).not.toBe(meaning(metric(""), "m"))
    expect(meaning(metric("given first.confidence < 0.90"), "m")).toBe(
      meaning(metric("given (first.confidence < 0.9)"), "m"),
    )
  })

  test("of a metric goes through the lexicon that it counts by", () => {
    const counted = (terms: string) =>
      `lexicon hedges { ${terms} } metric m(reply = r) { mean count(hedges, reply) interval bootstrap 95 }`
    expect(meaning(counted('"maybe"'), "m")).not.toBe(meaning(counted('"perhaps"'), "m"))
    expect(meaning(counted('"maybe"').replaceAll("hedges", "words"), "m")).toBe(
      meaning(counted('"maybe"'), "m"),
    )
  })

  test("of a model is its sum where it declares one, else its file", () => {
    const sum = "ab".repeat(32)
    const model = (file: string, rest: string) => `model m = gguf "${file}" { ${rest} }`
    const pinned = `sha256 "${sum}" bytes 5`
    expect(meaning(model("b/x.gguf", pinned), "m")).toBe(
      meaning(
        model("a.gguf", pinned.toUpperCase().replace("SHA256", "sha256").replace("BYTES", "bytes")),
        "m",
      ),
    )
    expect(meaning(model("a.gguf", pinned.replace("a", "c")), "m")).not.toBe(
      meaning(model("a.gguf", pinned), "m"),
    )
    expect(meaning(model("a.gguf", "size 1"), "m")).not.toBe(meaning(model("b.gguf", "size 1"), "m"))
    expect(meaning(model("a.gguf", 'size 1 family "X"'), "m")).toBe(
      meaning(model("a.gguf", 'family "X" size 1'), "m"),
    )
  })

  test("of a judge is its pattern too, and of a protocol its judges and the order of what it finds in texts", () => {
    const judge = (pattern: string) => `judge j(reply) { matching "${pattern}" then yes else no }`
    expect(meaning(judge("a+"), "j")).not.toBe(meaning(judge("a*"), "j"))
    const protocol = (fields: string, pattern = "a") =>
      `${judge(pattern)} protocol p { ${fields} turn t { user "U" assistant "{r: text}" read r { max 9 temperature 0 } } }`
    const found = 'extract e: option from r matching "(.)" last'
    expect(meaning(protocol("judge v = j(r)", "b"), "p")).not.toBe(meaning(protocol("judge v = j(r)"), "p"))
    expect(meaning(protocol(`${found} judge v = j(r)`), "p")).not.toBe(
      meaning(protocol(`judge v = j(r) ${found}`), "p"),
    )
    expect(meaning(protocol("slot a slot b"), "p")).not.toBe(meaning(protocol("slot b slot a"), "p"))
  })

  test("has the characters of numbers that a model is asked for, or that name levels, and the value of all others", () => {
    const read = (labels: string, max = "9") =>
      `protocol p { turn t { user "U" assistant "{r: label(${labels})} {x: text}" read x { max ${max} } } }`
    expect(meaning(read("1.0, 2"), "p")).not.toBe(meaning(read("1, 2"), "p"))
    expect(meaning(read("1, 2", "9.0"), "p")).toBe(meaning(read("1, 2"), "p"))
    const design = (level: string, seed = "1", bound = "0.5") =>
      `experiment e { seed in { ${seed}, 2 } factor k in { ${level}, 3 } table t { rows k columns A where k == ${level} }
        expect c > ${bound} records { item = id a: label(${level}) = a a.p(${level}) = p k = k { ${level} = ${level} } } }`
    expect(meaning(design("1", "01", "0.50"), "e")).toBe(meaning(design("1"), "e"))
    const whole = meaning(design("1"), "e")
    for (const at of [...design("§").matchAll(/§/g)].map(({ index }) => index)) {
      const text = design("§")
      const spelt = `${text.slice(0, at)}01${text.slice(at + 1)}`.replaceAll("§", "1")
      expect(meaning(spelt, "e"), spelt).not.toBe(whole)
    }
  })

  test("of a dose keeps the order of its parameters", () => {
    expect(meaning("dose d(a, b) { lines a speakers b }", "d")).not.toBe(
      meaning("dose d(b, a) { lines a speakers b }", "d"),
    )
  })

  test("exists even where names lead in a circle", () => {
    expect(meaning("framing a extends b { } framing b extends a { }", "a")).toMatch(/^[0-9a-f]{64}$/)
  })
})
