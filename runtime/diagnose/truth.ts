/**
 * What a contrast comes to under the assumptions, without the chance of items and answers. Two values: of the declared design, over all intercepts, and
 * in a simulation of the models, pools and levels that were drawn, over items alone. An interval that resamples items can only be about the
 * second; where intercepts of models and pools have no spread, both are the same.
 *
 * Each way through a trial has its probability: events of different kinds have intercepts of their own and are independent, those of one kind share
 * their item's, so that their product is averaged. Of a side, what enters is added up over its trials, as an estimator pools it: over all
 * (`pooled`, `two_sample`, by a model), within models and pools (`paired`, `permutation`), or within cells. A side of several
 * trials of one item and model whose conditions hang on answers is taken at the ratio of its sums.
 *
 * By `mixed_logistic` the value is in logits and conditional on the intercepts, as the model's coefficients are: of each trial the logit at intercepts
 * of 0 (or those that were drawn), averaged over a side by how often trials enter, and the sides' signed sum: of two sides a log odds ratio.
 */
import type { ContrastIR, EstimatorIR, MeasureIR } from "../../compiler/ir.ts"
import { TRIAL_DEVIATION } from "./assumptions.ts"
import type { Design, Event, Row, Step, Told } from "./design.ts"
import { baseOf, type Shift } from "./draw.ts"
import { logistic, NODES } from "./logits.ts"
import { shared } from "./sized.ts"

/** Expected sums of a side over a trial: of weighted values, of weights, and how likely it enters. */
interface Sums {
  readonly sum: number
  readonly count: number
  readonly enters: number
}

/** The value of a contrast in one way of taking it; undefined where it has none, such as without any trial on a side. */
export type TrueValue = (contrast: ContrastIR, by: EstimatorIR) => number | undefined

