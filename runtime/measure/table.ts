/**
 * The trial table: one row per trial, as measures, `trials.csv` and the report read it.
 *
 * Columns: `experiment model pool item trial`, each factor under its own name, columns of the item (`item.x`), attributes of the studied model
 * (`model.x`), who plays each role (`ROLE.model`), `line.words` and `line.answer_index` of the arm's lines, `gold target pushed` as labels with
 * the option's index (from 0) beside them, and for each read its status and what it gave; `readColumns.ts` has these. Options are numbered in
 * the pool's order, in whatever order a trial shows them, and their labels are the pool's. Rows of one model and item with the same number of a
 * prompt share one read: they are one observation of it, not several. What has no value is null: never 0, false or NaN.
 */
import { type ColumnTable, table } from "arquero"
import type { ExperimentIR } from "../../compiler/ir.ts"
import type { Target } from "../../compiler/trial.ts"
import type { TrialRecord } from "../record.ts"
import { expressionsOf, groupingColumns, needsOf } from "./needs.ts"
import { addReads, besides, besidesOf } from "./readColumns.ts"

export type Cell = string | number | boolean | null
export type Columns = ReadonlyMap<string, readonly Cell[]>

const OWN = ["experiment", "model", "pool", "item", "trial", "shown", "gold", "target", "pushed"]

/** The column of a factor: its own name, unless the table has a column of that name itself. `model` and `pool` are columns already. */
export function factorColumn(factor: string): string {
  if (factor === "model" || factor === "pool") return factor
  return OWN.includes(factor) ? `level:${factor}` : factor
}

/** The column of an item's column, and that of an attribute of a model. */
export const itemColumn = (name: string): string => `item.${name}`
export const attributeColumn = (name: string): string => `model.${name}`

/** The column of the model in a role, by its name; `model` is the studied one. */
export const roleColumn = (role: string): string => (role === "model" ? "model" : `${role}.model`)

/** How many options an item has. */
export const CHOICES = "item.choices"
export const LINE_WORDS = "line.words"
export const LINE_ANSWER = "line.answer_index"

/** Columns in the order of `trials.csv`, rows in the order of the records, which are of this experiment. `ties` as `readColumns.ts` says. */
export function columnsOf(
  records: readonly TrialRecord[],
  experiment: ExperimentIR,
  ties?: ReadonlyMap<string, number>,
): Columns {
  const columns = new Map<string, readonly Cell[]>()
  const add = (name: string, value: (record: TrialRecord) => Cell) => columns.set(name, records.map(value))
  const needs = needsOf(...expressionsOf(experiment))

  add("experiment", (record) => record.experiment)
  add("model", (record) => record.model)
  add("pool", (record) => record.pool)
  add("item", (record) => record.item)
  for (const { name } of experiment.factors) {
    if (name !== "model" && name !== "pool") add(factorColumn(name), (record) => record.levels[name] ?? null)
  }
  const keys = (of: (record: TrialRecord) => Readonly<Record<string, unknown>>, also: readonly string[]) => [
    ...new Set([...also, ...records.flatMap((record) => Object.keys(of(record)))]),
  ]
  for (const name of keys(({ columns }) => columns, [...needs.columns, ...groupingColumns(experiment)]))
    add(itemColumn(name), (record) => record.columns[name] ?? null)
  for (const name of keys(({ attributes }) => attributes, needs.attributes))
    add(attributeColumn(name), (record) => record.attributes[name] ?? null)
  for (const role of experiment.protocol.roles) add(roleColumn(role), (record) => record.roles[role] ?? null)
  if (needs.lines || records.some(({ lines }) => lines !== undefined)) {
    add(LINE_WORDS, ({ lines }) => lines?.words ?? null)
    add(LINE_ANSWER, ({ lines }) => lines?.answerIndex ?? null)
  }
  const isReordered = ({ labels, shown }: TrialRecord) => labels.some((label, at) => label !== shown[at])
  if (records.some(isReordered)) add("shown", ({ shown }) => shown.join(" "))
  add("gold", (record) => record.labels[record.gold] ?? null)
  add("gold.option", (record) => record.gold)
  for (const name of ["target", "pushed"] as const) {
    add(name, (record) => labelOf(record[name], record.labels))
    add(`${name}.option`, (record) => (record[name].kind === "option" ? record[name].index : null))
    add(`${name}.kind`, (record) => record[name].kind)
    add(`${name}.why`, (record) => (record[name].kind === "none" ? record[name].why : null))
  }
  for (const hole of experiment.protocol.holes) {
    addReads(columns, hole, records, experiment.protocol, ties)
    for (const [name, column] of Object.entries(besidesOf(hole, records)))
      if (column.some((value) => value !== null)) columns.set(`${hole.name}.${name}`, column)
  }
  add("trial", (record) => record.trial)
  return columns
}

/** The same as an Arquero table, with the number of each item's options beside it, and with the columns that only some runs have. */
export function trialTable(records: readonly TrialRecord[], experiment: ExperimentIR): ColumnTable {
  const known = columnsOf(records, experiment)
  const columns = [...known].map(([name, column]) => [name, [...column]] as const)
  const lacking = experiment.protocol.holes
    .flatMap((hole) => besides.map((name) => `${hole.name}.${name}`))
    .filter((name) => !known.has(name))
    .map((name) => [name, records.map((): Cell => null)] as const)
  const choices = records.map(({ labels }) => labels.length)
  return table(Object.fromEntries([...columns, ...lacking, [CHOICES, choices]]))
}

function labelOf(target: Target, labels: readonly string[]): string | null {
  if (target.kind === "option") return labels[target.index] ?? null
  return target.kind === "placebo" ? target.label : null
}
