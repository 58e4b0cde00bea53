/** Tables of measures with their results found, before they are laid out. */
import type { ExperimentIR, MeasureIR } from "../../compiler/ir.ts"
import type { Columns } from "../measure/column.ts"
import { printExpression } from "../measure/print.ts"
import type { Result } from "../measure/result.ts"
import { namingColumns } from "../measure/units.ts"
import { type Group, groupsOf } from "../measure/views.ts"
import { belowFloor } from "./engine.ts"
import { factorHead } from "./factorHead.ts"
import type { ReportInput } from "./input.ts"
import { lackingNotes } from "./lacking.ts"
import { askedIn, type ByView, find, measureOf } from "./lookup.ts"
import { isDifference, isProbability } from "./unit.ts"
import { boundedBy } from "./unlisted.ts"

export interface TableView {
  readonly name: string
  /** As its first columns are headed. */
  readonly factors: readonly string[]
  readonly measures: readonly MeasureIR[]
  readonly rows: readonly TableRow[]
  /** Columns of the cells that are averaged over; none where trials are. */
  readonly macro?: readonly string[]
  /** How cells are averaged, where it is not by their mean. */
  readonly of?: "median"
  /** The condition on its trials, in the language's words. */
  readonly where?: string
  /** What a reader must know besides, a sentence each. */
  readonly notes: readonly string[]
  /** Factors of which all rows have one level: they stand with the caption, and are no columns. */
  readonly constant: Readonly<Record<string, string>>
}

export interface TableRow {
  /** By factor, in the table's order; undefined where the arm lacks it. */
  readonly levels: readonly (string | undefined)[]
  /** By measure, in the table's order. */
  readonly results: readonly Result[]
  /** By measure, why a number says little; undefined where there is no reason. */
  readonly cautions: readonly (string | undefined)[]
}

/** A spec without tables has one of everything: every cell by every measure. */
export function tablesOf(
  input: ReportInput,
  experiment: ExperimentIR,
  results: ByView,
  ofTrials: Columns,
): readonly TableView[] {
  const everything: ExperimentIR["tables"][number] = {
    name: "all cells",
    rows: namingColumns(experiment),
    columns: experiment.measures.map(({ name }) => name),
    average: "pooled",
  }
  const tables = experiment.tables.length === 0 ? [everything] : experiment.tables
  return tables.map(({ name, rows, columns, average, where }) => {
    const measures = columns.map((column) => measureOf(experiment, column))
    const groups = groupsOf(experiment, ofTrials, { factors: rows, where, average })
    const constant = constantAmong(rows, groups)
    const factors = rows.filter((factor) => constant[factor] === undefined)
    return {
      name,
      factors: factors.map(factorHead),
      measures,
      rows: groups.map((group) => {
        const found = columns.map((column) => find(results, column, group))
        return {
          levels: factors.map((factor) => group.levels[factor]),
          results: found,
          cautions: found.map((result, at) => cautionOf(input, experiment, measures[at]!, result)),
        }
      }),
      notes: [
        ...lackingNotes(experiment, rows, groups),
        ...measures.flatMap((measure) => boundedBy(measure, experiment, input.tables) ?? []),
      ],
      constant,
      ...(average === "pooled"
        ? {}
        : { macro: average.macro, ...(average.of === undefined ? {} : { of: average.of }) }),
      ...(where === undefined ? {} : { where: printExpression(where) }),
    }
  })
}

/** The factors of which all rows have the same level, where other factors are left to tell rows apart. */
function constantAmong(
  factors: readonly string[],
  groups: readonly Group[],
): Readonly<Record<string, string>> {
  if (groups.length < 2) return {}
  const constant = factors.flatMap((factor) => {
    const levels = new Set(groups.map((group) => group.levels[factor]))
    const [level] = levels
    return levels.size === 1 && level !== undefined ? [[factor, level] as const] : []
  })
  return Object.fromEntries(constant)
}

/** What the number says of itself; else a probability that moved by less than twice what the engine moves by itself. */
function cautionOf(
  input: ReportInput,
  experiment: ExperimentIR,
  measure: MeasureIR,
  { estimate, by, cautions }: Result,
): string | undefined {
  if (cautions !== undefined) return cautions.join("; ")
  if (!isDifference(measure) || !isProbability(measure)) return undefined
  return belowFloor(estimate, by.model === undefined ? askedIn(input, experiment) : [by.model], input)
}
