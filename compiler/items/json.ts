/** JSON with places: what `JSON.parse` accepts and nothing else, but for a key that stands twice in one record, which is refused. */
import type { Span } from "../../grammar/source.ts"
import { type Cell, deepest } from "./cell.ts"

export type Parsed = { readonly cell: Cell } | { readonly why: string; readonly span: Span }

/** Thrown within this file only. */
class Broken extends Error {
  readonly span: Span
  constructor(why: string, start: number, end: number) {
    super(why)
    this.span = { start, end }
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON forbids in a text
const plain = /[^"\\\u0000-\u001f]*/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /true|false|null/y
const words = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
])

/** Reads the one JSON value that stands between two places of a text. */
export const parseJson = (text: string, within: Span): Parsed => {
  let at = within.start

  const found = (): string =>
    at < within.end ? `"${String.fromCodePoint(text.codePointAt(at) ?? 0)}"` : "its end"
  const unexpected = (expected: string): Broken =>
    new Broken(`${expected} should stand here, not ${found()}`, at, Math.min(at + 1, within.end))

  const skip = (): void => {
    while (at < within.end) {
      const code = text.charCodeAt(at)
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return
      at += 1
    }
  }
  const take = (character: string): boolean => {
    skip()
    if (at >= within.end || text[at] !== character) return false
    at += 1
    return true
  }
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const matched = pattern.exec(text)?.[0]
    if (matched === undefined || at + matched.length > within.end) return undefined
    at += matched.length
    return matched
  }

  const string = (): Cell & { readonly kind: "scalar" } => {
    const start = at
    at += 1
    plain.lastIndex = at
    plain.test(text)
    at = plain.lastIndex
    // Most texts have nothing in them that stands for something else.
    if (at < within.end && text.charCodeAt(at) === 34) {
      const value = text.slice(start + 1, at)
      at += 1
      return { kind: "scalar", value, text: value, span: { start, end: at } }
    }
    while (at < within.end && text[at] !== '"') at += text[at] === "\\" ? 2 : 1
    if (at >= within.end) throw new Broken("this text is not closed", start, within.end)
    at += 1
    try {
      const value: unknown = JSON.parse(text.slice(start, at))
      return { kind: "scalar", value: String(value), text: String(value), span: { start, end: at } }
    } catch {
      throw new Broken("this text holds an unknown escape or a bare control character", start, at)
    }
  }

  const list = (depth: number): Cell => {
    const start = at
    at += 1
    const items: Cell[] = []
    if (!take("]")) {
      do items.push(value(depth + 1))
      while (take(","))
      if (!take("]")) throw unexpected('"," or "]"')
    }
    return { kind: "list", items, span: { start, end: at } }
  }

  const record = (depth: number): Cell => {
    const start = at
    at += 1
    const entries = new Map<string, Cell>()
    if (!take("}")) {
      do {
        skip()
        if (text[at] !== '"' || at >= within.end) throw unexpected("a key in quotes")
        const key = string()
        if (entries.has(key.text)) {
          throw new Broken(`the key ${JSON.stringify(key.text)} stands twice`, key.span.start, key.span.end)
        }
        if (!take(":")) throw unexpected('":"')
        entries.set(key.text, value(depth + 1))
      } while (take(","))
      if (!take("}")) throw unexpected('"," or "}"')
    }
    return { kind: "map", entries, span: { start, end: at } }
  }

  const value = (depth: number): Cell => {
    skip()
    if (depth > deepest) throw new Broken("values are nested too deeply", at, at + 1)
    const start = at
    if (at < within.end) {
      const code = text.charCodeAt(at)
      if (code === 34) return string()
      if (code === 91) return list(depth)
      if (code === 123) return record(depth)
      const digits = match(number)
      if (digits !== undefined) {
        return { kind: "scalar", value: Number(digits), text: digits, span: { start, end: at } }
      }
      const name = match(word)
      if (name !== undefined) {
        return { kind: "scalar", value: words.get(name) ?? null, text: name, span: { start, end: at } }
      }
    }
    throw unexpected("a value")
  }

  try {
    const cell = value(0)
    skip()
    if (at < within.end) throw new Broken("something follows the value", at, within.end)
    return { cell }
  } catch (broken) {
    if (broken instanceof Broken) return { why: broken.message, span: broken.span }
    throw broken
  }
}
