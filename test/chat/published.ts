/** Chat templates as they are published with models, out of a package that lists them, and what Python's jinja2 makes of them (`render.py`). */
import { readFileSync } from "node:fs"
import type { Message } from "../../runtime/chat/template.ts"

/** What jinja2 renders: in whole, by its sha256 (hex), or not at all. */
export type Truth = string | { readonly sha256: string } | { readonly refused: string }

interface Published {
  readonly cases: Readonly<Record<string, readonly Message[]>>
  /** By model, by case. */
  readonly rendered: Readonly<Record<string, Readonly<Record<string, Truth>>>>
}

export const published = JSON.parse(
  readFileSync(new URL("./published.json", import.meta.url), "utf8"),
) as Published

/** Jinja texts by model; the package's table is a source file of one string a line. */
export function publishedTemplates(): ReadonlyMap<string, string> {
  const table = readFileSync(
    new URL("../../node_modules/@huggingface/ollama-utils/src/chat-template-automap.ts", import.meta.url),
    "utf8",
  )
  const found = new Map<string, string>()
  let model = ""
  for (const line of table.split("\n")) {
    model = /^\s*model: "library\/(.*)",$/.exec(line)?.[1] ?? model
    const text = /^\s*gguf: (['"].*['"]),$/.exec(line)?.[1]
    if (text !== undefined && !found.has(model)) found.set(model, literal(text))
  }
  return found
}

/** A string as JavaScript writes it, in quotes of either kind. */
function literal(text: string): string {
  const inner = text
    .slice(1, -1)
    .replace(/\\(.)|"/g, (found, escaped) =>
      found === '"' || escaped === '"' ? '\\"' : escaped === "'" ? "'" : found,
    )
  return JSON.parse(`"${inner}"`) as string
}
