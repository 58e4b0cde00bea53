/** The part of a file around a span, with line numbers and the span marked: as rows, before a gutter and colour are added. */
import type { Source, Span } from "../../grammar/source.ts"
import { clamp, type Line, lineOf, placeOf, splitsPair } from "./place.ts"
import { glyphOf, visible, widthOfText } from "./visible.ts"

/** `number` is there where a line of the file starts; `mark` is what points at it and is coloured, `text` is what is not. */
export interface Row {
  readonly number?: number
  readonly text: string
  readonly mark: string
  /** Where `mark` stands: over the start of `text`, or after it. */
  readonly at: "before" | "after"
}

/** Columns that a line of a file may take before it is cut around the span. */
const WIDTH = 100
/** Columns kept before the span in a line that is cut. */
const BEFORE = 30
const CUT = "…"

/** Rows for a span: its line and an underline, or the first and last lines of a long one with a bracket beside them. */
export const frame = (source: Source, span: Span, label: string, underline: "^" | "-"): readonly Row[] => {
  const { start, end } = shrink(source, clamp(source, span))
  const first = lineOf(source, placeOf(source, start).line)
  const last = lineOf(source, placeOf(source, end).line)
  const words = oneLine(label)
  if (first.number === last.number) {
    const from = Math.max(start, first.start)
    const cut = windowOf(first, from)
    const column = columnAt(cut, from)
    const marked = Math.max(1, columnAt(cut, end) - column)
    return [
      ...above(source, first),
      { number: first.number, text: cut.shown, mark: "", at: "before" },
      ...pointer(column, underline.repeat(marked), words),
    ]
  }
  return bracket(source, { start, end }, first, last, words, underline)
}

/** A span without the white space at the ends of a multi-line one, so that a line break alone makes no second line. */
const shrink = (source: Source, span: Span): Span => {
  const text = source.text.slice(span.start, span.end)
  if (!/[\r\n]/.test(text)) return span
  const body = text.trim()
  if (body === "") return { start: span.start, end: span.start }
  const start = span.start + text.indexOf(body)
  return { start, end: start + body.length }
}

/** Where a problem stands on a blank line (often the end of the file), what came before it says where one is. */
const above = (source: Source, line: Line): readonly Row[] => {
  if (line.text.trim() !== "") return []
  for (let number = line.number - 1; number >= Math.max(1, line.number - 20); number--) {
    const before = lineOf(source, number)
    if (before.text.trim() === "") continue
    const row: Row = { number, text: windowOf(before, before.start).shown, mark: "", at: "before" }
    return number === line.number - 1 ? [row] : [row, { text: "⋮", mark: "", at: "before" }]
  }
  return []
}

const pointer = (column: number, mark: string, label: string): readonly Row[] => {
  const indent = " ".repeat(column)
  const fits = column + widthOfText(mark) + 1 + widthOfText(label) <= WIDTH + 20
  if (label === "" || fits) {
    return [{ text: indent, mark: label === "" ? mark : `${mark} ${label}`, at: "after" }]
  }
  const room = Math.max(0, Math.min(column, WIDTH + 20 - widthOfText(label)))
  return [
    { text: indent, mark, at: "after" },
    { text: " ".repeat(room), mark: label, at: "after" },
  ]
}

const bracket = (
  source: Source,
  span: Span,
  first: Line,
  last: Line,
  label: string,
  underline: string,
): readonly Row[] => {
  const opening = windowOf(first, span.start)
  const rows: Row[] = []
  const startsLine = source.text.slice(first.start, span.start).trim() === ""
  if (startsLine) {
    rows.push({ number: first.number, text: opening.shown, mark: "╭ ", at: "before" })
  } else {
    rows.push({ number: first.number, text: opening.shown, mark: "  ", at: "before" })
    rows.push({
      text: "",
      mark: `╭${"─".repeat(columnAt(opening, span.start) + 1)}${underline}`,
      at: "before",
    })
  }
  const inner = (number: number): Row => {
    const line = lineOf(source, number)
    return { number, text: windowOf(line, line.start).shown, mark: "│ ", at: "before" }
  }
  // Up to four lines are shown in full; of more, the first two and the last.
  if (last.number - first.number < 4) {
    for (let number = first.number + 1; number < last.number; number++) rows.push(inner(number))
  } else {
    rows.push(inner(first.number + 1), { text: "⋮", mark: "│ ", at: "before" })
  }
  const closing = windowOf(last, Math.max(last.start, span.end - 1))
  rows.push({ number: last.number, text: closing.shown, mark: "│ ", at: "before" })
  const reach = "─".repeat(Math.max(1, columnAt(closing, span.end)))
  rows.push({ text: "", mark: `╰${reach}${underline}${label === "" ? "" : ` ${label}`}`, at: "before" })
  return rows
}

// ---------------------------------------------------------------- one line, cut around what matters

interface Window {
  readonly shown: string
  /** Terminal columns of `shown`. */
  readonly width: number
  /** The part of the line that is shown, where it starts in the file, and the columns before it. */
  readonly text: string
  readonly start: number
  readonly indent: number
}

/** A line as shown; one of more than `WIDTH` columns is cut to them around an offset. */
const windowOf = (line: Line, offset: number): Window => {
  let start = 0
  let end = line.text.length
  if (end > 2 * WIDTH || widthOfText(line.text) > WIDTH) {
    start = backward(line.text, Math.min(Math.max(offset, line.start), line.end) - line.start, BEFORE)
    end = forward(line.text, start, WIDTH)
    // Near the end of its line there is room to show more of what comes before.
    if (end === line.text.length) start = Math.min(start, backward(line.text, end, WIDTH))
  }
  const text = line.text.slice(start, end)
  const head = start > 0 ? CUT : ""
  const shown = `${head}${visible(text)}${end < line.text.length ? CUT : ""}`
  return { shown, width: widthOfText(shown), text, start: line.start + start, indent: head.length }
}

/** The column, from 0, at which an offset is shown; the end of the window for what lies past it. */
const columnAt = (cut: Window, offset: number): number =>
  offset - cut.start > cut.text.length
    ? cut.width
    : cut.indent + widthOfText(cut.text.slice(0, Math.max(0, offset - cut.start)))

/** The offset that lies so many columns before (or after) another one, between whole characters. */
const backward = (text: string, from: number, columns: number): number => {
  let at = from
  let left = columns
  while (at > 0) {
    const character = text.slice(splitsPair(text, at - 1) ? at - 2 : at - 1, at)
    left -= glyphOf(character, 0).width
    if (left < 0) break
    at -= character.length
  }
  return at
}

const forward = (text: string, from: number, columns: number): number => {
  let at = from
  let column = 0
  while (at < text.length) {
    const character = String.fromCodePoint(text.codePointAt(at)!)
    column += glyphOf(character, column).width
    if (column > columns) break
    at += character.length
  }
  return at
}

/** A label in one line of bearable length, whatever a catalogue's parameter brought along. */
const oneLine = (label: string): string => {
  const line = visible(label.replace(/\s*[\r\n]+\s*/g, " ").trim())
  return line.length <= 160 ? line : `${line.slice(0, 159)}${CUT}`
}
