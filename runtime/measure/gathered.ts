/** What the trials of a set come to under a measure: which enter, each item's share, and why the others do not enter. */
import type { MeasureIR } from "../../compiler/ir.ts"
import { compileExpression, rowFunction } from "./expression.ts"
import { type Grouped, groupedBy } from "./grouped.ts"
import { type Outcome, SAME_PROMPT, schemaOf, type Trials } from "./outcome.ts"
import { addends, type Item, keepsOthers, needsValues } from "./statistic.ts"
import type { Unit } from "./units.ts"
import type { View } from "./views.ts"

/** Reasons in alphabetical order, and items in the order of their pools and identities. */
export interface Gathered {
  readonly excluded: Readonly<Record<string, number>>
  readonly items: readonly Item[]
  /** Of each item its number among those of the experiment. */
  readonly ranks: readonly number[]
  /** Trials that enter, and of truth values how many are true. */
  readonly n: number
  readonly trues: number
}

/** The trials of a view that its condition leaves: all where it has none. */
export type Kept = Uint8Array | undefined

/** Gathers the trials of one measure, for as many sets of them as there are. */
export class Gatherer {
  readonly #measure: MeasureIR
  readonly #outcome: Outcome
  readonly #trials: Trials
  readonly #grouped: Grouped
  /** Of each observation, by which gathering it was last met; those before the first are 0. */
  readonly #seen: Int32Array
  #taken = 0
  /** Of each item, by which gathering it was last met, and the place of its share then. */
  readonly #met: Int32Array
  readonly #place: Int32Array

  constructor(trials: Trials, measure: MeasureIR, outcome: Outcome) {
    this.#measure = measure
    this.#outcome = outcome
    this.#trials = trials
    this.#grouped = groupedBy(trials)
    this.#seen = new Int32Array(trials.rows)
    this.#met = new Int32Array(this.#grouped.itemCount)
    this.#place = new Int32Array(this.#grouped.itemCount)
  }

  kept({ filter }: Pick<View, "filter">): Kept {
    if (filter === undefined) return undefined
    const condition = compileExpression(filter, schemaOf(this.#trials, false))
    return this.#grouped.where(rowFunction(`${condition} === true`))
  }

  /** Of trials that enter with one observation the first counts alone. */
  gather(units: readonly Unit[], kept: Kept): Gathered {
    const { statistic } = this.#measure
    const { others } = this.#outcome
    const entered = this.rows(units, kept)
    const shares: {
      rank: number
      sum: number
      count: number
      trials: number
      values: number[]
      others: number[]
    }[] = []
    const keeps = needsValues(statistic)
    const isPaired = keepsOthers(statistic)
    let trues = 0
    for (const row of entered.rows) {
      const rank = this.#grouped.items[row]!
      if (this.#met[rank] !== this.#taken) {
        this.#met[rank] = this.#taken
        this.#place[rank] = shares.length
        shares.push({ rank, sum: 0, count: 0, trials: 0, values: [], others: [] })
      }
      const share = shares[this.#place[rank]!]!
      const value = this.#outcome.values[row]!
      const { sum, count } = addends(statistic, value, isPaired ? 1 : others?.[row])
      share.sum += sum
      share.count += count
      share.trials += 1
      if (keeps) share.values.push(value)
      if (isPaired) share.others.push(others![row]!)
      trues += value
    }
    shares.sort((a, b) => a.rank - b.rank)
    return {
      excluded: entered.excluded,
      items: shares,
      ranks: shares.map(({ rank }) => rank),
      n: entered.rows.length,
      trues,
    }
  }

  /** The trials that enter, each observation once, and why the others do not. */
  rows(
    units: readonly Unit[],
    kept: Kept,
  ): { readonly rows: readonly number[] } & Pick<Gathered, "excluded"> {
    this.#taken += 1
    const { reasons, observations } = this.#outcome
    const excluded = new Map<string, number>()
    const exclude = (reason: string) => excluded.set(reason, (excluded.get(reason) ?? 0) + 1)
    const rows: number[] = []
    for (const unit of units) {
      for (const row of this.#grouped.of(unit)) {
        if (kept?.[row] === 0) continue
        const reason = reasons.at(row)
        const observation = observations[row]!
        if (reason !== null) exclude(reason as string)
        else if (this.#seen[observation] === this.#taken) exclude(SAME_PROMPT)
        else {
          this.#seen[observation] = this.#taken
          rows.push(row)
        }
      }
    }
    return {
      rows,
      excluded: Object.fromEntries([...excluded].sort(([a], [b]) => (a < b ? -1 : 1))),
    }
  }

  /** How many trials are in no cell, by the reason: "no framing". `lacking`: units that lack a column, by that column. */
  lacking(lacking: ReadonlyMap<string, readonly Unit[]>, kept: Kept): Gathered["excluded"] {
    return Object.fromEntries(
      [...lacking].flatMap(([column, units]) => {
        const rows = units.flatMap((unit) => [...this.#grouped.of(unit)]).filter((row) => kept?.[row] !== 0)
        return rows.length === 0 ? [] : [[`no ${column}`, rows.length]]
      }),
    )
  }
}

/** Counts by reason, added up, in alphabetical order. */
export function totalOf(counts: readonly Gathered["excluded"][]): Gathered["excluded"] {
  const total = new Map<string, number>()
  for (const one of counts) {
    for (const [reason, count] of Object.entries(one)) total.set(reason, (total.get(reason) ?? 0) + count)
  }
  return Object.fromEntries([...total].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Why there is no estimate, as a method; undefined where there is one. */
export function whyNone(one: MeasureIR, excluded: Gathered["excluded"], n: number): string | undefined {
  const forbidden = forbiddenInvalid(one, excluded)
  if (forbidden > 0) return `none: ${forbidden} trials with an invalid read, which the measure forbids`
  return n === 0 ? "none: no trial entered" : undefined
}

/** Invalid reads that a measure with `invalid error` met: then it has no estimate. */
function forbiddenInvalid(one: MeasureIR, excluded: Gathered["excluded"]): number {
  if (one.invalid !== "error") return 0
  return Object.entries(excluded).reduce(
    (sum, [why, count]) => sum + (why.startsWith("invalid ") ? count : 0),
    0,
  )
}
