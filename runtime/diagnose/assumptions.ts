/**
 * What is assumed of a respondent: what the spec's `assume` says, what a pilot run showed in its place, and a named default for the rest.
 */
import type { AssumeIR, CellIR, ExperimentIR } from "../../compiler/ir.ts"
import { assumedShare } from "../../compiler/outcome.ts"

/** Standard deviations of random intercepts, in logits, where neither the spec nor a pilot says. */
export const USUAL_SPREAD: Readonly<Record<string, number>> = { item: 1, model: 0.4, pool: 0.3 }

/** How far a trial's value of a mean is off, in logits of the measure's range, besides the intercepts: a standard deviation. */
export const TRIAL_DEVIATION = 1

/** What a finished run showed of an experiment; what it had no trials of is absent, and the spec's word stands. */
export interface Pilot {
  readonly accuracy?: number
  readonly refusal?: number
  /** By measure, by the place of a cell in the grid. */
  readonly shares: Readonly<Record<string, Readonly<Record<number, number>>>>
  readonly spread: Readonly<Record<string, number>>
  /** Columns whose spread is at least what `spread` says: moments can tell no more. */
  readonly beyond?: readonly string[]
}

/** Where something that is assumed comes from. */
export type Source = "assume" | "pilot" | "default"

export interface Assumption {
  readonly name: string
  readonly value: number
  readonly from: Source
  /** The value is the least that it may be. */
  readonly atLeast?: true
}

const SILENT: AssumeIR = { measures: {}, spread: {} }

/** Standard deviations by column: `item`, `model` and `pool`, and whatever else is declared. */
export function spreadOf(
  experiment: ExperimentIR,
  pilot: Pilot | undefined,
): Readonly<Record<string, number>> {
  return { ...USUAL_SPREAD, ...experiment.assume?.spread, ...pilot?.spread }
}

/** What is said of a measure in one cell, for one model and pool: by a pilot, by the design's levels, or by the model's or the pool's name. */
export function shareOf(
  experiment: ExperimentIR,
  measure: string,
  {
    cell,
    at,
    model,
    pool,
  }: { readonly cell: CellIR; readonly at: number; readonly model: string; readonly pool: string },
  pilot: Pilot | undefined,
): number | undefined {
  return pilot?.shares[measure]?.[at] ?? assumedShare(measure, { cell, model, pool }, experiment)
}

/** The experiment as it is assumed to be in one cell, for one model and pool. */
export type At = (cell: CellIR, at: number, model: string, pool: string) => ExperimentIR

/** Cells, models and pools of which the same is assumed have one experiment. */
export function assumedAt(experiment: ExperimentIR, pilot: Pilot | undefined): At {
  const known = new Map<string, ExperimentIR>()
  const { accuracy, refusal } = { ...(experiment.assume ?? SILENT), ...pilot }
  return (cell, at, model, pool) => {
    const measures = Object.fromEntries(
      experiment.measures.flatMap(({ name }) => {
        const share = shareOf(experiment, name, { cell, at, model, pool }, pilot)
        return share === undefined ? [] : [[name, { [cell.arm]: share }] as const]
      }),
    )
    const assume: AssumeIR = {
      ...(accuracy === undefined ? {} : { accuracy }),
      refusal: refusal ?? 0,
      measures,
      spread: {},
    }
    const key = JSON.stringify(assume)
    const before = known.get(key)
    if (before !== undefined) return before
    const made = { ...experiment, assume }
    known.set(key, made)
    return made
  }
}

/** Shares and deviations that hold for the whole experiment, each with its source. */
export function assumptionsOf(experiment: ExperimentIR, pilot: Pilot | undefined): readonly Assumption[] {
  const { assume } = experiment
  const canRefuse = experiment.protocol.holes.some((hole) => hole.type === "text" && hole.refusal.length > 0)
  const share = (name: "accuracy" | "refusal"): readonly Assumption[] => {
    const piloted = pilot?.[name]
    if (piloted !== undefined) return [{ name, value: piloted, from: "pilot" }]
    const said = assume?.[name]
    return said === undefined ? [] : [{ name, value: said, from: "assume" }]
  }
  const refusal = canRefuse ? share("refusal") : []
  /** What all cells have alike tells none of them from another. */
  const varying = experiment.factors
    .map(({ name }) => name)
    .filter((factor) => new Set(experiment.cells.map(({ levels }) => levels[factor])).size > 1)
  return [
    ...share("accuracy"),
    ...(canRefuse && refusal.length === 0
      ? [{ name: "refusal", value: 0, from: "default" } as const]
      : refusal),
    ...experiment.measures.flatMap(({ name }) => {
      const piloted = pilot?.shares[name] ?? {}
      const cells = Object.entries(piloted).map(([at, value]): Assumption => {
        const { levels, arm } = experiment.cells[Number(at)]!
        const cell = varying.flatMap((factor) => levels[factor] ?? []).join(":")
        return { name: `${name} ${cell === "" ? arm : cell}`, value, from: "pilot" }
      })
      const said = cells.length === experiment.cells.length ? {} : (assume?.measures[name] ?? {})
      return [
        ...cells,
        ...Object.entries(said).map(
          ([level, value]): Assumption => ({ name: `${name} ${level}`, value, from: "assume" }),
        ),
      ]
    }),
    ...Object.entries(spreadOf(experiment, pilot)).map(([column, value]): Assumption => {
      const from =
        pilot?.spread[column] !== undefined
          ? "pilot"
          : assume?.spread[column] !== undefined
            ? "assume"
            : "default"
      const atLeast = from === "pilot" && pilot?.beyond?.includes(column)
      return { name: `spread ${column}`, value, from, ...(atLeast ? { atLeast } : {}) }
    }),
  ]
}
