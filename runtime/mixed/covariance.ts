/** Covariances of random effects from theta: Sigma = T T' for each block, T lower triangular, its columns one behind the other. */
import { type Block, blockParameters, type RandomColumn } from "./problem.ts"

/** Where a block stands in theta. */
export interface Part {
  readonly by: string
  readonly block: Block
  readonly start: number
}

export function partsOf(random: readonly RandomColumn[]): readonly Part[] {
  let start = 0
  return random.flatMap(({ by, blocks }) =>
    blocks.map((block) => {
      const part = { by, block, start }
      start += blockParameters(block)
      return part
    }),
  )
}

/** T of a block, k x k row by row. */
export function factorOf(theta: Float64Array, { block, start }: Part): Float64Array {
  const k = block.length
  const factor = new Float64Array(k * k)
  let at = start
  for (let column = 0; column < k; column++) {
    for (let row = column; row < k; row++) factor[row * k + column] = theta[at++]!
  }
  return factor
}

/** Writes T back. */
export function putFactor(theta: Float64Array, { block, start }: Part, factor: Float64Array): void {
  const k = block.length
  let at = start
  for (let column = 0; column < k; column++) {
    for (let row = column; row < k; row++) theta[at++] = factor[row * k + column]!
  }
}

/** Standard deviations, and correlations k x k; a correlation with an effect that does not vary is NaN. */
export function spreadOf(factor: Float64Array, k: number) {
  const covariance = (a: number, b: number) => {
    let sum = 0
    for (let c = 0; c < k; c++) sum += factor[a * k + c]! * factor[b * k + c]!
    return sum
  }
  const deviations = Array.from({ length: k }, (_, a) => Math.sqrt(covariance(a, a)))
  const correlation = (a: number, b: number) => covariance(a, b) / (deviations[a]! * deviations[b]!)
  return { deviations, correlation }
}

/** T with the sign of each column such that its diagonal is not negative: the covariance is the same. */
export function signed(factor: Float64Array, k: number): Float64Array {
  return factor.map((value, at) => (factor[(at % k) * k + (at % k)]! < 0 ? -value : value))
}

/**
 * T without its column c: what the column adds to the covariance of the effects behind c goes to their own columns, what it adds to that of c is
 * left out. The covariance is nearly the same where the diagonal at c is nearly 0.
 */
export function without(factor: Float64Array, k: number, c: number): Float64Array {
  const result = factor.slice()
  // The factor of T22 T22' + t t', by rotations that take one number of t after the other to 0.
  for (let i = c + 1; i < k; i++) {
    const [diagonal, carried] = [result[i * k + i]!, result[i * k + c]!]
    const length = Math.hypot(diagonal, carried)
    if (length === 0) continue
    const [cosine, sine] = [diagonal / length, carried / length]
    for (let j = i; j < k; j++) {
      const [own, other] = [result[j * k + i]!, result[j * k + c]!]
      result[j * k + i] = cosine * own + sine * other
      result[j * k + c] = cosine * other - sine * own
    }
  }
  for (let i = c; i < k; i++) result[i * k + c] = 0
  return result
}
