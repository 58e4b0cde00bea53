/** The maximum of a laid-out problem's likelihood, where variances of 0 are found exactly, and the covariance of its coefficients. */
import { factorOf, type Part, partsOf, putFactor, signed, spreadOf, without } from "./covariance.ts"
import { inverseOf } from "./dense.ts"
import { effectName } from "./effectName.ts"
import type { Laplace } from "./laplace.ts"
import { type Minimum, minimise, type Objective, secondDerivatives, times } from "./minimise.ts"
import type { RandomColumn } from "./problem.ts"

export interface Solved {
  /** Theta, then the coefficients. */
  readonly at: Float64Array
  readonly deviance: number
  /** Of the coefficients; undefined where none is asked for or there is none. */
  readonly covariance?: Float64Array
  readonly converged: boolean
  readonly cautions: readonly string[]
}

/** By how much the next step would lower the deviance where a search ends, and where a fit counts as converged. */
const TOLERANCE = 1e-7
const CONVERGED = 1e-6
/** Diagonals of T that may be 0 in truth; taking them for it may cost so much deviance. */
const SMALL = 1e-2
const NO_COST = 1e-8

export interface SolveOptions {
  readonly noErrors?: boolean
  readonly progress?: (evaluations: number) => void
}

/** Undefined where the deviance has no finite value at the start. */
export function solve(
  model: Laplace,
  random: readonly RandomColumn[],
  start: Float64Array,
  options: SolveOptions,
): Solved | undefined {
  const whole: Objective = (at) => {
    options.progress?.(model.evaluations + 1)
    return model.at(at)
  }
  const parts = partsOf(random)
  const near = approach(whole, start, random)
  if (near === undefined) return undefined
  const free = new Set(Array.from({ length: start.length }, (_, i) => i))
  let found = minimiseOver(whole, near, free, scaleOf(model, random, near))
  if (found === undefined) return undefined
  const settled = settleZeros(whole, parts, found)
  if (settled.zeros.length > 0) {
    for (const zero of settled.zeros) free.delete(zero)
    found = minimiseOver(whole, settled.at, free, scaleOf(model, random, settled.at)) ?? found
  }
  const at = found.at.slice()
  for (const part of parts) putFactor(at, part, signed(factorOf(at, part), part.block.length))
  const cautions = singularities(at, parts)
  if (options.noErrors) {
    const { deviance, converged } = found
    return { at, deviance, converged, cautions: [...cautions, ...(converged ? [] : [notConverged(found)])] }
  }
  return withErrors(model, whole, at, found, free, cautions)
}

/** Over some of the parameters, the others held where they are. */
function minimiseOver(
  objective: Objective,
  start: Float64Array,
  free: ReadonlySet<number>,
  scale: Float64Array,
): Minimum | undefined {
  const [part, put] = restricted(objective, start, free)
  const which = [...free]
  const n = start.length
  const inner = Float64Array.from(which.flatMap((i) => which.map((j) => scale[i * n + j]!)))
  const found = minimise(
    part,
    Float64Array.from(which, (i) => start[i]!),
    inner,
    TOLERANCE,
  )
  return found && { ...found, at: put(found.at) }
}

/** The objective over free parameters alone, and the whole point of these. */
function restricted(objective: Objective, around: Float64Array, free: ReadonlySet<number>) {
  const which = [...free]
  const put = (values: Float64Array) => {
    const at = around.slice()
    for (const [k, i] of which.entries()) at[i] = values[k]!
    return at
  }
  const part: Objective = (values) => {
    const found = objective(put(values))
    return (
      found && { deviance: found.deviance, gradient: Float64Array.from(which, (i) => found.gradient[i]!) }
    )
  }
  return [part, put] as const
}

/** Diagonals of T, with how many levels each has. */
function diagonalsOf(
  random: readonly RandomColumn[],
): readonly { readonly at: number; readonly levels: number }[] {
  let at = 0
  return random.flatMap(({ blocks, levels }) =>
    blocks.flatMap((block) =>
      block.map((_, k) => {
        const diagonal = { at, levels }
        at += block.length - k
        return diagonal
      }),
    ),
  )
}

/**
 * Some steps as of the EM algorithm for each standard deviation, which find its order of magnitude: with the weights held, the derivative of the
 * deviance is (2 / theta) (levels - sum of E u^2), and the next variance is theta^2 times the mean of E u^2.
 */
function approach(
  objective: Objective,
  start: Float64Array,
  random: readonly RandomColumn[],
): Float64Array | undefined {
  let at = start
  let value = objective(at)
  for (let round = 0; round < 2 && value !== undefined; round++) {
    const next = at.slice()
    for (const { at: i, levels } of diagonalsOf(random)) {
      const mean = 1 - (at[i]! * value.gradient[i]!) / (2 * levels)
      next[i] = at[i]! * Math.sqrt(Math.min(Math.max(mean, 0.01), 9))
    }
    const found = objective(next)
    if (found === undefined || found.deviance > value.deviance) return at
    at = next
    value = found
  }
  return value === undefined ? undefined : at
}

