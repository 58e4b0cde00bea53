/** CSV after RFC 4180: a header row, fields with commas between them, quotes around what holds a comma, a quote or a line break. */
import type { Source, Span } from "../../grammar/source.ts"
import type { Cell, Rows } from "./cell.ts"
import type { ItemProblem } from "./problem.ts"

interface Field {
  readonly text: string
  readonly span: Span
}

interface Scanned {
  readonly records: readonly (readonly Field[])[]
  readonly problems: readonly ItemProblem[]
}

/** Lines end with CRLF, LF or CR; within quotes a line break is text and stays as it is. */
const scan = (text: string): Scanned => {
  const records: Field[][] = []
  const problems: ItemProblem[] = []
  const broken = (why: string, start: number, end: number): void => {
    problems.push({ kind: "unreadable", format: "CSV", why, span: { start, end } })
  }
  let at = text.startsWith("\uFEFF") ? 1 : 0

  /** To the comma or line break that ends a field without quotes. */
  const bare = (): number => {
    while (at < text.length && text[at] !== "," && text[at] !== "\n" && text[at] !== "\r") at += 1
    return at
  }

  const quoted = (): Field => {
    const start = at
    const parts: string[] = []
    let from = at + 1
    for (;;) {
      const quote = text.indexOf('"', from)
      if (quote < 0) {
        broken("this quote is not closed", start, start + 1)
        at = text.length
        return { text: text.slice(from), span: { start, end: at } }
      }
      parts.push(text.slice(from, quote))
      if (text[quote + 1] !== '"') {
        at = quote + 1
        break
      }
      parts.push('"')
      from = quote + 2
    }
    const end = at
    if (bare() > end)
      broken("something follows the closing quote; a quote within a field is doubled", end, at)
    return { text: parts.join(""), span: { start, end } }
  }

  const field = (): Field => {
    if (text[at] === '"') return quoted()
    const start = at
    const end = bare()
    const content = text.slice(start, end)
    if (content.includes('"')) {
      broken("a field that holds a quote must stand in quotes, its quotes doubled", start, end)
    }
    return { text: content, span: { start, end } }
  }

  while (at < text.length) {
    const record = [field()]
    while (text[at] === ",") {
      at += 1
      record.push(field())
    }
    if (text[at] === "\r") at += 1
    if (text[at] === "\n" && at < text.length) at += 1
    records.push(record)
  }
  return { records, problems }
}

const isBlank = (record: readonly Field[]): boolean =>
  record.length === 1 && record[0]?.text === "" && record[0].span.start === record[0].span.end

/** Rows by the header's names. Lines without a character are passed over; any other row must have a field for each column. */
export const readCsv = ({ text }: Source): Rows => {
  const scanned = scan(text)
  const problems = [...scanned.problems]
  const broken = (why: string, span: Span): void => {
    problems.push({ kind: "unreadable", format: "CSV", why, span })
  }
  const [header, ...records] = scanned.records.filter((record) => !isBlank(record))
  const names = new Set<string>()
  for (const { text: name, span } of header ?? []) {
    if (names.has(name)) broken(`two columns are named ${JSON.stringify(name)}`, span)
    names.add(name)
  }
  const rows: Cell[] = []
  for (const record of records) {
    const span = { start: record[0]?.span.start ?? 0, end: record.at(-1)?.span.end ?? 0 }
    if (record.length !== header?.length) {
      broken(`this row has ${record.length} fields and the header has ${header?.length ?? 0}`, span)
      continue
    }
    const entries = new Map<string, Cell>()
    for (const [index, { text: value, span: place }] of record.entries()) {
      const name = header[index]?.text ?? ""
      entries.set(name, { kind: "scalar", value, text: value, spelt: true, span: place })
    }
    rows.push({ kind: "map", entries, span })
  }
  return { rows, problems }
}
