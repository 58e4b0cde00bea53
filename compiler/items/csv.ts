/** CSV after RFC 4180: a header row where the mapping goes by names, fields with commas between them, quotes around what holds a comma, a quote or a line break. */
import type { Source, Span } from "../../grammar/source.ts"
import type { Cell, Rows } from "./cell.ts"
import type { ItemProblem } from "./problem.ts"

export interface Field {
  readonly text: string
  readonly span: Span
}

const unquoted = /[^,\r\n]*/y

/**
 * Gives the records of a text one by one, and at the end what is wrong with it. Lines end with CRLF, LF or CR; within quotes a line break is text
 * and stays as it is. Lines without a character are passed over.
 */
export const scanCsv = (text: string, take: (record: readonly Field[]) => void): readonly ItemProblem[] => {
  const problems: ItemProblem[] = []
  const fault = (why: string, start: number, end: number): void => {
    problems.push(broken(why, { start, end }))
  }
  let at = text.startsWith("\uFEFF") ? 1 : 0

  /** To the comma or line break that ends a field without quotes. */
  const bare = (): number => {
    unquoted.lastIndex = at
    unquoted.test(text)
    at = unquoted.lastIndex
    return at
  }

  const quoted = (): Field => {
    const start = at
    const parts: string[] = []
    let from = at + 1
    for (;;) {
      const quote = text.indexOf('"', from)
      if (quote < 0) {
        fault("this quote is not closed", start, start + 1)
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
    if (bare() > end) fault("something follows the closing quote; a quote within a field is doubled", end, at)
    return { text: parts.join(""), span: { start, end } }
  }

  const field = (): Field => {
    if (text[at] === '"') return quoted()
    const start = at
    const end = bare()
    const content = text.slice(start, end)
    if (content.includes('"')) {
      fault("a field that holds a quote must stand in quotes, its quotes doubled", start, end)
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
    if (!isBlank(record)) take(record)
  }
  return problems
}

const isBlank = (record: readonly Field[]): boolean =>
  record.length === 1 && record[0]?.text === "" && record[0].span.start === record[0].span.end

const recordsOf = ({ text }: Source) => {
  const records: (readonly Field[])[] = []
  const problems = [...scanCsv(text, (record) => records.push(record))]
  return { records, problems }
}

const spanOf = (record: readonly Field[]): Span => ({
  start: record[0]?.span.start ?? 0,
  end: record.at(-1)?.span.end ?? 0,
})

const cellOf = ({ text, span }: Field): Cell => ({ kind: "scalar", value: text, text, spelt: true, span })

const broken = (why: string, span: Span): ItemProblem => ({ kind: "unreadable", format: "CSV", why, span })

/** Rows by the header's names. Any row must have a field for each column. */
export const readCsv = (source: Source): Rows => {
  const { records: all, problems } = recordsOf(source)
  const [header, ...records] = all
  const names = new Set<string>()
  for (const { text: name, span } of header ?? []) {
    if (names.has(name)) problems.push(broken(`two columns are named ${JSON.stringify(name)}`, span))
    names.add(name)
  }
  const rows: Cell[] = []
  for (const record of records) {
    const span = spanOf(record)
    if (record.length !== header?.length) {
      const counts = `this row has ${record.length} fields and the header has ${header?.length ?? 0}`
      problems.push(broken(counts, span))
      continue
    }
    const entries = new Map(record.map((field, index) => [header[index]?.text ?? "", cellOf(field)]))
    rows.push({ kind: "map", entries, span })
  }
  return { rows, problems }
}

/** Rows of a table without a header, each a list of its fields. Any row must have as many as the first. */
export const readBareCsv = (source: Source): Rows => {
  const { records, problems } = recordsOf(source)
  const width = records[0]?.length ?? 0
  const rows: Cell[] = []
  for (const record of records) {
    const span = spanOf(record)
    if (record.length === width) rows.push({ kind: "list", items: record.map(cellOf), span })
    else problems.push(broken(`this row has ${record.length} fields and the first row has ${width}`, span))
  }
  return { rows, problems }
}
