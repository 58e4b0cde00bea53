import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { compile } from "../../compiler/compile.ts"
import type { Compiled, CompileOptions } from "../../compiler/compiled.ts"
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.ts"
import type { Files } from "../../compiler/files.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

export const text = (path: string): string => readFileSync(`${root}${path}`, "utf8")

/** Files that stand in memory, in a folder `/spec`, packages below `node_modules`; the standard library is the real one. */
export const memory = (files: Readonly<Record<string, string>>): Files => ({
  stdlib: "/std",
  show: (path) => path.replace(/^\/spec\//, "").replace(/^\/std\//, "std/"),
  read: (path) => {
    const own = files[path.replace(/^\/spec\//, "")]
    if (own !== undefined) return { text: own }
    if (!path.startsWith("/std/")) return { problem: "no such file" }
    try {
      return { text: text(`stdlib/${path.slice(5)}`) }
    } catch {
      return { problem: "no such file" }
    }
  },
  list: (path) => {
    if (path === "/std") return { names: readdirSync(`${root}stdlib`).sort() }
    const folder = path === "/spec" ? "" : `${path.replace(/^\/spec\//, "")}/`
    const names = Object.keys(files)
      .filter((name) => name.startsWith(folder) && !name.slice(folder.length).includes("/"))
      .map((name) => name.slice(folder.length))
    return names.length === 0 ? { problem: "no such folder" } : { names: names.sort() }
  },
  packaged: (name, file) => {
    const path = `node_modules/${name}/${file}`
    const isThere = Object.keys(files).some((other) => other.startsWith(`node_modules/${name}/`))
    if (!isThere) return { problem: `no package; \`npm install ${name}\`` }
    return files[path] === undefined
      ? { problem: `no such file; \`npm install ${name}\`` }
      : { path: `/spec/${path}` }
  },
})

/** `n` sound questions as lines of JSON. */
export const questions = (n: number): string =>
  Array.from({ length: n }, (_, i) =>
    JSON.stringify({
      id: `q${i}`,
      question: `Which is number ${i}?`,
      options: [`a${i}`, `b${i}`, `c${i}`],
      gold: "ABC"[i % 3],
    }),
  ).join("\n")

/** Lines of JSON as a list of YAML. */
export const asYaml = (lines: string): string => lines.replace(/^/gm, "- ")

export const compileText = (
  spec: string,
  files: Readonly<Record<string, string>> = {},
  options?: CompileOptions,
): Compiled =>
  compile("/spec/main.cfx", memory({ "main.cfx": spec, "items.jsonl": questions(40), ...files }), options)

/** A diagnostic in one line: its code and the text that it marks, with the file where that is not the spec. */
export const brief = ({ code, source, span }: Diagnostic): string => {
  const marked = source.text.slice(span.start, span.end).replace(/\s+/g, " ")
  const shown = marked.length > 60 ? `${marked.slice(0, 57)}...` : marked
  return `${code} ${shown}${source.name === "main.cfx" ? "" : ` (${source.name})`}`
}

export const briefs = ({ diagnostics }: Compiled): readonly string[] => diagnostics.map(brief)
