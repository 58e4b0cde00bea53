/** Which coefficients of a design have finite estimates, and of which trials those are. */
import { logistic } from "./logistic.ts"
import type { Problem } from "./problem.ts"
import { independent } from "./rank.ts"

export interface Estimable {
  /** Columns of the design that are fitted, and the rows of the problem that they are fitted to. */
  readonly columns: readonly number[]
  readonly rows: Int32Array
  /** Of each fitted row m mu (1 - mu) without random effects, and of each fitted column its coefficient. */
  readonly weights: Float64Array
  readonly beta: Float64Array
  /** Columns that say something of their own, whether or not their estimates are finite. */
  readonly rank: number
  /** Of columns without an estimate, why: those that are fitted only to span the rest among them. */
  readonly why: ReadonlyMap<number, string>
  readonly cautions: readonly string[]
  /** False where the search without random effects stopped short, so that separation may have gone unseen. */
  readonly converged: boolean
  /** Why no column is fitted, where none is. */
  readonly none?: string
}

const UNTOLD =
  "not converged: the search without random effects, where the model starts and which tells whether trials are separated, stopped short"

/**
 * Columns that others add up to are dropped from the left on, as R does. Then, where a sum of columns separates some trials, the likelihood is
 * greatest where these have probability 0 or 1, whatever else: they are left out, the sum's coefficients have no finite estimate, and the others
 * are those of the trials that remain, which is where their own estimates tend to. No columns: nothing can be fitted.
 */
export function estimable(problem: Problem): Estimable {
  const { fixed } = problem
  const name = (column: number) => fixed[column]!.name
  const why = new Map<number, string>()
  const cautions: string[] = []
  const first = independent(fixed.map(({ values }) => values))
  for (const { column, of } of first.dropped) {
    const said =
      of.length === 0
        ? "dropped: it is 0 in all trials"
        : `dropped: over these trials it is a sum of ${of.map(name).join(", ")}`
    why.set(column, said)
    cautions.push(`rank-deficient: ${name(column)} is ${said}`)
  }
  const rank = first.kept.length
  let columns = first.kept
  let rows = Int32Array.from({ length: problem.rows }, (_, row) => row)
  for (;;) {
    const picked = columns.map((column) => pick(fixed[column]!.values, rows))
    const [successes, trials] = [pick(problem.successes, rows), pick(problem.trials, rows)]
    const { beta, weights, separation, converged } = logistic(picked, successes, trials)
    if (separation === undefined) {
      if (!converged) cautions.push(UNTOLD)
      return { columns, rows, weights, beta, rank, why, cautions, converged }
    }
    const { direction, told } = separation
    const sizes = picked.map((values, at) => Math.abs(direction[at]!) * largest(values))
    const most = Math.max(...sizes)
    const lost = columns.filter((_, at) => sizes[at]! > 1e-3 * most)
    const left = rows.filter((_, at) => told[at] === 0)
    const n = trials.reduce((sum, count, at) => sum + (told[at] === 1 ? count : 0), 0)
    cautions.push(
      left.length === 0
        ? `complete separation: ${lost.map(name).join(", ")} tell all trials that are true from all that are not`
        : `quasi-complete separation: ${lost.map(name).join(", ")} settle the outcome of ${n} trials, which all came out so`,
    )
    const none = "no finite estimate: separation"
    for (const column of lost) why.set(column, none)
    if (left.length === 0) {
      for (const column of columns) why.set(column, none)
      const empty = new Float64Array()
      return {
        ...{ columns: [], rows: left, weights: empty, beta: empty, rank, why, cautions, converged },
        none: "complete separation",
      }
    }
    const again = independent(columns.map((column) => pick(fixed[column]!.values, left)))
    for (const { column, of } of again.dropped) {
      for (const at of [column, ...of]) why.set(columns[at]!, none)
    }
    const before = columns
    columns = again.kept.map((at) => before[at]!)
    rows = left
  }
}

export function pick(values: Float64Array, rows: Int32Array): Float64Array {
  return Float64Array.from(rows, (row) => values[row]!)
}

function largest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
}
