/** What measures make of each way in which a trial may come out, what of it is drawn apart, and what is not assumed of it. */
import type { ExperimentIR, MeasureIR } from "../../compiler/ir.ts"
import { isFirstAnswer } from "../../compiler/outcome.ts"
import type { Trial } from "../../compiler/trial.ts"
import { columnOf, type Outcome, outcomes, type Trials, trialsOf } from "../measure/outcome.ts"
import { rangeOf } from "../measure/range.ts"
import type { TrialTable } from "../measure/table.ts"
import { type Pilot, shareOf } from "./assumptions.ts"
import type { Missing, Told } from "./design.ts"
import type { Events } from "./events.ts"
import type { Kind } from "./respondent.ts"
import { isDrawnApart } from "./scope.ts"

/** The ways in which the trials of a design may come out, by number. */
export interface Leaves {
  readonly experiment: ExperimentIR
  readonly pilot: Pilot | undefined
  readonly events: Events
  /** Each way as a trial whose name ends in its number. */
  readonly table: TrialTable
  readonly count: number
  /** Trials, each with its kind of item and its ways, `from` up to and without `to`. */
  readonly rows: readonly {
    readonly trial: Trial
    readonly kind: number
    readonly from: number
    readonly to: number
  }[]
  /** Reads that nothing is assumed of, with the ways under each and the trial that they are of. */
  readonly unknown: readonly {
    readonly hole: string
    readonly trial: Trial
    readonly from: number
    readonly to: number
  }[]
  /** Is told what `assume` would have to say. */
  readonly missing: Map<string, Missing>
}

export function toldIn(leaves: Leaves, measures: readonly MeasureIR[]): readonly Told[] {
  if (leaves.count === 0) return []
  const trials = trialsOf(leaves.table)
  const rowOf = sortedRows(trials, leaves.count)
  return measures.map((measure) => toldOf(leaves, measure, outcomes(trials, measure), rowOf))
}

function toldOf(given: Leaves, measure: MeasureIR, outcome: Outcome, rowOf: Int32Array): Told {
  const { experiment, pilot, events } = given
  const count = given.count
  const reasons: (string | null)[] = [null]
  const codes = new Int32Array(count)
  const values = new Float64Array(count)
  const others = outcome.others === undefined ? undefined : new Float64Array(count)
  const seen = new Map<number, number>()
  const observations = new Int32Array(count)
  for (let leaf = 0; leaf < count; leaf++) {
    const row = rowOf[leaf]!
    const reason = outcome.reasons.at(row) as string | null
    if (!reasons.includes(reason)) reasons.push(reason)
    codes[leaf] = reasons.indexOf(reason)
    values[leaf] = outcome.values[row]!
    if (others !== undefined) others[leaf] = outcome.others![row]!
    const observation = outcome.observations[row]!
    if (!seen.has(observation)) seen.set(observation, seen.size)
    observations[leaf] = seen.get(observation)!
  }
  const [drawn, slots] = [new Int32Array(count).fill(-1), new Int32Array(count).fill(-1)]
  const draw = (leaf: number, trial: Trial, kind: number): boolean => {
    const at = experiment.cells.indexOf(trial.cell)
    const { model, pool, cell } = trial
    const said = shareOf(experiment, measure.name, { cell, at, model, pool }, pilot)
    if (said === undefined) return false
    const range = measure.statistic === "mean" ? rangeOf(measure.value) : undefined
    const share = range === undefined ? said : (said - range.low) / (range.high - range.low)
    const of: Kind = `measure ${measure.name}`
    drawn[leaf] = events.eventOf({
      ...{ of, decides: measure.name, share, trial, asked: model },
      ...(range === undefined ? {} : { range }),
    })
    slots[leaf] = events.slotOf(kind, `${of} ${observations[leaf]}`)
    return true
  }
  const apart = isDrawnApart(measure)
  for (const { trial, kind, from, to } of given.rows) {
    if (apart) {
      for (let leaf = from; leaf < to; leaf++) {
        if (codes[leaf] !== 0) continue
        if (!draw(leaf, trial, kind))
          lacks(given, measure, trial, `${measure.name} is no matter of which answers are given`)
      }
    }
    const unknown = given.unknown.filter((one) => one.trial === trial)
    for (const { hole, from, to } of unknown) {
      if (apart || alike(codes, values, from, to)) continue
      const enters = codes.subarray(from, to).every((code) => code === 0)
      const own = enters && measure.statistic === "rate"
      for (let leaf = from; leaf < to; leaf++) {
        if (own && draw(leaf, trial, kind)) continue
        lacks(given, measure, trial, `nothing says how ${hole} is answered`, hole)
        break
      }
    }
  }
  return {
    measure,
    values,
    ...(others === undefined ? {} : { others }),
    codes,
    reasons,
    observations,
    observationCount: seen.size,
    drawn,
    slots,
  }
}

/** Notes what `assume` would have to say for a measure of a trial. */
function lacks(
  { experiment, missing }: Leaves,
  { name }: MeasureIR,
  { cell }: Trial,
  because: string,
  hole?: string,
): void {
  const { contrasts } = experiment
  if (hole !== undefined && isFirstAnswer(experiment, hole)) {
    missing.set("accuracy", {
      name: "accuracy",
      because: `nothing says how often ${hole} is answered rightly`,
    })
    return
  }
  const level = tellingLevel(contrasts, cell.levels)
  missing.set(`${name} ${level}`, { name, level, because })
}

/** Of each leaf the row that it has in an order by trials. */
function sortedRows(trials: Trials, leaves: number): Int32Array {
  const rows = new Int32Array(leaves)
  const names = columnOf(trials, "trial")
  for (let row = 0; row < trials.rows; row++) {
    const name = names.at(row) as string
    rows[Number(name.slice(name.lastIndexOf("#") + 1))] = row
  }
  return rows
}

/** Whether a measure makes the same of all these leaves. */
function alike(codes: Int32Array, values: Float64Array, from: number, to: number): boolean {
  for (let leaf = from + 1; leaf < to; leaf++) {
    if (codes[leaf] !== codes[from] || !Object.is(values[leaf], values[from])) return false
  }
  return true
}

/** Of a cell that some contrast is about, the level that tells it from the contrast's other terms; its arm where none does. */
function tellingLevel(
  contrasts: ExperimentIR["contrasts"],
  levels: Readonly<Record<string, string>>,
): string {
  for (const { terms } of contrasts) {
    const own = terms.find((term) =>
      Object.entries(term.levels).every(([factor, level]) => (levels[factor] ?? level) === level),
    )
    if (own === undefined) continue
    const telling = Object.entries(own.levels).find(
      ([factor, level]) =>
        Object.hasOwn(levels, factor) && terms.some((term) => term.levels[factor] !== level),
    )
    if (telling !== undefined) return telling[1]
  }
  return levels.arm ?? Object.values(levels)[0] ?? ""
}
