/** Small dense symmetric matrices, row by row in one array of n x n numbers. */

/** The lower Cholesky factor, in place (what is above the diagonal is left); false where the matrix is not positive definite. O(n^3 / 3). */
export function factor(matrix: Float64Array, n: number): boolean {
  for (let i = 0; i < n; i++) {
    const row = i * n
    for (let j = 0; j <= i; j++) {
      const other = j * n
      let sum = matrix[row + j]!
      for (let k = 0; k < j; k++) sum -= matrix[row + k]! * matrix[other + k]!
      if (j < i) matrix[row + j] = sum / matrix[other + j]!
      else if (sum > 0) matrix[row + i] = Math.sqrt(sum)
      else return false
    }
  }
  return true
}

/** Solves L L' x = b in place, b of length n from `at`. */
export function solveFactored(factored: Float64Array, n: number, b: Float64Array, at = 0): void {
  for (let i = 0; i < n; i++) {
    let sum = b[at + i]!
    for (let k = 0; k < i; k++) sum -= factored[i * n + k]! * b[at + k]!
    b[at + i] = sum / factored[i * n + i]!
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = b[at + i]!
    for (let k = i + 1; k < n; k++) sum -= factored[k * n + i]! * b[at + k]!
    b[at + i] = sum / factored[i * n + i]!
  }
}

/** The inverse of L L', whole. */
export function invertFactored(factored: Float64Array, n: number): Float64Array {
  // The inverse of L first, in its lower triangle.
  const lower = new Float64Array(n * n)
  for (let j = 0; j < n; j++) {
    lower[j * n + j] = 1 / factored[j * n + j]!
    for (let i = j + 1; i < n; i++) {
      let sum = 0
      for (let k = j; k < i; k++) sum -= factored[i * n + k]! * lower[k * n + j]!
      lower[i * n + j] = sum / factored[i * n + i]!
    }
  }
  const inverse = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0
      for (let k = i; k < n; k++) sum += lower[k * n + i]! * lower[k * n + j]!
      inverse[i * n + j] = sum
      inverse[j * n + i] = sum
    }
  }
  return inverse
}

/** Twice the sum of the logarithms of L's diagonal: log |L L'|. */
export function logDeterminant(factored: Float64Array, n: number): number {
  let sum = 0
  for (let i = 0; i < n; i++) sum += Math.log(factored[i * n + i]!)
  return 2 * sum
}

/** The inverse of a symmetric matrix; undefined where it is not positive definite. */
export function inverseOf(matrix: Float64Array, n: number): Float64Array | undefined {
  const copy = matrix.slice()
  return factor(copy, n) ? invertFactored(copy, n) : undefined
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

/** B V B' for an upper triangular B. */
export function sandwich(back: Float64Array, inner: Float64Array, p: number): Float64Array {
  const half = new Float64Array(p * p)
  const whole = new Float64Array(p * p)
  for (let i = 0; i < p; i++) {
    for (let j = 0; j < p; j++) {
      let sum = 0
      for (let k = i; k < p; k++) sum += back[i * p + k]! * inner[k * p + j]!
      half[i * p + j] = sum
    }
  }
  for (let i = 0; i < p; i++) {
    for (let j = 0; j < p; j++) {
      let sum = 0
      for (let k = j; k < p; k++) sum += half[i * p + k]! * back[j * p + k]!
      whole[i * p + j] = sum
    }
  }
  return whole
}