/** `effects`: those of a simulation; the mean over all where left out. `items`: how many the design has. */
export function truthOf(design: Design, items: number, effects?: Float64Array, shift?: Shift): TrueValue {
  const chances = new Chances(design, effects, shift)
  const conditional = new Chances(design, effects ?? new Float64Array(design.effects.length), shift, true)
  const counts = countsOf(design, items)
  const known = new Map<string, Sums>()
  const sumsOf = (kind: number, row: Row, at: number, told: Told): Sums => {
    const key = `${kind} ${at} ${told.measure.name}`
    const before = known.get(key)
    if (before !== undefined) return before
    const made = chances.sums(row, told)
    known.set(key, made)
    return made
  }
  const logitsOf = (contrast: ContrastIR): number | undefined => {
    const place = design.experiment.contrasts.indexOf(contrast)
    let total = 0
    for (const [side, { sign, measure }] of contrast.terms.entries()) {
      const told = design.told.find((one) => one.measure.name === measure)!
      const mean = { sum: 0, weight: 0 }
      for (const [kind, { rows }] of design.itemKinds.entries()) {
        const items = [...counts[kind]!.values()].reduce((sum, count) => sum + count, 0)
        for (const [at, row] of rows.entries()) {
          if (!row.about.has(`${place}:${side}`)) continue
          const weight = items * sumsOf(kind, row, at, told).enters
          if (weight === 0) continue
          const { sum, count } = conditional.sums(row, told)
          mean.sum += weight * Math.log(sum / (count - sum))
          mean.weight += weight
        }
      }
      total += (sign * mean.sum) / mean.weight
    }
    return Number.isFinite(total) ? total : undefined
  }
  return (contrast, by) => {
    if (by === "mixed_logistic") return logitsOf(contrast)
    const place = design.experiment.contrasts.indexOf(contrast)
    const grouping: readonly string[] = typeof by === "object" ? by.cells : []
    const isPaired = by === "paired" || by === "permutation"
    const told = contrast.terms.map(({ measure }) => design.told.find((one) => one.measure.name === measure)!)
    // By stratum: cells, or of pairs the model and the kind of item; per side its sums over items.
    const strata = new Map<string, { sum: number; count: number; enters: number; weight: number }[]>()
    for (const [kind, { pool, rows }] of design.itemKinds.entries()) {
      for (const [columns, weight] of counts[kind]!) {
        const own = JSON.parse(columns) as Readonly<Record<string, string>>
        for (const [at, row] of rows.entries()) {
          const key = isPaired
            ? JSON.stringify([kind, row.model])
            : JSON.stringify(grouping.map((name) => levelOf(row, pool, own, name) ?? null))
          for (const side of contrast.terms.keys()) {
            if (!row.about.has(`${place}:${side}`)) continue
            const { sum, count, enters } = sumsOf(kind, row, at, told[side]!)
            const stratum =
              strata.get(key) ?? contrast.terms.map(() => ({ sum: 0, count: 0, enters: 0, weight: 0 }))
            strata.set(key, stratum)
            const share = stratum[side]!
            share.sum += weight * sum
            share.count += weight * count
            share.enters += weight * enters
            share.weight += weight
          }
        }
      }
    }
    const total = { sum: 0, weight: 0 }
    for (const sides of strata.values()) {
      const values = sides.map(({ sum, count }, side) => statisticOf(told[side]!.measure, sum, count))
      if (values.some((value) => value === undefined)) continue
      const value = contrast.terms.reduce((all, { sign }, side) => all + sign * values[side]!, 0)
      // Pairs are counted as often as all their sides enter; cells count alike.
      const weight = isPaired ? Math.min(...sides.map(({ enters }) => enters)) : 1
      total.sum += weight * value
      total.weight += weight
    }
    return total.weight === 0 ? undefined : total.sum / total.weight
  }
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

/**
 * Probabilities of events at each value of a standard normal variable, which stands for all intercepts or for the item's alone; for none where
 * they are conditional on the item's being 0.
 */
class Chances {
  readonly #design: Design
  readonly #base: Float64Array
  readonly #drawn: boolean
  readonly #shift: Shift | undefined
  readonly #conditional: boolean
  readonly #known = new Map<string, Float64Array>()

  constructor(
    design: Design,
    effects: Float64Array | undefined,
    shift: Shift | undefined,
    conditional = false,
  ) {
    this.#conditional = conditional
    this.#design = design
    this.#drawn = effects !== undefined
    this.#base =
      effects === undefined
        ? Float64Array.from(design.events, ({ intercept }) => intercept)
        : baseOf(design, effects)
    this.#shift = shift
  }

  sums(row: Row, told: Told): Sums {
    const sums = { sum: 0, count: 0, enters: 0 }
    const isShifted = this.#shift?.cells.has(row.cell) ?? false
    const { statistic } = told.measure
    // By kind of event, the product of probabilities so far at each value of the variable.
    const visit = (step: Step, share: number, products: ReadonlyMap<number, Float64Array>): void => {
      if (share === 0) return
      if ("leaf" in step) {
        const { leaf } = step
        if (told.codes[leaf] !== 0) return
        let probability = share
        for (const product of products.values()) probability *= meanOf(product)
        const event = told.drawn[leaf]!
        const value = event < 0 ? told.values[leaf]! : this.#mean(event, isShifted)
        const other = told.others?.[leaf] ?? 1
        sums.sum += probability * value * (statistic === "ratio" ? 1 : other)
        sums.count += probability * other
        sums.enters += probability
        return
      }
      const { event, slot, yes, no } = step
      const along = (ways: typeof yes, multiplied: ReadonlyMap<number, Float64Array>): void => {
        for (const [at, next] of ways.steps.entries()) {
          const own = ways.until.length === 0 ? 1 : ways.until[at]! - (ways.until[at - 1] ?? 0)
          visit(next, share * own, multiplied)
        }
      }
      if (slot < 0) {
        along(yes, products)
        return
      }
      const chance = this.#chance(event, isShifted)
      const { kind } = this.#design.events[event]!
      const times = (of: (p: number) => number): ReadonlyMap<number, Float64Array> => {
        const before = products.get(kind)
        return new Map(products).set(
          kind,
          chance.map((p, at) => of(p) * (before?.[at] ?? 1)),
        )
      }
      along(
        yes,
        times((p) => p),
      )
      along(
        no,
        times((p) => 1 - p),
      )
    }
    visit(row.step, 1, new Map())
    return sums
  }

  #chance(event: number, isShifted: boolean): Float64Array {
    const key = `${event} ${isShifted}`
    const before = this.#known.get(key)
    if (before !== undefined) return before
    const { deviation, logit } = this.#atOf(event, isShifted)
    const made = Float64Array.from(NODES, ({ z }) => logistic(logit + deviation * z))
    this.#known.set(key, made)
    return made
  }

  /** The mean of what is drawn apart: a share, or a value between bounds. */
  #mean(event: number, isShifted: boolean): number {
    const { range } = this.#design.events[event]!
    const share = meanOf(this.#chance(event, isShifted))
    return range === undefined ? share : range.low + (range.high - range.low) * share
  }

  #atOf(event: number, isShifted: boolean): { readonly logit: number; readonly deviation: number } {
    const { effects, decides, range } = this.#design.events[event] as Event
    const by = isShifted && this.#shift?.decides.has(decides) ? this.#shift.by : 0
    if (this.#conditional) return { logit: this.#base[event]! + by, deviation: 0 }
    const own = this.#design.itemDeviation ** 2 + (range === undefined ? 0 : TRIAL_DEVIATION ** 2)
    const others = this.#drawn
      ? 0
      : effects.reduce((sum, at) => sum + this.#design.effects[at]!.deviation ** 2, 0)
    return { logit: this.#base[event]! + by, deviation: Math.sqrt(own + others) }
  }
}

function meanOf(values: Float64Array): number {
  let sum = 0
  for (let at = 0; at < values.length; at++) sum += NODES[at]!.weight * values[at]!
  return sum
}
