/** Places of a spec to change, and how a text is changed there. */
import { lex } from "../../grammar/lex.ts"
import { parse } from "../../grammar/parse.ts"
import type { Span } from "../../grammar/source.ts"

/** A whole number from 0 to below the bound. */
export type Draw = (bound: number) => number

/** One way to break a spec, with words for it. */
export type Change = readonly [
  how: string,
  change: (text: string, below: Draw, specs: readonly string[]) => string,
]

export const replaced = (text: string, { start, end }: Span, by: string): string =>
  text.slice(0, start) + by + text.slice(end)

export const swapped = (text: string, one: Span, other: Span): string => {
  const [a, b] = one.start <= other.start ? [one, other] : [other, one]
  if (b.start < a.end) return text
  return `${text.slice(0, a.start)}${text.slice(b.start, b.end)}${text.slice(a.end, b.start)}${text.slice(a.start, a.end)}${text.slice(b.end)}`
}

export const oneOf = <T>(from: readonly T[], below: Draw): T | undefined =>
  from.length === 0 ? undefined : from[below(from.length)]

export const tokenSpans = (text: string): readonly Span[] =>
  lex(text).tokens.map(({ startOffset, image }) => ({ start: startOffset, end: startOffset + image.length }))

export const nodeSpans = (text: string): readonly Span[] => {
  const spans: Span[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    if ("span" in value && "kind" in value) spans.push(value.span as Span)
    for (const inner of Object.values(value)) visit(inner)
  }
  visit(parse({ name: "fuzz", text }).file)
  return spans.filter(({ end, start }) => end > start && end - start < text.length)
}
