/**
 * A measure over each trial: its value, or why the trial does not enter. One Arquero query per measure.
 *
 * A trial enters when `given` is true and the value is there. Else the reason is the first that applies: the read that is invalid or refused
 * (whatever was skipped for want of it has the same cause), a read that was skipped and why, no target and why, a placebo target asked for its
 * probability, a factor, a column or lines that the trial lacks, no value; first for what `given` needs, then `given` itself, then for what the
 * value needs.
 */
import { type ColumnTable, table } from "arquero"
import type { ExperimentIR, ExprIR, MeasureIR } from "../../compiler/ir.ts"
import { Pairs } from "../compact/pairs.ts"
import { type Cell, type Column, type Columns, derived, reordered, Values } from "./column.ts"
import { column, compileExpression, rowFunction, type Schema } from "./expression.ts"
import { pairCodes } from "./kappa.ts"
import { needsOf } from "./needs.ts"
import { besides } from "./readColumns.ts"
import {
  attributeColumn,
  CHOICES,
  factorColumn,
  itemColumn,
  LINE_ANSWER,
  LINE_WORDS,
  roleColumn,
  type TrialTable,
} from "./table.ts"

/** A measure over each trial, in the order of `Trials`. */
export interface Outcome {
  /** A truth as 1 or 0, a kappa's two categories as `kappa.ts` says; NaN where the trial does not enter. */
  readonly values: Float64Array
  /** Beside each value its weight, the other number of a ratio or an AUROC, or the group of a difference, as `statistic.ts` says; none where a measure has none. */
  readonly others?: Float64Array
  /** Why it does not enter; null where it does. */
  readonly reasons: Column
  /** Trials with the same number look at the same reads of the same model and item, and at the same target where it matters. */
  readonly observations: Int32Array
}

const GIVEN = "measure:given"
const RAW = "measure:raw"
const OTHER = "measure:other"
const REASON = "measure:reason"

/** Why a trial does not enter when another with the same observation does. */
export const SAME_PROMPT = "same prompt as another trial"

/** An experiment's trials, in an order that depends on nothing but themselves. */
export interface Trials {
  readonly experiment: ExperimentIR
  readonly rows: number
  readonly columns: Columns
  /** The columns for Arquero, with the number of each item's options beside them, and with those that only some runs have. */
  readonly table: ColumnTable
  /** Of each trial the key of its unit. */
  readonly units: Column
  readonly alternatives: (hole: string) => number
}

export function trialsOf(trials: TrialTable): Trials {
  const { experiment, rows } = trials
  const order = trials.trials.order()
  const sorted = (column: Column): Column => reordered(column, order)
  const columns = new Map([...trials.columns()].map(([name, column]) => [name, sorted(column)] as const))
  const lacking = experiment.protocol.holes
    .flatMap((hole) => besides.map((name) => `${hole.name}.${name}`))
    .filter((name) => !columns.has(name))
    .map((name) => [name, derived(rows, () => null)] as const)
  const all = [...columns, ...lacking, [CHOICES, sorted(trials.choices)] as const]
  return {
    experiment,
    rows,
    columns,
    // Arquero asks for no more of a column than its length and what is at a row, and does not say so in its types.
    table: table(Object.fromEntries(all) as unknown as Record<string, Cell[]>),
    units: sorted(trials.units),
    alternatives: (hole) => trials.alternatives(hole),
  }
}

export function schemaOf(trials: Trials, invalidIsWrong: boolean): Schema {
  const { holes } = trials.experiment.protocol
  return {
    holes: new Map(holes.map((hole) => [hole.name, { hole, alternatives: trials.alternatives(hole.name) }])),
    invalidIsWrong,
  }
}

