/**
 * Which sets of trials get a number: every cell of the design for each model and pool, then each row of each table and each bar of each figure
 * where that is another set.
 */
import { table } from "arquero"
import type { ExperimentIR, ExprIR } from "../../compiler/ir.ts"
import { compileExpression, needsOf, rowFunction } from "./expression.ts"
import { printExpression } from "./print.ts"
import { factorColumn } from "./table.ts"

/** A cell of the design for one model and pool. */
export interface Unit {
  readonly model: string
  readonly pool: string
  readonly levels: Readonly<Record<string, string>>
}

export interface View {
  /** What all its trials share, of every factor that varies; the key of a result together with `where`. */
  readonly by: Readonly<Record<string, string>>
  readonly units: readonly Unit[]
  /** A condition that looks at reads, so that units do not settle it. */
  readonly filter?: ExprIR
  /** What tells its trials from others of the same `by`, in the language's words: a condition, or the arms that lack a factor. */
  readonly where?: string
}

/** What a table or a figure asks for: rows by these factors, over the trials where a condition holds. */
export interface Grouping {
  readonly factors: readonly string[]
  readonly where?: ExprIR | undefined
}

/** All views of an experiment: cells first, in the order of the grid, then those of tables and figures. */
export function viewsOf(experiment: ExperimentIR): readonly View[] {
  const views = new Map<string, View>()
  const add = (view: View) => {
    if (!views.has(viewKey(view))) views.set(viewKey(view), view)
  }
  const all = unitsOf(experiment)
  for (const unit of all) add(viewOf(experiment, [unit], all, undefined))
  for (const { rows, where } of experiment.tables) {
    for (const { view } of groupsOf(experiment, { factors: rows, where })) add(view)
  }
  for (const { by, color, where } of experiment.figures) {
    const factors = color === undefined ? [by] : [by, color]
    for (const { view } of groupsOf(experiment, { factors, where })) add(view)
  }
  return [...views.values()]
}

/** One row of a table: its levels (absent where the trials lack the factor) and the trials behind it. */
export interface Group {
  readonly levels: Readonly<Record<string, string>>
  readonly view: View
}

