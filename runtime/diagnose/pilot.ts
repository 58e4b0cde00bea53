/**
 * What a finished run shows of what a design assumes: how many first answers are right, how many texts are refused, what each measure comes to in each
 * cell of the grid, and how far items, models and pools are apart.
 *
 * A rate of k in n is taken as (k + 1/2) / (n + 1), so that nothing is certain because a small run happened to show it. Trials that are one observation
 * count once.
 */
import { Effect } from "effect"
import type { CellIR, ExperimentIR, ExprIR, HoleIR, MeasureIR } from "../../compiler/ir.ts"
import { claimOf, isAnswer, isFirstAnswer } from "../../compiler/outcome.ts"
import { EnvironmentFailure } from "../failure.ts"
import { columnOf, outcomes, type Trials, trialsOf } from "../measure/outcome.ts"
import type { TrialTable } from "../measure/table.ts"
import { keptRun } from "../run/finished.ts"
import type { Watch } from "../run/watch.ts"
import type { Pilot } from "./assumptions.ts"
import { MOST, type Seen, spreadIn } from "./moments.ts"

export interface PilotRun {
  /** By experiment. */
  readonly pilots: ReadonlyMap<string, Pilot>
  /** What was estimated from how much, in words. */
  readonly remarks: readonly string[]
}

/** Of a run directory, for the experiments that have the names of its own; `watch` is told how far it has been gone through. Fails where none has, or where the directory holds no run. */
export const pilotOf = (
  directory: string,
  experiments: readonly ExperimentIR[],
  watch?: Watch,
): Effect.Effect<PilotRun, EnvironmentFailure> =>
  keptRun(directory, watch).pipe(
    Effect.flatMap((run) => {
      const { tables } = run.gathered()
      const known = experiments.filter(({ name }) => tables.has(name))
      if (known.length === 0) return Effect.fail(noneOf([...tables.keys()], directory))
      const found = known.map((experiment) => ({
        experiment,
        ...pilotIn(experiment, tables.get(experiment.name)!),
      }))
      return Effect.succeed({
        pilots: new Map(found.map(({ experiment, pilot }) => [experiment.name, pilot])),
        remarks: [...found.flatMap(({ remarks }) => remarks), CAUTION],
      })
    }),
  )

const noneOf = (names: readonly string[], directory: string): EnvironmentFailure =>
  new EnvironmentFailure({
    what: `the run has none of the spec's experiments: it has ${names.join(", ")}`,
    where: directory,
    todo: "give a run of this spec, or of one whose experiment has the same name",
  })

/** Green & MacLeod 2016 (simr), Methods in Ecology and Evolution 7, 493-498. */
const CAUTION =
  "Power at a pilot's own estimates is as uncertain as they are: an effect that came out large by chance is simulated as large."

/** Of one experiment's table, by the cells of another of the same name. */
export function pilotIn(
  experiment: ExperimentIR,
  table: TrialTable,
): { readonly pilot: Pilot; readonly remarks: readonly string[] } {
  const trials = trialsOf(table)
  const remarks: string[] = []
  const first = rateOf(trials, firstAnswer(table.experiment))
  const refused = rateOf(trials, refusalOf(table.experiment))
  const note = (name: string, rate: Rate | undefined): void => {
    if (rate !== undefined)
      remarks.push(`pilot ${experiment.name}: ${name} ${rate.share.toFixed(3)} from ${rate.n} reads`)
  }
  note("accuracy", first)
  note("refusal", refused)
  const seen: Seen[] = []
  if (first !== undefined) seen.push(first.seen)
  const shares: Record<string, Record<number, number>> = {}
  for (const measure of table.experiment.measures) {
    if (measure.statistic !== "rate" && measure.statistic !== "mean") continue
    if (!experiment.measures.some(({ name }) => name === measure.name)) continue
    const { byCell, own, n } = byCells(trials, measure)
    const places = experiment.cells.flatMap((cell, at) => {
      const share = byCell.get(levelsText(cell.levels))
      return share === undefined ? [] : [[at, share] as const]
    })
    if (places.length === 0) continue
    shares[measure.name] = Object.fromEntries(places)
    remarks.push(
      `pilot ${experiment.name}: ${measure.name} in ${places.length} of ${experiment.cells.length} cells from ${n} trials`,
    )
    if (claimOf(measure) !== undefined) seen.push(own)
  }
  const spread = spreadIn(seen)
  for (const [column, { deviation, pairs, beyond }] of Object.entries(spread)) {
    const said = beyond
      ? `at least ${MOST} logits: beyond what moments can estimate,`
      : `${deviation.toFixed(2)} logits`
    remarks.push(`pilot ${experiment.name}: spread ${column} ${said} from ${pairs} pairs of trials`)
  }
  const beyond = Object.keys(spread).filter((column) => spread[column]!.beyond)
  return {
    pilot: {
      ...(first === undefined ? {} : { accuracy: first.share }),
      ...(refused === undefined ? {} : { refusal: refused.share }),
      shares,
      spread: Object.fromEntries(
        Object.entries(spread).map(([column, { deviation }]) => [column, deviation]),
      ),
      ...(beyond.length === 0 ? {} : { beyond }),
    },
    remarks,
  }
}

