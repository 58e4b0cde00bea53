/**
 * One simulation: intercepts are drawn, then for each item its own and the uniform numbers that decide its reads, and every trial takes the way that
 * they lead it. An event comes about where its uniform number is below its probability.
 *
 * Streams are keyed by the seed, the simulation and the pool, and items take their numbers one after another: a design with more items has those of
 * one with fewer, and designs that differ in a rate alone share all draws (common random numbers).
 */
import type { Stream } from "../../compiler/draw.ts"
import { derived } from "../measure/column.ts"
import type { Outcome } from "../measure/outcome.ts"
import { normalQuantile } from "../statistics/normal.ts"
import { fastStream } from "../statistics/random.ts"
import { TRIAL_DEVIATION } from "./assumptions.ts"
import type { Design, Row, Step, Told, Ways } from "./design.ts"
import { logistic } from "./logits.ts"
import type { Sized } from "./sized.ts"

/** An effect that is put in the place of the assumed one: so many logits more wherever one of these events decides in one of these trials. */
export interface Shift {
  /** Those of the design itself: one cell's trials may be on both sides, of other models or pools. */
  readonly rows: ReadonlySet<Row>
  /** Reads, or measures that are drawn apart. */
  readonly decides: ReadonlySet<string>
  readonly by: number
}

export interface Drawn {
  /** Of each effect of the design its value, in logits. */
  readonly effects: Float64Array
  /** By measure; rows are those of `Sized.trials`. */
  readonly outcomes: ReadonlyMap<string, Outcome>
  /** The leaf of each row. */
  readonly leaves: Int32Array
}

/** Uniform over (0, 1). */
const uniform = (stream: Stream): number => (stream.next() + 0.5) / 2 ** 32

/** Random intercepts of a simulation, in the design's order. */
export function drawEffects({ effects, experiment }: Design, seed: number, simulation: number): Float64Array {
  const stream = fastStream({
    seed,
    declaration: `diagnose intercepts of ${experiment.name}`,
    replicate: simulation,
  })
  return Float64Array.from(effects, ({ deviation }) => deviation * normalQuantile(uniform(stream)))
}

/** An event's logit without its item, by event. */
export function baseOf({ events }: Design, effects: Float64Array): Float64Array {
  return Float64Array.from(events, (event) =>
    event.effects.reduce((sum, at) => sum + effects[at]!, event.intercept),
  )
}

export function drawTrials(sized: Sized, seed: number, simulation: number, shift?: Shift): Drawn {
  const { design, pools, places, trials } = sized
  const { events, itemKinds, itemDeviation, kinds, told, experiment } = design
  const effects = drawEffects(design, seed, simulation)
  const base = baseOf(design, effects)
  const shifts = events.map(({ decides }) => (shift?.decides.has(decides) ? shift.by : 0))
  const shifted = itemKinds.map(({ rows }) => rows.map((row) => (shift?.rows.has(row) ? 1 : 0)))
  const leaves = new Int32Array(trials.rows)
  const takers = told.map((one) => new Taker(one, trials.rows))
  const intercepts = new Float64Array(kinds.length)
  // The probability of each event for the item, without and with the shift, worked out where it is asked for.
  const probabilities = [new Float64Array(events.length), new Float64Array(events.length)] as const
  const stamps = [new Int32Array(events.length), new Int32Array(events.length)] as const
  let uniforms = new Float64Array(0)
  let item = 0
  let drawn = 0

  const logitOf = (event: number, isShifted: number): number =>
    base[event]! + intercepts[events[event]!.kind]! + isShifted * shifts[event]!
  const probabilityOf = (event: number, isShifted: number): number => {
    const stamp = stamps[isShifted]!
    if (stamp[event] !== item) {
      stamp[event] = item
      probabilities[isShifted]![event] = logistic(logitOf(event, isShifted))
    }
    return probabilities[isShifted]![event]!
  }
  const follow = (from: Step, isShifted: number): number => {
    let step = from
    while (!("leaf" in step)) {
      const { slot } = step
      const happens = slot < 0 || uniforms[slot]! < probabilityOf(step.event, isShifted)
      step = which(happens ? step.yes : step.no, uniforms)
    }
    return step.leaf
  }

  for (const { pool, kinds: ofItems } of pools) {
    const stream = fastStream({
      seed,
      declaration: `diagnose items of ${experiment.name} from ${pool}`,
      replicate: simulation,
    })
    for (const kind of ofItems) {
      const { rows, slots } = itemKinds[kind]!
      item += 1
      for (let at = 0; at < intercepts.length; at++)
        intercepts[at] = itemDeviation * normalQuantile(uniform(stream))
      if (uniforms.length < slots) uniforms = new Float64Array(slots)
      for (let slot = 0; slot < slots; slot++) uniforms[slot] = uniform(stream)
      for (const [at, { step }] of rows.entries()) {
        const isShifted = shifted[kind]![at]!
        const leaf = follow(step, isShifted)
        const place = places[drawn++]!
        leaves[place] = leaf
        for (const taker of takers) {
          const event = taker.eventAt(leaf)
          taker.take(place, leaf, item - 1)
          if (event < 0) continue
          const number = uniforms[taker.slotAt(leaf)]!
          const { range } = events[event]!
          taker.values[place] =
            range === undefined
              ? Number(number < probabilityOf(event, isShifted))
              : within(range, logistic(logitOf(event, isShifted) + TRIAL_DEVIATION * normalQuantile(number)))
        }
      }
    }
  }
  return {
    effects,
    outcomes: new Map(takers.map((taker) => [taker.told.measure.name, taker.outcome()])),
    leaves,
  }
}

const within = ({ low, high }: { readonly low: number; readonly high: number }, share: number): number =>
  low + (high - low) * share

function which({ until, slot, steps }: Ways, uniforms: Float64Array): Step {
  if (slot < 0) return steps[0]!
  const number = uniforms[slot]!
  let at = 0
  while (at < until.length - 1 && number >= until[at]!) at++
  return steps[at]!
}

/** A measure's outcome while trials are drawn. */
class Taker {
  readonly told: Told
  readonly values: Float64Array
  readonly #others: Float64Array | undefined
  readonly #codes: Int32Array
  readonly #observations: Int32Array

  constructor(told: Told, rows: number) {
    this.told = told
    this.values = new Float64Array(rows)
    this.#others = told.others === undefined ? undefined : new Float64Array(rows)
    this.#codes = new Int32Array(rows)
    this.#observations = new Int32Array(rows)
  }

  eventAt(leaf: number): number {
    return this.told.drawn[leaf]!
  }

  slotAt(leaf: number): number {
    return this.told.slots[leaf]!
  }

  take(place: number, leaf: number, item: number): void {
    const { values, others, codes, observations, observationCount } = this.told
    this.values[place] = values[leaf]!
    if (this.#others !== undefined) this.#others[place] = others![leaf]!
    this.#codes[place] = codes[leaf]!
    this.#observations[place] = item * observationCount + observations[leaf]!
  }

  outcome(): Outcome {
    const { reasons } = this.told
    const codes = this.#codes
    return {
      values: this.values,
      ...(this.#others === undefined ? {} : { others: this.#others }),
      reasons: derived(codes.length, (row) => reasons[codes[row]!]!),
      observations: this.#observations,
    }
  }
}
