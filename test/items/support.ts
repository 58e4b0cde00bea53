import type { ColumnIR, ItemFields, LookupIR } from "../../compiler/ir.ts"
import { type Reading, readItems } from "../../compiler/items/read.ts"
import { lowerPool } from "../../compiler/lower/items.ts"
import type { Names } from "../../compiler/resolve.ts"
import type { Items } from "../../grammar/ast.ts"
import { parse } from "../../grammar/parse.ts"

/** Paths as a person writes them: `question.stem or question`. */
export const at = (paths: string): ColumnIR =>
  paths.split(" or ").map((path): LookupIR => ({ kind: "path", path: path.split(".") }))

export const plain: ItemFields = {
  id: at("id"),
  question: at("question"),
  options: { list: at("options") },
  gold: at("gold"),
  columns: {},
}

export const read = (name: string, text: string, fields: ItemFields = plain, more: Partial<Reading> = {}) =>
  readItems([{ name, text }], { fields, ...more })

/** Each problem as its kind and the text at its span: what a person would see underlined. */
export const seen = (name: string, text: string, fields: ItemFields = plain): readonly string[] =>
  read(name, text, fields).problems.map(({ kind, span }) => `${kind}: ${text.slice(span.start, span.end)}`)

const noNames: Names = {
  find: () => undefined,
  lookup: () => () => undefined,
  has: () => false,
  importable: () => undefined,
}

/** A pool with these fields, as its declaration means it. */
export const pool = (fields: string, source = '"x.yaml"') => {
  const text = `items pool = ${source} { ${fields} }`
  const spec = { name: "spec.cfx", text }
  const { file, problems } = parse(spec)
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  const module = { path: "/spec/spec.cfx", source: spec, file, tears: [], imports: new Map() }
  return lowerPool("pool", { declaration: file.declarations[0] as Items, module }, noNames, {})
}

/** Reads files by a mapping as it is written in a spec. */
export const readBy = (fields: string, files: Readonly<Record<string, string>>, published = false) =>
  readItems(
    Object.entries(files).map(([name, text]) => ({ name, text })),
    { ...pool(fields), published },
  )
