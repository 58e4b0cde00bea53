/** Items for the simulated engine where a pool's data are not at hand: they say of themselves that they are invented. */
import { stream } from "../draw.ts"
import type { ExperimentIR, ExprIR, PoolIR } from "../ir.ts"
import type { Item } from "../item.ts"
import { USUAL_CHOICES } from "./count.ts"
import { holds } from "./holds.ts"

/** How many, where neither the pool nor a sample says. */
const USUAL_SIZE = 100

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

type Value = string | number

/**
 * As many items as the pool is said to have, else as the experiments sample of it. Options are as many as published; gold is drawn from a stream
 * of the item's own. Each column takes as many values as it has strata, by turns, those first that a condition names.
 */
export const inventItems = (pool: PoolIR, experiments: readonly ExperimentIR[]): readonly Item[] => {
  const choices = pool.published.choices ?? USUAL_CHOICES
  const labels = Array.from({ length: choices }, (_, index) =>
    choices <= letters.length ? letters.charAt(index) : String(index + 1),
  )
  const named = namedValues(pool, experiments)
  const columns = columnNames(pool).map((name) => ({
    name,
    values: valuesOf(name, named.get(name) ?? [], pool.published.strata?.[name]),
  }))
  const all = Array.from({ length: sizeOf(pool, experiments) }, (_, index): Item => {
    const n = index + 1
    const draw = stream({ seed: 0, declaration: `invented ${pool.name}`, item: String(n) })
    return {
      id: String(n),
      question: `Question ${n} of pool ${pool.name} (invented)`,
      options: labels.map((_, option) => `Option ${option + 1} of question ${n}`),
      labels,
      gold: draw.below(choices),
      columns: Object.fromEntries(
        columns.map(({ name, values }) => [
          name,
          values[index % values.length] ?? `${name} of question ${n} (invented)`,
        ]),
      ),
    }
  })
  const { where } = pool
  return where === undefined ? all : all.filter((item) => holds(where, item))
}

const columnNames = ({ fields, source }: PoolIR): readonly string[] => [
  ...Object.keys(fields.columns),
  ...(source.kind === "run" ? source.keep : []),
]

const sizeOf = (pool: PoolIR, experiments: readonly ExperimentIR[]): number => {
  const { size, strata } = pool.published
  if (size !== undefined) return size
  const samples = experiments.flatMap(({ pools }) =>
    pools.flatMap(({ pool: name, sample, per }) =>
      name === pool.name && sample !== undefined
        ? [sample * (per === undefined ? 1 : (strata?.[per] ?? 1))]
        : [],
    ),
  )
  return samples.length === 0 ? USUAL_SIZE : Math.max(...samples)
}

/** None: every item has a value of its own. */
const valuesOf = (name: string, named: readonly Value[], strata: number | undefined): readonly Value[] => {
  const count = strata ?? (named.length === 0 ? 0 : named.length + 1)
  return Array.from({ length: count }, (_, index) => named[index] ?? `${name} ${index + 1}`)
}

/** The values that conditions compare a column with; of a number its neighbours too, so that both sides of a bound occur. */
const namedValues = (
  pool: PoolIR,
  experiments: readonly ExperimentIR[],
): ReadonlyMap<string, readonly Value[]> => {
  const found = new Map<string, Set<Value>>()
  const note = (column: string, ...values: readonly Value[]): void => {
    const known = found.get(column) ?? new Set()
    for (const value of values) known.add(value)
    found.set(column, known)
  }
  const visit = (expression: ExprIR): void => {
    if (expression.kind === "unary") visit(expression.operand)
    if (expression.kind === "among" && expression.value.kind === "column")
      note(expression.value.column, ...expression.levels)
    if (expression.kind !== "binary") return
    visit(expression.left)
    visit(expression.right)
    for (const [side, other] of [
      [expression.left, expression.right],
      [expression.right, expression.left],
    ] as const) {
      if (side.kind !== "column") continue
      if (other.kind === "string") note(side.column, other.value)
      if (other.kind === "number") note(side.column, other.value, other.value - 1, other.value + 1)
    }
  }
  const conditions = [
    pool.where,
    ...experiments.flatMap(({ pools, only }) => [
      only,
      ...pools.flatMap(({ pool: name, where }) => (name === pool.name ? [where] : [])),
    ]),
  ]
  for (const condition of conditions) if (condition !== undefined) visit(condition)
  return new Map([...found].map(([column, values]) => [column, [...values]]))
}
