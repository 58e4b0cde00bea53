/** Pairs of whole numbers from 0 up, numbered from 0 in the order in which they come: open addressing with linear probing. */
import { integers } from "./grown.ts"

export class Pairs {
  readonly #left = integers()
  readonly #right = integers()
  /** Number and one by place; 0 where none is. At most half full. */
  #table = new Int32Array(64)

  get size(): number {
    return this.#left.length
  }

  /** The number of a pair, which may be new. */
  add(left: number, right: number): number {
    const place = this.#place(left, right)
    const known = this.#table[place]!
    if (known > 0) return known - 1
    this.#left.push(left)
    this.#right.push(right)
    this.#table[place] = this.size
    if (2 * this.size > this.#table.length) this.#widen()
    return this.size - 1
  }

  #place(left: number, right: number): number {
    const mask = this.#table.length - 1
    // Multiplicative mixing of both (Knuth, TAOCP 3, 6.4), its high bits folded into the low ones.
    const mixed = Math.imul(Math.imul(left, 0x9e3779b1) ^ right, 0x85ebca6b)
    for (let place = (mixed ^ (mixed >>> 15)) & mask; ; place = (place + 1) & mask) {
      const entry = this.#table[place]!
      if (entry === 0) return place
      if (this.#left.at(entry - 1) === left && this.#right.at(entry - 1) === right) return place
    }
  }

  #widen(): void {
    this.#table = new Int32Array(2 * this.#table.length)
    for (let number = 0; number < this.size; number++)
      this.#table[this.#place(this.#left.at(number), this.#right.at(number))] = number + 1
  }
}
