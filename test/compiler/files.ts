import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { compile } from "../../compiler/compile.ts"
import type { Compiled, CompileOptions } from "../../compiler/compiled.ts"
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.ts"
import { inMemory } from "../diagnostics/examples.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

export const text = (path: string): string => readFileSync(`${root}${path}`, "utf8")

/** `n` sound questions as lines of JSON. */
export const questions = (n: number, options = 3): string =>
  Array.from({ length: n }, (_, i) =>
    JSON.stringify({
      id: `q${i}`,
      question: `Which is number ${i}?`,
      options: [..."abcdefgh".slice(0, options)].map((letter) => `${letter}${i}`),
      gold: "ABCDEFGH"[i % options],
    }),
  ).join("\n")

/** Lines of JSON as a list of YAML. */
export const asYaml = (lines: string): string => lines.replace(/^/gm, "- ")

export const compileText = (
  spec: string,
  files: Readonly<Record<string, string>> = {},
  options?: CompileOptions,
): Compiled =>
  compile("/spec/main.cfx", inMemory({ "main.cfx": spec, "items.jsonl": questions(40), ...files }), options)

/** A diagnostic in one line: its code and the text that it marks, with the file where that is not the spec. */
export const brief = ({ code, source, span }: Diagnostic): string => {
  const marked = source.text.slice(span.start, span.end).replace(/\s+/g, " ")
  const shown = marked.length > 60 ? `${marked.slice(0, 57)}...` : marked
  return `${code} ${shown}${source.name === "main.cfx" ? "" : ` (${source.name})`}`
}

export const briefs = ({ diagnostics }: Compiled): readonly string[] => diagnostics.map(brief)
