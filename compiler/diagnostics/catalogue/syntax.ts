/** CFX1xxx: the text is not a spec yet. One entry for each kind of problem that the grammar reports. */
import { article, didYouMean, quote, series } from "../words.ts"
import { error, type None } from "./entry.ts"

interface Misplaced {
  readonly found: string
  readonly expected: readonly string[]
  readonly within: string
}

const place = (within: string): string => {
  if (within === "file") return "this file"
  return verbs.has(within) ? quote(within) : article(within)
}

/** Constructs whose keyword is no noun, or one in the plural. */
const verbs = new Set(["items", "arms", "assume", "read", "model_fit"])

/** Words that other tools have for a field, where none of ours is close enough to be a misspelling. */
const otherWords: Readonly<Record<string, string>> = {
  header: "preamble",
  footer: "closing",
  prompt: "user",
  response: "assistant",
  max_tokens: "max",
  stop: "until",
}

const meantByOther = (found: string, expected: readonly string[]): string | undefined => {
  const meant = otherWords[found]
  return meant !== undefined && expected.includes(meant) ? `The field is called ${quote(meant)}.` : undefined
}

export const syntax = {
  CFX1001: error<{ found: string }>("Stray character", {
    message: (p) => `The character ${quote(p.found)} has no meaning here.`,
    label: () => "not part of the language",
    hint: () => 'Text stands between quotation marks ("..."), a comment after `//`.',
  }),
  CFX1002: error<None>("Unclosed text", {
    message: () => "This text is opened but never closed.",
    label: () => "opened here",
    hint: () =>
      'Close it with the marks that opened it: `"` on the same line, or `"""` after any number of lines.',
  }),
  CFX1003: error<None>("Unclosed placeholder", {
    message: () => "This placeholder is opened but never closed.",
    label: () => "no `}` follows",
    hint: () => "Close it with `}`. For a brace that is a character of the text, write `{{`.",
  }),
  CFX1004: error<None>("Stray brace", {
    message: () => "A `}` closes a placeholder, and none is open here.",
    label: () => "closes nothing",
    hint: () => "For a brace that is a character of the text, write `}}`.",
  }),
  CFX1005: error<{ found: string }>("Unknown escape", {
    message: (p) => `${quote(p.found)} is not an escape that texts know.`,
    label: () => "unknown escape",
    hint: () => 'The escapes are `\\n`, `\\t`, `\\"`, `\\\\` and `\\u{...}`. For a backslash, write `\\\\`.',
  }),
  CFX1006: error<Misplaced>("Syntax error", {
    message: (p) => {
      const found = `I found ${p.found} in ${place(p.within)}.`
      return p.expected.length === 0 ? found : `${found} I expected ${series(p.expected, "or")}.`
    },
    label: () => "not expected here",
  }),
  CFX1008: error<{ found: string; meant: string }>("Sign of another language", {
    message: (p) => {
      if (p.found === "=") return "`=` gives a name what it stands for, and two values are compared here."
      if (p.found === "= {") return "`=` gives a factor one level, and several stand in braces here."
      return `${quote(p.found)} is not a sign of this language.`
    },
    label: (p) => `write ${quote(p.meant)}`,
    hint: (p) => `Write ${quote(p.meant)}.`,
  }),
  CFX1007: error<Misplaced & { readonly besides: readonly string[] }>("Unknown keyword", {
    message: (p) =>
      `${quote(p.found)} is not a keyword that can stand in ${place(p.within)}. I expected ${series([...p.besides, ...p.expected.map(quote)], "or")}.`,
    label: () => "unknown keyword",
    hint: (p) =>
      meantByOther(p.found, p.expected) ??
      didYouMean(p.found, p.expected) ??
      (p.within === "items"
        ? "The name of a column that holds a space stands in quotation marks, and between columns stand commas."
        : undefined),
  }),
}
