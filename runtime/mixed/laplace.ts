/**
 * The Laplace approximation of the deviance of a mixed-effects logistic regression, and its gradient.
 *
 * As in lme4 (Bates, Maechler, Bolker & Walker 2015, "Fitting linear mixed-effects models using lme4"; nAGQ = 1): b = Lambda(theta) u with
 * spherical u ~ N(0, I), of which `modes.ts` finds the mode with its H. The deviance is
 *
 *   d(theta, beta) = -2 log p(y | u) + |u|^2 + log |H|       at the mode,
 *
 * without the constants of binomial counts, so that merging trials into counts changes nothing.
 *
 * The items are eliminated from H (`bordered.ts`): a pass costs O(rows x effects^2 + items x touched^2 + dense^3).
 *
 * The gradient is exact: with r = y - m mu, h the leverages diag(Z Lambda H^-1 Lambda' Z'), q = (dW / d eta) h, s = H^-1 Lambda' Z' q and
 * v = -2 r + q - W Z Lambda s (the modes move with the parameters, hence s),
 *
 *   dd / dbeta = X' v
 *   dd / dtheta_j = (Lambda_j u)' Z' v + (Lambda_j s)' Z' r + 2 tr(H^-1 Lambda_j' Z' W Z Lambda),   Lambda_j = dLambda / dtheta_j.
 */
import { dot } from "./dense.ts"
import type { Layout } from "./layout.ts"
import { Modes } from "./modes.ts"

export interface Point {
  readonly deviance: number
  /** By theta, then beta. */
  readonly gradient: Float64Array
}

export class Laplace {
  readonly layout: Layout
  /** Points that were evaluated. */
  evaluations = 0
  readonly #modes: Modes

  constructor(layout: Layout) {
    this.layout = layout
    this.#modes = new Modes(layout)
  }

  /** The deviance at theta and then beta; undefined where it is no finite number. Modes start from those of the last point. */
  at(parameters: Float64Array): Point | undefined {
    this.evaluations += 1
    if (!this.#modes.find(parameters)) return undefined
    const deviance = this.#modes.penalised() + this.#modes.hessian.logDeterminant()
    return Number.isFinite(deviance) ? { deviance, gradient: this.#gradient() } : undefined
  }

  /**
   * Half the curvature of the penalised deviance over beta with u at its mode, X' W X - X' W Z Lambda H^-1 Lambda' Z' W X, of the last point:
   * close to the inverse of the covariance of beta.
   */
  information(): Float64Array {
    const { p, x, rows } = this.layout
    const { weights } = this.#modes
    const matrix = new Float64Array(p * p)
    const weighted = new Float64Array(rows)
    for (let a = 0; a < p; a++) {
      for (let row = 0; row < rows; row++) weighted[row] = weights[row]! * x[a]![row]!
      const through = this.#modes.spread(this.#modes.through(weighted))
      for (let row = 0; row < rows; row++) weighted[row] = weights[row]! * (x[a]![row]! - through[row]!)
      for (let b = 0; b <= a; b++) {
        const sum = dot(weighted, x[b]!)
        matrix[a * p + b] = sum
        matrix[b * p + a] = sum
      }
    }
    return matrix
  }

  #gradient(): Float64Array {
    const { rows, effects, own, items, starts, which, theta, x, z, p } = this.layout
    const { scaled, weights, residuals, slopes, at: mode, hessian } = this.#modes
    const froms = Int32Array.from(theta, ({ row }) => row)
    const tos = Int32Array.from(theta, ({ column }) => column)
    const beyond = effects - own
    const { leverages, traces } = hessian.leverages(scaled, weights)
    const pull = new Float64Array(rows)
    for (let row = 0; row < rows; row++) pull[row] = slopes[row]! * leverages[row]!
    const shift = this.#modes.through(pull)
    const moved = this.#modes.spread(shift)
    for (let row = 0; row < rows; row++) pull[row]! += -2 * residuals[row]! - weights[row]! * moved[row]!

    const gradient = new Float64Array(theta.length + p)
    for (let item = 0; item < items; item++) {
      for (let row = starts[item]!; row < starts[item + 1]!; row++) {
        const at = row * effects
        const [pulled, residual] = [pull[row]!, residuals[row]!]
        for (let j = 0; j < froms.length; j++) {
          const value = z[at + froms[j]!]!
          if (value === 0) continue
          const to = tos[j]!
          if (to < own) {
            const one = item * own + to
            gradient[j]! += value * (mode.own[one]! * pulled + shift.own[one]! * residual)
          } else {
            const one = which[row * beyond + to - own]!
            gradient[j]! += value * (mode.rest[one]! * pulled + shift.rest[one]! * residual)
          }
        }
      }
    }
    for (let j = 0; j < theta.length; j++) gradient[j]! += 2 * traces[j]!
    for (let column = 0; column < p; column++) gradient[theta.length + column] = dot(pull, x[column]!)
    return gradient
  }
}
