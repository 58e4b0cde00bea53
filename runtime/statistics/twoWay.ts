/**
 * A table of numbers taken apart into rows, columns and what is left: number = mean + row + column + residual, one number in a cell, so that an
 * interaction of row and column cannot be told from chance (Tukey 1949; Scheffé 1959, The Analysis of Variance, section 4.8).
 *
 * Shares of the sum of squares around the mean. In a full table rows, columns and residual add up to it. In one with gaps, what rows explain depends on
 * whether columns are in already: each gets the mean of what it explains alone and of what it adds to the other (Lindeman, Merenda & Gold
 * 1980; Grömping 2007, The American Statistician 61, 139-147), so that the three add up again; in a full table that is the same.
 */
import { average } from "./mean.ts"

export interface TableCell {
  readonly row: number
  readonly column: number
  readonly value: number
}

export type TwoWay =
  | { readonly rows: number; readonly columns: number; readonly residual: number }
  | { readonly none: string }

/** Rows and columns are numbered from 0; each has at least one cell, and a cell stands once. */
export function twoWay(cells: readonly TableCell[]): TwoWay {
  const rows = new Set(cells.map(({ row }) => row)).size
  const columns = new Set(cells.map(({ column }) => column)).size
  if (rows < 2 || columns < 2) return { none: "it takes two rows and two columns with a number" }
  if (!isConnected(cells))
    return {
      none: "its cells fall into parts that share neither a row nor a column, which cannot be compared",
    }
  if (cells.length < rows + columns)
    return { none: "it has as many rows and columns as cells, so that nothing is left to be residual" }
  const mean = cells.reduce((sum, { value }) => sum + value, 0) / cells.length
  const total = cells.reduce((sum, { value }) => sum + (value - mean) ** 2, 0)
  const size = cells.reduce((sum, { value }) => sum + value ** 2, 0)
  if (total <= 1e-24 * Math.max(1, size)) return { none: "all its cells are equal" }
  const [byRows, byColumns] = [leftBy(cells, "row"), leftBy(cells, "column")]
  const byBoth = leftByBoth(cells, rows, columns)
  const share = (alone: number, besides: number) => (total - alone + (besides - byBoth)) / 2 / total
  return { rows: share(byRows, byColumns), columns: share(byColumns, byRows), residual: byBoth / total }
}

/** The squares that are left around the means of rows, or of columns. */
function leftBy(cells: readonly TableCell[], of: "row" | "column"): number {
  const groups = new Map<number, number[]>()
  for (const cell of cells) {
    const values = groups.get(cell[of])
    if (values === undefined) groups.set(cell[of], [cell.value])
    else values.push(cell.value)
  }
  let squares = 0
  for (const values of groups.values()) {
    const mean = average(values)
    squares += values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  }
  return squares
}

/** The squares that are left by the least squares fit of rows and columns: normal equations, with the first column's effect 0. */
function leftByBoth(cells: readonly TableCell[], rows: number, columns: number): number {
  const n = rows + columns - 1
  const matrix = Array.from({ length: n }, () => new Float64Array(n + 1))
  const placesOf = ({ row, column }: TableCell) => (column === 0 ? [row] : [row, rows + column - 1])
  for (const cell of cells) {
    const places = placesOf(cell)
    for (const at of places) {
      for (const other of places) matrix[at]![other]! += 1
      matrix[at]![n]! += cell.value
    }
  }
  const effects = solved(matrix)
  return cells.reduce((squares, cell) => {
    const fitted = placesOf(cell).reduce((sum, place) => sum + effects[place]!, 0)
    return squares + (cell.value - fitted) ** 2
  }, 0)
}

/** Of a symmetric positive definite system, its right side in the last column: Gauss's elimination, which needs no pivots there. */
function solved(matrix: readonly Float64Array[]): Float64Array {
  const n = matrix.length
  for (let pivot = 0; pivot < n; pivot++) {
    const own = matrix[pivot]!
    for (let at = pivot + 1; at < n; at++) {
      const row = matrix[at]!
      const factor = row[pivot]! / own[pivot]!
      if (factor !== 0) for (let column = pivot; column <= n; column++) row[column]! -= factor * own[column]!
    }
  }
  const solution = new Float64Array(n)
  for (let at = n - 1; at >= 0; at--) {
    let value = matrix[at]![n]!
    for (let column = at + 1; column < n; column++) value -= matrix[at]![column]! * solution[column]!
    solution[at] = value / matrix[at]![at]!
  }
  return solution
}

/** Whether one comes from any cell to any other by steps within rows and columns. */
function isConnected(cells: readonly TableCell[]): boolean {
  const [rows, columns] = [new Set([cells[0]!.row]), new Set<number>()]
  for (let size = 0; size < rows.size + columns.size; ) {
    size = rows.size + columns.size
    for (const { row, column } of cells) {
      if (!rows.has(row) && !columns.has(column)) continue
      rows.add(row)
      columns.add(column)
    }
  }
  return cells.every(({ row }) => rows.has(row))
}
