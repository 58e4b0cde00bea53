/** Rows that no coefficient and no random effect tells apart, as one row with counts: the likelihood is the same. */
import type { Problem } from "./problem.ts"

export function merge(problem: Problem): Problem {
  const { rows, fixed, random } = problem
  const columns = [
    ...fixed.map(({ values }) => values),
    ...random.flatMap(({ codes, blocks }) => [
      codes,
      ...blocks.flat().flatMap(({ values }) => (values === undefined ? [] : [values])),
    ]),
  ]
  // Numbers of the sets of values met so far, column after column.
  const numbers = new Float64Array(rows)
  let count = 1
  for (const column of columns) {
    const values = codesOf(column)
    const known = new Map<number, number>()
    const width = values.count
    for (let row = 0; row < rows; row++) {
      const key = numbers[row]! * width + values.codes[row]!
      let number = known.get(key)
      if (number === undefined) {
        number = known.size
        known.set(key, number)
      }
      numbers[row] = number
    }
    count = Math.max(1, known.size)
  }
  if (count === rows || rows === 0) return problem
  const first = new Int32Array(count).fill(-1)
  const successes = new Float64Array(count)
  const trials = new Float64Array(count)
  for (let row = 0; row < rows; row++) {
    const number = numbers[row]!
    if (first[number] === -1) first[number] = row
    successes[number]! += problem.successes[row]!
    trials[number]! += problem.trials[row]!
  }
  const pick = (values: Float64Array) => Float64Array.from(first, (row) => values[row]!)
  return {
    rows: count,
    successes,
    trials,
    fixed: fixed.map((column) => ({ ...column, values: pick(column.values) })),
    random: random.map((column) => ({
      ...column,
      codes: first.map((row) => column.codes[row]!),
      blocks: column.blocks.map((block) =>
        block.map((effect) =>
          effect.values === undefined ? effect : { ...effect, values: pick(effect.values) },
        ),
      ),
    })),
  }
}

function codesOf(values: Float64Array | Int32Array): {
  readonly codes: Int32Array
  readonly count: number
} {
  const known = new Map<number, number>()
  const codes = Int32Array.from(values, (value) => {
    const code = known.get(value) ?? known.size
    if (code === known.size) known.set(value, code)
    return code
  })
  return { codes, count: known.size }
}
