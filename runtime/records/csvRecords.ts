/** CSV as `scanCsv` reads it (compiler/items/csv.ts, its twin), from pieces of a text and without what no mapping looks at. */

/** One record; valid until the next. */
export interface CsvRecord {
  /** Fields that are asked for, each at its slot. */
  readonly fields: (string | undefined)[]
  /** How many fields it has. */
  count: number
  /** The line that it starts on, from 1. */
  line: number
  /** What is wrong with it first, as a clause. */
  problem: string | undefined
}

const [COMMA, QUOTE, LF, CR] = [44, 34, 10, 13]

export class CsvRecords {
  readonly #slots: Int32Array | undefined
  readonly #record: CsvRecord
  #line = 1

  /** `slots`: by the place of a column, where its field is put; -1 for nowhere. Without them every field is put at its own place. */
  constructor(slots?: Int32Array) {
    this.#slots = slots
    this.#record = { fields: [], count: 0, line: 1, problem: undefined }
  }

  /** Gives the records that are whole in this piece, and returns where the first stands that is not. Lines without a character are passed over. */
  scan(text: string, isLast: boolean, take: (record: CsvRecord) => void): number {
    const record = this.#record
    const length = text.length
    let at = 0
    while (at < length) {
      const start = at
      let breaks = 0
      let isBlank = false
      let faulty = -1
      record.count = 0
      record.problem = undefined
      for (;;) {
        const from = at
        const slot =
          this.#slots === undefined
            ? record.count
            : record.count < this.#slots.length
              ? this.#slots[record.count]!
              : -1
        if (text.charCodeAt(at) === QUOTE) {
          const opens = at
          let content = ""
          let begin = at + 1
          for (;;) {
            const quote = text.indexOf('"', begin)
            if (quote < 0) {
              if (!isLast) return start
              if (record.problem === undefined) {
                record.problem = "this quote is not closed"
                faulty = opens
              }
              content += text.slice(begin)
              at = length
              break
            }
            if (text.charCodeAt(quote + 1) === QUOTE) {
              content += text.slice(begin, quote + 1)
              begin = quote + 2
              continue
            }
            content = content === "" ? text.slice(begin, quote) : content + text.slice(begin, quote)
            at = quote + 1
            break
          }
          const end = at
          for (let code = text.charCodeAt(at); at < length; code = text.charCodeAt(++at))
            if (code === COMMA || code === LF || code === CR) break
          if (at > end && record.problem === undefined) {
            record.problem = "something follows the closing quote; a quote within a field is doubled"
            faulty = end
          }
          for (let place = opens; place < end; place++) {
            const code = text.charCodeAt(place)
            if (code === LF || (code === CR && text.charCodeAt(place + 1) !== LF)) breaks += 1
          }
          if (slot >= 0) record.fields[slot] = content
        } else {
          let isQuoted = false
          for (; at < length; at++) {
            const code = text.charCodeAt(at)
            if (code === COMMA || code === LF || code === CR) break
            if (code === QUOTE) isQuoted = true
          }
          if (isQuoted && record.problem === undefined) {
            record.problem = "a field that holds a quote must stand in quotes, its quotes doubled"
            faulty = from
          }
          if (slot >= 0) record.fields[slot] = text.slice(from, at)
          isBlank = record.count === 0 && at === from
        }
        record.count += 1
        // More may follow in the next piece.
        if (at === length && !isLast) return start
        if (text.charCodeAt(at) !== COMMA) break
        isBlank = false
        at += 1
      }
      const end = at
      if (text.charCodeAt(at) === CR) {
        at += 1
        if (at === length && !isLast) return start
      }
      if (text.charCodeAt(at) === LF) at += 1
      record.line = this.#line
      this.#line += breaks + 1
      if (record.problem !== undefined) record.problem += linesWithin(text, faulty, end)
      if (!isBlank) take(record)
    }
    return at
  }
}

/** What a quote that is never closed takes with it: whatever stands behind it, to the end of the file. */
function linesWithin(text: string, start: number, end: number): string {
  const lines = text.slice(start, end).trimEnd().split("\n").length
  return lines === 1 ? "" : `, and what stands in it takes ${lines} lines, which are one row to CSV`
}
