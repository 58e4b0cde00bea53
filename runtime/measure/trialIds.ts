/** The identities of trials: what those of one item begin with, and how each goes on, so that a text is kept once for an item and once for a cell. */
import { trialsOfItem } from "../../compiler/trialId.ts"
import type { TrialRecord } from "../record.ts"
import { type Column, type PackedColumn, Values } from "./column.ts"

export class TrialIds implements Column {
  readonly #beginnings = new Values()
  readonly #endings = new Values()

  get length(): number {
    return this.#beginnings.length
  }

  take({ trial, ...of }: Pick<TrialRecord, "trial" | "experiment" | "model" | "pool" | "item">): void {
    const beginning = trialsOfItem(of)
    const begins = trial.startsWith(beginning)
    this.#beginnings.push(begins ? beginning : "")
    this.#endings.push(begins ? trial.slice(beginning.length) : trial)
  }

  at(row: number): string {
    return `${this.#beginnings.at(row)}${this.#endings.at(row)}`
  }

  packed(): readonly PackedColumn[] {
    return [this.#beginnings.packed(), this.#endings.packed()]
  }

  /** Takes what `packed` gave, in the place of what is held. */
  unpack([beginnings = {}, endings = {}]: readonly PackedColumn[]): void {
    this.#beginnings.unpack(beginnings)
    this.#endings.unpack(endings)
  }

  /** The rows in the order of their trials; as they come where two have the same. */
  order(): Uint32Array {
    const rows = this.length
    const beginnings = ranked(this.#beginnings)
    if (beginnings.nested)
      return Uint32Array.from({ length: rows }, (_, row) => row).sort(
        (a, b) => compare(this.at(a), this.at(b)) || a - b,
      )
    const endings = ranked(this.#endings)
    // Of whole numbers below 2^53: trials by beginning, ending and row.
    const keys = new Float64Array(rows)
    for (let row = 0; row < rows; row++) {
      const first = beginnings.ranks[this.#beginnings.codeAt(row)]!
      const second = endings.ranks[this.#endings.codeAt(row)]!
      keys[row] = (first * endings.ranks.length + second) * rows + row
    }
    keys.sort()
    const order = new Uint32Array(rows)
    for (let at = 0; at < rows; at++) order[at] = keys[at]! % rows
    return order
  }
}

/** Of each code the rank of its value; and whether a value begins with another, so that ranks do not settle what follows. */
function ranked({ values }: Values): { readonly ranks: Float64Array; readonly nested: boolean } {
  const codes = values.map((value, code) => ({ text: String(value), code }))
  codes.sort((a, b) => compare(a.text, b.text))
  const ranks = new Float64Array(codes.length)
  let nested = false
  for (const [rank, { text, code }] of codes.entries()) {
    ranks[code] = rank
    // What begins with a text stands right behind it.
    if (codes[rank + 1]?.text.startsWith(text)) nested = true
  }
  return { ranks, nested }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
