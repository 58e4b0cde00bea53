/** Trials that rows were of, in some twenty bytes each. */
import { integers } from "../compact/grown.ts"
import { Pairs } from "../compact/pairs.ts"
import type { PlacedTrial } from "./design.ts"

export class Seen {
  readonly #units = new Map<string, number>()
  readonly #items = new Map<string, number>()
  readonly #trials = new Pairs()
  readonly #places = integers()

  /** The place with which a trial was noted first; undefined where it was not, and is now. */
  first({ unit, item }: PlacedTrial, place: number): number | undefined {
    const number = this.#trials.add(numbered(this.#units, unit), numbered(this.#items, item))
    if (number < this.#places.length) return this.#places.at(number)
    this.#places.push(place)
    return undefined
  }

  /** Notes a trial with a place, in the stead of any other. */
  note(trial: PlacedTrial, place: number): void {
    if (this.first(trial, place) === undefined) return
    this.#places.set(
      this.#trials.add(numbered(this.#units, trial.unit), numbered(this.#items, trial.item)),
      place,
    )
  }
}

/** The number of a text, from 0 in the order in which they come. */
export function numbered(known: Map<string, number>, text: string): number {
  const before = known.get(text)
  if (before !== undefined) return before
  known.set(text, known.size)
  return known.size - 1
}
