/** Regular expressions of the language: linear in the text, whatever it is (re2js). Flags are written out, as in `(?i)`. */
import { RE2JS } from "re2js"

export interface Pattern {
  /** The match that counts, by its first group if it has one that took part; places in UTF-16 units. */
  readonly find: (text: string, which: "first" | "last") => Found | undefined
}

export interface Found {
  readonly text: string
  readonly start: number
  readonly end: number
}

const known = new Map<string, Pattern | { readonly problem: string }>()

/** A pattern as written, or what is wrong with it, in words. */
export const patternOf = (written: string): Pattern | { readonly problem: string } => {
  const found = known.get(written) ?? compiled(written)
  known.set(written, found)
  return found
}

const compiled = (written: string): Pattern | { readonly problem: string } => {
  let expression: RE2JS
  try {
    expression = RE2JS.compile(written)
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
  return {
    find: (text, which) => {
      const matcher = expression.matcher(text)
      let found: Found | undefined
      while (matcher.find()) {
        const group = matcher.groupCount() > 0 && matcher.start(1) >= 0 ? 1 : 0
        const [start, end] = [matcher.start(group), matcher.end(group)]
        found = { text: text.slice(start, end), start, end }
        if (which === "first") break
      }
      return found
    },
  }
}
