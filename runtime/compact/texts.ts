/** Texts one after another as UTF-8, outside of the garbage collector's heap. */
import { doubles, type Packed } from "./grown.ts"

/** Bytes of a piece; a longer text has one of its own. */
const PIECE = 1 << 16

export interface PackedTexts {
  readonly pieces: readonly Uint8Array[]
  readonly piece: Packed<Float64Array>
  readonly start: Packed<Float64Array>
  readonly end: Packed<Float64Array>
}

export class Texts {
  readonly #pieces: Buffer[] = []
  /** Of each text: the number of its piece, where it starts there and where it ends. */
  readonly #piece = doubles()
  readonly #start = doubles()
  readonly #end = doubles()
  #used = 0

  get length(): number {
    return this.#piece.length
  }

  /** Gives the number of the text. Lone surrogates, which UTF-8 has not, become U+FFFD. */
  push(text: string): number {
    const size = Buffer.byteLength(text, "utf8")
    if (this.#pieces.length === 0 || this.#used + size > (this.#pieces.at(-1) as Buffer).length) {
      // Zeros: pieces go to disk whole, and what the process had there before must not.
      this.#pieces.push(Buffer.alloc(Math.max(size, PIECE)))
      this.#used = 0
    }
    const piece = this.#pieces.at(-1) as Buffer
    piece.write(text, this.#used, "utf8")
    this.#piece.push(this.#pieces.length - 1)
    this.#start.push(this.#used)
    this.#used += size
    this.#end.push(this.#used)
    return this.#piece.length - 1
  }

  at(number: number): string {
    const piece = this.#pieces[this.#piece.at(number)] as Buffer
    return piece.toString("utf8", this.#start.at(number), this.#end.at(number))
  }

  packed(): PackedTexts {
    return {
      pieces: this.#pieces,
      piece: this.#piece.packed(),
      start: this.#start.packed(),
      end: this.#end.packed(),
    }
  }

  /** Takes what `packed` gave, in the place of what is held; what is pushed then begins a piece of its own. */
  unpack({ pieces, piece, start, end }: PackedTexts): void {
    const buffers = pieces.map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength),
    )
    this.#pieces.splice(0, this.#pieces.length, ...buffers)
    this.#piece.unpack(piece)
    this.#start.unpack(start)
    this.#end.unpack(end)
    this.#used = Number.POSITIVE_INFINITY
  }
}
