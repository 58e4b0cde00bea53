/**
 * The Laplace approximation of the deviance of a mixed-effects logistic regression, and its gradient.
 *
 * As in lme4 (Bates, Maechler, Bolker & Walker 2015, "Fitting linear mixed-effects models using lme4"; nAGQ = 1): b = Lambda(theta) u with
 * spherical u ~ N(0, I). At given theta and beta the mode of u maximises log p(y | u) - |u|^2 / 2, found by penalised iteratively reweighted
 * least squares, which for the logit link is Newton's method with H = Lambda' Z' W Z Lambda + I and W = diag(m mu (1 - mu)). The deviance is
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
import { Bordered } from "./bordered.ts"
import type { Layout } from "./layout.ts"

export interface Point {
  readonly deviance: number
  /** By theta, then beta. */
  readonly gradient: Float64Array
}

/** Newton's decrement at which a mode is taken as found: the next step would change the penalised deviance by less. */
const FOUND = 1e-16
/** Steps with an old factor go on while each lowers the decrement by this, and start once it is below that. */
const GAIN = 0.1
const NEAR = 1e-3
const STEPS = 100

export class Laplace {
  readonly layout: Layout
  readonly parameters: number
  /** Points that were evaluated. */
  evaluations = 0
  readonly #own: Float64Array
  readonly #rest: Float64Array
  readonly #ownStep: Float64Array
  readonly #restStep: Float64Array
  readonly #ownBefore: Float64Array
  readonly #restBefore: Float64Array
  /** Theta of `#scaled`. */
  readonly #theta: Float64Array
  #hasFactor = false
  /** Row by row Lambda' z. */
  readonly #scaled: Float64Array
  readonly #eta: Float64Array
  readonly #offset: Float64Array
  readonly #residuals: Float64Array
  readonly #weights: Float64Array
  readonly #slopes: Float64Array
  readonly #hessian: Bordered

  constructor(layout: Layout) {
    const { rows, effects, own, items, dense } = layout
    this.layout = layout
    this.parameters = layout.theta.length + layout.p
    this.#own = new Float64Array(items * own)
    this.#rest = new Float64Array(dense)
    this.#ownStep = new Float64Array(items * own)
    this.#restStep = new Float64Array(dense)
    this.#ownBefore = new Float64Array(items * own)
    this.#restBefore = new Float64Array(dense)
    this.#theta = new Float64Array(layout.theta.length).fill(Number.NaN)
    this.#scaled = new Float64Array(rows * effects)
    this.#eta = new Float64Array(rows)
    this.#offset = new Float64Array(rows)
    this.#residuals = new Float64Array(rows)
    this.#weights = new Float64Array(rows)
    this.#slopes = new Float64Array(rows)
    this.#hessian = new Bordered(layout)
  }

