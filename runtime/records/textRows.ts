/** Rows of CSV and of JSON Lines, straight from the file: no row outlives the next, and no more of the file is held than a piece. */
import type { Cell } from "../../compiler/items/cell.ts"
import { parseJson } from "../../compiler/items/json.ts"
import { type CsvRecord, CsvRecords } from "./csvRecords.ts"
import { JsonRecords } from "./jsonRecords.ts"
import { type EachRecord, type Field, fieldsOf } from "./rows.ts"
import { eachPiece } from "./textPieces.ts"

export interface TextFile {
  readonly path: string
  /** As a person wrote it. */
  readonly shown: string
  /** Bytes that are read at once, where it is not as many as usual. */
  readonly piece?: number
}

export interface Header {
  readonly names: readonly string[]
  /** What is wrong with it, as a clause. */
  readonly problem?: string
}

class Enough extends Error {}

/** The header of a CSV file; none where it has no line. */
export function csvHeader(file: TextFile): Header | undefined {
  let found: Header | undefined
  try {
    const records = new CsvRecords()
    eachCsv(file, records, ({ fields, count, problem }) => {
      const names = fields.slice(0, count).map((name) => name ?? "")
      const twice = names.find((name, index) => names.indexOf(name) < index)
      const why =
        problem ?? (twice === undefined ? undefined : `two columns are named ${JSON.stringify(twice)}`)
      found = { names, ...(why === undefined ? {} : { problem: why }) }
      throw new Enough()
    })
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
  return found
}

const eachCsv = ({ path, shown, piece }: TextFile, records: CsvRecords, take: (record: CsvRecord) => void) =>
  eachPiece(path, shown, (text, isLast) => records.scan(text, isLast, take), piece)

/** Rows under a header. */
export function csvRows(file: TextFile, header: readonly string[]): EachRecord {
  return async (names, take, fault) => {
    const slots = Int32Array.from(header, (name) => names.indexOf(name))
    let isHeader = true
    eachCsv(file, new CsvRecords(slots), (record) => {
      const { fields, count, line: place, problem } = record
      if (isHeader) isHeader = false
      else if (problem !== undefined) fault({ place, why: problem })
      else if (count !== header.length)
        fault({ place, why: `this row has ${count} fields and the header has ${header.length}` })
      else take({ fields, place })
    })
  }
}

/** Python writes these where JSON has no word for them. */
const notJson = /("(?:[^"\\]|\\.)*")|-?\b(?:NaN|Infinity)\b/g

/** Marks a text that stands for such a word: no character, so that no text begins with it. */
const MARK = "\uFFFF"

const withoutNaN = (line: string): string =>
  line.replace(notJson, (found, text: string | undefined) => text ?? `"${MARK}${found}"`)

function withNaN(cell: Cell): Cell {
  if (cell.kind === "list") return { ...cell, items: cell.items.map(withNaN) }
  if (cell.kind === "map")
    return { ...cell, entries: new Map([...cell.entries].map(([key, inner]) => [key, withNaN(inner)])) }
  if (!cell.text.startsWith(MARK)) return cell
  const word = cell.text.slice(MARK.length)
  return { ...cell, value: Number(word), text: word }
}

/** One line of JSON, with what Python writes beside it. */
export function parsedLine(line: string): ReturnType<typeof parseJson> {
  const parsed = parseJson(line, { start: 0, end: line.length })
  if ("cell" in parsed) return parsed
  const plain = withoutNaN(line)
  const again = parseJson(plain, { start: 0, end: plain.length })
  return "cell" in again ? { ...again, cell: withNaN(again.cell) } : parsed
}

const isNoBlank = /\S/g

/** Lines of JSON, each a record. */
export function jsonlRows({ path, shown, piece }: TextFile): EachRecord {
  return async (names, take, fault) => {
    const records = new JsonRecords(new Map(names.map((name, slot) => [name, slot])))
    const fields: Field[] = []
    const none: readonly Field[] = names.map(() => undefined)
    let place = 0
    const line = (text: string, start: number, end: number): void => {
      place += 1
      for (let slot = 0; slot < none.length; slot++) fields[slot] = undefined
      if (records.read(text, start, end, fields)) {
        take({ fields, place })
        return
      }
      isNoBlank.lastIndex = start
      if (!isNoBlank.test(text) || isNoBlank.lastIndex > end) return
      const parsed = parsedLine(text.slice(start, end))
      if (!("cell" in parsed)) fault({ place, why: `it is not JSON: ${parsed.why}` })
      else if (parsed.cell.kind !== "map") fault({ place, why: "it is no record" })
      else take({ fields: fieldsOf(parsed.cell, names), place })
    }
    eachPiece(
      path,
      shown,
      (text) => {
        let start = 0
        while (start < text.length) {
          const newline = text.indexOf("\n", start)
          const end = newline < 0 ? text.length : newline
          line(text, start, end)
          start = end + 1
        }
        return text.length
      },
      piece,
    )
  }
}

/** The first records of a file of JSON Lines, whole. */
export function firstOfJsonl({ path, shown }: TextFile, count: number): readonly Cell[] {
  const found: Cell[] = []
  let start = 0
  try {
    eachPiece(path, shown, (text, isLast) => {
      for (start = 0; start < text.length; ) {
        const newline = text.indexOf("\n", start)
        const parsed = parsedLine(text.slice(start, newline < 0 ? text.length : newline))
        if ("cell" in parsed && parsed.cell.kind === "map") found.push(parsed.cell)
        if (found.length >= count) throw new Enough()
        start = newline < 0 ? text.length : newline + 1
      }
      return isLast ? text.length : start
    })
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
  return found
}
