/** Which columns of a design say something of their own, and the same space in columns that are orthonormal. */

/** A column that others add up to. */
export interface Dependent {
  readonly column: number
  /** The columns among those kept that it is a sum of. */
  readonly of: readonly number[]
}

/** R's tolerance (`qr`, by LINPACK's dqrdc2): what is left of a column, over its length. */
const TOLERANCE = 1e-7

/** Goes through the columns from the left, as R does: one that is a sum of those before it is dropped. */
export function independent(columns: readonly Float64Array[]): {
  readonly kept: readonly number[]
  readonly dropped: readonly Dependent[]
} {
  const kept: number[] = []
  const basis: Float64Array[] = []
  // Row k: the k-th column kept in terms of the basis.
  const rows: number[][] = []
  const dropped: Dependent[] = []
  for (const [at, column] of columns.entries()) {
    const { rest, shares } = orthogonal(column, basis)
    const length = norm(column)
    const left = norm(rest)
    if (left <= TOLERANCE * length) {
      dropped.push({ column: at, of: length === 0 ? [] : termsIn(shares, rows, kept, length) })
      continue
    }
    kept.push(at)
    rows.push([...shares, left])
    basis.push(rest.map((value) => value / left))
  }
  return { kept, dropped }
}

/** Those kept columns of which a dependent one is a sum, from its shares of the basis: a triangular system, solved from the last. */
function termsIn(
  shares: readonly number[],
  rows: readonly (readonly number[])[],
  kept: readonly number[],
  length: number,
): readonly number[] {
  const left = [...shares]
  const found: number[] = []
  for (let k = kept.length - 1; k >= 0; k--) {
    const weight = left[k]! / rows[k]![k]!
    for (let l = 0; l <= k; l++) left[l]! -= weight * rows[k]![l]!
    if (Math.abs(weight) * norm(Float64Array.from(rows[k]!)) > 1e-6 * length) found.unshift(kept[k]!)
  }
  return found
}

/** Columns Q with Q' W Q = I and the upper triangular R, row by row, with X = Q R; of independent columns. */
export function orthonormal(
  columns: readonly Float64Array[],
  weights: Float64Array,
): { readonly q: readonly Float64Array[]; readonly r: Float64Array } {
  const p = columns.length
  const roots = weights.map(Math.sqrt)
  const basis: Float64Array[] = []
  const q: Float64Array[] = []
  const r = new Float64Array(p * p)
  for (const [at, column] of columns.entries()) {
    const { rest, shares } = orthogonal(
      column.map((value, row) => value * roots[row]!),
      basis,
    )
    const left = norm(rest)
    for (const [k, share] of shares.entries()) r[k * p + at] = share
    r[at * p + at] = left
    basis.push(rest.map((value) => value / left))
    // From the columns themselves, since a weight may be 0.
    const whole = column.slice()
    for (const [k, share] of shares.entries()) {
      for (let row = 0; row < whole.length; row++) whole[row]! -= share * q[k]![row]!
    }
    q.push(whole.map((value) => value / left))
  }
  return { q, r }
}

/** What is left of a column beside a basis, and its shares of it; gone through twice, so that rounding leaves nothing. */
function orthogonal(column: Float64Array, basis: readonly Float64Array[]) {
  const rest = column.slice()
  const shares = basis.map(() => 0)
  for (let round = 0; round < 2; round++) {
    for (const [k, one] of basis.entries()) {
      let share = 0
      for (let row = 0; row < rest.length; row++) share += rest[row]! * one[row]!
      for (let row = 0; row < rest.length; row++) rest[row]! -= share * one[row]!
      shares[k]! += share
    }
  }
  return { rest, shares }
}

function norm(values: Float64Array): number {
  let sum = 0
  for (const value of values) sum += value * value
  return Math.sqrt(sum)
}

/** The inverse of an upper triangular matrix. */
export function invertUpper(r: Float64Array, p: number): Float64Array {
  const inverse = new Float64Array(p * p)
  for (let j = 0; j < p; j++) {
    inverse[j * p + j] = 1 / r[j * p + j]!
    for (let i = j - 1; i >= 0; i--) {
      let sum = 0
      for (let k = i + 1; k <= j; k++) sum += r[i * p + k]! * inverse[k * p + j]!
      inverse[i * p + j] = -sum / r[i * p + i]!
    }
  }
  return inverse
}
