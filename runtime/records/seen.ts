/** Trials that rows were of, in some twenty bytes each. */
import { integers } from "../compact/grown.ts"
import { Pairs } from "../compact/pairs.ts"
import type { PlacedTrial } from "./design.ts"

export class Seen {
  readonly #units = new Map<string, number>()
  readonly #items = new Map<string, number>()
  readonly #trials = new Pairs()
  readonly #places = integers()

  /** The place that was noted of a trial. */
  placeOf(trial: PlacedTrial): number | undefined {
    const place = this.#places.at(this.#numberOf(trial))
    return place === UNNOTED ? undefined : place
  }

  /** Notes a place of a trial, from 1, in the stead of any other. */
  note(trial: PlacedTrial, place: number): void {
    this.#places.set(this.#numberOf(trial), place)
  }

  #numberOf({ unit, item }: PlacedTrial): number {
    const number = this.#trials.add(numbered(this.#units, unit), numbered(this.#items, item))
    if (number === this.#places.length) this.#places.push(UNNOTED)
    return number
  }
}

const UNNOTED = 0

/** The number of a text, from 0 in the order in which they come. */
export function numbered(known: Map<string, number>, text: string): number {
  const before = known.get(text)
  if (before !== undefined) return before
  known.set(text, known.size)
  return known.size - 1
}
