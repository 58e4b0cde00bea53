/**
 * Specs that are wrong on purpose. Each opens with what it must give, in order: `//! CODE text of the span`, with ` in FILE`
 * where the place is in another file. The rendering that a person gets stands beside it in `NAME.expected.txt`; after a
 * change that is meant, `npx vitest run test/diagnostics -u` writes it anew.
 */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { compile } from "../../compiler/compile.ts"
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.ts"
import { render, summary, toJson } from "../../compiler/diagnostics/render.ts"
import { inMemory } from "./examples.ts"

const BROKEN = new URL("broken/", import.meta.url)

const texts: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(BROKEN, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".txt"))
    .map((entry) => {
      const folder = entry.parentPath.replace(/\/$/, "").endsWith("with") ? "with/" : ""
      return [`${folder}${entry.name}`, readFileSync(`${entry.parentPath}/${entry.name}`, "utf8")]
    }),
)

const specs = Object.keys(texts).filter((name) => name.endsWith(".cfx") && !name.startsWith("with/"))

const files = inMemory(texts)
const compiled = new Map(specs.map((name) => [name, compile(`/spec/${name}`, files)]))
const diagnosed = (name: string): readonly Diagnostic[] => compiled.get(name)!.diagnostics

/** `CODE text of the span`, its first line only, as the fixtures announce it. */
const announced = (name: string, { code, source, span }: Diagnostic): string => {
  const [line] = source.text.slice(span.start, span.end).split(/[\r\n]/)
  return `${code} ${line}${source.name === name ? "" : ` in ${source.name}`}`.trim()
}

describe("a broken spec", () => {
  test.each(specs)("%s gives the codes and spans that it announces, and no others", (name) => {
    const expected = [...texts[name]!.matchAll(/^\ufeff?\/\/! (.*?)\r?$/gm)].map((match) => match[1]!.trim())
    expect(expected).not.toEqual([])
    expect(diagnosed(name).map((diagnostic) => announced(name, diagnostic))).toEqual(expected)
  })

  test.each(specs)("%s reads as expected", async (name) => {
    const diagnostics = diagnosed(name)
    const places = diagnostics.map((diagnostic) => {
      const { code, file, start, end } = toJson(diagnostic)
      return `${code} ${file}:${start.line}:${start.column}-${end.line}:${end.column}`
    })
    const shown = diagnostics.map((diagnostic) => render(diagnostic, { color: false }))
    await expect(
      [...places, "", shown.join("\n\n"), "", summary(diagnostics), ""].join("\n"),
    ).toMatchFileSnapshot(`broken/${name.replace(/cfx$/, "expected.txt")}`)
  })

  test.each(specs)("%s gives no program", (name) => {
    const errors = diagnosed(name).some(({ severity }) => severity === "error")
    expect(compiled.get(name)!.program === undefined).toBe(errors)
  })

  test("says the same every time", () => {
    for (const name of specs) expect(compile(`/spec/${name}`, files).diagnostics).toEqual(diagnosed(name))
  })
})

describe("together the broken specs", () => {
  test("are at least forty", () => {
    expect(specs.length).toBeGreaterThanOrEqual(40)
  })

  test("have each what a person gets beside them", () => {
    const expected = readdirSync(BROKEN).filter((name) => name.endsWith(".expected.txt"))
    expect(expected.sort()).toEqual(specs.map((name) => name.replace(/cfx$/, "expected.txt")).sort())
  })

  test("send no control character to a terminal", () => {
    for (const name of specs) {
      const shown = diagnosed(name).map((diagnostic) => render(diagnostic, { color: false }))
      expect(
        [...shown.join("")].filter((it) => it !== "\n" && /[\p{Cc}\u202e]/u.test(it)),
        name,
      ).toEqual([])
    }
  })
})
