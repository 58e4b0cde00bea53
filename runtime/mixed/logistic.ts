/** Logistic regression without random effects, and whether its coefficients have finite estimates at all. */
import { dot, factor, solveFactored } from "./dense.ts"

export interface Logistic {
  readonly beta: Float64Array
  /** m mu (1 - mu) of each row at beta. */
  readonly weights: Float64Array
  /** False where Newton's method stopped short: then nothing is known of separation either. */
  readonly converged: boolean
  /**
   * Where a sum of columns tells true from false (complete or quasi-complete separation, Albert & Anderson 1984): the sum's coefficients, and of
   * each row whether it is told. Along it the likelihood rises without end.
   */
  readonly separation?: { readonly direction: Float64Array; readonly told: Uint8Array }
}

/** From this step on a step of Newton's method is tried as a direction along which the data are separated. */
const SETTLED = 6
const STEPS = 40

/**
 * By Newton's method from 0 (iteratively reweighted least squares). In separated data a step settles on a direction in which no row goes against
 * its outcome: a step that passes this, checked row by row, proves the separation. Random effects change nothing about it, since they have the
 * same distribution however far along the direction one goes.
 */
export function logistic(
  columns: readonly Float64Array[],
  successes: Float64Array,
  trials: Float64Array,
): Logistic {
  const p = columns.length
  const rows = successes.length
  const beta = new Float64Array(p)
  const weights = new Float64Array(rows)
  const eta = new Float64Array(rows)
  let last = Number.POSITIVE_INFINITY
  let step = new Float64Array(p)
  let size = 1
  for (let round = 0; round < STEPS; round++) {
    const deviance = predict(eta, successes, trials, weights)
    if (deviance > last + 1e-10 * (1 + Math.abs(last)) && size > 1e-6) {
      size /= 2
      move(columns, beta, eta, step, -size)
      continue
    }
    last = deviance
    const matrix = new Float64Array(p * p)
    const pull = new Float64Array(p)
    for (const [a, column] of columns.entries()) {
      for (let row = 0; row < rows; row++)
        pull[a]! += column[row]! * (successes[row]! - trials[row]! * meanOf(eta[row]!))
      for (let b = 0; b <= a; b++) {
        const other = columns[b]!
        let sum = 0
        for (let row = 0; row < rows; row++) sum += weights[row]! * column[row]! * other[row]!
        matrix[a * p + b] = sum
      }
    }
    if (!factor(matrix, p)) return { beta, weights, converged: false }
    step = pull.slice()
    solveFactored(matrix, p, step)
    if (dot(step, pull) < 1e-10) return { beta, weights, converged: true }
    if (round >= SETTLED) {
      const told = toldBy(columns, step, successes, trials)
      if (told !== undefined) return { beta, weights, converged: true, separation: { direction: step, told } }
    }
    size = 1
    move(columns, beta, eta, step, 1)
  }
  return { beta, weights, converged: false }
}

/** Which rows a direction tells true from false; undefined where it is against a row's outcome, or tells none. */
function toldBy(
  columns: readonly Float64Array[],
  direction: Float64Array,
  successes: Float64Array,
  trials: Float64Array,
): Uint8Array | undefined {
  const rows = successes.length
  const along = new Float64Array(rows)
  move(columns, new Float64Array(columns.length), along, direction, 1)
  const largest = along.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  if (largest < 0.1) return undefined
  const told = new Uint8Array(rows)
  for (let row = 0; row < rows; row++) {
    if (Math.abs(along[row]!) <= 1e-4 * largest) continue
    const agrees = along[row]! > 0 ? successes[row] === trials[row] : successes[row] === 0
    if (!agrees) return undefined
    told[row] = 1
  }
  return told
}

function predict(
  eta: Float64Array,
  successes: Float64Array,
  trials: Float64Array,
  weights: Float64Array,
): number {
  let deviance = 0
  for (let row = 0; row < eta.length; row++) {
    const value = eta[row]!
    const mean = meanOf(value)
    weights[row] = trials[row]! * mean * (1 - mean)
    deviance -=
      2 *
      (successes[row]! * value - trials[row]! * (Math.max(value, 0) + Math.log1p(Math.exp(-Math.abs(value)))))
  }
  return deviance
}

const meanOf = (eta: number): number => 1 / (1 + Math.exp(-eta))

function move(
  columns: readonly Float64Array[],
  beta: Float64Array,
  eta: Float64Array,
  step: Float64Array,
  size: number,
): void {
  for (const [at, column] of columns.entries()) {
    const change = size * step[at]!
    beta[at]! += change
    for (let row = 0; row < eta.length; row++) eta[row]! += change * column[row]!
  }
}