  /** The deviance at theta and then beta; undefined where it is no finite number. Modes start from those of the last point. */
  at(parameters: Float64Array): Point | undefined {
    this.evaluations += 1
    if (!this.#findMode(parameters)) return undefined
    const deviance = this.#penalised() + this.#hessian.logDeterminant()
    return Number.isFinite(deviance) ? { deviance, gradient: this.#gradient() } : undefined
  }

  /**
   * Half the curvature of the penalised deviance over beta with u at its mode, X' W X - X' W Z Lambda H^-1 Lambda' Z' W X, of the last point:
   * close to the inverse of the covariance of beta.
   */
  information(): Float64Array {
    const { p, x, rows } = this.layout
    const matrix = new Float64Array(p * p)
    const weighted = new Float64Array(rows)
    for (let a = 0; a < p; a++) {
      for (let row = 0; row < rows; row++) weighted[row] = this.#weights[row]! * x[a]![row]!
      this.#project(weighted)
      this.#hessian.solve(this.#ownStep, this.#restStep)
      const through = this.#spread()
      for (let row = 0; row < rows; row++) {
        weighted[row] = this.#weights[row]! * (x[a]![row]! - through[row]!)
      }
      for (let b = 0; b <= a; b++) {
        const sum = dot(weighted, x[b]!)
        matrix[a * p + b] = sum
        matrix[b * p + a] = sum
      }
    }
    return matrix
  }

  #findMode(parameters: Float64Array): boolean {
    this.#place(parameters)
    let current = this.#predict()
    if (!Number.isFinite(current)) {
      this.#own.fill(0)
      this.#rest.fill(0)
      current = this.#predict()
      if (!Number.isFinite(current)) return false
    }
    // The factor of the last point is a good guess for a near one, and its steps cost a fraction of a new one.
    let isOld = this.#hasFactor
    this.#hasFactor = false
    let last = Number.POSITIVE_INFINITY
    for (let step = 0; step < STEPS; step++) {
      if (!isOld && !this.#hessian.take(this.#scaled, this.#weights)) return false
      const decrement = this.#findStep()
      if (!Number.isFinite(decrement)) return false
      if (decrement < FOUND) {
        if (isOld && !this.#hessian.take(this.#scaled, this.#weights)) return false
        this.#hasFactor = true
        return true
      }
      if (isOld && decrement > last * GAIN) {
        isOld = false
        continue
      }
      last = decrement
      const moved = this.#move(current)
      if (moved === undefined && !isOld) return false
      // A new factor once near, from which old ones lead all the way.
      isOld = moved !== undefined && (isOld || decrement < NEAR)
      current = moved ?? current
    }
    return false
  }

  /** Lambda' z and X beta at these parameters. */
  #place(parameters: Float64Array): void {
    const { rows, effects, p, x, z, theta } = this.layout
    const scaled = this.#scaled
    if (theta.some((_, at) => parameters[at] !== this.#theta[at])) {
      this.#theta.set(parameters.subarray(0, theta.length))
      scaled.fill(0)
      for (const [at, { row: from, column: to }] of theta.entries()) {
        const value = parameters[at]!
        for (let row = 0; row < rows; row++) scaled[row * effects + to]! += value * z[row * effects + from]!
      }
    }
    const offset = this.#offset
    offset.fill(0)
    for (let column = 0; column < p; column++) {
      const beta = parameters[theta.length + column]!
      const values = x[column]!
      for (let row = 0; row < rows; row++) offset[row]! += beta * values[row]!
    }
  }

  /** H^-1 (Lambda' Z' r - u) in the step's place, with the factor at hand; gives Newton's decrement. */
  #findStep(): number {
    this.#project(this.#residuals)
    subtract(this.#ownStep, this.#own)
    subtract(this.#restStep, this.#rest)
    this.#ownBefore.set(this.#ownStep)
    this.#restBefore.set(this.#restStep)
    this.#hessian.solve(this.#ownStep, this.#restStep)
    return dot(this.#ownBefore, this.#ownStep) + dot(this.#restBefore, this.#restStep)
  }

  /** Goes along the step, less far where the penalised deviance would rise; gives it, or nothing where it rises however short the step. */
  #move(current: number): number | undefined {
    this.#ownBefore.set(this.#own)
    this.#restBefore.set(this.#rest)
    for (let size = 1; size > 1e-10; size /= 2) {
      move(this.#own, this.#ownBefore, this.#ownStep, size)
      move(this.#rest, this.#restBefore, this.#restStep, size)
      const next = this.#predict()
      // What rounding leaves of a step that is all but nothing is no increase.
      if (next <= current + 1e-10 * (1 + Math.abs(current))) return next
    }
    this.#own.set(this.#ownBefore)
    this.#rest.set(this.#restBefore)
    this.#predict()
    return undefined
  }

  /** Linear predictors, means' residuals, weights and their slopes at the present u; gives the penalised deviance. */
  #predict(): number {
    const { rows, successes, trials } = this.layout
    const through = this.#spreadOf(this.#own, this.#rest, this.#eta)
    let deviance = 0
    for (let row = 0; row < rows; row++) {
      const eta = this.#offset[row]! + through[row]!
      const y = successes[row]!
      const m = trials[row]!
      const small = Math.exp(-Math.abs(eta))
      const share = 1 / (1 + small)
      const mean = eta >= 0 ? share : small * share
      const weight = m * small * share * share
      deviance -= 2 * (y * eta - m * (Math.max(eta, 0) + Math.log1p(small)))
      this.#eta[row] = eta
      this.#residuals[row] = y - m * mean
      this.#weights[row] = weight
      this.#slopes[row] = weight * (1 - 2 * mean)
    }
    this.#logLikelihood = -deviance / 2
    return this.#penalised()
  }

  #logLikelihood = 0

  #penalised(): number {
    return -2 * this.#logLikelihood + dot(this.#own, this.#own) + dot(this.#rest, this.#rest)
  }

  /** Z Lambda s for s in the step's place. */
  #spread(): Float64Array {
    return this.#spreadOf(this.#ownStep, this.#restStep, new Float64Array(this.layout.rows))
  }

  #spreadOf(ownPart: Float64Array, rest: Float64Array, into: Float64Array): Float64Array {
    const { effects, own, items, starts, which } = this.layout
    const scaled = this.#scaled
    const beyond = effects - own
    for (let item = 0; item < items; item++) {
      for (let row = starts[item]!; row < starts[item + 1]!; row++) {
        const at = row * effects
        const from = row * beyond
        let sum = 0
        for (let k = 0; k < own; k++) sum += scaled[at + k]! * ownPart[item * own + k]!
        for (let k = 0; k < beyond; k++) sum += scaled[at + own + k]! * rest[which[from + k]!]!
        into[row] = sum
      }
    }
    return into
  }

  /** Lambda' Z' values, in the step's place. */
  #project(values: Float64Array): void {
    const { effects, own, items, starts, which } = this.layout
    const [scaled, ownStep, restStep] = [this.#scaled, this.#ownStep, this.#restStep]
    const beyond = effects - own
    ownStep.fill(0)
    restStep.fill(0)
    for (let item = 0; item < items; item++) {
      for (let row = starts[item]!; row < starts[item + 1]!; row++) {
        const at = row * effects
        const from = row * beyond
        const value = values[row]!
        for (let k = 0; k < own; k++) ownStep[item * own + k]! += scaled[at + k]! * value
        for (let k = 0; k < beyond; k++) restStep[which[from + k]!]! += scaled[at + own + k]! * value
      }
    }
  }

  #gradient(): Float64Array {
    const { rows, effects, own, items, starts, which, theta, x, z, p } = this.layout
    const froms = Int32Array.from(theta, ({ row }) => row)
    const tos = Int32Array.from(theta, ({ column }) => column)
    const beyond = effects - own
    const { leverages, traces } = this.#hessian.leverages(this.#scaled, this.#weights)
    const pull = new Float64Array(rows)
    for (let row = 0; row < rows; row++) pull[row] = this.#slopes[row]! * leverages[row]!
    this.#project(pull)
    this.#hessian.solve(this.#ownStep, this.#restStep)
    const moved = this.#spread()
    for (let row = 0; row < rows; row++)
      pull[row]! += -2 * this.#residuals[row]! - this.#weights[row]! * moved[row]!

    const gradient = new Float64Array(theta.length + p)
    const [residuals, ownModes, ownStep, rest, restStep] = [
      this.#residuals,
      this.#own,
      this.#ownStep,
      this.#rest,
      this.#restStep,
    ]
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
            gradient[j]! += value * (ownModes[one]! * pulled + ownStep[one]! * residual)
          } else {
            const one = which[row * beyond + to - own]!
            gradient[j]! += value * (rest[one]! * pulled + restStep[one]! * residual)
          }
        }
      }
    }
    for (let j = 0; j < theta.length; j++) gradient[j]! += 2 * traces[j]!
    for (let column = 0; column < p; column++) gradient[theta.length + column] = dot(pull, x[column]!)
    return gradient
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

function subtract(from: Float64Array, what: Float64Array): void {
  for (let i = 0; i < from.length; i++) from[i]! -= what[i]!
}

function move(to: Float64Array, from: Float64Array, step: Float64Array, size: number): void {
  for (let i = 0; i < to.length; i++) to[i] = from[i]! + size * step[i]!
}
