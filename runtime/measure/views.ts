/**
 * Which sets of trials get a number: every cell of the design for each model and pool, then each row of each table and each mark of each figure
 * where that is another set.
 */
import { table } from "arquero"
import type { ExperimentIR, ExprIR } from "../../compiler/ir.ts"
import type { Columns } from "./column.ts"
import { compileExpression, rowFunction } from "./expression.ts"
import { groupingColumns, isSettledByCell } from "./needs.ts"
import { printExpression } from "./print.ts"
import { factorColumn, roleColumn } from "./table.ts"
import { type Counter, counterOf, levelOf, levelsOf, type Unit, unitsOf } from "./units.ts"

export interface View {
  /**
   * What all its trials share, of every factor that varies, and of those with one level where these leave others alike; the key of a result together with
   * `where` and `average`.
   */
  readonly by: Readonly<Record<string, string>>
  readonly units: readonly Unit[]
  /** A condition that looks at reads or items, so that units do not settle it. */
  readonly filter?: ExprIR
  /** What tells its trials from others of the same `by`: a condition in the language's words, the arms that lack a factor, `without order`. */
  readonly where?: string
  /** The columns whose crossings are averaged over; none where trials are. */
  readonly macro?: readonly string[]
  /** Whether the median over them is taken, and not the mean. */
  readonly of?: "median"
  /** The same in words: `macro(model, pool)`, `median(model, pool)`. */
  readonly average?: string
}

/** What a table or a figure asks for: rows by these factors, over the trials where a condition holds. */
export interface Grouping {
  readonly factors: readonly string[]
  readonly where?: ExprIR | undefined
  readonly average?: ExperimentIR["tables"][number]["average"]
}

/** All views of an experiment: cells first, in the order of the grid, then those of tables and figures. `columns`: of its trials. */
export function viewsOf(experiment: ExperimentIR, columns: Columns): readonly View[] {
  const views = new Map<string, View>()
  const add = (view: View) => {
    const known = views.get(viewKey(view))
    if (known === undefined) views.set(viewKey(view), view)
    else if (!areSame(known, view)) throw new Error(`two sets of trials have one key: ${viewKey(view)}`)
  }
  const all = allOf(experiment, columns)
  for (const units of cellsOf(all.units)) add(viewOf(units, all, all, undefined))
  for (const { rows, where, average } of experiment.tables) {
    for (const { view } of groupsAmong(experiment, all, { factors: rows, where, average })) add(view)
  }
  for (const figure of experiment.figures) {
    const grouping = { factors: figureFactors(figure), where: figure.where }
    for (const { view } of groupsAmong(experiment, all, grouping)) add(view)
  }
  return [...views.values()]
}

/** Whether two views of one key are of the same units. Where a filter is left to settle what they are of, one may say by units what the other says by it. */
function areSame(one: View, other: View): boolean {
  if (one.filter !== undefined || other.filter !== undefined) return true
  const units = new Set(one.units)
  return units.size === other.units.length && other.units.every((unit) => units.has(unit))
}

/** Units, and how many of them have some levels of what tells sets of trials apart. */
interface Counted {
  readonly units: readonly Unit[]
  readonly factors: Factors
  readonly count: Counter
}

/** What tells sets of trials apart. */
interface Factors {
  readonly varying: readonly string[]
  /** With one level, and lacked by some trials of an arm: named only where what varies leaves trials alike. */
  readonly lacked: readonly string[]
}

function countedBy(units: readonly Unit[], factors: Factors): Counted {
  return { units, factors, count: counterOf(units, [...factors.varying, ...factors.lacked]) }
}

function allOf(experiment: ExperimentIR, columns: Columns): Counted {
  const varying = varyingIn(experiment)
  const lacked = experiment.factors
    .map(({ name }) => name)
    .filter((name) => !varying.includes(name) && isLackedWithinAnArm(experiment, name))
  return countedBy(unitsOf(experiment, columns), {
    varying: [...varying, ...groupingColumns(experiment)],
    lacked,
  })
}