const plain = {
  doc: "",
  interval: { method: "wilson", level: 95 },
  invalid: "exclude",
  statistic: "rate",
} as const

/** How often the first read of an answer is right. */
function firstAnswer(experiment: ExperimentIR): MeasureIR | undefined {
  const { holes, origin } = experiment.protocol
  const hole = holes.find((one) => isAnswer(one) && isFirstAnswer(experiment, one.name))
  return hole === undefined ? undefined : { ...plain, name: "accuracy", value: rightness(hole), origin }
}

/** Whether an answer is right: the gold option, or the label that counts as it. */
function rightness({ name, ...hole }: HoleIR): ExprIR {
  const type = hole.type === "extract" ? hole.as : hole
  const gold = type.type === "label" || type.type === "rule" ? type.gold : undefined
  return gold === undefined
    ? { kind: "binary", operator: "==", left: { kind: "answer", hole: name }, right: { kind: "gold" } }
    : {
        kind: "binary",
        operator: "==",
        left: { kind: "label", hole: name },
        right: { kind: "string", value: gold },
      }
}

/** How often texts that may be refused are, in the first read that is one. */
function refusalOf({ protocol: { holes, origin } }: ExperimentIR): MeasureIR | undefined {
  const hole = holes.find((one) => one.type === "text" && one.refusal.length > 0)
  if (hole === undefined) return undefined
  return { ...plain, name: "refusal", value: { kind: "state", hole: hole.name, state: "refused" }, origin }
}

interface Rate {
  readonly share: number
  readonly n: number
  readonly seen: Seen
}

function rateOf(trials: Trials, measure: MeasureIR | undefined): Rate | undefined {
  if (measure === undefined) return undefined
  const { own, n } = byCells(trials, measure)
  return n === 0 ? undefined : { share: smoothed(own.map(({ value }) => value)), n, seen: own }
}

function smoothed(values: readonly number[]): number {
  return (values.reduce((sum, value) => sum + value, 0) + 0.5) / (values.length + 1)
}

/** A measure by cell of the grid, and its observations. */
function byCells(trials: Trials, measure: MeasureIR) {
  const { values, observations } = outcomes(trials, measure)
  const [model, pool, item] = ["model", "pool", "item"].map((name) => columnOf(trials, name))
  const seen = new Set<number>()
  const own: { model: string; pool: string; item: string; cell: string; value: number }[] = []
  const cells = new Map<string, number[]>()
  // Observations that several cells share count in each of them, and once for all.
  const met = new Set<string>()
  for (let row = 0; row < trials.rows; row++) {
    const value = values[row]!
    if (Number.isNaN(value)) continue
    const cell = levelsText(Object.fromEntries(JSON.parse(trials.units.at(row) as string)[2]))
    const key = `${observations[row]} ${cell}`
    if (met.has(key)) continue
    met.add(key)
    const known = cells.get(cell)
    if (known === undefined) cells.set(cell, [value])
    else known.push(value)
    if (seen.has(observations[row]!)) continue
    seen.add(observations[row]!)
    own.push({
      model: model!.at(row) as string,
      pool: pool!.at(row) as string,
      item: item!.at(row) as string,
      cell,
      value,
    })
  }
  const isRate = measure.statistic === "rate"
  return {
    byCell: new Map([...cells].map(([cell, all]) => [cell, isRate ? smoothed(all) : meanOf(all)])),
    own,
    n: own.length,
  }
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

const levelsText = (levels: CellIR["levels"]): string =>
  JSON.stringify(Object.entries(levels).sort(([a], [b]) => (a < b ? -1 : 1)))
