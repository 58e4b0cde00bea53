/**
 * The mode of the random effects at given theta and beta: of spherical u the one that maximises log p(y | u) - |u|^2 / 2, found by penalised iteratively
 * reweighted least squares, which for the logit link is Newton's method with H = Lambda' Z' W Z Lambda + I and W = diag(m mu (1 - mu)).
 */
import { Bordered } from "./bordered.ts"
import { dot } from "./dense.ts"
import type { Layout } from "./layout.ts"

/** A vector with a number for each random effect. */
export interface Effects {
  /** Of the items, `own` numbers each. */
  readonly own: Float64Array
  /** Of the dense effects. */
  readonly rest: Float64Array
}

/** Newton's decrement at which a mode is taken as found: the next step would change the penalised deviance by less. */
const FOUND = 1e-16
/** Steps with an old factor go on while each lowers the decrement by this, and start once it is below that. */
const GAIN = 0.1
const NEAR = 1e-3
const STEPS = 100

export class Modes {
  readonly layout: Layout
  /** H, factored at the mode. */
  readonly hessian: Bordered
  /** u. */
  readonly at: Effects
  /** Row by row Lambda' z, and at the mode y - m mu, W, and dW / d eta. */
  readonly scaled: Float64Array
  readonly residuals: Float64Array
  readonly weights: Float64Array
  readonly slopes: Float64Array
  readonly #step: Effects
  readonly #before: Effects
  /** Theta of `scaled`. */
  readonly #theta: Float64Array
  #hasFactor = false
  readonly #eta: Float64Array
  readonly #offset: Float64Array
  #logLikelihood = 0

  constructor(layout: Layout) {
    const { rows, effects } = layout
    this.layout = layout
    this.at = this.#empty()
    this.#step = this.#empty()
    this.#before = this.#empty()
    this.#theta = new Float64Array(layout.theta.length).fill(Number.NaN)
    this.scaled = new Float64Array(rows * effects)
    this.#eta = new Float64Array(rows)
    this.#offset = new Float64Array(rows)
    this.residuals = new Float64Array(rows)
    this.weights = new Float64Array(rows)
    this.slopes = new Float64Array(rows)
    this.hessian = new Bordered(layout)
  }

  /** Goes to the mode at theta and then beta, from that of the last point; false where there is none in finite numbers. */
  find(parameters: Float64Array): boolean {
    this.#place(parameters)
    let current = this.#predict()
    if (!Number.isFinite(current)) {
      this.at.own.fill(0)
      this.at.rest.fill(0)
      current = this.#predict()
      if (!Number.isFinite(current)) return false
    }
    // The factor of the last point is a good guess for a near one, and its steps cost a fraction of a new one.
    let isOld = this.#hasFactor
    this.#hasFactor = false
    let last = Number.POSITIVE_INFINITY
    for (let step = 0; step < STEPS; step++) {
      if (!isOld && !this.hessian.take(this.scaled, this.weights)) return false
      const decrement = this.#findStep()
      if (!Number.isFinite(decrement)) return false
      if (decrement < FOUND) {
        if (isOld && !this.hessian.take(this.scaled, this.weights)) return false
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

  /** -2 log p(y | u) + |u|^2. */
  penalised(): number {
    return -2 * this.#logLikelihood + dot(this.at.own, this.at.own) + dot(this.at.rest, this.at.rest)
  }

  /** H^-1 Lambda' Z' of a number for each row. The result is overwritten by the next. */
  through(values: Float64Array): Effects {
    this.#project(values)
    this.hessian.solve(this.#step.own, this.#step.rest)
    return this.#step
  }

  /** Z Lambda of a number for each effect: one for each row. */
  spread(effects: Effects, into: Float64Array = new Float64Array(this.layout.rows)): Float64Array {
    const { effects: count, own, items, starts, which } = this.layout
    const scaled = this.scaled
    const beyond = count - own
    const { own: ownPart, rest } = effects
    for (let item = 0; item < items; item++) {
      for (let row = starts[item]!; row < starts[item + 1]!; row++) {
        const at = row * count
        const from = row * beyond
        let sum = 0
        for (let k = 0; k < own; k++) sum += scaled[at + k]! * ownPart[item * own + k]!
        for (let k = 0; k < beyond; k++) sum += scaled[at + own + k]! * rest[which[from + k]!]!
        into[row] = sum
      }
    }
    return into
  }

  #empty(): Effects {
    const { items, own, dense } = this.layout
    return { own: new Float64Array(items * own), rest: new Float64Array(dense) }
  }

  /** Lambda' z and X beta at these parameters. */
  #place(parameters: Float64Array): void {
    const { rows, effects, p, x, z, theta } = this.layout
    const scaled = this.scaled
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
    const [step, before] = [this.#step, this.#before]
    this.#project(this.residuals)
    subtract(step.own, this.at.own)
    subtract(step.rest, this.at.rest)
    before.own.set(step.own)
    before.rest.set(step.rest)
    this.hessian.solve(step.own, step.rest)
    return dot(before.own, step.own) + dot(before.rest, step.rest)
  }

  /** Goes along the step, less far where the penalised deviance would rise; gives it, or nothing where it rises however short the step. */
  #move(current: number): number | undefined {
    const [at, step, before] = [this.at, this.#step, this.#before]
    before.own.set(at.own)
    before.rest.set(at.rest)
    for (let size = 1; size > 1e-10; size /= 2) {
      move(at.own, before.own, step.own, size)
      move(at.rest, before.rest, step.rest, size)
      const next = this.#predict()
      // What rounding leaves of a step that is all but nothing is no increase.
      if (next <= current + 1e-10 * (1 + Math.abs(current))) return next
    }
    at.own.set(before.own)
    at.rest.set(before.rest)
    this.#predict()
    return undefined
  }

  /** Linear predictors, means' residuals, weights and their slopes at the present u; gives the penalised deviance. */
  #predict(): number {
    const { rows, successes, trials } = this.layout
    const through = this.spread(this.at, this.#eta)
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
      this.residuals[row] = y - m * mean
      this.weights[row] = weight
      this.slopes[row] = weight * (1 - 2 * mean)
    }
    this.#logLikelihood = -deviance / 2
    return this.penalised()
  }

  /** Lambda' Z' values, in the step's place. */
  #project(values: Float64Array): void {
    const { effects, own, items, starts, which } = this.layout
    const scaled = this.scaled
    const { own: ownStep, rest: restStep } = this.#step
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
}

function subtract(from: Float64Array, what: Float64Array): void {
  for (let i = 0; i < from.length; i++) from[i]! -= what[i]!
}

function move(to: Float64Array, from: Float64Array, step: Float64Array, size: number): void {
  for (let i = 0; i < to.length; i++) to[i] = from[i]! + size * step[i]!
}
