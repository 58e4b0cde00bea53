/** Who may lean on whom: the grammar on nothing above it, the compiler on the grammar, and neither of them on a machine. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"

const sourcesOf = (part: string): readonly string[] =>
  readdirSync(part, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    // What `npm run grammar` calls: it writes files, and nothing imports it.
    .filter((path) => path !== join("grammar", "generate", "main.ts"))

/** What a file imports: parts of this repository by their folder, and packages. */
const importsOf = (path: string): readonly string[] =>
  [
    ...readFileSync(path, "utf8")
      // Examples of specs import, too.
      .replace(/`[^`]*`/g, "")
      .matchAll(/^(?:import\b[^"]*|export (?:type )?[{*][^"]*\bfrom )"([^"]+)"/gm),
  ].map(([, from = ""]) => (from.startsWith(".") ? (join(dirname(path), from).split("/")[0] ?? "") : from))

const allowed: Readonly<Record<string, readonly string[]>> = {
  grammar: ["grammar", "chevrotain"],
  compiler: ["grammar", "compiler", "re2js", "yaml", "node:crypto", "node:path"],
}

describe.each(Object.entries(allowed))("%s", (part, known) => {
  const sources = sourcesOf(part)

  it("imports only what stands below it", () => {
    expect(sources.length).toBeGreaterThan(20)
    const others = sources.flatMap((path) =>
      importsOf(path).flatMap((name) => (known.includes(name) ? [] : [`${path}: ${name}`])),
    )
    expect(others).toEqual([])
  })

  it("knows no clock, no chance and no environment", () => {
    const machine = /\bDate\.now\b|\bnew Date\b|\bMath\.random\b|\bperformance\.|\bprocess\./
    expect(sources.filter((path) => machine.test(readFileSync(path, "utf8")))).toEqual([])
  })
})

describe("runtime", () => {
  it("is not leaned on from below, and leans on no test, bench or editor", () => {
    const parts = new Set(sourcesOf("runtime").flatMap(importsOf))
    expect(parts.has("compiler")).toBe(true)
    expect([...parts].filter((name) => ["test", "bench", "editors", "docs"].includes(name))).toEqual([])
  })
})
