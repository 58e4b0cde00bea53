/** What a fit will cost, before it starts. */
import type { Problem } from "./problem.ts"
import { thetaLength } from "./problem.ts"

export interface FitSize {
  readonly rows: number
  /** Columns of the fixed part. */
  readonly fixed: number
  /** Of each column with random effects its levels, the effects of one level, and the numbers of their covariances. */
  readonly random: readonly {
    readonly levels: number
    readonly effects: number
    readonly parameters: number
  }[]
}

export const sizeOf = ({ rows, fixed, random }: Problem): FitSize => ({
  rows,
  fixed: fixed.length,
  random: random.map((column) => ({
    levels: column.levels,
    effects: column.blocks.reduce((sum, block) => sum + block.length, 0),
    parameters: thetaLength([column]),
  })),
})

/**
 * Seconds that a fit takes on one core of about 3 GHz, within a factor of three or so: evaluations of the deviance, each of which goes through the
 * rows a few times, through each item's corner of the dense rest, and factors that rest.
 */
export function fitSeconds({ rows, fixed, random }: FitSize, { noErrors = false } = {}): number {
  const sorted = [...random].sort((a, b) => b.levels - a.levels)
  const items = sorted[0]?.levels ?? 1
  const others = sorted.slice(1)
  const effects = random.reduce((sum, column) => sum + column.effects, 0)
  const dense = others.reduce((sum, column) => sum + column.levels * column.effects, 0)
  const parameters = fixed + random.reduce((sum, column) => sum + column.parameters, 0)
  // An item meets no more levels of the rest than it has rows.
  const touched = others.reduce(
    (sum, column) => sum + column.effects * Math.min(column.levels, rows / items),
    0,
  )
  const evaluations = 10 + parameters + (noErrors ? 0 : 2 * parameters)
  const pass = rows * (PER_ROW + PER_PAIR * effects * effects) + items * PER_CORNER * touched * touched
  return PREPARED * rows + evaluations * (pass + PER_CUBE * dense ** 3)
}

/** Seconds, as `bench/mixed.ts` holds them against what a fit took. */
const PREPARED = 5e-6
const PER_ROW = 5e-7
const PER_PAIR = 2e-8
const PER_CORNER = 2e-8
const PER_CUBE = 4e-9
