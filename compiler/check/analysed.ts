/** What the analysis of an experiment may speak of: its measures, its columns, and the trials that have some levels of these. */
import type { AssertionArgument, Experiment, Expression, Name, Protocol } from "../../grammar/ast.ts"
import { evaluate } from "../evaluate.ts"
import type { ExprIR } from "../ir.ts"
import {
  armsOf,
  columnsOf,
  fieldsOf,
  fixedLevels,
  isFactor,
  modelsOf,
  outerColumns,
  poolsOf,
} from "../lower/columns.ts"
import { lowerExpression } from "../lower/expression.ts"
import { gridOf } from "../lower/grid.ts"
import { measureName } from "../lower/measures.ts"
import { levelName } from "../lower/print.ts"
import { readsOf } from "../lower/reads.ts"
import { recordedOuter } from "../lower/recorded.ts"
import { designScope, type ReadOf } from "../lower/scope.ts"
import { lacksArms } from "../lower/slotFills.ts"
import { rolesOf } from "../lower/turns.ts"
import type { Bound, Names } from "../resolve.ts"
import { declaredFactors, headOf } from "../resolveReferences.ts"
import { unhalved } from "./arms.ts"
import { designEnvironment } from "./environment.ts"
import { type Around, aroundOf, protocolOf } from "./measures.ts"
import type { Scene } from "./scene.ts"
import { type Environment, expect } from "./types.ts"

export interface Analysed {
  readonly experiment: Experiment
  readonly measures: readonly string[]
  /** Levels by column, `model` and `pool` among them; none where a level, or that there is none, was reported: any other may be meant. */
  readonly columns: ReadonlyMap<string, readonly string[] | undefined>
  /** Whether a measure, or a factor, or that there are no arms, or that levels do not fit, was reported, so that any other may be meant. */
  readonly unsure: { readonly measures: boolean; readonly columns: boolean; readonly cells: boolean }
  readonly protocol: Bound<Protocol> | undefined
  readonly reads: readonly ReadOf[]
  readonly roles: readonly string[]
  readonly around: Around
  readonly names: Names
  /** The kinds of trials that there are: one for each cell of the grid, model and pool. */
  readonly trials: () => readonly Trials[]
}

export type Levels = Readonly<Record<string, string>>

/** Trials of one kind. */
export interface Trials {
  /** From 0, among all kinds of an experiment. */
  readonly number: number
  /** Of the cell of the grid, which may lack a column. */
  readonly levels: Levels
  /** Of `model` and `pool`. */
  readonly around: Levels
}

/** The level that trials have in a column; none where they lack it. */
export const levelOf = ({ levels, around }: Trials, column: string): string | undefined =>
  Object.hasOwn(around, column) ? around[column] : Object.hasOwn(levels, column) ? levels[column] : undefined

export const analysedOf = (experiment: Experiment, scene: Scene): Analysed => {
  const { names } = scene
  const protocol = protocolOf(experiment, scene)
  const measured = fieldsOf(experiment, "measure")
  const known = (written: readonly Name[], kind: "model" | "items") =>
    written.length > 0 && written.every((name) => names.find(name, kind) !== undefined)
      ? written.map(({ text }) => text)
      : undefined
  const assertions = armsOf(experiment).flatMap(({ stimulus }) =>
    stimulus.kind === "assertion" ? [stimulus] : [],
  )
  const factors = assertions.flatMap((assertion) => assertion.arguments)
  const doubtful = new Set(
    factors.filter((argument) => !isKnown(argument, names)).map(({ factor }) => factor.text),
  )
  const columns = new Map<string, readonly string[] | undefined>([
    ...columnsOf(experiment, names).map(
      ({ name, levels }) => [name, doubtful.has(name) || levels.length === 0 ? undefined : levels] as const,
    ),
    ["model", recordedOuter(experiment, "model") ?? known(modelsOf(experiment), "model")],
    [
      "pool",
      recordedOuter(experiment, "pool") ??
        known(
          poolsOf(experiment).map(({ pool }) => pool),
          "items",
        ),
    ],
  ])
  const roles = protocol === undefined ? [] : rolesOf(protocol.declaration).map(({ text }) => text)
  let trials: readonly Trials[] | undefined
  return {
    experiment,
    protocol,
    names,
    measures: measured.map((field) => measureName(field).text),
    columns,
    reads: protocol === undefined ? [] : readsOf(protocol, names),
    roles,
    around: aroundOf(experiment, names),
    unsure: {
      measures: measured.some(({ metric }) => names.find(metric, "metric") === undefined),
      columns:
        (fieldsOf(experiment, "arms").length > 0 && armsOf(experiment).length === 0) ||
        (protocol !== undefined && lacksArms(experiment, protocol.declaration)) ||
        factors.some(({ factor }) => !isFactor(factor.text)),
      cells: assertions.some((assertion) => unhalved(assertion, names).length > 0),
    },
    trials: () => {
      trials ??= allTrials(experiment, columns, roles, scene)
      return trials
    },
  }
}

