/**
 * The trial table: one row per trial, as measures, `trials.csv` and the report read it. Records are taken one after another and none is kept.
 *
 * Columns: `experiment model pool item trial`, each factor under its own name, columns of the item (`item.x`), attributes of the studied model
 * (`model.x`), who plays each role (`ROLE.model`), `line.words` and `line.answer_index` of the arm's lines, `gold target pushed` as labels with
 * the option's index (from 0) beside them, and for each read its status and what it gave; `readColumns.ts` has these. Options are numbered in
 * the pool's order, in whatever order a trial shows them, and their labels are the pool's. Rows of one model and item with the same number of a
 * prompt share one read: they are one observation of it, not several. What has no value is null: never 0, false or NaN.
 */
import type { ExperimentIR, Program } from "../../compiler/ir.ts"
import type { Target } from "../../compiler/trial.ts"
import type { TrialRecord } from "../record.ts"
import {
  type Cell,
  type Column,
  type Columns,
  Counts,
  type Filled,
  type PackedColumn,
  padded,
  Values,
} from "./column.ts"
import { labelsText } from "./labelList.ts"
import { expressionsOf, groupingColumns, needsOf } from "./needs.ts"
import { PromptNumbers } from "./promptNumbers.ts"
import { type PackedRead, ReadColumns } from "./readColumns.ts"
import { TrialIds } from "./trialIds.ts"
import { unitKey, unitOf } from "./units.ts"

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

/** What a table holds, as it is written to disk; the experiment says what stands where. */
export interface PackedTable {
  readonly fixed: readonly PackedColumn[]
  readonly items: ReadonlyMap<string, PackedColumn>
  readonly attributes: ReadonlyMap<string, PackedColumn>
  readonly trials: readonly PackedColumn[]
  readonly reads: readonly PackedRead[]
  readonly hasLines: boolean
  readonly isReordered: boolean
}

export class TrialTable {
  readonly experiment: ExperimentIR
  /** Of each trial the key of its unit (`units.ts`). */
  readonly units = new Values()
  readonly choices = new Counts()
  readonly trials = new TrialIds()
  readonly #needsLines: boolean
  /** What stands in each of the columns that every run has, before the item's and behind the lines'. */
  readonly #design: readonly Fixed[]
  readonly #answers: readonly Fixed[]
  readonly #items = new Map<string, Values>()
  readonly #attributes = new Map<string, Values>()
  readonly #roles: readonly Fixed[]
  /** Lines of an arm are as long for most of its items. */
  readonly #words = new Values()
  readonly #places = new Values()
  #hasLines = false
  /** Of each trial the labels under which its options were shown, in the order of the pool, as `labelList.ts` writes them. */
  readonly shown = new Values()
  #lastShown: readonly string[] | undefined
  #lastShownText = ""
  #isReordered = false
  readonly #reads: readonly ReadColumns[]
  readonly #grouping: readonly string[]
  readonly #unitKeys = new WeakMap<TrialRecord["levels"], Map<string, Map<string, string>>>()

