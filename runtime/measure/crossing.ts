/** Which trials a measure is taken of where a spec restricts it, and the cells that columns cross to among them. */
import type { ExperimentIR, ExprIR, RestrictedIR } from "../../compiler/ir.ts"
import type { Columns } from "./column.ts"
import { isSettledByCell } from "./needs.ts"
import { levelOf, levelsOf, type Unit, unitsOf } from "./units.ts"
import { both, unitsWhere } from "./views.ts"

/** The units that a restriction leaves, and the conditions that look at more than units settle. */
export interface Among {
  readonly units: readonly Unit[]
  readonly filter?: ExprIR
}

/** `where`: a condition besides the restriction's own. `columns`: of the experiment's trials. */
export function amongOf(
  experiment: ExperimentIR,
  columns: Columns,
  { levels, where: own }: RestrictedIR,
  where?: ExprIR,
): Among {
  let units: readonly Unit[] = unitsOf(experiment, columns).filter((unit) =>
    Object.entries(levels).every(([factor, level]) => levelOf(unit, factor) === level),
  )
  let filter: ExprIR | undefined
  for (const condition of [own, where]) {
    if (condition === undefined) continue
    if (isSettledByCell(condition)) units = unitsWhere(units, experiment, condition)
    else filter = filter === undefined ? condition : both(filter, condition)
  }
  return { units, ...(filter === undefined ? {} : { filter }) }
}

/** A crossing of columns. */
export interface Crossed {
  readonly levels: Readonly<Record<string, string>>
  readonly units: readonly Unit[]
}

export interface Crossings {
  /** In the order of the columns' levels. */
  readonly cells: readonly Crossed[]
  /** Units that lack a column, by the first that they lack. */
  readonly lacking: ReadonlyMap<string, readonly Unit[]>
}

/** One cell of all units where there are no columns. */
export function crossed(
  experiment: ExperimentIR,
  units: readonly Unit[],
  columns: readonly string[],
): Crossings {
  const cells = new Map<string, { readonly levels: Record<string, string>; readonly units: Unit[] }>()
  const lacking = new Map<string, Unit[]>()
  for (const unit of units) {
    const levels: Record<string, string> = {}
    const lack = columns.find((column) => {
      const level = levelOf(unit, column)
      if (level !== undefined) levels[column] = level
      return level === undefined
    })
    if (lack !== undefined) {
      push(lacking, lack, unit)
      continue
    }
    const key = crossingKey(levels)
    const cell = cells.get(key)
    if (cell === undefined) cells.set(key, { levels, units: [unit] })
    else cell.units.push(unit)
  }
  const orders = columns.map((column) => levelsOf(experiment, column, units))
  const ranks = new Map(
    [...cells.values()].map((cell) => [
      cell,
      columns.map((column, at) => orders[at]!.indexOf(cell.levels[column]!)),
    ]),
  )
  const compare = (a: readonly number[], b: readonly number[]): number => {
    const at = a.findIndex((rank, place) => rank !== b[place])
    return at === -1 ? 0 : a[at]! - b[at]!
  }
  return {
    cells: [...cells.values()].sort((a, b) => compare(ranks.get(a)!, ranks.get(b)!)),
    lacking,
  }
}

/** The identity of a cell among those of the same columns. */
export const crossingKey = (levels: Crossed["levels"]): string => JSON.stringify(Object.entries(levels))

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, [value])
  else values.push(value)
}
