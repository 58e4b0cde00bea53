/**
 * A mixed-effects logistic regression: logit P(y = 1) = X beta + Z b, with b ~ N(0, Sigma) and independent between levels of each column.
 * Columns of X and Z have one number for each row.
 */
export interface Problem {
  readonly rows: number
  /** Of each row how many of its trials came out true, and how many there are. */
  readonly successes: Float64Array
  readonly trials: Float64Array
  readonly fixed: readonly FixedColumn[]
  /** What random effects go by, each column once. */
  readonly random: readonly RandomColumn[]
}

export interface FixedColumn {
  /** The coefficient: "intercept", "framing = experts". */
  readonly name: string
  /** The term that it is of, by its number among the model's terms; -1 for the intercept. */
  readonly term: number
  /** What it is compared with: "framing = no_source", or for a number a step of 1 less, "dose one lower". */
  readonly against?: string
  readonly values: Float64Array
}

export interface RandomColumn {
  /** "item" */
  readonly by: string
  readonly levels: number
  /** Of each row its level, from 0. */
  readonly codes: Int32Array
  /** Effects of one block vary together, with correlations; blocks are independent. */
  readonly blocks: readonly Block[]
}

export type Block = readonly Effect[]

/** An intercept where it has no values, else a slope over these. */
export interface Effect {
  /** "intercept", "framing = experts" */
  readonly name: string
  /** The slope that it is of, by its number among the model's slopes; -1 for an intercept. */
  readonly slope: number
  readonly values?: Float64Array
}

/** How many numbers a block's covariance has. */
export const blockParameters = (block: Block): number => (block.length * (block.length + 1)) / 2

/** How many numbers the covariances of all random effects have: the length of theta. */
export function thetaLength(random: readonly RandomColumn[]): number {
  let length = 0
  for (const { blocks } of random) for (const block of blocks) length += blockParameters(block)
  return length
}