/**
 * A guess of the inverse of the deviance's second derivatives at the model's last point: of the coefficients from the weights there, of theta as if
 * each level's effect were known, so that log sd has a variance of 1 / (2 levels).
 */
function scaleOf(model: Laplace, random: readonly RandomColumn[], at: Float64Array): Float64Array {
  const { p, theta } = model.layout
  const n = theta.length + p
  const scale = new Float64Array(n * n)
  for (let i = 0; i < theta.length; i++) scale[i * n + i] = 1 / 100
  for (const { at: i, levels } of diagonalsOf(random))
    scale[i * n + i] = Math.max(at[i]! * at[i]!, 0.01) / (4 * levels)
  const inverse = inverseOf(model.information(), p)
  for (let i = 0; i < p; i++) {
    for (let j = 0; j < p; j++)
      scale[(theta.length + i) * n + theta.length + j] =
        inverse === undefined ? (i === j ? 1 : 0) : inverse[i * p + j]! / 2
  }
  return scale
}

/** Columns of T whose diagonal can be 0 without a cost are set to 0: the point then, and which parameters they are. */
function settleZeros(objective: Objective, parts: readonly Part[], found: Minimum) {
  let { at, deviance } = found
  const zeros: number[] = []
  for (const part of parts) {
    const k = part.block.length
    for (let column = 0; column < k; column++) {
      const factor = factorOf(at, part)
      if (Math.abs(factor[column * k + column]!) > SMALL) continue
      const candidate = at.slice()
      putFactor(candidate, part, without(factor, k, column))
      const tried = objective(candidate)
      if (tried === undefined || tried.deviance > deviance + NO_COST) continue
      at = candidate
      deviance = tried.deviance
      let start = part.start
      for (let before = 0; before < column; before++) start += k - before
      for (let row = column; row < k; row++) zeros.push(start++)
    }
  }
  return { at, zeros }
}

function singularities(at: Float64Array, parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => {
    const k = part.block.length
    const factor = factorOf(at, part)
    const names = part.block.map(({ name }) => effectName(name, part.by))
    const { deviations } = spreadOf(factor, k)
    return names.flatMap((name, column) => {
      if (factor[column * k + column]! !== 0) return []
      if (deviations[column] === 0) return [`singular: the standard deviation of ${name} is 0`]
      return [`singular: ${name} varies only together with ${names.slice(0, column).join(" and ")}`]
    })
  })
}

const notConverged = ({ gradient }: Pick<Minimum, "gradient">): string => {
  const largest = gradient.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return `not converged: the largest slope of the deviance is still ${largest.toPrecision(2)}`
}

/** Second derivatives over the free parameters, some last steps of Newton's method with them, and the covariance. */
function withErrors(
  model: Laplace,
  whole: Objective,
  start: Float64Array,
  found: Minimum,
  free: ReadonlySet<number>,
  cautions: readonly string[],
): Solved {
  const p = model.layout.p
  const [part, put] = restricted(whole, start, free)
  const m = free.size
  let inner = Float64Array.from(free, (i) => start[i]!)
  let value = part(inner) ?? { deviance: found.deviance, gradient: new Float64Array(m).fill(Number.NaN) }
  const information = inverseOf(model.information(), p)
  const sizes = Float64Array.from(free, (i) => {
    const own = i - (start.length - p)
    if (own < 0) return 1e-3 * Math.max(Math.abs(start[i]!), 0.1)
    return 1e-3 * Math.sqrt(information?.[own * p + own] ?? 1)
  })
  const curvature = secondDerivatives(part, inner, sizes)
  const inverse = curvature && inverseOf(curvature, m)
  if (inverse === undefined) {
    const converged = found.converged
    return {
      at: put(inner),
      deviance: value.deviance,
      ...(information === undefined ? {} : { covariance: information }),
      converged,
      cautions: [
        ...cautions,
        ...(converged ? [] : [notConverged(value)]),
        information === undefined
          ? "no standard errors: the second derivatives of the deviance are not positive definite"
          : "standard errors are given the random effects' deviations, since the second derivatives of the deviance are not positive definite",
      ],
    }
  }
  let left = gain(inverse, value.gradient, m)
  for (let round = 0; round < 3 && left > 1e-14; round++) {
    const step = times(inverse, value.gradient, m)
    const moved = inner.map((one, i) => one - step[i]!)
    const next = part(moved)
    if (next === undefined) break
    const after = gain(inverse, next.gradient, m)
    if (!(after < left)) break
    inner = moved
    value = next
    left = after
  }
  const converged = left < CONVERGED
  const covariance = new Float64Array(p * p)
  for (let i = 0; i < p; i++) {
    for (let j = 0; j < p; j++) covariance[i * p + j] = 2 * inverse[(m - p + i) * m + m - p + j]!
  }
  return {
    at: put(inner),
    deviance: value.deviance,
    covariance,
    converged,
    cautions: [...cautions, ...(converged ? [] : [notConverged(value)])],
  }
}

/** By how much a step of Newton's method would lower the deviance. */
function gain(inverse: Float64Array, gradient: Float64Array, n: number): number {
  const step = times(inverse, gradient, n)
  return step.reduce((sum, value, i) => sum + value * gradient[i]!, 0) / 2
}
