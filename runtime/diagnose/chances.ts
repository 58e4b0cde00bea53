/** How likely the ways through a trial are, and what a measure's sums over them are expected to be. */
import { TRIAL_DEVIATION } from "./assumptions.ts"
import type { Design, Event, Row, Step, Told } from "./design.ts"
import { baseOf, type Shift } from "./draw.ts"
import { logistic, NODES } from "./logits.ts"

/** Expected sums of a side over a trial: of weighted values, of weights, and how likely it enters. */
export interface Sums {
  readonly sum: number
  readonly count: number
  readonly enters: number
}

/** These by observation, of a trial: trials of one item that ask the same have the same. */
export type Observed = ReadonlyMap<number, Sums>

/** What observations come to that are not among those `seen`, which they then are. */
export function unseen(observed: Observed, seen: Set<number>): Sums {
  let [sum, count, enters] = [0, 0, 0]
  for (const [observation, sums] of observed) {
    if (seen.has(observation)) continue
    seen.add(observation)
    sum += sums.sum
    count += sums.count
    enters += sums.enters
  }
  return { sum, count, enters }
}

/**
 * Probabilities of events at each value of a standard normal variable, which stands for all intercepts or for the item's alone; for none where
 * they are conditional on the item's being 0.
 */
export class Chances {
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

  observed(row: Row, told: Told): Observed {
    const observed = new Map<number, { sum: number; count: number; enters: number }>()
    const isShifted = this.#shift?.rows.has(row) ?? false
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
        const observation = told.observations[leaf]!
        const sums = observed.get(observation) ?? { sum: 0, count: 0, enters: 0 }
        observed.set(observation, sums)
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
    return observed
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
