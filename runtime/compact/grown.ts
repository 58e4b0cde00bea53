/** Arrays of numbers that grow a piece at a time, outside of the garbage collector's heap: nothing is copied when they grow. */

/** Numbers of one piece; a power of two. */
const PIECE = 4096
const BITS = 12

type Piece = Float64Array | Int32Array

/** What a growing array holds, as it is written to disk: whole pieces, of which the last may be longer than what is in it. */
export interface Packed<Kind> {
  readonly length: number
  readonly pieces: readonly Kind[]
}

export class Grown<Kind extends Piece> {
  readonly #make: (length: number) => Kind
  readonly #pieces: Kind[] = []
  #length = 0

  /** `make`: a piece of so many zeros. */
  constructor(make: (length: number) => Kind) {
    this.#make = make
  }

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    const place = this.#length & (PIECE - 1)
    if (place === 0) this.#pieces.push(this.#make(PIECE))
    this.#pieces[this.#length >>> BITS]![place] = value
    this.#length += 1
  }

  /** At a place below the length. */
  at(place: number): number {
    return this.#pieces[place >>> BITS]![place & (PIECE - 1)]!
  }

  set(place: number, value: number): void {
    this.#pieces[place >>> BITS]![place & (PIECE - 1)] = value
  }

  packed(): Packed<Kind> {
    return { length: this.#length, pieces: this.#pieces }
  }

  /** Takes what `packed` gave, in the place of what is held. */
  unpack({ length, pieces }: Packed<Kind>): void {
    this.#pieces.splice(0, this.#pieces.length, ...pieces)
    this.#length = length
  }
}

export const doubles = (): Grown<Float64Array> => new Grown((length) => new Float64Array(length))
export const integers = (): Grown<Int32Array> => new Grown((length) => new Int32Array(length))

type CodePiece = Uint8Array | Uint16Array | Uint32Array

/** Numbers from 0 up, each piece as wide as its largest needs: of a column with few values a byte each. */
export class Codes {
  readonly #pieces: CodePiece[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  push(code: number): void {
    const place = this.#length & (PIECE - 1)
    if (place === 0) this.#pieces.push(new Uint8Array(PIECE))
    const at = this.#pieces.length - 1
    const piece = this.#pieces[at]!
    if (code > 0xff && piece instanceof Uint8Array) this.#pieces[at] = widened(piece, code)
    else if (code > 0xffff && piece instanceof Uint16Array) this.#pieces[at] = widened(piece, code)
    this.#pieces[at]![place] = code
    this.#length += 1
  }

  at(place: number): number {
    return this.#pieces[place >>> BITS]![place & (PIECE - 1)]!
  }

  packed(): Packed<CodePiece> {
    return { length: this.#length, pieces: this.#pieces }
  }

  /** Takes what `packed` gave, in the place of what is held. */
  unpack({ length, pieces }: Packed<CodePiece>): void {
    this.#pieces.splice(0, this.#pieces.length, ...pieces)
    this.#length = length
  }
}

const widened = (piece: Uint8Array | Uint16Array, code: number): Uint16Array | Uint32Array =>
  code > 0xffff ? Uint32Array.from(piece) : Uint16Array.from(piece)
