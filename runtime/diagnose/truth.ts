/**
 * What a contrast comes to under the assumptions, without the chance of items and answers. Two values: of the declared design, over all intercepts, and
 * in a simulation of the models, pools and levels that were drawn, over items alone. An interval that resamples items can only be about the
 * second; where intercepts of models and pools have no spread, both are the same.
 *
 * Each way through a trial has its probability: events of different kinds have intercepts of their own and are independent, those of one kind share
 * their item's, so that their product is averaged. Of a side, what enters is added up over its trials, as an estimator pools it: over all
 * (`pooled`), within cells, or within an item (`two_sample`) or an item and model (`paired`, `permutation`), of which each then counts once, however
 * many trials it has. Trials of an item that are one observation count once on a side, as in a run. A side of several trials of one item whose conditions hang on answers is taken at the ratio of its sums.
 *
 * By `mixed_logistic` the value is in logits and conditional on the intercepts, as the model's coefficients are: of each trial the logit at intercepts
 * of 0 (or those that were drawn), averaged over a side by how often trials enter, and the sides' signed sum: of two sides a log odds ratio.
 */
import type { ContrastIR, EstimatorIR, MeasureIR } from "../../compiler/ir.ts"
import { groupBy } from "../measure/sides.ts"
import { Chances, type Observed, unseen } from "./chances.ts"
import type { Design, Row, Told } from "./design.ts"
import type { Shift } from "./draw.ts"
import { shared } from "./sized.ts"

/** The value of a contrast in one way of taking it; undefined where it has none, such as without any trial on a side. */
export type TrueValue = (contrast: ContrastIR, by: EstimatorIR) => number | undefined

/** `effects`: those of a simulation; the mean over all where left out. `items`: how many the design has. */
export function truthOf(design: Design, items: number, effects?: Float64Array, shift?: Shift): TrueValue {
  const chances = new Chances(design, effects, shift)
  const conditional = new Chances(design, effects ?? new Float64Array(design.effects.length), shift, true)
  const counts = countsOf(design, items)
  const itemsOf = counts.map((own) => [...own.values()].reduce((sum, count) => sum + count, 0))
  const known = new Map<string, Observed>()
  const observedOf = (kind: number, row: Row, at: number, told: Told): Observed => {
    const key = `${kind} ${at} ${told.measure.name}`
    const before = known.get(key)
    if (before !== undefined) return before
    const made = chances.observed(row, told)
    known.set(key, made)
    return made
  }
  const logitsOf = (contrast: ContrastIR): number | undefined => {
    const place = design.experiment.contrasts.indexOf(contrast)
    let total = 0
    for (const [side, { sign }] of contrast.terms.entries()) {
      const told = toldOf(design, contrast, side)
      const mean = new Mean()
      for (const [kind, { rows }] of design.itemKinds.entries()) {
        const seen = new Set<number>()
        for (const [at, row] of rows.entries()) {
          if (!row.about.has(`${place}:${side}`)) continue
          const weight = itemsOf[kind]! * unseen(observedOf(kind, row, at, told), seen).enters
          if (weight === 0) continue
          const { sum, count } = unseen(conditional.observed(row, told), new Set())
          mean.add(Math.log(sum / (count - sum)), weight)
        }
      }
      total += sign * (mean.value ?? Number.NaN)
    }
    return Number.isFinite(total) ? total : undefined
  }
  /** What a side comes to over some of the trials of an item: undefined where none of them enters. */
  const sideOf = (contrast: ContrastIR, side: number, kind: number, trials: Placed): Side | undefined => {
    const about = `${design.experiment.contrasts.indexOf(contrast)}:${side}`
    const told = toldOf(design, contrast, side)
    const entersOf = new Map<string, number>()
    const seen = new Set<number>()
    let [sum, count] = [0, 0]
    for (const [at, row] of trials) {
      if (!row.about.has(about)) continue
      const sums = unseen(observedOf(kind, row, at, told), seen)
      sum += sums.sum
      count += sums.count
      entersOf.set(row.model, Math.max(sums.enters, entersOf.get(row.model) ?? 0))
    }
    if (count <= 0) return undefined
    // Trials of one model enter together, with its first answer as a rule; models answer by themselves.
    const none = [...entersOf.values()].reduce((product, enters) => product * (1 - enters), 1)
    return { mean: sum / count, enters: 1 - none }
  }
  /** The signed sum of the sides within an item and model, which counts once, as often as all sides enter. */
  const overPairs = (contrast: ContrastIR): number | undefined => {
    const total = new Mean()
    for (const [kind, { rows }] of design.itemKinds.entries()) {
      for (const trials of groupBy([...rows.entries()], ([, { model }]) => model).values()) {
        const sides = contrast.terms.map((_, side) => sideOf(contrast, side, kind, trials))
        const value = signedSum(
          contrast,
          sides.map((side) => side?.mean),
        )
        const enters = Math.min(...sides.map((side) => side?.enters ?? 0))
        if (value !== undefined) total.add(value, itemsOf[kind]! * enters)
      }
    }
    return total.value
  }
  /** The signed sum of the sides, each over its own items, which count alike. */
  const overItems = (contrast: ContrastIR): number | undefined => {
    const sides = contrast.terms.map((_, side) => {
      const total = new Mean()
      for (const [kind, { rows }] of design.itemKinds.entries()) {
        const one = sideOf(contrast, side, kind, [...rows.entries()])
        if (one !== undefined) total.add(one.mean, itemsOf[kind]! * one.enters)
      }
      return total.value
    })
    return signedSum(contrast, sides)
  }
  /** The unweighted mean over crossings of columns, in each of which trials are pooled; pooled over all where there are none. */
  const overCells = (contrast: ContrastIR, grouping: readonly string[]): number | undefined => {
    const place = design.experiment.contrasts.indexOf(contrast)
    const told = contrast.terms.map((_, side) => toldOf(design, contrast, side))
    const cells = new Map<string, { sum: number; count: number }[]>()
    for (const [kind, { pool, rows }] of design.itemKinds.entries()) {
      for (const [columns, items] of counts[kind]!) {
        const own = JSON.parse(columns) as Readonly<Record<string, string>>
        const seen = new Map<string, Set<number>>()
        for (const [at, row] of rows.entries()) {
          const levels = grouping.flatMap((name) => levelOf(row, pool, own, name) ?? [])
          // What lacks a column is in no cell.
          if (levels.length < grouping.length) continue
          const key = JSON.stringify(levels)
          for (const side of contrast.terms.keys()) {
            if (!row.about.has(`${place}:${side}`)) continue
            const seenThere = seen.get(`${side} ${key}`) ?? new Set()
            seen.set(`${side} ${key}`, seenThere)
            const { sum, count } = unseen(observedOf(kind, row, at, told[side]!), seenThere)
            const cell = cells.get(key) ?? contrast.terms.map(() => ({ sum: 0, count: 0 }))
            cells.set(key, cell)
            cell[side]!.sum += items * sum
            cell[side]!.count += items * count
          }
        }
      }
    }
    const total = new Mean()
    for (const sides of cells.values()) {
      const value = signedSum(
        contrast,
        sides.map(({ sum, count }, side) => statisticOf(told[side]!.measure, sum, count)),
      )
      if (value !== undefined) total.add(value, 1)
    }
    return total.value
  }
  return (contrast, by) => {
    switch (by) {
      case "mixed_logistic":
        return logitsOf(contrast)
      case "paired":
      case "permutation":
        return overPairs(contrast)
      case "two_sample":
        return overItems(contrast)
      default:
        return overCells(contrast, typeof by === "object" ? by.cells : [])
    }
  }
}

