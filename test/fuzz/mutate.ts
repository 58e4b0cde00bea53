/** Specs broken at random: characters, tokens and whole nodes of the tree lost, doubled, swapped or brought in from elsewhere. Seeded. */
import { stream } from "../../compiler/draw.ts"
import type { Span } from "../../grammar/source.ts"
import { odd } from "./odd.ts"
import { type Change, type Draw, nodeSpans, oneOf, replaced, swapped, tokenSpans } from "./spans.ts"

export interface Mutant {
  readonly text: string
  /** What was done, for a report. */
  readonly how: string
}

const signs = [
  ...[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    '"',
    '"""',
    "=",
    "==",
    "!=",
    "<",
    ">=",
    "-",
    "+",
    "*",
    "/",
    ",",
    ".",
    "..",
    ":",
  ],
  ...[
    "///",
    "//",
    "\\",
    "\\n",
    "\\u{110000}",
    "{{",
    "}}",
    "{x",
    "x}",
    "\u0000",
    "\ud800",
    "\ufeff",
    "é",
    "\r",
    "\t",
  ],
  ...[
    "9",
    "-1",
    "1e9",
    "0.5",
    "99999999999999999999",
    "in",
    "not",
    "and",
    "or",
    "is",
    "except",
    "models",
    "none",
  ],
]

/** The mutant number `index` of these specs under a seed: from one to four changes, one after the other. */
export const mutant = (specs: readonly string[], seed: number, index: number): Mutant => {
  const { below } = stream({ seed, declaration: "fuzz", item: String(index) })
  let text = specs[below(specs.length)]!
  const done: string[] = []
  for (let change = below(4); change >= 0; change--) {
    const [how, change] = changes[below(changes.length)]!
    done.push(how)
    text = change(text, below, specs)
  }
  return { text, how: done.join(", ") }
}

const within = (text: string, below: Draw): Span => {
  const start = below(text.length + 1)
  return { start, end: Math.min(text.length, start + below(12)) }
}

const changes: readonly Change[] = [
  ...odd,
  ["characters lost", (text, below) => replaced(text, within(text, below), "")],
  ["a sign put in", (text, below) => replaced(text, { ...within(text, below) }, oneOf(signs, below) ?? "")],
  [
    "a piece of a spec put in",
    (text, below, specs) => {
      const other = specs[below(specs.length)]!
      const at = below(text.length + 1)
      const start = below(other.length)
      return replaced(text, { start: at, end: at }, other.slice(start, start + below(200)))
    },
  ],
  ["cut off", (text, below) => text.slice(0, below(text.length + 1))],
  ...(
    [
      ["token", tokenSpans],
      ["node", nodeSpans],
    ] as const
  ).flatMap(([unit, spansOf]) => [
    [
      `${unit} lost`,
      (text: string, below: Draw) => {
        const span = oneOf(spansOf(text), below)
        return span === undefined ? text : replaced(text, span, "")
      },
    ] as const,
    [
      `${unit} doubled`,
      (text: string, below: Draw) => {
        const span = oneOf(spansOf(text), below)
        if (span === undefined) return text
        return replaced(text, { start: span.end, end: span.end }, ` ${text.slice(span.start, span.end)}`)
      },
    ] as const,
    [
      `${unit}s swapped`,
      (text: string, below: Draw) => {
        const spans = spansOf(text)
        const [one, other] = [oneOf(spans, below), oneOf(spans, below)]
        return one === undefined || other === undefined ? text : swapped(text, one, other)
      },
    ] as const,
    [
      `${unit} of another spec`,
      (text: string, below: Draw, specs: readonly string[]) => {
        const other = specs[below(specs.length)]!
        const [here, there] = [oneOf(spansOf(text), below), oneOf(spansOf(other), below)]
        return here === undefined || there === undefined
          ? text
          : replaced(text, here, other.slice(there.start, there.end))
      },
    ] as const,
  ]),
]
