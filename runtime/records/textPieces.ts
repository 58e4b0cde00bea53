/** A text file piece by piece, so that it may be larger than memory, or than the longest text that a program can hold. No piece outlives the next. */
import { isAscii, isUtf8 } from "node:buffer"
import { closeSync, openSync, readSync } from "node:fs"
import { readFailure } from "./readFailure.ts"

/**
 * Takes a piece, and says up to where it was gone through: what stands behind that comes again, with more behind it. The last piece is gone through
 * to its end.
 */
export type TakePiece = (text: string, isLast: boolean) => number

/** Bytes read at once: texts of this size are short-lived objects like any other to the garbage collector. */
const PIECE = 1 << 16

/** Bytes, or characters, that one row may take. A text of twice as many is the longest that a program can hold. */
const LONGEST = 1 << 28

const NEWLINE = 10

/** `shown`: the path as a person wrote it. @throws EnvironmentFailure where the file cannot be read, is no UTF-8 text, or has a row that is too long */
export function eachPiece(path: string, shown: string, take: TakePiece, size = PIECE): void {
  const file = opened(path, shown)
  try {
    let buffer = Buffer.allocUnsafe(size)
    /** Bytes from the buffer's start that no piece had: of a line that goes on. */
    let held = 0
    let rest = ""
    let isFirst = true
    for (let isLast = false; !isLast; ) {
      const read = readSync(file, buffer, held, buffer.length - held, null)
      isLast = read === 0
      const bytes = buffer.subarray(0, held + read)
      const end = isLast ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1
      if (end > 0 || isLast) {
        const text = decoded(bytes.subarray(isFirst ? markOf(bytes) : 0, end), path, shown)
        isFirst = false
        const whole = rest === "" ? text : rest + text
        rest = whole.slice(take(whole, isLast))
      }
      held = bytes.length - end
      // What goes on is not looked through again and again: each time there is twice as much of it.
      const wanted = Math.max(size, 2 * held, 2 * rest.length)
      if (wanted > 2 * LONGEST) throw tooLong(shown)
      const next = buffer.length < wanted || buffer.length > 4 * wanted ? Buffer.allocUnsafe(wanted) : buffer
      if (held > 0) bytes.copy(next, 0, end)
      buffer = next
    }
  } finally {
    closeSync(file)
  }
}

function opened(path: string, shown: string): number {
  try {
    return openSync(path, "r")
  } catch (error) {
    throw readFailure(shown, (error as Error).message)
  }
}

const tooLong = (shown: string) =>
  readFailure(
    shown,
    "one of its rows takes more than 256 megabytes (in a table, a quote that is never closed takes all that follows it)",
  )

/** Length of a byte order mark. */
const markOf = (bytes: Buffer): number =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0

function decoded(bytes: Buffer, path: string, shown: string): string {
  if (isAscii(bytes)) return bytes.toString("latin1")
  if (isUtf8(bytes)) return bytes.toString("utf8")
  throw notText(path, shown)
}

/** Names the line of the first byte that no UTF-8 text has in its place. Lines are gone through one by one: this is the end. */
function notText(path: string, shown: string): Error {
  const file = openSync(path, "r")
  try {
    let buffer = Buffer.allocUnsafe(PIECE)
    let [held, line] = [0, 1]
    for (;;) {
      const read = readSync(file, buffer, held, buffer.length - held, null)
      const bytes = buffer.subarray(0, held + read)
      if (line === 1 && held === 0 && isUtf16(bytes))
        return readFailure(shown, "it is UTF-16 text; save it as UTF-8")
      let start = 0
      for (let end = bytes.indexOf(NEWLINE) + 1; end > 0; end = bytes.indexOf(NEWLINE, start) + 1) {
        if (!isUtf8(bytes.subarray(start, end))) return lineFailure(shown, line)
        line += 1
        start = end
      }
      if (read === 0) return lineFailure(shown, line)
      held = bytes.length - start
      const next = held === buffer.length ? Buffer.allocUnsafe(2 * held) : buffer
      bytes.copy(next, 0, start)
      buffer = next
    }
  } finally {
    closeSync(file)
  }
}

const lineFailure = (shown: string, line: number) => readFailure(`${shown}:${line}`, "it is not UTF-8 text")

/** By its byte order mark, as spreadsheets write it. */
const isUtf16 = (bytes: Buffer): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
