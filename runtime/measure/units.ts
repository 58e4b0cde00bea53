/** The smallest sets of trials that a design tells apart, and in which order their levels stand. */
import { evaluate } from "../../compiler/evaluate.ts"
import type { ExperimentIR } from "../../compiler/ir.ts"
import type { TrialRecord } from "../record.ts"
import type { Columns } from "./column.ts"
import { groupingColumns } from "./needs.ts"
import { itemColumn } from "./table.ts"

/** A cell of the design for one model and pool; where tables go by columns of the items, for one level of each of those. */
export interface Unit {
  readonly model: string
  readonly pool: string
  readonly levels: Readonly<Record<string, string>>
  readonly columns: Readonly<Record<string, string>>
}

/** What a unit has of a column of the design, `model` and `pool` included, or of its items. */
export function levelOf(unit: Unit, factor: string): string | undefined {
  if (factor === "model" || factor === "pool") return unit[factor]
  return unit.levels[factor] ?? unit.columns[factor]
}

/** How many of some units have these levels. */
export type Counter = (by: Readonly<Record<string, string>>) => number

/** Counts units by these columns: there are as many sets of levels to count as units, so levels are compared as numbers. */
export function counterOf(units: readonly Unit[], names: readonly string[]): Counter {
  const columns = new Map(
    names.map((name) => {
      const codes = new Map<string, number>()
      const coded = Int32Array.from(units, (unit) => {
        const level = levelOf(unit, name)
        if (level === undefined) return -1
        const code = codes.get(level) ?? codes.size
        codes.set(level, code)
        return code
      })
      return [name, { codes, coded }] as const
    }),
  )
  return (by) => {
    const wanted = Object.entries(by).map(([name, level]) => {
      const column = columns.get(name)
      return { coded: column?.coded, code: column?.codes.get(level) ?? -2 }
    })
    let count = 0
    for (let at = 0; at < units.length; at++) {
      let alike = true
      for (const { coded, code } of wanted) {
        if (coded?.[at] !== code) {
          alike = false
          break
        }
      }
      if (alike) count++
    }
    return count
  }
}

/** The identity of a unit: a record has that of the unit it belongs to. */
export function unitKey({ model, pool, levels, columns }: Unit): string {
  const sorted = (of: Readonly<Record<string, string>>) =>
    Object.entries(of).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const own = sorted(columns)
  return JSON.stringify([model, pool, sorted(levels), ...(own.length === 0 ? [] : [own])])
}

/** The unit that a record belongs to, by these columns of items. */
export function unitOf(record: TrialRecord, names: readonly string[]): Unit {
  const { model, pool, levels, columns } = record
  const own = names.flatMap((name) => {
    const value = columns[name]
    return value === undefined ? [] : [[name, String(value)] as const]
  })
  return { model, pool, levels, columns: Object.fromEntries(own) }
}

/** All units of an experiment, those left out that its conditions are sure to leave out. `columns`: of its trials. */
export function unitsOf(experiment: ExperimentIR, columns: Columns): readonly Unit[] {
  const { only } = experiment
  const combinations = combinationsOf(groupingColumns(experiment), columns)
  const units = experiment.cells.flatMap(({ levels, roles }) =>
    experiment.models.flatMap((model) =>
      experiment.pools.flatMap(({ pool }) => {
        const unit = { model, pool, levels }
        if (only !== undefined && evaluate(only, factsOf(unit, roles)) === false) return []
        return (combinations.get(pool) ?? [{}]).map((columns) => ({ ...unit, columns }))
      }),
    ),
  )
  return units
}

const factsOf = (
  unit: Pick<Unit, "model" | "pool" | "levels">,
  roles: Readonly<Record<string, string>>,
): Parameters<typeof evaluate>[1] => ({
  level: (factor) => levelOf({ ...unit, columns: {} }, factor),
  role: (role) => (roles[role] === "model" || role === "model" ? unit.model : roles[role]),
  reading: () => undefined,
  attribute: () => undefined,
})

/** By pool, each combination of values that its items have in these columns; none where there are no such columns. */
function combinationsOf(
  names: readonly string[],
  columns: Columns,
): ReadonlyMap<string, readonly Unit["columns"][]> {
  const pool = columns.get("pool")
  if (names.length === 0 || pool === undefined) return new Map()
  const pools = new Map<string, Map<string, Unit["columns"]>>()
  for (let row = 0; row < pool.length; row++) {
    const own = Object.fromEntries(
      names.flatMap((name) => {
        const value = columns.get(itemColumn(name))?.at(row) ?? null
        return value === null ? [] : [[name, String(value)] as const]
      }),
    )
    const name = pool.at(row) as string
    const known = pools.get(name) ?? new Map<string, Unit["columns"]>()
    known.set(JSON.stringify(own), own)
    pools.set(name, known)
  }
  return new Map([...pools].map(([pool, all]) => [pool, [...all.values()]]))
}

/**
 * The columns that name a cell: model and pool where there are several, the arm, every factor with more than one level, and one with a single level
 * where cells would else be alike, of which some have it and others lack it.
 */
export function namingColumns(experiment: ExperimentIR): readonly string[] {
  const { cells, factors } = experiment
  const several = factors.filter(({ levels }) => levels.length > 1).map(({ name }) => name)
  const alike = cells.map(({ arm, levels }) => JSON.stringify([arm, several.map((name) => levels[name])]))
  const isNeeded = (factor: string): boolean => {
    const found = new Map<string, boolean>()
    return cells.some(({ levels }, at) => {
      const has = levels[factor] !== undefined
      const known = found.get(alike[at]!) ?? has
      found.set(alike[at]!, known)
      return known !== has
    })
  }
  return [
    ...["model", "pool"].filter((name) => levelsOf(experiment, name).length > 1),
    ...factors
      .filter(({ name, levels }) => name === "arm" || levels.length > 1 || isNeeded(name))
      .map(({ name }) => name),
  ]
}

/** The levels of a column in their order: of the design as written, of items by number where all are numbers, else by text. */
export function levelsOf(
  experiment: ExperimentIR,
  factor: string,
  units: readonly Unit[] = [],
): readonly string[] {
  if (factor === "model") return experiment.models
  if (factor === "pool") return experiment.pools.map(({ pool }) => pool)
  const declared = experiment.factors.find(({ name }) => name === factor)
  if (declared !== undefined) return declared.levels
  const found = [...new Set(units.flatMap((unit) => levelOf(unit, factor) ?? []))]
  const numeric = found.every((level) => level.trim() !== "" && Number.isFinite(Number(level)))
  return found.sort((a, b) => (numeric ? Number(a) - Number(b) : a < b ? -1 : 1))
}
