/**
 * The draws of a cluster bootstrap: items with replacement, all trials of an item together, within strata, whose sizes a design fixes. They are made
 * once and shared by every number of an experiment: what an estimate needs of a draw is how often each item is in it.
 *
 * An estimate over some of the items (those answered rightly at first, say) takes their share of each draw, so that how many of them there are varies
 * too, as it would if other items had been asked (Efron & Tibshirani 1993, chapter 13; Davison & Hinkley 1997, sections 3.2 and 3.8).
 */
import type { Stream } from "../../compiler/draw.ts"
import { fastStream } from "./random.ts"

export const DRAWS = 2000

/** Weights of as many items and draws are kept, at a byte each; of more they are made again whenever they are needed. */
const KEPT = 2 ** 26

export class Draws {
  readonly #seed: number
  readonly #most: number
  /** Items by stratum. */
  readonly #strata: readonly Int32Array[]
  #kept: Uint8Array | undefined
  /** How many items there are, numbered from 0. */
  readonly items: number
  readonly count = DRAWS

  /**
   * `strata`: of each item the number of its stratum. An item that is alone in its stratum is drawn together with others of which that is so. `most`: how
   * many weights are kept.
   */
  constructor(strata: ArrayLike<number>, seed: number, most = KEPT) {
    this.#seed = seed
    this.#most = most
    this.items = strata.length
    this.#strata = gathered(strata)
  }

  /** The items that are drawn from together. */
  get strata(): readonly Int32Array[] {
    return this.#strata
  }

  /**
   * Hands over all draws, some at a time: how often item i is in draw `from + d` stands at `i x size + d`. What is handed over is used at once, and left
   * as it is.
   */
  each(use: (weights: Uint8Array, from: number, size: number) => void): void {
    const size = Math.max(1, Math.min(DRAWS, Math.floor(this.#most / this.items)))
    const stream = () => fastStream({ seed: this.#seed, declaration: "bootstrap" })
    if (size === DRAWS) {
      this.#kept ??= this.#made(DRAWS, stream())
      use(this.#kept, 0, DRAWS)
      return
    }
    const once = stream()
    for (let from = 0; from < DRAWS; from += size) {
      const count = Math.min(size, DRAWS - from)
      use(this.#made(count, once), from, count)
    }
  }

  #made(size: number, { below }: Stream): Uint8Array {
    const weights = new Uint8Array(this.items * size)
    for (let draw = 0; draw < size; draw++) {
      for (const items of this.#strata) {
        // An item that comes up 256 times in a draw is out of reach: with 1,000 items the chance is below 1e-500, with fewer than 256 it cannot be.
        for (let at = 0; at < items.length; at++) weights[items[below(items.length)]! * size + draw]!++
      }
    }
    return weights
  }
}

/** Items by stratum, in order; those alone in theirs make one together, and a last one goes with the stratum that is first. */
function gathered(strata: ArrayLike<number>): readonly Int32Array[] {
  const members = new Map<number, number[]>()
  for (let item = 0; item < strata.length; item++) {
    const stratum = members.get(strata[item]!)
    if (stratum === undefined) members.set(strata[item]!, [item])
    else stratum.push(item)
  }
  const [shared, alone] = [
    [...members.values()].filter(({ length }) => length > 1),
    [...members.values()].filter(({ length }) => length === 1).flat(),
  ]
  if (alone.length === 1 && shared.length > 0) shared[0]!.push(alone[0]!)
  else if (alone.length > 0) shared.push(alone)
  return shared.map((items) => Int32Array.from(items))
}
