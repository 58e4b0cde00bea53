/** What seldom comes of chance: numbers out of range, depth, length, other scripts, clashing names, fields in other places. */
import { lex } from "../../grammar/lex.ts"
import { parse } from "../../grammar/parse.ts"
import type { Span } from "../../grammar/source.ts"
import { type Change, nodeSpans, oneOf, replaced, swapped } from "./spans.ts"

/** Numbers that are out of range nearly everywhere, and some that are just within. */
const numbers = [
  ...["0", "1", "2", "100", "101", "1000", "1001", "10001", "0.0000001", "1.5", "1e308", "1e-320", "1e400"],
  ...["9007199254740991", "9007199254740992", "4294967296", "2147483648", "00", `1${"0".repeat(400)}`],
]

/** What brackets may hold to any depth. */
const nests: readonly (readonly [open: string, close: string])[] = [
  ["(", ")"],
  ["[", "]"],
  ["{ ", " }"],
  ["not ", ""],
  ["-", ""],
  ["f(", ")"],
  ["a.", ""],
  ["a and ", ""],
  ["a or ", ""],
  ["1 + ", ""],
  ["x == y ", ""],
  ["all_wrong except last = ", ""],
  ["in { ", " }"],
]

const unicode = [
  ...["\u{1f600}", "a\u0301", "\u202e", "\u200b", "\u2028", "\u00a0", "\uff5b", "\u201c", "\u201d", "\u2212"],
  ...[
    "\ud800",
    "\udc00",
    "\u0130",
    "\u00df",
    "\u05d0",
    "\u{10ffff}",
    "<|im_start|>",
    "__proto__",
    "constructor",
  ],
]

const spansOfImage =
  (pattern: RegExp) =>
  (text: string): readonly Span[] =>
    lex(text)
      .tokens.filter(({ image }) => pattern.test(image))
      .map(({ startOffset, image }) => ({ start: startOffset, end: startOffset + image.length }))

const numberSpans = spansOfImage(/^[0-9.]+$/)
const wordSpans = spansOfImage(/^[A-Za-z_][A-Za-z0-9_]*$/)

/** Another word of the same text for every place where this one stands: names that clash, circles, declarations of another kind. */
const renamed = (text: string, from: string, to: string): string =>
  text.replace(new RegExp(`(?<![A-Za-z0-9_])${from}(?![A-Za-z0-9_])`, "g"), () => to)

/** Whole fields of the tree by where they stand: the fields of declarations that have any. */
const fieldSpans = (text: string): readonly Span[] => {
  const spans: Span[] = []
  for (const declaration of parse({ name: "fuzz", text }).file.declarations) {
    if (!("fields" in declaration)) continue
    for (const field of declaration.fields as readonly { readonly span?: Span }[])
      if (field.span !== undefined) spans.push(field.span)
  }
  return spans
}

export const odd: readonly Change[] = [
  [
    "a number out of range",
    (text, below) => {
      const span = oneOf(numberSpans(text), below)
      return span === undefined ? text : replaced(text, span, oneOf(numbers, below) ?? "")
    },
  ],
  [
    "deep nesting",
    (text, below) => {
      const span = oneOf(nodeSpans(text), below)
      const [open, close] = oneOf(nests, below) ?? ["", ""]
      const depth = 1 + below(10 ** (1 + below(3)))
      if (span === undefined) return text
      return replaced(
        text,
        span,
        open.repeat(depth) +
          text.slice(span.start, span.end) +
          close.repeat(depth - (below(4) === 0 ? 1 : 0)),
      )
    },
  ],
  [
    "a very long name or line",
    (text, below) => {
      const span = oneOf(wordSpans(text), below)
      const length = 10 ** (1 + below(4))
      return span === undefined
        ? text
        : replaced(text, span, text.slice(span.start, span.end).repeat(length).slice(0, length))
    },
  ],
  [
    "unicode",
    (text, below) => {
      const at = below(text.length + 1)
      return replaced(text, { start: at, end: at + below(2) }, oneOf(unicode, below) ?? "")
    },
  ],
  [
    "a word renamed everywhere",
    (text, below) => {
      const [from, to] = [oneOf(wordSpans(text), below), oneOf(wordSpans(text), below)]
      if (from === undefined || to === undefined) return text
      return renamed(text, text.slice(from.start, from.end), text.slice(to.start, to.end))
    },
  ],
  [
    "a word by another",
    (text, below) => {
      const [from, to] = [oneOf(wordSpans(text), below), oneOf(wordSpans(text), below)]
      return from === undefined || to === undefined
        ? text
        : replaced(text, from, text.slice(to.start, to.end))
    },
  ],
  [
    "fields swapped",
    (text, below) => {
      const spans = fieldSpans(text)
      const [one, other] = [oneOf(spans, below), oneOf(spans, below)]
      return one === undefined || other === undefined ? text : swapped(text, one, other)
    },
  ],
  [
    "a field of another spec",
    (text, below, specs) => {
      const other = specs[below(specs.length)]!
      const [here, there] = [oneOf(fieldSpans(text), below), oneOf(fieldSpans(other), below)]
      return here === undefined || there === undefined
        ? text
        : replaced(text, here, other.slice(there.start, there.end))
    },
  ],
]
