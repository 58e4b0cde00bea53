/** The least value of a smooth function by the method of Broyden, Fletcher, Goldfarb and Shanno, and second derivatives from its gradient. */
import { dot } from "./dense.ts"

export interface Value {
  readonly deviance: number
  readonly gradient: Float64Array
}

/** Undefined where the function has no finite value. */
export type Objective = (at: Float64Array) => Value | undefined

export interface Minimum extends Value {
  readonly at: Float64Array
  /** Whether the next step would have lowered the value by less than the tolerance. */
  readonly converged: boolean
}

/**
 * `scale`: a guess of the inverse of the second derivatives, n x n. A step is as long as a line search makes it, which brackets until the weak
 * conditions of Wolfe hold (Nocedal & Wright 2006, Numerical Optimization, chapters 3 and 6).
 */
export function minimise(
  objective: Objective,
  start: Float64Array,
  scale: Float64Array,
  tolerance: number,
  most = 400,
): Minimum | undefined {
  const n = start.length
  let at: Float64Array = start.slice()
  const first = objective(at)
  if (first === undefined) return undefined
  let { deviance, gradient } = first
  let inverse: Float64Array = scale.slice()
  let isFresh = true
  for (let round = 0; round < most; round++) {
    const step = times(inverse, gradient, n).map((value) => -value)
    const slope = dot(step, gradient)
    if (!(slope < 0)) {
      if (isFresh) return { at, deviance, gradient, converged: dot(gradient, gradient) === 0 }
      inverse = scale.slice()
      isFresh = true
      continue
    }
    if (-slope / 2 < tolerance) return { at, deviance, gradient, converged: true }
    const found = search(objective, at, { deviance, gradient }, step, slope)
    if (found === undefined) {
      // Rounding hides what the last steps could still gain, or the guess of the curvature has gone bad: once more from the first one.
      if (isFresh) return { at, deviance, gradient, converged: -slope / 2 < 1e-6 }
      inverse = scale.slice()
      isFresh = true
      continue
    }
    const moved = found.at.map((value, i) => value - at[i]!)
    const turned = found.gradient.map((value, i) => value - gradient[i]!)
    updateInverse(inverse, moved, turned, n)
    isFresh = false
    at = found.at
    deviance = found.deviance
    gradient = found.gradient
  }
  return { at, deviance, gradient, converged: false }
}

/** Rounding of a value, as a share of it. */
const NOISE = 1e-13

interface Point extends Value {
  readonly size: number
  readonly slope: number
}

/** Between the longest step known to be too short and the shortest known to be too long, at the least of the cubic through both. */
function search(
  objective: Objective,
  from: Float64Array,
  value: Value,
  step: Float64Array,
  slope: number,
): (Value & { readonly at: Float64Array }) | undefined {
  const noise = NOISE * Math.abs(value.deviance)
  let low: Point = { ...value, size: 0, slope }
  let high: Point | { readonly size: number } = { size: Number.POSITIVE_INFINITY }
  let size = 1
  for (let round = 0; round < 40; round++) {
    const at = from.map((one, i) => one + size * step[i]!)
    const found = objective(at)
    if (found === undefined) high = { size }
    else {
      const point = { ...found, size, slope: dot(found.gradient, step) }
      if (found.deviance > value.deviance + 1e-4 * size * slope + noise) high = point
      else if (point.slope < 0.9 * slope) low = point
      else return { at, ...found }
    }
    if (high.size === Number.POSITIVE_INFINITY) size = 3 * low.size
    else size = "slope" in high ? between(low, high) : (low.size + high.size) / 2
    if (high.size - low.size < 1e-6 * high.size) break
  }
  return undefined
}

/** Where the cubic through two points with their slopes is least, not too near to either. */
function between(low: Point, high: Point): number {
  const width = high.size - low.size
  const mean = low.slope + high.slope - (3 * (high.deviance - low.deviance)) / width
  const root = Math.sqrt(Math.max(0, mean * mean - low.slope * high.slope))
  const least = high.size - (width * (high.slope + root - mean)) / (high.slope - low.slope + 2 * root)
  const [first, last] = [low.size + 0.1 * width, high.size - 0.1 * width]
  return Number.isFinite(least) ? Math.min(Math.max(least, first), last) : (first + last) / 2
}

/** H <- (I - s y' / y's) H (I - y s' / y's) + s s' / y's, where the curvature along the step is positive. */
function updateInverse(inverse: Float64Array, moved: Float64Array, turned: Float64Array, n: number): void {
  const curvature = dot(moved, turned)
  if (!(curvature > 1e-14 * Math.sqrt(dot(moved, moved) * dot(turned, turned)))) return
  const through = times(inverse, turned, n)
  const factor = (1 + dot(turned, through) / curvature) / curvature
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      inverse[i * n + j]! +=
        factor * moved[i]! * moved[j]! - (through[i]! * moved[j]! + moved[i]! * through[j]!) / curvature
    }
  }
}

/** Second derivatives by central differences of the gradient, each step `sizes` long, made symmetric; undefined where a value is missing. */
export function secondDerivatives(
  objective: Objective,
  at: Float64Array,
  sizes: Float64Array,
): Float64Array | undefined {
  const n = at.length
  const matrix = new Float64Array(n * n)
  for (let i = 0; i < n; i++) {
    const [above, below] = [1, -1].map((sign) => {
      const moved = at.slice()
      moved[i]! += sign * sizes[i]!
      return objective(moved)
    })
    if (above === undefined || below === undefined) return undefined
    for (let j = 0; j < n; j++)
      matrix[i * n + j] = (above.gradient[j]! - below.gradient[j]!) / (2 * sizes[i]!)
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const mean = (matrix[i * n + j]! + matrix[j * n + i]!) / 2
      matrix[i * n + j] = mean
      matrix[j * n + i] = mean
    }
  }
  return matrix
}

export function times(matrix: Float64Array, vector: Float64Array, n: number): Float64Array {
  return Float64Array.from({ length: n }, (_, i) => {
    let sum = 0
    for (let j = 0; j < n; j++) sum += matrix[i * n + j]! * vector[j]!
    return sum
  })
}
