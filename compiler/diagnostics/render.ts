/**
 * Diagnostics as a person reads them and as a program does. A person gets title, place, frame with the span marked, what was
 * meant, and what to do; places that explain it follow with frames of their own.
 */
import type { Source, Span } from "../../grammar/source.ts"
import type { Diagnostic } from "./diagnostic.ts"
import { frame, type Row } from "./frame.ts"
import { type Place, placeOf } from "./place.ts"
import { visible } from "./visible.ts"
import { wrap } from "./wrap.ts"

export interface RenderOptions {
  /** Whether terminal colours are written. They are the only escapes in the output: those of a file are made visible. */
  readonly color: boolean
}

const STYLES = { error: "31", warning: "33", note: "36" } as const
/** Characters of a message that are shown: a name of a hundred kilobytes must not bury the other diagnostics. */
const LONGEST = 2000

/** One diagnostic as lines of text, without a line break at the end. */
export const render = (d: Diagnostic, options: RenderOptions): string => {
  const paint = (style: string, text: string): string =>
    options.color && text !== "" ? `\u001b[${style}m${text}\u001b[0m` : text
  const accent = STYLES[d.severity]
  const places = [{ source: d.source, span: d.span, label: d.label }, ...d.related]
  const frames = places.map((place, index) => ({
    place,
    rows: frame(place.source, place.span, place.label, index === 0 ? "^" : "-"),
    style: index === 0 ? accent : "36",
  }))
  const numbers = frames.flatMap(({ rows }) => rows.map((row) => String(row.number ?? "").length))
  const gutter = Math.max(...numbers)
  const drawn = (row: Row, style: string): string => {
    const number = String(row.number ?? "").padStart(gutter)
    const mark = paint(style, row.mark)
    const body = row.at === "before" ? `${mark}${row.text}` : `${row.text}${mark}`
    return `${paint("36", `${number} │`)} ${body}`.trimEnd()
  }

  const lines = [`${paint(`1;${accent}`, `${d.severity}[${d.code}]`)}${paint("1", `: ${visible(d.title)}`)}`]
  for (const { place, rows, style } of frames) {
    const blank = " ".repeat(gutter)
    lines.push(`${paint("36", `${blank} ┌─`)} ${where(place.source, place.span)}`)
    lines.push(paint("36", `${blank} │`))
    for (const row of rows) lines.push(drawn(row, style))
    lines.push("")
  }
  if (d.message !== "") lines.push(...sentences(d.message))
  if (d.hint !== undefined) lines.push(...sentences(`Hint: ${d.hint}`))
  while (lines.at(-1) === "") lines.pop()
  return lines.join("\n")
}

const where = (source: Source, span: Span): string => {
  const { line, column } = placeOf(source, span.start)
  return `${visible(source.name).replaceAll("\n", "␊")}:${line}:${column}`
}

/** Lines of a text, broken where they are long. A line that the text itself indents keeps its layout. */
const sentences = (text: string): readonly string[] => {
  const whole = text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
  return visible(whole.replaceAll("\r\n", "\n"))
    .split("\n")
    .flatMap((line) => (line.startsWith(" ") ? [line.trimEnd()] : wrap(line)))
}

/** `2 errors, 1 warning`; an empty text where there is nothing to count. */
export const summary = (diagnostics: readonly Diagnostic[]): string =>
  (["error", "warning", "note"] as const)
    .map((severity) => ({ severity, count: diagnostics.filter((d) => d.severity === severity).length }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}${count === 1 ? "" : "s"}`)
    .join(", ")

/** A diagnostic as `cfx check --json` prints it. Lines and columns count from 1, columns in UTF-16 units (`place.ts`). */
export interface JsonDiagnostic {
  readonly code: string
  readonly severity: Diagnostic["severity"]
  readonly title: string
  readonly message: string
  readonly file: string
  readonly start: Place
  readonly end: Place
  readonly label: string
  readonly hint?: string
  readonly related: readonly {
    readonly file: string
    readonly start: Place
    readonly end: Place
    readonly label: string
  }[]
}

export const toJson = (d: Diagnostic): JsonDiagnostic => ({
  code: d.code,
  severity: d.severity,
  title: d.title,
  message: d.message,
  ...placed(d.source, d.span),
  label: d.label,
  ...(d.hint === undefined ? {} : { hint: d.hint }),
  related: d.related.map(({ source, span, label }) => ({ ...placed(source, span), label })),
})

const placed = (
  source: Source,
  span: Span,
): { readonly file: string; readonly start: Place; readonly end: Place } => ({
  file: source.name,
  start: placeOf(source, span.start),
  end: placeOf(source, span.end),
})
