/** Imports that pin what they bring, and imports from packages. */
import { describe, expect, test } from "vitest"
import { importedBy } from "../../compiler/libraries.ts"
import { briefs, compileText } from "../compiler/files.ts"
import { inMemory } from "../diagnostics/examples.ts"

const library = `
roster friends { "Ann" "Ben" }
framing talk { preamble "They talked." speakers friends line "{speaker}: I say {answer}." }
framing crowd { preamble "People say:" line "{assertion}" }
`

const using = (imports: string): string =>
  `${imports}
framing loud_talk extends talk { preamble "They shouted." }
framing big_crowd extends crowd { preamble "Many people say:" }`

const files = { "lib.cfx": library }

const sumOf = (imports: string, others: Readonly<Record<string, string>> = files): string => {
  const { imports: found } = importedBy("/spec/main.cfx", inMemory({ "main.cfx": using(imports), ...others }))
  return found[0]?.meaning ?? ""
}

const both = (sum: string, names = "talk, crowd") => `import { ${names} } from "./lib.cfx"${sum}`

const said = (imports: string, others: Readonly<Record<string, string>> = files) =>
  briefs(compileText(using(imports), others))

describe("a sum on an import", () => {
  const sum = sumOf(both(""))

  test("holds what the names mean together, in any order and under any alias", () => {
    expect(sum).toMatch(/^[0-9a-f]{64}$/)
    expect(said(both(` sha256:${sum}`))).toEqual([])
    expect(said(both(`\n  sha256:${sum.toUpperCase()}`))).toEqual([])
    expect(said(both(` sha256:${sum}`, "crowd, talk"))).toEqual([])
    const aliased = using(both(` sha256:${sum}`, "crowd as mob, talk")).replace(
      "extends crowd",
      "extends mob",
    )
    expect(briefs(compileText(aliased, files))).toEqual([])
  })

  test("is of these names and no others", () => {
    expect(sumOf(both("", "crowd"))).not.toBe(sumOf(both("", "talk")))
    expect(sumOf(both("", "crowd"))).not.toBe(sum)
  })

  test("holds after the library is laid out anew", () => {
    const laid = library.replaceAll(/ (?=preamble|line|speakers)/g, "\n  // moved\n  ")
    expect(said(both(` sha256:${sum}`), { "lib.cfx": laid })).toEqual([])
  })

  test.each([
    ["a stimulus", "They talked.", "They talked!"],
    ["a speaker of a roster that is used, and not imported", '"Ben"', '"Bea"'],
    ["a line", "I say", "I said"],
  ])("refuses another meaning: %s", (_, from, to) => {
    const [found] = compileText(using(both(` sha256:${sum}`)), {
      "lib.cfx": library.replace(from, to),
    }).diagnostics
    expect(found?.code).toBe("CFX2550")
    expect(found?.source.text.slice(found.span.start, found.span.end)).toContain(sum)
    expect(found?.message).toContain(`it pins ${sum}`)
    expect(found?.message).toMatch(/the meaning now is [0-9a-f]{64}\.$/)
    expect(found?.message).not.toMatch(new RegExp(`now is ${sum}`))
  })

  test("says nothing more where the names cannot be had", () => {
    const codes = (others: Readonly<Record<string, string>>) =>
      said(both(` sha256:${sum}`), others).map((line) => line.slice(0, 7))
    expect(codes({})).toEqual(["CFX2004"])
    expect(codes({ "lib.cfx": library.replace("framing crowd", "framing mob") })).toEqual(["CFX2006"])
    expect(codes({ "lib.cfx": library.replace("speakers friends", "speakers fiends") })).toEqual(["CFX2001"])
    expect(codes({ "lib.cfx": library.replace('line "{assertion}"', 'line "{assertion}" @') })).toEqual([
      "CFX1001",
    ])
  })

  test("may stand on the standard library too", () => {
    const spec = (sum: string) =>
      `import { people } from "std/framings"${sum}\nframing x extends people { preamble "X" }`
    expect(briefs(compileText(spec(` sha256:${sum}`)))).toHaveLength(1)
    const { imports } = importedBy("/spec/main.cfx", inMemory({ "main.cfx": spec("") }))
    expect(briefs(compileText(spec(` sha256:${imports[0]?.meaning}`)))).toEqual([])
  })
})

describe("a library of a package", () => {
  const shared = (name: string, file: string) => ({ [`node_modules/${name}/${file}`]: library })
  const from = (path: string) => `import { talk, crowd } from "${path}"`

  test.each([
    ["cfx-framings-asch", "asch.cfx"],
    ["@lab/framings", "asch.cfx"],
    ["@lab/framings", "sets/asch.cfx"],
  ])("%s, %s", (name, file) => {
    expect(said(from(`pkg:${name}/${file}`), shared(name, file))).toEqual([])
  })

  test.each([
    ["a package that is not installed", "pkg:cfx-other/asch.cfx", /npm install cfx-other/],
    ["a package of a scope", "pkg:@lab/other/asch.cfx", /npm install @lab\/other/],
    ["a file that it does not have", "pkg:cfx-framings-asch/other.cfx", /npm install cfx-framings-asch/],
    [
      "a file outside it",
      "pkg:cfx-framings-asch/../secret.cfx",
      /leads out of the package.*npm install cfx-framings-asch/,
    ],
    ["no file", "pkg:cfx-framings-asch", /written `pkg:NAME\/FILE\.cfx`.*npm install NAME/],
    ["no name", "pkg:/asch.cfx", /written `pkg:NAME\/FILE\.cfx`/],
    ["a folder above", "pkg:../asch.cfx", /written `pkg:NAME\/FILE\.cfx`/],
    ["another ending", "pkg:cfx-framings-asch/asch.txt", /ends in `\.cfx`/],
  ])("%s is an error that says what to do", (_, path, sentence) => {
    const [found, ...others] = compileText(
      using(from(path)),
      shared("cfx-framings-asch", "asch.cfx"),
    ).diagnostics
    expect(others).toEqual([])
    expect(found?.code).toBe("CFX2551")
    expect(found?.message).toMatch(sentence)
  })

  test("goes by its name and that of its package, wherever it lies", () => {
    const inner = {
      "node_modules/@lab/framings/asch.cfx":
        'import { crowd as base } from "./base.cfx"\nframing talk extends base { preamble "T" }\nframing crowd extends base { preamble "C" }',
      "node_modules/@lab/framings/base.cfx": library,
      "sub/own.cfx": 'framing own { line "{assertion}" }',
    }
    const spec = `${using(from("pkg:@lab/framings/asch.cfx"))}\nimport { own } from "./sub/own.cfx"\nimport { people } from "std/framings"`
    const { libraries } = importedBy("/spec/main.cfx", inMemory({ "main.cfx": imports(spec), ...inner }))
    expect(libraries.map(({ name, meanings }) => [name, Object.keys(meanings)])).toEqual([
      ["pkg:@lab/framings/asch.cfx", ["crowd", "talk"]],
      ["pkg:@lab/framings/base.cfx", ["crowd"]],
      ["std/framings", ["people"]],
      ["sub/own.cfx", ["own"]],
    ])
  })
})

/** Imports stand before declarations. */
const imports = (spec: string): string => {
  const lines = spec.split("\n")
  const isImport = (line: string): boolean => line.startsWith("import")
  return [...lines.filter(isImport), ...lines.filter((line) => !isImport(line))].join("\n")
}