  constructor(experiment: ExperimentIR) {
    const { factors, protocol } = experiment
    this.experiment = experiment
    const needs = needsOf(...expressionsOf(experiment))
    this.#needsLines = needs.lines.length > 0
    this.#grouping = groupingColumns(experiment)
    for (const name of [...needs.columns, ...this.#grouping]) this.#items.set(name, new Values())
    for (const name of needs.attributes) this.#attributes.set(name, new Values())
    this.#design = [
      fixed("experiment", new Values(), (record) => record.experiment),
      fixed("model", new Values(), (record) => record.model),
      fixed("pool", new Values(), (record) => record.pool),
      fixed("item", new Values(), (record) => record.item),
      ...factors.flatMap(({ name }) =>
        name === "model" || name === "pool"
          ? []
          : fixed(factorColumn(name), new Values(), (record) => record.levels[name] ?? null),
      ),
    ]
    this.#roles = protocol.roles.map((role) =>
      fixed(roleColumn(role), new Values(), (record) => record.roles[role] ?? null),
    )
    this.#answers = [
      fixed("gold", new Values(), (record) => record.labels[record.gold] ?? null),
      fixed("gold.option", new Counts(), (record) => record.gold),
      ...targetColumns("target"),
      ...targetColumns("pushed"),
    ]
    this.#reads = readsOf(protocol)
  }

  get rows(): number {
    return this.trials.length
  }

  /** Takes a record of this experiment; none after `close`. */
  take(record: TrialRecord): void {
    const row = this.rows
    for (const { column, value } of this.#design) column.push(value(record))
    take(this.#items, record.columns, row)
    take(this.#attributes, record.attributes, row)
    for (const { column, value } of this.#roles) column.push(value(record))
    const { lines, labels, shown } = record
    if (lines !== undefined) this.#hasLines = true
    this.#words.push(finite(lines?.words))
    this.#places.push(finite(lines?.answerIndex))
    if (!this.#isReordered && labels !== shown)
      this.#isReordered = labels.some((label, at) => label !== shown[at])
    if (shown !== this.#lastShown) {
      this.#lastShown = shown
      this.#lastShownText = labelsText(shown)
    }
    this.shown.push(this.#lastShownText)
    for (const { column, value } of this.#answers) column.push(value(record))
    for (const read of this.#reads) read.take(record, row)
    this.units.push(this.#unitOf(record))
    this.choices.push(labels.length)
    this.trials.take(record)
  }

  /** The key of a record's unit. Records of a cell share their levels, so that keys by model and pool are kept beside these. */
  #unitOf(record: TrialRecord): string {
    if (this.#grouping.length > 0) return unitKey(unitOf(record, this.#grouping))
    const { levels, model, pool } = record
    const ofLevels = this.#unitKeys.get(levels) ?? new Map<string, Map<string, string>>()
    this.#unitKeys.set(levels, ofLevels)
    const ofModel = ofLevels.get(model) ?? new Map<string, string>()
    ofLevels.set(model, ofModel)
    const known = ofModel.get(pool) ?? unitKey(unitOf(record, []))
    ofModel.set(pool, known)
    return known
  }

  /** Says that no record follows, so that what only new ones need is let go. */
  close(): void {
    for (const read of this.#reads) read.close()
  }

  /** The columns that every table of the experiment has. */
  get #fixed(): readonly Filled[] {
    const named = [...this.#design, ...this.#roles, ...this.#answers].map(({ column }) => column)
    return [...named, this.#words, this.#places, this.shown, this.units, this.choices]
  }

  packed(): PackedTable {
    return {
      fixed: this.#fixed.map((column) => column.packed()),
      items: packedAll(this.#items),
      attributes: packedAll(this.#attributes),
      trials: this.trials.packed(),
      reads: this.#reads.map((read) => read.packed()),
      hasLines: this.#hasLines,
      isReordered: this.#isReordered,
    }
  }

  /** A table that is closed, from what `packed` of one of the same experiment gave. */
  static unpacked(experiment: ExperimentIR, packed: PackedTable): TrialTable {
    const table = new TrialTable(experiment)
    for (const [at, column] of table.#fixed.entries()) column.unpack(packed.fixed[at] ?? {})
    unpackAll(table.#items, packed.items)
    unpackAll(table.#attributes, packed.attributes)
    table.trials.unpack(packed.trials)
    for (const [at, read] of table.#reads.entries()) read.unpack(packed.reads[at] as PackedRead)
    table.#hasLines = packed.hasLines
    table.#isReordered = packed.isReordered
    return table
  }

  /** Columns in the order of `trials.csv`, rows in the order of the records. `ties` as `readColumns.ts` says. */
  columns(ties?: ReadonlyMap<string, number>): Columns {
    const { rows } = this
    const columns = new Map<string, Column>()
    const addAll = (all: readonly Fixed[]) => {
      for (const { name, column } of all) columns.set(name, column)
    }
    addAll(this.#design)
    for (const [name, column] of this.#items) columns.set(itemColumn(name), padded(column, rows))
    for (const [name, column] of this.#attributes) columns.set(attributeColumn(name), padded(column, rows))
    addAll(this.#roles)
    if (this.#needsLines || this.#hasLines) {
      columns.set(LINE_WORDS, this.#words)
      columns.set(LINE_ANSWER, this.#places)
    }
    if (this.#isReordered) columns.set("shown", this.shown)
    addAll(this.#answers)
    for (const read of this.#reads) {
      for (const [name, column] of read.columns(rows, columns, ties)) columns.set(name, column)
    }
    columns.set("trial", this.trials)
    return columns
  }

  /** How many alternatives a read has a probability for; none where it has no distribution. */
  alternatives(hole: string): number {
    return this.#reads.find((read) => read.hole.name === hole)?.alternatives ?? 0
  }
}

/** By the experiment's name, in the program's order. */
export type Tables = ReadonlyMap<string, TrialTable>

export const emptyTables = (program: Program): Tables =>
  new Map(program.experiments.map((experiment) => [experiment.name, new TrialTable(experiment)]))

export function takeRecord(tables: Tables, record: TrialRecord): void {
  const table = tables.get(record.experiment)
  if (table === undefined) throw new Error(`a record is of ${record.experiment}, which the program lacks`)
  table.take(record)
}

/** The tables of records that are at hand. */
export function tablesOf(program: Program, records: Iterable<TrialRecord>): Tables {
  const tables = emptyTables(program)
  for (const record of records) takeRecord(tables, record)
  return tables
}

/** A column that every run has. */
interface Fixed {
  readonly name: string
  readonly column: Filled
  readonly value: (record: TrialRecord) => Cell
}

const fixed = (name: string, column: Filled, value: Fixed["value"]): Fixed => ({ name, column, value })

const targetColumns = (name: "target" | "pushed"): readonly Fixed[] => [
  fixed(name, new Values(), (record) => labelOf(record[name], record.labels)),
  fixed(`${name}.option`, new Counts(), ({ [name]: target }) =>
    target.kind === "option" ? target.index : null,
  ),
  fixed(`${name}.kind`, new Values(), ({ [name]: target }) => target.kind),
  fixed(`${name}.why`, new Values(), ({ [name]: target }) => (target.kind === "none" ? target.why : null)),
]

/** Values of columns that a record may have or lack, at its row. */
function take(columns: Map<string, Values>, values: Readonly<Record<string, Cell>>, row: number): void {
  for (const name of Object.keys(values)) {
    const column = columns.get(name) ?? new Values()
    columns.set(name, column)
    padded(column, row).push(values[name] ?? null)
  }
}

const packedAll = (columns: ReadonlyMap<string, Values>): ReadonlyMap<string, PackedColumn> =>
  new Map([...columns].map(([name, column]) => [name, column.packed()]))

/** In the order in which they were met, which is that of `trials.csv`. */
function unpackAll(columns: Map<string, Values>, packed: ReadonlyMap<string, PackedColumn>): void {
  for (const [name, one] of packed) {
    const column = columns.get(name) ?? new Values()
    column.unpack(one)
    columns.set(name, column)
  }
}

/** In a function of its own: what the functions of a constructor share lives as long as any of them, and the numbers of prompts are let go. */
function readsOf(protocol: ExperimentIR["protocol"]): readonly ReadColumns[] {
  const numbers = new PromptNumbers()
  return protocol.holes.map((hole) => new ReadColumns(hole, protocol, numbers))
}

const finite = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null

function labelOf(target: Target, labels: readonly string[]): string | null {
  if (target.kind === "option") return labels[target.index] ?? null
  return target.kind === "placebo" ? target.label : null
}