/** The factors of a figure: a panel for each level of the last where there is a facet. */
export function figureFactors({ by, color, facet }: ExperimentIR["figures"][number]): readonly string[] {
  return [by, color, facet].flatMap((factor) => factor ?? [])
}

/** The units of one cell, model and pool together, whatever columns of items tell them apart. */
function cellsOf(units: readonly Unit[]): readonly (readonly Unit[])[] {
  const cells = new Map<string, Unit[]>()
  for (const unit of units) {
    const key = JSON.stringify([unit.model, unit.pool, unit.levels])
    const cell = cells.get(key)
    if (cell === undefined) cells.set(key, [unit])
    else cell.push(unit)
  }
  return [...cells.values()]
}

/** One row of a table: its levels (absent where the trials lack the factor) and the trials behind it. */
export interface Group {
  readonly levels: Readonly<Record<string, string>>
  readonly view: View
}

/** The rows of a table or figure, sorted by its factors in the order of their levels; a lacking one goes first. */
export function groupsOf(experiment: ExperimentIR, columns: Columns, grouping: Grouping): readonly Group[] {
  return groupsAmong(experiment, allOf(experiment, columns), grouping)
}

function groupsAmong(
  experiment: ExperimentIR,
  all: Counted,
  { factors, where, average }: Grouping,
): readonly Group[] {
  const settled = where !== undefined && isSettledByCell(where)
  const among = settled ? countedBy(unitsWhere(all.units, experiment, where), all.factors) : all
  const groups = new Map<string, { levels: Record<string, string>; units: Unit[] }>()
  for (const unit of among.units) {
    const levels: Record<string, string> = {}
    for (const factor of factors) {
      const level = levelOf(unit, factor)
      if (level !== undefined) levels[factor] = level
    }
    const key = factors.map((factor) => JSON.stringify(levels[factor] ?? null)).join()
    const group = groups.get(key) ?? { levels, units: [] }
    group.units.push(unit)
    groups.set(key, group)
  }
  const orders = factors.map((factor) => levelsOf(experiment, factor, all.units))
  const rank = (group: { levels: Record<string, string> }) =>
    factors.map((factor, at) => orders[at]!.indexOf(group.levels[factor] ?? ""))
  const averaged = average === undefined || average === "pooled" ? undefined : averageOf(average)
  return [...groups.values()]
    .map((group) => ({ group, rank: rank(group) }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
    .map(({ group }) => ({
      levels: group.levels,
      view: {
        ...viewOf(group.units, among, all, where),
        ...averaged,
      },
    }))
}

function averageOf({ macro, of }: Exclude<ExperimentIR["tables"][number]["average"], "pooled">) {
  const average = `${of ?? "macro"}(${macro.join(", ")})`
  return { macro, average, ...(of === undefined ? {} : { of }) }
}

/** The identity of a set of trials, and of how their number is taken, within its experiment. */
export function viewKey(view: {
  readonly by: Readonly<Record<string, string>>
  readonly where?: string
  readonly average?: string
}): string {
  return JSON.stringify([Object.entries(view.by), view.where ?? null, view.average ?? null])
}

/** `among`: the units that the condition leaves, as far as units settle it. */
function viewOf(units: readonly Unit[], among: Counted, all: Counted, where: ExprIR | undefined): View {
  const varying = sharedBy(units, all.factors.varying)
  const by =
    all.count(varying) === units.length ? varying : { ...varying, ...sharedBy(units, all.factors.lacked) }
  const filter = where === undefined || isSettledByCell(where) ? undefined : where
  const condition = filter ?? (all.count(by) === units.length ? undefined : where)
  // A row of trials that lack a factor shares no level of it: `by` would name others as well.
  const { arms, lacked } = among.count(by) === units.length ? NOTHING : tellingApart(units, among, by)
  const words = [...conditionWords(arms, condition), ...(lacked.length === 0 ? [] : [without(lacked)])]
  return {
    by,
    units,
    ...(filter === undefined ? {} : { filter }),
    ...(words.length === 0 ? {} : { where: words.join(", ") }),
  }
}

/** The levels that all of some units have. */
function sharedBy(units: readonly Unit[], factors: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    factors.flatMap((factor) => {
      const shared = new Set(units.map((unit) => levelOf(unit, factor)))
      const [level] = shared
      return shared.size === 1 && level !== undefined ? [[factor, level]] : []
    }),
  )
}

interface Apart {
  /** The arms of these units, where others have other arms; undefined is that of records that name none. */
  readonly arms: readonly (string | undefined)[]
  /** Factors that these units lack, and others of their arms do not. */
  readonly lacked: readonly string[]
}

const NOTHING: Apart = { arms: [], lacked: [] }

/** What units have besides `by` that others of the same `by` have not: a factor may be lacking in some arms, or within one. */
function tellingApart(units: readonly Unit[], among: Counted, by: Readonly<Record<string, string>>): Apart {
  const alike = among.units.filter((unit) =>
    Object.entries(by).every(([factor, level]) => levelOf(unit, factor) === level),
  )
  const own = new Set(units.map(({ levels }) => levels.arm))
  const ofArms = alike.filter(({ levels }) => own.has(levels.arm))
  const isLacked = (factor: string): boolean =>
    units.every((unit) => levelOf(unit, factor) === undefined) &&
    ofArms.some((unit) => levelOf(unit, factor) !== undefined)
  return {
    arms: ofArms.length === alike.length ? [] : [...own],
    lacked:
      ofArms.length === units.length
        ? []
        : [...among.factors.varying, ...among.factors.lacked].filter(isLacked),
  }
}

/** "arm == reask or arm == length", "arm == push or without arm", each with a condition besides; the language has no condition for an arm that is lacking. */
function conditionWords(arms: Apart["arms"], condition: ExprIR | undefined): readonly string[] {
  const named = anyArm(arms.flatMap((arm) => arm ?? []))
  const others = condition === undefined ? [] : [printExpression(condition)]
  if (arms.includes(undefined)) {
    const none = without(["arm"])
    return [named === undefined ? none : `${printExpression(named)} or ${none}`, ...others]
  }
  if (named === undefined) return others
  return [printExpression(condition === undefined ? named : both(named, condition))]
}

const without = (factors: readonly string[]): string => `without ${factors.join(" and ")}`

function anyArm(arms: readonly string[]): ExprIR | undefined {
  const conditions = arms.map(
    (arm): ExprIR => ({
      kind: "binary",
      operator: "==",
      left: { kind: "level", factor: "arm" },
      right: { kind: "string", value: arm },
    }),
  )
  return conditions.length === 0
    ? undefined
    : conditions.reduce((left, right) => ({ kind: "binary", operator: "or", left, right }))
}

export function both(left: ExprIR, right: ExprIR): ExprIR {
  return { kind: "binary", operator: "and", left, right }
}

/** Model and pool where there are several, the arm, and every factor with more than one level. */
function varyingIn(experiment: ExperimentIR): readonly string[] {
  const names = ["model", "pool", ...experiment.factors.map(({ name }) => name)]
  return names.filter((name) => name === "arm" || levelsOf(experiment, name).length > 1)
}

/** Whether some cells of an arm have a factor that others of the same arm lack. */
function isLackedWithinAnArm({ cells }: ExperimentIR, factor: string): boolean {
  const found = new Map<string, boolean>()
  return cells.some(({ arm, levels }) => {
    const has = levels[factor] !== undefined
    const known = found.get(arm) ?? has
    found.set(arm, known)
    return known !== has
  })
}

export function unitsWhere(units: readonly Unit[], experiment: ExperimentIR, where: ExprIR): readonly Unit[] {
  const names = ["model", "pool", "arm", ...experiment.factors.map(({ name }) => name)]
  const columns = names.map((name) => [factorColumn(name), units.map((unit) => levelOf(unit, name) ?? null)])
  const roles = experiment.protocol.roles.map((role) => [
    roleColumn(role),
    units.map((unit) => {
      const level = levelOf(unit, role)
      return level === "model" ? unit.model : (level ?? null)
    }),
  ])
  const all = {
    ...Object.fromEntries(columns),
    ...Object.fromEntries(roles),
    "unit:at": units.map((_, at) => at),
  }
  const kept = table(all)
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
