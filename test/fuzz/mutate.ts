/** Specs broken at random: characters, tokens and whole nodes of the tree lost, doubled, swapped or brought in from elsewhere. Seeded. */
import { stream } from "../../compiler/draw.ts"
import { lex } from "../../grammar/lex.ts"
import { parse } from "../../grammar/parse.ts"
import type { Span } from "../../grammar/source.ts"

export interface Mutant {
  readonly text: string
  /** What was done, for a report. */
  readonly how: string
}

type Draw = (bound: number) => number

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

const replaced = (text: string, { start, end }: Span, by: string): string =>
  text.slice(0, start) + by + text.slice(end)

const swapped = (text: string, one: Span, other: Span): string => {
  const [a, b] = one.start <= other.start ? [one, other] : [other, one]
  if (b.start < a.end) return text
  return `${text.slice(0, a.start)}${text.slice(b.start, b.end)}${text.slice(a.end, b.start)}${text.slice(a.start, a.end)}${text.slice(b.end)}`
}

const oneOf = <T>(from: readonly T[], below: Draw): T | undefined =>
  from.length === 0 ? undefined : from[below(from.length)]

const within = (text: string, below: Draw): Span => {
  const start = below(text.length + 1)
  return { start, end: Math.min(text.length, start + below(12)) }
}

const tokenSpans = (text: string): readonly Span[] =>
  lex(text).tokens.map(({ startOffset, image }) => ({ start: startOffset, end: startOffset + image.length }))

const nodeSpans = (text: string): readonly Span[] => {
  const spans: Span[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    if ("span" in value && "kind" in value) spans.push(value.span as Span)
    for (const inner of Object.values(value)) visit(inner)
  }
  visit(parse({ name: "fuzz", text }).file)
  return spans.filter(({ end, start }) => end > start && end - start < text.length)
}

const changes: readonly (readonly [
  how: string,
  change: (text: string, below: Draw, specs: readonly string[]) => string,
])[] = [
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