/** Trials of a kind of item, each with its place there. */
type Placed = readonly (readonly [number, Row])[]

/** A side over one item: the mean of its trials there, and how likely some of them enters. */
interface Side {
  readonly mean: number
  readonly enters: number
}

/** A weighted mean; undefined where nothing has weight. */
class Mean {
  #sum = 0
  #weight = 0

  add(value: number, weight: number): void {
    this.#sum += weight * value
    this.#weight += weight
  }

  get value(): number | undefined {
    return this.#weight === 0 ? undefined : this.#sum / this.#weight
  }
}

function toldOf({ told }: Design, { terms }: ContrastIR, side: number): Told {
  const { measure: name } = terms[side]!
  return told.find(({ measure }) => measure.name === name)!
}

/** The sides' values, each with its sign; undefined where one of them has none. */
function signedSum({ terms }: ContrastIR, values: readonly (number | undefined)[]): number | undefined {
  return terms.reduce<number | undefined>((sum, { sign }, side) => {
    const value = values[side]
    return sum === undefined || value === undefined ? undefined : sum + sign * value
  }, 0)
}

function statisticOf({ statistic }: MeasureIR, sum: number, count: number): number | undefined {
  if (statistic === "sum" || statistic === "count") return sum
  return count <= 0 ? undefined : sum / count
}

function levelOf(
  row: Row,
  pool: string,
  columns: Readonly<Record<string, string>>,
  name: string,
): string | undefined {
  if (name === "model") return row.model
  if (name === "pool") return pool
  return row.levels[name] ?? columns[name]
}

/** Of each kind how many items it has, by the columns that cells may go by, as text. */
function countsOf(design: Design, items: number): readonly ReadonlyMap<string, number>[] {
  const counts = design.itemKinds.map((): Map<string, number> => new Map())
  const names = new Set(
    design.experiment.contrasts.flatMap(({ by }) =>
      by.flatMap((one) => (typeof one === "object" ? one.cells : [])),
    ),
  )
  const sizes = shared(design, items)
  for (const [at, { items: own }] of design.pools.entries()) {
    for (let index = 0; index < sizes[at]!; index++) {
      const { item, kind } = own[index % own.length]!
      const columns = Object.entries(item.columns).flatMap(([name, value]) =>
        names.has(name) ? [[name, String(value)] as const] : [],
      )
      const key = JSON.stringify(Object.fromEntries(columns))
      counts[kind]!.set(key, (counts[kind]!.get(key) ?? 0) + 1)
    }
  }
  return counts
}
