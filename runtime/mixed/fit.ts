/**
 * Maximum likelihood of a mixed-effects logistic regression by the Laplace approximation, over theta and beta jointly, as lme4's glmer has it with
 * nAGQ = 1.
 *
 * Standard errors are glmer's default (`use.hessian = TRUE`): from the second derivatives of the deviance in theta and beta together, so that they
 * take in how uncertain theta is. Where these are not positive definite they are, as there, conditional on theta, and a caution says so.
 */
import { factorOf, partsOf, putFactor, spreadOf } from "./covariance.ts"
import { sandwich } from "./dense.ts"
import { effectName } from "./effectName.ts"
import { type Estimable, estimable, pick } from "./estimable.ts"
import { Laplace } from "./laplace.ts"
import { layoutOf } from "./layout.ts"
import { type Problem, type RandomColumn, thetaLength } from "./problem.ts"
import { invertUpper, orthonormal } from "./rank.ts"
import { type Solved, solve } from "./solve.ts"

export interface MixedFit {
  /** Trials that the coefficients are of. */
  readonly trials: number
  /** At the maximum, or where it tends to if trials are separated; absent where there is no fit. */
  readonly logLikelihood?: number
  /** Why there is no fit, where there is none. */
  readonly none?: string
  /** In the order of the problem's columns. */
  readonly fixed: readonly Coefficient[]
  /** Of the coefficients, p x p row by row; NaN where one has no estimate. */
  readonly covariance: Float64Array
  readonly random: readonly Spread[]
  /** Coefficients, those without a finite estimate among them, and numbers of the random effects' covariances. */
  readonly parameters: number
  /** What a reader must know first: rank-deficient, separated, singular, not converged. */
  readonly cautions: readonly string[]
  readonly converged: boolean
  /** The covariances' parameters, which other fits may start from. */
  readonly theta: Float64Array
}

export interface Coefficient {
  readonly name: string
  readonly term: number
  /** Of the coefficient in logits; absent where there is none, and then `why`. */
  readonly estimate?: number
  readonly standardError?: number
  readonly why?: string
}

/** One block of effects that vary together. */
export interface Spread {
  readonly by: string
  readonly effects: readonly { readonly name: string; readonly deviation: number }[]
  readonly correlations: readonly {
    readonly names: readonly [string, string]
    /** NaN where one of the two does not vary. */
    readonly value: number
  }[]
}

export interface FitOptions {
  /** Theta to start from, of the same random effects. */
  readonly theta?: Float64Array
  /** Whether standard errors are left out: the log-likelihood alone costs half as much. */
  readonly noErrors?: boolean
  /** Called after each evaluation of the deviance, with how many there have been. */
  readonly progress?: (evaluations: number) => void
}

/** A standard deviation, in logits, that no probability can tell from infinity. */
const ENDLESS = 30

/**
 * One, at which a level that is one deviation from the middle is at 95 % or at 5 %. Most levels' few trials then come out alike, what is known of such a
 * level is far from normal, and Laplace's approximation, which takes it for normal, is off (Pinheiro & Chao 2006; Joe 2008).
 */
const LARGE = 3

export function fitMixed(problem: Problem, options: FitOptions = {}): MixedFit {
  const found = estimable(problem)
  if (found.columns.length === 0) return nothing(problem, found)
  const reduced = reduce(problem, found)
  const { q, r } = orthonormal(
    reduced.fixed.map(({ values }) => values),
    found.weights,
  )
  const scales = scalesOf(reduced.random)
  const model = new Laplace(layoutOf(scaled(reduced, q, scales)))
  const solved = solve(model, reduced.random, startOf(reduced, found, r, scales, options.theta), options)
  if (solved === undefined) {
    const cautions = [
      ...found.cautions,
      "not converged: the deviance has no finite value where the search starts",
    ]
    return { ...nothing(problem, found), cautions, none: "the deviance has no finite value" }
  }
  return resultOf(problem, found, reduced, solved, r, scales)
}

function nothing({ fixed, random, trials }: Problem, { why, cautions, none }: Estimable): MixedFit {
  const p = fixed.length
  return {
    trials: trials.reduce((sum, count) => sum + count, 0),
    fixed: fixed.map(({ name, term }, at) => ({ name, term, why: why.get(at) ?? "no fit" })),
    covariance: new Float64Array(p * p).fill(Number.NaN),
    random: [],
    parameters: 0,
    cautions,
    ...(none === undefined ? {} : { none }),
    converged: false,
    theta: new Float64Array(thetaLength(random)),
  }
}

/** The rows and columns that are fitted. */
function reduce(problem: Problem, { columns, rows }: Estimable): Problem {
  const codesOf = (codes: Int32Array) => Int32Array.from(rows, (row) => codes[row]!)
  return {
    rows: rows.length,
    successes: pick(problem.successes, rows),
    trials: pick(problem.trials, rows),
    fixed: columns.map((column) => {
      const { name, term, values } = problem.fixed[column]!
      return { name, term, values: pick(values, rows) }
    }),
    random: problem.random.map((column) => ({
      ...column,
      codes: codesOf(column.codes),
      blocks: column.blocks.map((block) =>
        block.map((effect) =>
          effect.values === undefined ? effect : { ...effect, values: pick(effect.values, rows) },
        ),
      ),
    })),
  }
}

