/**
 * A problem laid out for its solver. The column with the most levels (the items) goes first: rows are sorted by it, so that its part of every
 * matrix is a small block for each level. The effects of the other columns are the dense rest; each item lists which of them its rows touch.
 */
import { blockParameters, type Problem, type RandomColumn } from "./problem.ts"

/** An entry of a lower triangular factor T of a block's covariance (over 1), by its row and column among the effects of a row. */
export interface ThetaEntry {
  readonly row: number
  readonly column: number
}

export interface Layout {
  readonly rows: number
  /** Columns of X. */
  readonly p: number
  /** By column, sorted as the rows are. */
  readonly x: readonly Float64Array[]
  readonly successes: Float64Array
  readonly trials: Float64Array
  /** Random effects that a row has: `own` of its item first, then those of the other columns. */
  readonly effects: number
  readonly own: number
  /** Row by row, the values of its effects: 1 for an intercept. */
  readonly z: Float64Array
  readonly items: number
  /** Of each item its first row, and behind the last the number of rows. */
  readonly starts: Int32Array
  /** Dense effects in all. */
  readonly dense: number
  /** Of each item where its dense effects start in `touched`. */
  readonly lists: Int32Array
  readonly touched: Int32Array
  /** Row by row, for each effect beyond its own: which dense effect it is, and its place within the item's list. */
  readonly which: Int32Array
  readonly places: Int32Array
  /** Theta's entries in order: block by block, each by columns, as lme4 has them. */
  readonly theta: readonly ThetaEntry[]
}

export function layoutOf(problem: Problem): Layout {
  const { rows, random } = problem
  const order = [...random].sort((a, b) => b.levels - a.levels)
  const [main, ...others] = order
  const items = main?.levels ?? 1
  const codes = main?.codes ?? new Int32Array(rows)
  const starts = new Int32Array(items + 1)
  for (const code of codes) starts[code + 1]! += 1
  for (let item = 0; item < items; item++) starts[item + 1]! += starts[item]!
  const next = starts.slice()
  const from = new Int32Array(rows)
  for (let row = 0; row < rows; row++) from[next[codes[row]!]!++] = row
  const sorted = (values: Float64Array) => Float64Array.from(from, (row) => values[row]!)

  const sizes = order.map(sizeOf)
  const effects = sizes.reduce((sum, size) => sum + size, 0)
  const own = sizes[0] ?? 0
  const z = new Float64Array(rows * effects)
  let at = 0
  for (const { blocks } of order) {
    for (const { values } of blocks.flat()) {
      for (let row = 0; row < rows; row++) z[row * effects + at] = values?.[from[row]!] ?? 1
      at++
    }
  }

  const beyond = effects - own
  const which = new Int32Array(rows * beyond)
  const places = new Int32Array(rows * beyond)
  const lists = new Int32Array(items + 1)
  const touched: number[] = []
  const dense = others.reduce((sum, column) => sum + column.levels * sizeOf(column), 0)
  const known = new Int32Array(dense).fill(-1)
  for (let item = 0; item < items; item++) {
    const list = touched.length
    for (let row = starts[item]!; row < starts[item + 1]!; row++) {
      let [effect, offset] = [0, 0]
      for (const column of others) {
        const size = sizeOf(column)
        for (let k = 0; k < size; k++) {
          const one = offset + column.codes[from[row]!]! * size + k
          if (known[one]! < list) known[one] = touched.push(one) - 1
          which[row * beyond + effect] = one
          places[row * beyond + effect++] = known[one]! - list
        }
        offset += column.levels * size
      }
    }
    lists[item + 1] = touched.length
  }

  return {
    rows,
    p: problem.fixed.length,
    x: problem.fixed.map(({ values }) => sorted(values)),
    successes: sorted(problem.successes),
    trials: sorted(problem.trials),
    effects,
    own,
    z,
    items,
    starts,
    dense,
    lists,
    touched: Int32Array.from(touched),
    which,
    places,
    theta: thetaEntries(random, order),
  }
}

const sizeOf = ({ blocks }: RandomColumn): number => blocks.reduce((sum, block) => sum + block.length, 0)

/** In the order of the problem's columns, whatever the order of their effects in a row. */
function thetaEntries(
  random: readonly RandomColumn[],
  order: readonly RandomColumn[],
): readonly ThetaEntry[] {
  const offsets = new Map<RandomColumn, number>()
  let offset = 0
  for (const column of order) {
    offsets.set(column, offset)
    offset += sizeOf(column)
  }
  return random.flatMap((column) => {
    let start = offsets.get(column)!
    return column.blocks.flatMap((block) => {
      const entries = Array.from({ length: block.length }, (_, k) =>
        Array.from({ length: block.length - k }, (_, i) => ({ row: start + k + i, column: start + k })),
      ).flat()
      if (entries.length !== blockParameters(block))
        throw new Error("a block has other parameters than its factor")
      start += block.length
      return entries
    })
  })
}
