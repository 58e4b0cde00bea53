/** The sheet that a person fills in: a CSV file with a code, a text and an empty place for the label. */

import { placeOf } from "../../compiler/diagnostics/place.ts"
import { scanCsv } from "../../compiler/items/csv.ts"
import type { Source } from "../../grammar/source.ts"
import { field } from "../report/trialsCsv.ts"
import type { CodedText } from "./texts.ts"

const HEADER = ["code", "text", "label"] as const

/** The first so many texts by code, or all; lines end as RFC 4180 has it. */
export function sheetOf(texts: Iterable<CodedText>, sample?: number): string {
  const rows = [...texts].slice(0, sample)
  const lines = [HEADER.join(","), ...rows.map(({ code, text }) => `${code},${field(guarded(text))},`)]
  return `${lines.join("\r\n")}\r\n`
}

/** Whether a sheet is there in which somebody has written a label: it is never written over. */
export function isFilled(content: string): boolean {
  let filled = false
  let at: number | undefined
  scanCsv(content, (record) => {
    if (at === undefined) at = record.findIndex(({ text }) => text.trim() === "label")
    else if ((record[at]?.text ?? "").trim() !== "") filled = true
  })
  return filled || at === undefined || at === -1
}

/** Programs for tables take a field that begins so for a formula; behind an apostrophe it is a text. */
const guarded = (text: string): string => (/^\s*[=+\-@]/.test(text) ? `'${text}` : text)

/** What a filled sheet holds. */
export interface Codes {
  /** Label by code. */
  readonly labels: ReadonlyMap<string, string>
  /** Rows whose label is empty. */
  readonly empty: number
}

/** A sheet that does not hold what it should: an error in a file of the user's, as one in an item file is. */
export class SheetError extends Error {
  readonly where: string
  readonly todo: string

  constructor(what: string, where: string, todo: string) {
    super(what)
    this.where = where
    this.todo = todo
  }
}

/**
 * Reads a sheet back, of these texts and with these labels.
 *
 * @throws SheetError at the first row that is no row of such a sheet: a code that the run does not have, a text that was changed, a label that is
 * none, a code that stands twice
 */
export function readSheet(
  path: string,
  content: string,
  texts: ReadonlyMap<string, CodedText>,
  allowed: readonly string[],
): Codes {
  const rows: { readonly values: readonly string[]; readonly line: number }[] = []
  const source: Source = { name: path, text: content }
  const lineOf = (offset: number): number => placeOf(source, offset).line
  const [broken] = scanCsv(content, (record) =>
    rows.push({ values: record.map(({ text }) => text), line: lineOf(record[0]?.span.start ?? 0) }),
  )
  const failed = (what: string, line: number, todo: string) =>
    new SheetError(what, `${source.name}:${line}`, todo)
  if (broken !== undefined)
    throw failed("this is no CSV file", lineOf(broken.span.start), "save the sheet as CSV with commas")
  const [header, ...others] = rows
  const at = HEADER.map((name) => header?.values.findIndex((value) => value.trim() === name) ?? -1)
  if (at.includes(-1))
    throw failed(
      `its first line does not name the columns ${HEADER.join(", ")}`,
      1,
      "keep the sheet's first line as it was exported",
    )
  const labels = new Map<string, string>()
  let empty = 0
  for (const { values, line } of others) {
    const [code = "", text = "", label = ""] = at.map((place) => values[place] ?? "")
    const known = textOf(code.trim(), texts)
    if (known === undefined)
      throw failed(
        `the run has no text with the code ${JSON.stringify(code)}`,
        line,
        "give the run that the sheet was exported from",
      )
    if (![known.text, guarded(known.text)].some((one) => sameLines(one) === sameLines(text)))
      throw failed(
        `the text of ${known.code} is not the run's`,
        line,
        "leave codes and texts as they were exported",
      )
    if (labels.has(known.code)) throw failed(`${known.code} stands twice`, line, "delete one of the rows")
    const said = label.trim()
    const meant = allowed.find((one) => one.toLowerCase() === said.toLowerCase())
    if (said === "") empty += 1
    else if (meant !== undefined) labels.set(known.code, meant)
    else
      throw failed(
        `${JSON.stringify(said)} is none of the labels ${allowed.join(", ")}`,
        line,
        "write one of them, or leave the place empty",
      )
  }
  return { labels, empty }
}

/** Sheets of earlier versions have codes without the letter. */
const textOf = (code: string, texts: ReadonlyMap<string, CodedText>): CodedText | undefined =>
  texts.get(code) ?? (/^[0-9a-f]{12}$/.test(code) ? texts.get(`t${code}`) : undefined)

/** Programs for tables rewrite line breaks, and drop white space at the ends. */
const sameLines = (text: string): string => text.replace(/\r\n?/g, "\n").trim()
