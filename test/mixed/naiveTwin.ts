/** The Laplace deviance written out as its definition has it: all random effects dense, nothing eliminated, the mode by plain Newton steps. */
import type { Problem } from "../../runtime/mixed/problem.ts"

/** `theta` as the problem's columns have it, block by block, each by columns. */
export function naiveDeviance(problem: Problem, theta: Float64Array, beta: Float64Array): number {
  const { rows, random, fixed, successes, trials } = problem
  // Z Lambda, a column for each effect of each level.
  const columns: number[][] = []
  let at = 0
  for (const { codes, levels, blocks } of random) {
    for (const block of blocks) {
      const k = block.length
      const factor = Array.from({ length: k }, () => new Array<number>(k).fill(0))
      for (let c = 0; c < k; c++) for (let r = c; r < k; r++) factor[r]![c] = theta[at++]!
      for (let level = 0; level < levels; level++) {
        for (let c = 0; c < k; c++) {
          columns.push(
            Array.from({ length: rows }, (_, row) =>
              codes[row] === level
                ? block.reduce((sum, { values }, r) => sum + (values?.[row] ?? 1) * factor[r]![c]!, 0)
                : 0,
            ),
          )
        }
      }
    }
  }
  const q = columns.length
  const u = new Array<number>(q).fill(0)
  const etaOf = (row: number) =>
    fixed.reduce((sum, { values }, k) => sum + values[row]! * beta[k]!, 0) +
    columns.reduce((sum, column, k) => sum + column[row]! * u[k]!, 0)
  let hessian: number[][] = []
  for (let round = 0; round < 50; round++) {
    const eta = Array.from({ length: rows }, (_, row) => etaOf(row))
    const mean = eta.map((value) => 1 / (1 + Math.exp(-value)))
    const pull = columns.map(
      (column, k) =>
        column.reduce((sum, z, row) => sum + z * (successes[row]! - trials[row]! * mean[row]!), 0) - u[k]!,
    )
    hessian = columns.map((a, i) =>
      columns.map(
        (b, j) =>
          a.reduce((sum, z, row) => sum + z * b[row]! * trials[row]! * mean[row]! * (1 - mean[row]!), 0) +
          (i === j ? 1 : 0),
      ),
    )
    for (const [k, value] of solve(hessian, pull).entries()) u[k]! += value
  }
  let deviance = u.reduce((sum, value) => sum + value * value, 0) + Math.log(determinant(hessian))
  for (let row = 0; row < rows; row++) {
    const eta = etaOf(row)
    deviance -= 2 * (successes[row]! * eta - trials[row]! * Math.log(1 + Math.exp(eta)))
  }
  return deviance
}

/** By Gauss's elimination. */
function solve(matrix: readonly (readonly number[])[], b: readonly number[]): readonly number[] {
  const rows = matrix.map((row, i) => [...row, b[i]!])
  const n = rows.length
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      const factor = rows[j]![i]! / rows[i]![i]!
      for (let k = i; k <= n; k++) rows[j]![k]! -= factor * rows[i]![k]!
    }
  }
  const x = new Array<number>(n).fill(0)
  for (let i = n - 1; i >= 0; i--) {
    x[i] =
      (rows[i]![n]! - x.reduce((sum, value, k) => sum + (k > i ? rows[i]![k]! * value : 0), 0)) / rows[i]![i]!
  }
  return x
}

function determinant(matrix: readonly (readonly number[])[]): number {
  const rows = matrix.map((row) => [...row])
  let product = 1
  for (let i = 0; i < rows.length; i++) {
    product *= rows[i]![i]!
    for (let j = i + 1; j < rows.length; j++) {
      const factor = rows[j]![i]! / rows[i]![i]!
      for (let k = i; k < rows.length; k++) rows[j]![k]! -= factor * rows[i]![k]!
    }
  }
  return product
}