/** Of each block's effects the root mean square of what is not 0: slopes over large numbers have small deviations. */
function scalesOf(random: readonly RandomColumn[]): readonly (readonly number[])[] {
  return random.flatMap(({ blocks }) =>
    blocks.map((block) =>
      block.map(({ values }) => {
        if (values === undefined) return 1
        let [sum, count] = [0, 0]
        for (const value of values) {
          sum += value * value
          if (value !== 0) count += 1
        }
        return count === 0 ? 1 : Math.sqrt(sum / count)
      }),
    ),
  )
}

function scaled(
  problem: Problem,
  q: readonly Float64Array[],
  scales: readonly (readonly number[])[],
): Problem {
  let at = 0
  return {
    ...problem,
    fixed: problem.fixed.map((column, k) => ({ ...column, values: q[k]! })),
    random: problem.random.map((column) => ({
      ...column,
      blocks: column.blocks.map((block) => {
        const own = scales[at++]!
        return block.map((effect, k) =>
          effect.values === undefined
            ? effect
            : { ...effect, values: effect.values.map((value) => value / own[k]!) },
        )
      }),
    })),
  }
}

/** Theta (diagonals of 1, as glmer starts, where none is given) in the scales of the slopes, then the coefficients of the orthonormal columns. */
function startOf(
  { random }: Problem,
  { beta }: Estimable,
  r: Float64Array,
  scales: readonly (readonly number[])[],
  given: Float64Array | undefined,
): Float64Array {
  const theta = new Float64Array(thetaLength(random))
  for (const [at, part] of partsOf(random).entries()) {
    const k = part.block.length
    const factor =
      given === undefined
        ? Float64Array.from({ length: k * k }, (_, i) => (i % (k + 1) === 0 ? 1 : 0))
        : rescaled(factorOf(given, part), scales[at]!)
    // At 0 a deviation has no slope, so that no search would leave it.
    for (let i = 0; i < k; i++) factor[i * k + i] = Math.max(factor[i * k + i]!, 0.05)
    putFactor(theta, part, factor)
  }
  const p = beta.length
  const gamma = Float64Array.from({ length: p }, (_, i) => {
    let sum = 0
    for (let j = i; j < p; j++) sum += r[i * p + j]! * beta[j]!
    return sum
  })
  return Float64Array.from([...theta, ...gamma])
}

/** Rows of T times the scales of their effects. */
function rescaled(factor: Float64Array, scales: readonly number[]): Float64Array {
  return factor.map((value, at) => value * scales[Math.floor(at / scales.length)]!)
}

function resultOf(
  problem: Problem,
  found: Estimable,
  reduced: Problem,
  solved: Solved,
  r: Float64Array,
  scales: readonly (readonly number[])[],
): MixedFit {
  const { columns, why } = found
  const p = problem.fixed.length
  const inner = columns.length
  const length = solved.at.length - inner
  const back = invertUpper(r, inner)
  const beta = Float64Array.from({ length: inner }, (_, i) => {
    let sum = 0
    for (let j = i; j < inner; j++) sum += back[i * inner + j]! * solved.at[length + j]!
    return sum
  })
  const covariance = new Float64Array(p * p).fill(Number.NaN)
  const own = solved.covariance && sandwich(back, solved.covariance, inner)
  for (const [a, column] of columns.entries()) {
    for (const [b, other] of columns.entries()) {
      if (own !== undefined && !why.has(column) && !why.has(other))
        covariance[column * p + other] = own[a * inner + b]!
    }
  }
  const theta = solved.at.slice(0, length)
  const random: Spread[] = []
  const [endless, large]: [string[], string[]] = [[], []]
  for (const [at, part] of partsOf(reduced.random).entries()) {
    const k = part.block.length
    const factor = rescaled(
      factorOf(theta, part),
      scales[at]!.map((scale) => 1 / scale),
    )
    putFactor(theta, part, factor)
    const { deviations, correlation } = spreadOf(factor, k)
    const names = part.block.map(({ name }) => name)
    random.push({
      by: part.by,
      effects: names.map((name, i) => ({ name, deviation: deviations[i]! })),
      correlations: names.flatMap((one, i) =>
        names.slice(i + 1).map((other, j) => ({
          names: [one, other] as const,
          value: correlation(i, i + 1 + j),
        })),
      ),
    })
    for (const [i, name] of names.entries()) {
      const [size, effect] = [deviations[i]! * scales[at]![i]!, effectName(name, part.by)]
      if (size > ENDLESS) endless.push(effect)
      else if (size > LARGE) large.push(`${effect} is ${size.toFixed(1)} logits`)
    }
  }
  return {
    trials: reduced.trials.reduce((sum, count) => sum + count, 0),
    logLikelihood: -solved.deviance / 2,
    fixed: problem.fixed.map(({ name, term }, at) => {
      const none = why.get(at)
      if (none !== undefined) return { name, term, why: none }
      const error = Math.sqrt(covariance[at * p + at]!)
      return {
        name,
        term,
        estimate: beta[columns.indexOf(at)]!,
        ...(Number.isFinite(error) ? { standardError: error } : {}),
      }
    }),
    covariance,
    random,
    parameters: found.rank + length,
    cautions: [
      ...found.cautions,
      ...solved.cautions,
      ...endless.map(
        (name) =>
          `not converged: the standard deviation of ${name} grows without end, since nearly all trials of a level came out alike`,
      ),
      ...large.map(
        (spread) =>
          `large spread: the standard deviation of ${spread}, above ${LARGE}, so that most levels' trials come out alike; there Laplace's approximation is poor, and Wald's intervals and p with it`,
      ),
    ],
    converged: found.converged && solved.converged && endless.length === 0,
    theta,
  }
}
