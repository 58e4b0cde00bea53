/** A set of whole numbers from 0 up: a bit for each up to the largest. */
export class Marks {
  #bits = new Uint32Array(64)
  #size = 0

  get size(): number {
    return this.#size
  }

  add(number: number): void {
    const word = number >>> 5
    if (word >= this.#bits.length) {
      const wider = new Uint32Array(Math.max(word + 1, 2 * this.#bits.length))
      wider.set(this.#bits)
      this.#bits = wider
    }
    const bit = 1 << (number & 31)
    if ((this.#bits[word]! & bit) !== 0) return
    this.#bits[word]! |= bit
    this.#size += 1
  }

  /** In ascending order. */
  *[Symbol.iterator](): Generator<number> {
    for (let word = 0; word < this.#bits.length; word++) {
      for (let bits = this.#bits[word]!; bits !== 0; bits &= bits - 1)
        yield 32 * word + 31 - Math.clz32(bits & -bits)
    }
  }
}
