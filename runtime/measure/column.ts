/** Columns of the trial table, in typed arrays: some bytes a row, whatever stands there. Arquero reads them by `at` and `length`. */
import { Codes, doubles, type Packed } from "../compact/grown.ts"
import { type PackedTexts, Texts } from "../compact/texts.ts"

export type Cell = string | number | boolean | null

export interface Column {
  readonly length: number
  readonly at: (row: number) => Cell
  /** Of columns that keep codes: a number from 0 that rows share where they have the same value. */
  readonly codeAt?: (row: number) => number
}

export type Columns = ReadonlyMap<string, Column>

/** A column that is being filled. */
export interface Filled extends Column {
  readonly push: (value: Cell) => void
  /** What it holds, as it is written to disk: objects, lists and typed arrays. */
  readonly packed: () => PackedColumn
  /** Takes what `packed` of such a column gave, in the place of what is held. */
  readonly unpack: (packed: PackedColumn) => void
}

/** Of any kind of column; each has what it needs. */
export interface PackedColumn {
  readonly codes?: ReturnType<Codes["packed"]>
  readonly values?: readonly Cell[]
  readonly numbers?: Packed<Float64Array>
  readonly texts?: PackedTexts
}

const NONE = { length: 0, pieces: [] }

/** A column in which values come again and again: each row is the number of its value. */
export class Values implements Filled {
  readonly #codes = new Codes()
  readonly #values: Cell[] = []
  readonly #known = new Map<Cell, number>()
  /** Most rows have the value of the row before. */
  #last: Cell | undefined
  #lastCode = 0

  get length(): number {
    return this.#codes.length
  }

  /** The distinct values, by their codes. */
  get values(): readonly Cell[] {
    return this.#values
  }

  push(value: Cell): void {
    if (value !== this.#last) {
      const known = this.#known.get(value)
      this.#lastCode = known ?? this.#values.push(value) - 1
      if (known === undefined) this.#known.set(value, this.#lastCode)
      this.#last = value
    }
    this.#codes.push(this.#lastCode)
  }

  at(row: number): Cell {
    return this.#values[this.#codes.at(row)] as Cell
  }

  /** Rows have the same code where they have the same value. */
  codeAt(row: number): number {
    return this.#codes.at(row)
  }

  packed(): PackedColumn {
    return { codes: this.#codes.packed(), values: this.#values }
  }

  unpack({ codes = NONE, values = [] }: PackedColumn): void {
    this.#codes.unpack(codes)
    this.#values.length = 0
    this.#known.clear()
    for (const [code, value] of values.entries()) {
      this.#values.push(value)
      this.#known.set(value, code)
    }
    this.#last = undefined
  }
}

/** Whole numbers from 0 up; a code of 0 is none. */
export class Counts implements Filled {
  readonly #codes = new Codes()

  get length(): number {
    return this.#codes.length
  }

  push(value: Cell): void {
    this.#codes.push(value === null ? 0 : (value as number) + 1)
  }

  at(row: number): number | null {
    const code = this.#codes.at(row)
    return code === 0 ? null : code - 1
  }

  codeAt(row: number): number {
    return this.#codes.at(row)
  }

  packed(): PackedColumn {
    return { codes: this.#codes.packed() }
  }

  unpack({ codes = NONE }: PackedColumn): void {
    this.#codes.unpack(codes)
  }
}

/** Any finite numbers. */
export class Numbers implements Filled {
  readonly #numbers = doubles()

  get length(): number {
    return this.#numbers.length
  }

  push(value: Cell): void {
    this.#numbers.push(value === null ? Number.NaN : (value as number))
  }

  at(row: number): number | null {
    const value = this.#numbers.at(row)
    return Number.isNaN(value) ? null : value
  }

  packed(): PackedColumn {
    return { numbers: this.#numbers.packed() }
  }

  unpack({ numbers = NONE }: PackedColumn): void {
    this.#numbers.unpack(numbers)
  }
}

/** Texts that hardly come again. */
export class Written implements Filled {
  readonly #texts = new Texts()
  readonly #which = new Counts()

  get length(): number {
    return this.#which.length
  }

  push(value: Cell): void {
    this.#which.push(value === null ? null : this.#texts.push(value as string))
  }

  at(row: number): string | null {
    const text = this.#which.at(row)
    return text === null ? null : this.#texts.at(text)
  }

  packed(): PackedColumn {
    return { ...this.#which.packed(), texts: this.#texts.packed() }
  }

  unpack(packed: PackedColumn): void {
    this.#which.unpack(packed)
    if (packed.texts !== undefined) this.#texts.unpack(packed.texts)
  }
}

/** Adds nothing up to a row: for a column that was met late, or that ends early. */
export function padded<Kind extends Filled>(column: Kind, rows: number): Kind {
  while (column.length < rows) column.push(null)
  return column
}

/** A column worked out from others when it is read. */
export const derived = (length: number, at: Column["at"]): Column => ({ length, at })

/** A column with its rows in another order. */
export const reordered = (column: Column, order: Uint32Array): Column => ({
  ...derived(column.length, (row) => column.at(order[row] as number)),
  ...(column.codeAt === undefined ? {} : { codeAt: (row: number) => column.codeAt!(order[row] as number) }),
})
