/**
 * Identities by number: SHA-256 sums in hexadecimal, numbered from 0 in the order in which they come. Each takes its 32 bytes and some eight for the
 * table (open addressing, linear probing; a sum is its own hash). Any other text is kept as it is. Where none has to be given back, the first 16 bytes do:
 * of a million million sums the odds that two share them are one in 10^14.
 */
import { Grown } from "./grown.ts"

/** Hexadecimal digits of a sum, and of a word of four bytes. */
const DIGITS = 64
const WORDS = 8

export class Ids {
  /** Words of four bytes that are kept of a sum. */
  readonly #kept: number
  readonly #words = new Grown((length) => new Int32Array(length))
  /** Number and one by place; 0 where none is. At most half full. */
  #table = new Int32Array(64)
  readonly #others = new Map<string, number>()
  readonly #otherAt = new Map<number, string>()
  readonly #asked = new Int32Array(WORDS)
  readonly #bytes = Buffer.alloc(4 * WORDS)
  #size = 0

  /** `bytes`: that are kept of a sum; with fewer than its 32, none can be given back. */
  constructor(bytes: 16 | 32 = 32) {
    this.#kept = bytes / 4
  }

  get size(): number {
    return this.#size
  }

  /** The number of an id; -1 where it is none of them. */
  of(id: string): number {
    return this.#ask(id) ? this.#table[this.#place()]! - 1 : (this.#others.get(id) ?? -1)
  }

  /** The number of an id, which may be new. */
  add(id: string): number {
    const isSum = this.#ask(id)
    const place = isSum ? this.#place() : -1
    const known = isSum ? this.#table[place]! - 1 : (this.#others.get(id) ?? -1)
    if (known >= 0) return known
    const number = this.#size
    this.#size += 1
    if (isSum) {
      for (let at = 0; at < this.#kept; at++) this.#words.push(this.#asked[at]!)
      this.#table[place] = number + 1
    } else {
      for (let at = 0; at < this.#kept; at++) this.#words.push(0)
      this.#others.set(id, number)
      this.#otherAt.set(number, id)
    }
    if (2 * this.#size > this.#table.length) this.#widen()
    return number
  }

  at(number: number): string {
    const other = this.#otherAt.get(number)
    if (other !== undefined) return other
    if (this.#kept < WORDS) throw new Error("internal: of these ids only half is kept")
    for (let at = 0; at < WORDS; at++) this.#bytes.writeInt32BE(this.#words.at(number * WORDS + at), 4 * at)
    return this.#bytes.toString("hex")
  }

  /** In their order. */
  *[Symbol.iterator](): Generator<string> {
    for (let number = 0; number < this.#size; number++) yield this.at(number)
  }

  /** Takes the words of a sum; false where it is none. A loop over characters takes a fifth of what a pattern and a conversion by `Buffer` do. */
  #ask(id: string): boolean {
    if (id.length !== DIGITS) return false
    for (let word = 0; word < WORDS; word++) {
      let value = 0
      for (let at = 8 * word; at < 8 * word + 8; at++) {
        const code = id.charCodeAt(at)
        const digit = code >= 48 && code <= 57 ? code - 48 : code >= 97 && code <= 102 ? code - 87 : -1
        if (digit < 0) return false
        value = (value << 4) | digit
      }
      this.#asked[word] = value
    }
    return true
  }

  /** The place of the id that is asked for, or the free one where it would be. */
  #place(): number {
    const mask = this.#table.length - 1
    for (let place = this.#asked[0]! & mask; ; place = (place + 1) & mask) {
      const entry = this.#table[place]!
      if (entry === 0 || this.#isAsked(entry - 1)) return place
    }
  }

  #isAsked(number: number): boolean {
    for (let at = 0; at < this.#kept; at++) {
      if (this.#words.at(number * this.#kept + at) !== this.#asked[at]) return false
    }
    return true
  }

  #load(number: number): void {
    for (let at = 0; at < this.#kept; at++) this.#asked[at] = this.#words.at(number * this.#kept + at)
  }

  #widen(): void {
    this.#table = new Int32Array(2 * this.#table.length)
    for (let number = 0; number < this.#size; number++) {
      if (this.#otherAt.has(number)) continue
      this.#load(number)
      this.#table[this.#place()] = number + 1
    }
  }
}
