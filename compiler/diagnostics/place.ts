/**
 * From an offset to a place for a person. Lines and columns count from 1. A column counts UTF-16 units, as spans, editors and
 * language servers do; a byte order mark takes no column. A line ends with LF, CR LF or a lone CR.
 */
import type { Source, Span } from "../../grammar/source.ts"

export interface Place {
  readonly line: number
  readonly column: number
}

/** One line of a text: `start` and `end` are offsets, `end` before the line break. */
export interface Line {
  readonly number: number
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Offsets at which the lines start: remembered by source, since ten thousand bad rows of one file ask ten thousand times. */
const remembered = new WeakMap<Source, readonly number[]>()

const lineStarts = (source: Source): readonly number[] => {
  const known = remembered.get(source)
  if (known !== undefined) return known
  const starts = [hasMark(source) ? 1 : 0]
  for (const match of source.text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length)
  remembered.set(source, starts)
  return starts
}

const hasMark = (source: Source): boolean => source.text.charCodeAt(0) === 0xfeff

/** The line with this number, from 1; numbers outside of the text give its first or last line. */
export const lineOf = (source: Source, number: number): Line => {
  const starts = lineStarts(source)
  const index = Math.min(Math.max(number, 1), starts.length) - 1
  const start = starts[index]!
  const next = starts[index + 1]
  let end = next ?? source.text.length
  if (next !== undefined) {
    end -= 1
    if (source.text[end] === "\n" && end > start && source.text[end - 1] === "\r") end -= 1
  }
  return { number: index + 1, start, end, text: source.text.slice(start, end) }
}

/** Where an offset stands. Offsets outside of the text give its start or its end. */
export const placeOf = (source: Source, offset: number): Place => {
  const starts = lineStarts(source)
  const at = Math.min(Math.max(offset, starts[0]!), source.text.length)
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= at) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: at - starts[low]! + 1 }
}

/** A span that lies within its text, ends after it starts, and splits neither a surrogate pair nor CR LF. */
export const clamp = (source: Source, span: Span): Span => {
  const length = source.text.length
  const within = (offset: number): number =>
    Number.isFinite(offset) ? Math.min(Math.max(Math.trunc(offset), 0), length) : 0
  const start = within(span.start)
  const end = Math.max(start, within(span.end))
  const back = splits(source.text, start) ? start - 1 : start
  const forward = end > start && splits(source.text, end) ? end + 1 : Math.max(end, back)
  return { start: back, end: end === start ? back : forward }
}

const splits = (text: string, offset: number): boolean =>
  splitsPair(text, offset) || (text[offset - 1] === "\r" && text[offset] === "\n")

/** Whether an offset lies between the two halves of a character outside of the basic plane. */
export const splitsPair = (text: string, offset: number): boolean => {
  const before = text.charCodeAt(offset - 1)
  const after = text.charCodeAt(offset)
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000
}