/** The measure's value, or why there is none, and the observation of each trial. */
export function outcomes(trials: Trials, measure: MeasureIR): Outcome {
  const schema = schemaOf(trials, measure.invalid === "wrong")
  const isKappa = measure.statistic === "kappa"
  const beside = isKappa ? undefined : (measure.weight ?? measure.other)
  const value = isKappa
    ? `op.cfx_pair(${[measure.value, measure.other!].map((one) => compileExpression(one, schema)).join(", ")})`
    : compileExpression(measure.value, schema)
  const written = beside === undefined ? "0" : compileExpression(beside, schema)
  // A weight may be a level that is written as a number, and what a ratio divides by a truth value; a difference has truth values beside its values.
  const asNumber = measure.statistic === "ratio" ? "cfx_addend" : "cfx_number"
  const other =
    beside === undefined || measure.statistic === "difference" ? written : `op.${asNumber}(${written})`
  const given = measure.given === undefined ? "true" : compileExpression(measure.given, schema)
  const givenLacks = measure.given === undefined ? "null" : lackText(schema, measure.given)
  const lacks = lackText(schema, measure.value, measure.other, measure.weight)
  const found = trials.table
    .derive({ [GIVEN]: rowFunction(given), [RAW]: rowFunction(value), [OTHER]: rowFunction(other) })
    .derive({
      [REASON]: rowFunction(
        `${column(GIVEN)} === null ? ${givenLacks} : ${column(GIVEN)} === false ? "given" : ` +
          `${column(RAW)} === null || ${column(OTHER)} === null ? ${lacks} : null`,
      ),
    })
  const [told, raw, raws] = [found.column(REASON), found.column(isKappa ? REASON : RAW), found.column(OTHER)]
  const pairs = isKappa ? pairCodes(where(found.column(RAW) as Column, told as Column)) : undefined
  const values = new Float64Array(trials.rows).fill(Number.NaN)
  const others = beside === undefined ? undefined : new Float64Array(trials.rows).fill(Number.NaN)
  const reasons = new Values()
  for (let row = 0; row < trials.rows; row++) {
    const number = Number(pairs === undefined ? raw!.at(row) : pairs.at(row))
    const reason =
      told!.at(row) ?? whyNoNumber(number, others === undefined ? 0 : Number(raws!.at(row)), measure)
    reasons.push(reason)
    if (reason !== null) continue
    values[row] = number
    if (others !== undefined) others[row] = Number(raws!.at(row))
  }
  return {
    values,
    ...(others === undefined ? {} : { others }),
    reasons,
    observations: observations(trials, measure),
  }
}

/** Why what should be numbers does not enter: a column of the item may hold any text. */
function whyNoNumber(value: number, other: number, { weight }: MeasureIR): string | null {
  if (!Number.isFinite(value) || !Number.isFinite(other)) return "no value"
  return weight !== undefined && other < 0 ? "weight below 0" : null
}

/** A column where another is null, and null elsewhere. */
const where = (column: Column, told: Column): Column =>
  derived(column.length, (row) => (told.at(row) === null ? column.at(row) : null))

/**
 * Each trial's observation: a number for each set of values in the columns that tell observations apart. A read without a prompt was put to nobody: how
 * it came out is its trial's own.
 */
function observations(trials: Trials, measure: MeasureIR): Int32Array {
  const { experiment, rows } = trials
  const needs = needsOf(measure.value, measure.other, measure.given, measure.weight)
  const holes = [...new Set([...needs.holes, ...needs.states])]
  for (const hole of holes) checkPrompts(trials, hole)
  const known = new Set(experiment.factors.map(({ name }) => name))
  const names = [
    ...["model", "pool", "item"],
    ...needs.options.flatMap((option) => [option, `${option}.option`, `${option}.kind`, `${option}.why`]),
    ...needs.levels.filter((level) => known.has(level)).map(factorColumn),
    ...needs.roles.map(roleColumn),
    // Lines are the trial's own: two arms whose lines are as long are two.
    ...(needs.lines.length > 0 ? ["trial"] : []),
  ]
  const numbers = new Int32Array(rows)
  const tellApart = (codeAt: (row: number) => number): void => {
    const pairs = new Pairs()
    for (let row = 0; row < rows; row++) numbers[row] = pairs.add(numbers[row]!, codeAt(row))
  }
  for (const name of names) {
    const codes = codesOf(columnOf(trials, name))
    tellApart((row) => codes[row]!)
  }
  for (const hole of holes) {
    const prompts = columnOf(trials, `${hole}.prompt`)
    const codes = codesOf(prompts)
    tellApart((row) => (prompts.at(row) === null ? rows + row : codes[row]!))
  }
  return numbers
}

export function columnOf(
  { columns, experiment }: Pick<Trials, "columns" | "experiment">,
  name: string,
): Column {
  const column = columns.get(name)
  if (column === undefined) throw new Error(`the trial table of ${experiment.name} has no column ${name}`)
  return column
}