/** The rows of a table or figure, sorted by its factors in the order of their levels; a lacking one goes first. */
export function groupsOf(experiment: ExperimentIR, grouping: Grouping): readonly Group[] {
  const settled = grouping.where === undefined || readsNothing(grouping.where)
  const all = unitsOf(experiment)
  const units = grouping.where !== undefined && settled ? unitsWhere(all, experiment, grouping.where) : all
  const groups = new Map<string, { levels: Record<string, string>; units: Unit[] }>()
  for (const unit of units) {
    const levels: Record<string, string> = {}
    for (const factor of grouping.factors) {
      const level = levelOf(unit, factor)
      if (level !== undefined) levels[factor] = level
    }
    const key = grouping.factors.map((factor) => JSON.stringify(levels[factor] ?? null)).join()
    const group = groups.get(key) ?? { levels, units: [] }
    group.units.push(unit)
    groups.set(key, group)
  }
  const rank = (group: { levels: Record<string, string> }) =>
    grouping.factors.map((factor) => levelsOf(experiment, factor).indexOf(group.levels[factor] ?? ""))
  return [...groups.values()]
    .map((group) => ({ group, rank: rank(group) }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .map(({ group }) => ({
      levels: group.levels,
      view: viewOf(experiment, group.units, units, grouping.where),
    }))
}

/** The levels of a column of the design, `model` and `pool` included, in the order written. */
export function levelsOf(experiment: ExperimentIR, factor: string): readonly string[] {
  if (factor === "model") return experiment.models
  if (factor === "pool") return experiment.pools.map(({ pool }) => pool)
  return experiment.factors.find(({ name }) => name === factor)?.levels ?? []
}

/** The identity of a set of trials within its experiment. */
export function viewKey(view: {
  readonly by: Readonly<Record<string, string>>
  readonly where?: string
}): string {
  return JSON.stringify([Object.entries(view.by), view.where ?? null])
}

/** The identity of a unit: a record has that of the unit it belongs to. */
export function unitKey(unit: Unit): string {
  const levels = Object.entries(unit.levels).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return JSON.stringify([unit.model, unit.pool, levels])
}

function unitsOf(experiment: ExperimentIR): readonly Unit[] {
  return experiment.cells.flatMap(({ levels }) =>
    experiment.models.flatMap((model) => experiment.pools.map(({ pool }) => ({ model, pool, levels }))),
  )
}

/** `among`: the units that the condition leaves, as far as units settle it. */
function viewOf(
  experiment: ExperimentIR,
  units: readonly Unit[],
  among: readonly Unit[],
  where: ExprIR | undefined,
): View {
  const by: Record<string, string> = {}
  for (const factor of varying(experiment)) {
    const shared = new Set(units.map((unit) => levelOf(unit, factor)))
    const [level] = shared
    if (shared.size === 1 && level !== undefined) by[factor] = level
  }
  const alike = (of: readonly Unit[]) =>
    of.filter((unit) => Object.entries(by).every(([factor, level]) => levelOf(unit, factor) === level))
  const filter = where === undefined || readsNothing(where) ? undefined : where
  // A row of arms that lack a factor shares no level of it: `by` would name all arms.
  const arms = alike(among).length === units.length ? undefined : anyArm(units)
  const condition = filter ?? (alike(unitsOf(experiment)).length === units.length ? undefined : where)
  const said = arms === undefined || condition === undefined ? (arms ?? condition) : both(arms, condition)
  return {
    by,
    units,
    ...(filter === undefined ? {} : { filter }),
    ...(said === undefined ? {} : { where: printExpression(said) }),
  }
}

/** `arm == reask or arm == length` */
function anyArm(units: readonly Unit[]): ExprIR {
  const arms = [...new Set(units.map(({ levels }) => levels.arm!))]
  return arms
    .map(
      (arm): ExprIR => ({
        kind: "binary",
        operator: "==",
        left: { kind: "level", factor: "arm" },
        right: { kind: "string", value: arm },
      }),
    )
    .reduce((left, right) => ({ kind: "binary", operator: "or", left, right }))
}

function both(left: ExprIR, right: ExprIR): ExprIR {
  return { kind: "binary", operator: "and", left, right }
}

/** Model and pool where there are several, the arm, and every factor with more than one level. */
export function varying(experiment: ExperimentIR): readonly string[] {
  const names = ["model", "pool", ...experiment.factors.map(({ name }) => name)]
  return names.filter((name) => name === "arm" || levelsOf(experiment, name).length > 1)
}

function levelOf(unit: Unit, factor: string): string | undefined {
  if (factor === "model" || factor === "pool") return unit[factor]
  return unit.levels[factor]
}

function readsNothing(where: ExprIR): boolean {
  const needs = needsOf(where)
  return needs.holes.length === 0 && needs.options.length === 0 && !mentionsGold(where)
}

function mentionsGold(e: ExprIR): boolean {
  if (e.kind === "unary") return mentionsGold(e.operand)
  if (e.kind === "binary") return mentionsGold(e.left) || mentionsGold(e.right)
  return e.kind === "gold"
}

function unitsWhere(units: readonly Unit[], experiment: ExperimentIR, where: ExprIR): readonly Unit[] {
  const names = ["model", "pool", ...experiment.factors.map(({ name }) => name)]
  const columns = names.map((name) => [factorColumn(name), units.map((unit) => levelOf(unit, name) ?? null)])
  const kept = table({ ...Object.fromEntries(columns), "unit:at": units.map((_, at) => at) })
    .filter(rowFunction(`${compileExpression(where, { holes: new Map(), invalidIsWrong: false })} === true`))
    .array("unit:at") as number[]
  return kept.map((at) => units[at]!)
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (const [at, rank] of a.entries()) {
    if (rank !== b[at]) return rank - b[at]!
  }
  return 0
}