/** Whether every level of a factor is one that there is. */
const isKnown = ({ factor, levels }: AssertionArgument, names: Names): boolean => {
  const kind = declaredFactors.get(factor.text)
  const fixed: readonly string[] = isFactor(factor.text) ? (fixedLevels[factor.text] ?? []) : []
  return levels.every((level) => {
    if (fixed.includes(levelName(level))) return true
    const head = headOf(level)
    // A list and a wording are made of words of their own, which are checked where they stand.
    if (head === undefined || kind === undefined) return kind === undefined || level.kind !== "text"
    return names.find(head, kind) !== undefined
  })
}

/** The grid for each model and pool, without what `only when` and `except when` are sure to leave out. */
const allTrials = (
  experiment: Experiment,
  columns: Analysed["columns"],
  roles: readonly string[],
  scene: Scene,
): readonly Trials[] => {
  const conditions = conditionsOf(experiment, columns, roles, scene)
  const outer = outerColumns.reduce<readonly Levels[]>(
    (before, column) =>
      before.flatMap((around) =>
        (columns.get(column) ?? []).map((level) => ({ ...around, [column]: level })),
      ),
    [{}],
  )
  const all: Trials[] = []
  for (const { levels } of gridOf(experiment, scene.names)) {
    for (const around of outer) {
      const trials = { number: all.length, levels, around }
      if (conditions.every((passes) => passes(trials))) all.push(trials)
    }
  }
  return all
}

const conditionsOf = (
  experiment: Experiment,
  columns: Analysed["columns"],
  roles: readonly string[],
  scene: Scene,
): readonly ((trials: Trials) => boolean)[] => {
  if (fieldsOf(experiment, "only").length === 0 && fieldsOf(experiment, "except").length === 0) return []
  const environment = designEnvironment(columns, roles)
  const scope = designScope(columns.keys(), roles, scene.names)
  return (["only", "except"] as const).flatMap((field) =>
    fieldsOf(experiment, field).flatMap(({ condition }) => {
      if (!isTyped(condition, environment, scene)) return []
      const test = lowerExpression(condition, scope)
      const isExcept = field === "except"
      return [(trials: Trials) => verdictOf(test, (column) => levelOf(trials, column)) !== isExcept]
    }),
  )
}

/** Whether a condition has no mistake; those that it has are reported where the condition is checked. */
const isTyped = (condition: Expression, environment: Environment, scene: Scene): boolean => {
  let typed = true
  const listening: Scene = {
    ...scene,
    say: () => {
      typed = false
    },
  }
  expect(condition, "truth value", "The condition", environment, listening)
  return typed
}

/** What a condition over the design comes to, by the level in each column; undefined where that is not known. */
export const verdictOf = (test: ExprIR, levelIn: (column: string) => string | undefined) =>
  evaluate(test, {
    level: levelIn,
    role: (role) => {
      const level = levelIn(role)
      return level === "model" ? levelIn("model") : level
    },
    reading: () => undefined,
    attribute: () => undefined,
  })

/** Whether everything that makes trials is known; else what is not was reported, and nothing follows from the rest. */
export const isSettled = ({ columns, unsure }: Analysed): boolean =>
  !unsure.columns && !unsure.cells && [...columns.values()].every((levels) => levels !== undefined)

/** The kinds of trials that have these levels, of which these conditions hold, and that have any level of `having`. */
export const trialsOf = (
  levels: Levels,
  analysed: Analysed,
  having = "arm",
  conditions: readonly Expression[] = [],
): readonly Trials[] => {
  const wanted = Object.entries(levels)
  const { columns, roles, names } = analysed
  const tests = conditions.map((condition) =>
    lowerExpression(condition, designScope(columns.keys(), roles, names)),
  )
  return analysed
    .trials()
    .filter(
      (trials) =>
        levelOf(trials, having) !== undefined &&
        wanted.every(([factor, level]) => levelOf(trials, factor) === level) &&
        tests.every((test) => verdictOf(test, (column) => levelOf(trials, column)) === true),
    )
}