/** Numbers from 0, in no order: rows have the same one where they have the same value. */
export function codesOf(column: Column): Int32Array {
  if (column.codeAt !== undefined) {
    const codes = new Int32Array(column.length)
    for (let row = 0; row < codes.length; row++) codes[row] = column.codeAt(row)
    return codes
  }
  const known = new Map<Cell, number>()
  return Int32Array.from({ length: column.length }, (_, row) => {
    const value = column.at(row)
    const code = known.get(value) ?? known.size
    if (code === known.size) known.set(value, code)
    return code
  })
}

function checkPrompts(trials: Trials, hole: string): void {
  const [status, prompt] = [columnOf(trials, `${hole}.status`), columnOf(trials, `${hole}.prompt`)]
  for (let row = 0; row < trials.rows; row++) {
    const said = status.at(row)
    if (prompt.at(row) === null && said !== "skipped" && said !== "invalid")
      throw new Error(`${columnOf(trials, "trial").at(row)} has a value of ${hole} without its prompt`)
  }
}

/** The trials as they count together: of those that enter with one observation, the first. */
export function once<T extends { readonly reason: string | null; readonly observation: number }>(
  trials: readonly T[],
): readonly (T & { readonly reason: string | null })[] {
  const seen = new Set<number>()
  return trials.map((trial) => {
    if (trial.reason !== null) return trial
    if (seen.has(trial.observation)) return { ...trial, value: null, reason: SAME_PROMPT }
    seen.add(trial.observation)
    return trial
  })
}

/** Why expressions of which one has no value have none, as text over a row. */
function lackText(schema: Schema, ...expressions: readonly (ExprIR | undefined)[]): string {
  const needs = needsOf(...expressions)
  // In the protocol's order: what failed first is the cause.
  const inOrder = (names: readonly string[]) =>
    [...schema.holes.keys()].filter((hole) => names.includes(hole))
  const holes = inOrder(needs.holes)
  const all = inOrder([...needs.holes, ...needs.states])
  const said = JSON.stringify
  const is = (name: string, status: string) => `${column(`${name}.status`)} === ${said(status)}`
  const lacks = (name: string, reason: string) => [`${column(name)} === null`, said(reason)] as const
  const reasons: (readonly [condition: string, reason: string])[] = [
    ...all.map((hole) => [is(hole, "invalid"), said(`invalid ${hole}`)] as const),
    ...holes.map((hole) => [is(hole, "refused"), said(`refused ${hole}`)] as const),
    ...all.map((hole) => [is(hole, "skipped"), `op.cfx_skipped(${column(`${hole}.why`)})`] as const),
    ...needs.options.map(
      (option) =>
        [`${column(`${option}.kind`)} === "none"`, `op.cfx_no_target(${column(`${option}.why`)})`] as const,
    ),
    ...needs.probabilities.map(
      (option) => [`${column(`${option}.kind`)} === "placebo"`, said("placebo target has no p")] as const,
    ),
    ...needs.placebos.map(
      (hole) =>
        [
          `${column("target.kind")} === "placebo" && ${column(`${hole}.placebo`)} === null`,
          said("no raw probability of the placebo label"),
        ] as const,
    ),
    ...needs.levels.map((level) => lacks(factorColumn(level), `no ${level}`)),
    ...needs.roles.map((role) => lacks(roleColumn(role), `no ${role}`)),
    ...needs.columns.map((name) => lacks(itemColumn(name), `no ${itemColumn(name)}`)),
    ...needs.attributes.map((name) => lacks(attributeColumn(name), `no ${attributeColumn(name)}`)),
    ...(needs.lines.length > 0 ? [lacks(LINE_WORDS, "no lines")] : []),
    ...(needs.lines.includes("answer_index") ? [lacks(LINE_ANSWER, "no answer in its lines")] : []),
    ...needs.distributions.map(
      (hole) =>
        [
          `${column(`${hole}.unlisted`)} !== null`,
          said(`probability not listed by the server at ${hole}`),
        ] as const,
    ),
  ]
  const text = reasons.map(([condition, reason]) => `${condition} ? ${reason} : `).join("")
  return `(${text}"no value")`
}
