/**
 * H = Lambda' Z' W Z Lambda + I, which is bordered: a small block A_i for each item, borders B_i between it and the dense rest C (models, pools). The
 * items are eliminated by the Schur complement S = C - sum_i B_i' A_i^-1 B_i, of which alone a dense factor is taken.
 */
import { factor, invertFactored, logDeterminant, solveFactored } from "./dense.ts"
import type { Layout } from "./layout.ts"

export class Bordered {
  readonly layout: Layout
  /** Factors of A_i. */
  readonly #blocks: Float64Array
  readonly #borders: Float64Array
  /** A_i^-1 B_i. */
  readonly #solved: Float64Array
  /** The factor of S. */
  readonly #schur: Float64Array

  constructor(layout: Layout) {
    const { own, items, dense, touched } = layout
    this.layout = layout
    this.#blocks = new Float64Array(items * own * own)
    this.#borders = new Float64Array(touched.length * own)
    this.#solved = new Float64Array(touched.length * own)
    this.#schur = new Float64Array(dense * dense)
  }

  /** Takes H at these Lambda' z and weights, row by row; false where it is not positive definite. */
  take(scaled: Float64Array, weights: Float64Array): boolean {
    const { effects, own, items, starts, dense, lists, touched, which, places } = this.layout
    const [blocks, borders, solved, schur] = [this.#blocks, this.#borders, this.#solved, this.#schur]
    const beyond = effects - own
    blocks.fill(0)
    borders.fill(0)
    schur.fill(0)
    for (let k = 0; k < dense; k++) schur[k * dense + k] = 1
    const block = new Float64Array(own * own)
    const column = new Float64Array(own)
    for (let item = 0; item < items; item++) {
      const list = lists[item]!
      const length = lists[item + 1]! - list
      block.fill(0)
      for (let k = 0; k < own; k++) block[k * own + k] = 1
      for (let row = starts[item]!; row < starts[item + 1]!; row++) {
        const at = row * effects
        const weight = weights[row]!
        for (let a = 0; a < own; a++) {
          const value = weight * scaled[at + a]!
          for (let b = 0; b <= a; b++) block[a * own + b]! += value * scaled[at + b]!
        }
        const from = row * beyond
        for (let a = 0; a < beyond; a++) {
          const value = weight * scaled[at + own + a]!
          // A slope over a factor is 0 at most of its levels.
          if (value === 0) continue
          const border = (list + places[from + a]!) * own
          for (let k = 0; k < own; k++) borders[border + k]! += value * scaled[at + k]!
          const line = which[from + a]! * dense
          for (let b = 0; b <= a; b++) schur[line + which[from + b]!]! += value * scaled[at + own + b]!
        }
      }
      if (!factor(block, own)) return false
      blocks.set(block, item * own * own)
      for (let a = 0; a < length; a++) {
        const from = (list + a) * own
        for (let k = 0; k < own; k++) column[k] = borders[from + k]!
        solveFactored(block, own, column)
        solved.set(column, from)
        const line = touched[list + a]!
        for (let b = 0; b <= a; b++) {
          const other = touched[list + b]!
          let sum = 0
          for (let k = 0; k < own; k++) sum += column[k]! * borders[(list + b) * own + k]!
          schur[line > other ? line * dense + other : other * dense + line]! -= sum
        }
      }
    }
    return factor(schur, dense)
  }

  logDeterminant(): number {
    const { own, items, dense } = this.layout
    let logs = logDeterminant(this.#schur, dense)
    for (let item = 0; item < items; item++) {
      for (let k = 0; k < own; k++) logs += 2 * Math.log(this.#blocks[(item * own + k) * own + k]!)
    }
    return logs
  }

  /** H^-1 of a vector, in place: `ownPart` of the items, `rest` of the dense effects. */
  solve(ownPart: Float64Array, rest: Float64Array): void {
    const { own, items, dense, lists, touched } = this.layout
    const solved = this.#solved
    for (let item = 0; item < items; item++) {
      for (let at = lists[item]!; at < lists[item + 1]!; at++) {
        let sum = 0
        for (let k = 0; k < own; k++) sum += solved[at * own + k]! * ownPart[item * own + k]!
        rest[touched[at]!]! -= sum
      }
    }
    solveFactored(this.#schur, dense, rest)
    const block = new Float64Array(own * own)
    for (let item = 0; item < items; item++) {
      if (own === 1) ownPart[item]! /= this.#blocks[item]! * this.#blocks[item]!
      else {
        block.set(this.#blocks.subarray(item * own * own, (item + 1) * own * own))
        solveFactored(block, own, ownPart, item * own)
      }
      for (let at = lists[item]!; at < lists[item + 1]!; at++) {
        const value = rest[touched[at]!]!
        for (let k = 0; k < own; k++) ownPart[item * own + k]! -= solved[at * own + k]! * value
      }
    }
  }

  /**
   * Of each row its leverage z' Lambda H^-1 Lambda' z, and for each entry of theta half the derivative of log |H| with the weights held: the trace of
   * H^-1 Lambda_j' Z' W Z Lambda. Of H^-1 alone those parts are made that a row of the item can touch.
   */
  leverages(
    scaled: Float64Array,
    weights: Float64Array,
  ): { readonly leverages: Float64Array; readonly traces: Float64Array } {
    const { rows, effects, own, items, starts, dense, lists, touched, places, theta, z } = this.layout
    const froms = Int32Array.from(theta, ({ row }) => row)
    const tos = Int32Array.from(theta, ({ column }) => column)
    const solved = this.#solved
    const beyond = effects - own
    const inverse = invertFactored(this.#schur, dense)
    // Of each row H^-1 Lambda' z at the row's own effects; from it the leverages and the traces.
    const leverages = new Float64Array(rows)
    const traces = new Float64Array(theta.length)
    const through = new Float64Array(effects)
    let longest = 0
    for (let item = 0; item < items; item++) longest = Math.max(longest, lists[item + 1]! - lists[item]!)
    const corner = new Float64Array(longest * longest)
    const edge = new Float64Array(longest * own)
    const head = new Float64Array(own * own)
    for (let item = 0; item < items; item++) {
      const list = lists[item]!
      const length = lists[item + 1]! - list
      for (let a = 0; a < length; a++) {
        const line = touched[list + a]! * dense
        for (let b = 0; b < length; b++) corner[a * length + b] = inverse[line + touched[list + b]!]!
      }
      for (let a = 0; a < length; a++) {
        for (let k = 0; k < own; k++) {
          let sum = 0
          for (let b = 0; b < length; b++) sum += corner[a * length + b]! * solved[(list + b) * own + k]!
          edge[a * own + k] = sum
        }
      }
      if (own === 1) head[0] = 1 / this.#blocks[item]! ** 2
      else head.set(invertFactored(this.#blocks.subarray(item * own * own, (item + 1) * own * own), own))
      for (let k = 0; k < own; k++) {
        for (let l = 0; l < own; l++) {
          let sum = head[k * own + l]!
          for (let a = 0; a < length; a++) sum += edge[a * own + k]! * solved[(list + a) * own + l]!
          head[k * own + l] = sum
        }
      }
      for (let row = starts[item]!; row < starts[item + 1]!; row++) {
        const at = row * effects
        const from = row * beyond
        through.fill(0)
        for (let l = 0; l < own; l++) {
          const value = scaled[at + l]!
          if (value === 0) continue
          for (let k = 0; k < own; k++) through[k]! += head[k * own + l]! * value
          for (let a = 0; a < beyond; a++) through[own + a]! -= edge[places[from + a]! * own + l]! * value
        }
        for (let b = 0; b < beyond; b++) {
          const value = scaled[at + own + b]!
          if (value === 0) continue
          const line = places[from + b]! * length
          const border = places[from + b]! * own
          for (let k = 0; k < own; k++) through[k]! -= edge[border + k]! * value
          for (let a = 0; a < beyond; a++) through[own + a]! += corner[line + places[from + a]!]! * value
        }
        let leverage = 0
        for (let k = 0; k < effects; k++) leverage += scaled[at + k]! * through[k]!
        leverages[row] = leverage
        const weight = weights[row]!
        for (let j = 0; j < froms.length; j++) traces[j]! += weight * z[at + froms[j]!]! * through[tos[j]!]!
      }
    }
    return { leverages, traces }
  }
}
