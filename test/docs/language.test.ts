import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { compile } from "../../compiler/compile.ts"
import { optionOrders } from "../../compiler/lower/options.ts"
import { builtInOrders, builtInStructures } from "../../compiler/lower/structure.ts"
import { format } from "../../grammar/format.ts"
import { parse } from "../../grammar/parse.ts"
import { keywords } from "../../grammar/tokens.ts"
import { diskFiles } from "../../runtime/disk/files.ts"

const project = fileURLToPath(new URL("../..", import.meta.url))
const page = readFileSync(join(project, "docs/language.md"), "utf8")
const blocks = [...page.matchAll(/```cfx\n([\s\S]*?)```/g)].map(([, text]) => text!)

test("the page's blocks, put together, are a spec without errors and warnings", () => {
  const entry = join(project, "docs/language.cfx")
  const disk = diskFiles({ here: project, stdlib: join(project, "stdlib") })
  const files = {
    ...disk,
    read: (path: string) => (path === entry ? { text: blocks.join("\n") } : disk.read(path)),
  }
  const { program, diagnostics } = compile(entry, files)
  expect(diagnostics.filter(({ severity }) => severity !== "note")).toEqual([])
  expect(program?.experiments.map(({ name }) => name)).toEqual(["voices", "arguments", "elsewhere"])
})

test("each block stands in the canonical layout", () => {
  expect(blocks.length).toBeGreaterThan(5)
  for (const text of blocks) expect(format({ name: "block.cfx", text })).toEqual({ text })
})

test("the table of libraries names all that the standard library declares, and no more", () => {
  for (const file of readdirSync(join(project, "stdlib")).filter((name) => name.endsWith(".cfx"))) {
    const { declarations } = parse({
      name: file,
      text: readFileSync(join(project, "stdlib", file), "utf8"),
    }).file
    const row = page.split("\n").find((line) => line.startsWith(`| \`std/${file.replace(/\.cfx$/, "")}\` |`))
    const named = [...(row ?? "").matchAll(/`(\w+)(?:\(\w+\))?`/g)].map(([, name]) => name!)
    expect(named.sort()).toEqual(declarations.map(({ name }) => name.text).sort())
  }
})

test("every word of the language stands on the page, as code", () => {
  const inline = [...page.replaceAll(/```[\s\S]*?```/g, "").matchAll(/`([^`\n]+)`/g)].map(([, code]) => code)
  const shown = new Set([...blocks, ...inline].join(" ").match(/\w+/g))
  const words = [
    ...keywords.map(({ LABEL = "" }) => LABEL),
    ...optionOrders,
    ...builtInOrders,
    ...builtInStructures,
  ]
  expect(words.length).toBeGreaterThan(100)
  expect(words.filter((word) => !shown.has(word))).toEqual([])
})
