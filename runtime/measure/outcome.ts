/**
 * A measure over each trial: its value, or why the trial does not enter. One Arquero query per measure.
 *
 * A trial enters when `given` is true and the value is there. Else the reason is the first that applies: the read that is invalid or refused
 * (whatever was skipped for want of it has the same cause), a read that was skipped and why, no target and why, a placebo target asked for its
 * probability, a factor, a column or lines that the trial lacks, no value; first for what `given` needs, then `given` itself, then for what the
 * value needs.
 */
import type { ColumnTable } from "arquero"
import type { ExperimentIR, ExprIR, MeasureIR } from "../../compiler/ir.ts"
import type { TrialRecord } from "../record.ts"
import { column, compileExpression, rowFunction, type Schema } from "./expression.ts"
import { pairCodes } from "./kappa.ts"
import { needsOf } from "./needs.ts"
import { alternatives, promptHole } from "./readColumns.ts"
import { attributeColumn, factorColumn, itemColumn, LINE_WORDS, roleColumn, trialTable } from "./table.ts"

/**
 * The columns that `outcomes` adds: `value` (a rate's truth as 1 or 0, a kappa's two categories as `kappa.ts` says) and `reason`, one of them null, and the number of the observation:
 * trials with the same number look at the same reads of the same model and item, and at the same target where it matters.
 */
export const VALUE = "measure:value"
export const REASON = "measure:reason"
export const OBSERVATION = "measure:observation"

const RAW = "measure:raw"

/** Why a trial does not enter when another with the same observation does. */
export const SAME_PROMPT = "same prompt as another trial"

/** An experiment's trials, in an order that depends on nothing but themselves. */
export interface Trials {
  readonly experiment: ExperimentIR
  readonly records: readonly TrialRecord[]
  readonly table: ColumnTable
}

export function trialsOf(experiment: ExperimentIR, records: readonly TrialRecord[]): Trials {
  const own = records
    .filter((record) => record.experiment === experiment.name)
    .sort((a, b) => (a.trial < b.trial ? -1 : a.trial > b.trial ? 1 : 0))
  return { experiment, records: own, table: trialTable(own, experiment) }
}

export function schemaOf(trials: Trials, invalidIsWrong: boolean): Schema {
  const { holes } = trials.experiment.protocol
  return {
    holes: new Map(
      holes.map((hole) => [hole.name, { hole, alternatives: alternatives(hole, trials.records) }]),
    ),
    invalidIsWrong,
  }
}

/** The trials with the measure's value, reason and observation beside them. */
export function outcomes(trials: Trials, measure: MeasureIR): ColumnTable {
  const schema = schemaOf(trials, measure.invalid === "wrong")
  const compiled = [measure.value, ...(measure.other === undefined ? [] : [measure.other])].map((one) =>
    compileExpression(one, schema),
  )
  const value = measure.statistic === "kappa" ? `op.cfx_pair(${compiled.join(", ")})` : compiled[0]!
  const given = measure.given === undefined ? "true" : compileExpression(measure.given, schema)
  const givenLacks = measure.given === undefined ? "null" : lackText(schema, measure.given)
  const table = trials.table
    .assign({ [OBSERVATION]: observations(trials, measure) })
    .derive({ "measure:given": rowFunction(given), [RAW]: rowFunction(value) })
    .derive({
      [REASON]: rowFunction(
        `${column("measure:given")} === null ? ${givenLacks} : ${column("measure:given")} === false ? "given" : ` +
          `${column(RAW)} === null ? ${lackText(schema, measure.value, measure.other)} : null`,
      ),
    })
  const entered = `${column(REASON)} === null`
  if (measure.statistic !== "kappa")
    return table.derive({ [VALUE]: rowFunction(`${entered} ? ${column(RAW)} * 1 : null`) })
  const pairs = table.derive({ [VALUE]: rowFunction(`${entered} ? ${column(RAW)} : null`) }).array(VALUE)
  return table.assign({ [VALUE]: [...pairCodes([...(pairs as (string | null)[])])] })
}

/** Each trial's observation, numbered in the order in which they come up. */
function observations(trials: Trials, measure: MeasureIR): readonly number[] {
  const needs = needsOf(measure.value, measure.other, measure.given)
  const holes = [...new Set([...needs.holes, ...needs.states])]
  const numbers = new Map<string, number>()
  return trials.records.map((record) => {
    const key = JSON.stringify([
      [record.model, record.pool, record.item],
      holes.map((hole) => promptOf(trials, record, hole)),
      needs.options.map((option) => record[option]),
      needs.levels.map((level) => record.levels[level] ?? null),
      needs.roles.map((role) => record.roles[role] ?? null),
      // Lines are the trial's own: two arms whose lines are as long are two.
      needs.lines ? record.trial : null,
    ])
    const known = numbers.get(key) ?? numbers.size
    numbers.set(key, known)
    return known
  })
}

function promptOf({ experiment }: Trials, record: TrialRecord, name: string): string | null {
  const { protocol } = experiment
  const hole = protocol.holes.find((one) => one.name === name)
  const prompt = record.prompts[hole === undefined ? name : promptHole(hole, protocol)]
  const status = record.readings[name]?.status
  if (prompt === undefined && status !== undefined && status !== "skipped" && status !== "invalid")
    throw new Error(`${record.trial} has a value of ${name} without its prompt`)
  return prompt ?? null
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
    ...(needs.lines ? [lacks(LINE_WORDS, "no lines")] : []),
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
