/** Rows of CSV and of JSON Lines, straight from the text: no row outlives the next. */
import type { Cell } from "../../compiler/items/cell.ts"
import { type Field, scanCsv } from "../../compiler/items/csv.ts"
import { parseJson } from "../../compiler/items/json.ts"
import type { RecordsFile } from "./rows.ts"

type Each = RecordsFile["each"]

/** Lines of a text, counted on from the last place that was asked for. */
function lineCounter(text: string): (at: number) => number {
  let line = 1
  let from = 0
  return (at) => {
    for (let next = text.indexOf("\n", from); next >= 0 && next < at; next = text.indexOf("\n", from)) {
      line += 1
      from = next + 1
    }
    return line
  }
}

export interface Header {
  readonly names: readonly string[]
  /** What is wrong with it, as a clause. */
  readonly problem?: string
}

/** The header of a CSV text; none where it has no line. */
export function csvHeader(text: string): Header | undefined {
  let first: readonly Field[] | undefined
  // The header alone is scanned: a quote that is never closed in a later row is that row's.
  const problems = scanCsv(headOf(text), (record) => {
    first ??= record
  })
  if (first === undefined) return undefined
  const names = first.map(({ text }) => text)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) return { names, problem: `two columns are named ${JSON.stringify(twice)}` }
  const [problem] = problems
  return problem?.kind === "unreadable" ? { names, problem: problem.why } : { names }
}

/** The text up to the first line break outside quotes. */
function headOf(text: string): string {
  let quoted = false
  let started = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') quoted = !quoted
    else if (!quoted && (character === "\n" || character === "\r")) {
      if (started) return text.slice(0, at)
      continue
    }
    if (character !== "\uFEFF") started = true
  }
  return text
}

/** Rows under a header, each a map by its names. */
export function csvRows(text: string, names: readonly string[]): Each {
  // Only quotes can be wrong within a row, and few files have any.
  const broken = text.includes('"') ? scanCsv(text, () => {}) : []
  return (take, fault) => {
    const lineOf = lineCounter(text)
    let next = 0
    let isHeader = true
    scanCsv(text, (record) => {
      if (isHeader) {
        isHeader = false
        return
      }
      const place = lineOf(record[0]?.span.start ?? 0)
      const end = record.at(-1)?.span.end ?? 0
      const problem = broken[next]
      if (problem?.kind === "unreadable" && problem.span.start < end) {
        fault({ place, why: `${problem.why}${linesWithin(text, problem.span.start, end)}` })
        while ((broken[next]?.span.start ?? end) < end) next += 1
        return
      }
      if (record.length !== names.length) {
        fault({ place, why: `this row has ${record.length} fields and the header has ${names.length}` })
        return
      }
      const entries = new Map<string, Cell>()
      for (let index = 0; index < names.length; index++) {
        const { text: value, span } = record[index] as Field
        entries.set(names[index] as string, { kind: "scalar", value, text: value, spelt: true, span })
      }
      take({ cell: { kind: "map", entries, span: record[0]?.span ?? { start: 0, end: 0 } }, place })
    })
  }
}

/** What a quote that is never closed takes with it: whatever stands behind it, to the end of the file. */
function linesWithin(text: string, start: number, end: number): string {
  const lines = text.slice(start, end).trimEnd().split("\n").length
  return lines === 1 ? "" : `, and what stands in it takes ${lines} lines, which are one row to CSV`
}

/** Python writes these where JSON has no word for them. */
const notJson = /("(?:[^"\\]|\\.)*")|-?\b(?:NaN|Infinity)\b/g

const withoutNaN = (line: string): string =>
  line.replace(notJson, (found, text: string | undefined) => text ?? `"${found}"`)

/** Lines of JSON, each a record. */
export function jsonlRows(text: string): Each {
  return (take, fault) => {
    let start = text.startsWith("\uFEFF") ? 1 : 0
    for (let place = 1; start < text.length; place++) {
      const newline = text.indexOf("\n", start)
      const end = newline < 0 ? text.length : newline
      if (text.slice(start, end).trim() !== "") {
        let parsed = parseJson(text, { start, end })
        if (!("cell" in parsed)) {
          const plain = withoutNaN(text.slice(start, end))
          const again = parseJson(plain, { start: 0, end: plain.length })
          if ("cell" in again) parsed = again
        }
        if (!("cell" in parsed)) fault({ place, why: `it is not JSON: ${parsed.why}` })
        else if (parsed.cell.kind !== "map") fault({ place, why: "it is no record" })
        else take({ cell: parsed.cell, place })
      }
      start = end + 1
    }
  }
}
