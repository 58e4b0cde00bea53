/** The events of a design, the intercepts that they hang on, and the uniform numbers that decide them: each once, by number. */
import type { Trial } from "../../compiler/trial.ts"
import { TRIAL_DEVIATION } from "./assumptions.ts"
import type { Effect, Event } from "./design.ts"
import { interceptFor } from "./logits.ts"
import type { Kind } from "./respondent.ts"

export class Events {
  readonly #spread: Readonly<Record<string, number>>
  readonly #kinds: Kind[] = []
  readonly #effects = new Map<string, { readonly at: number; readonly effect: Effect }>()
  readonly #events = new Map<string, { readonly at: number; readonly event: Event }>()
  /** By kind of item, the names of its uniform numbers. */
  readonly #slots: Map<string, number>[] = []

  /** `spread`: standard deviations by column, in logits. */
  constructor(spread: Readonly<Record<string, number>>) {
    this.#spread = spread
  }

  get kinds(): readonly Kind[] {
    return this.#kinds
  }

  get effects(): readonly Effect[] {
    return [...this.#effects.values()].map(({ effect }) => effect)
  }

  get events(): readonly Event[] {
    return [...this.#events.values()].map(({ event }) => event)
  }

  get itemDeviation(): number {
    return this.#spread.item ?? 0
  }

  /** How many uniform numbers an item of a kind takes. */
  slotsOf(kind: number): number {
    return this.#slots[kind]?.size ?? 0
  }

  slotOf(kind: number, name: string): number {
    const slots = this.#slots[kind] ?? new Map<string, number>()
    this.#slots[kind] = slots
    const known = slots.get(name)
    if (known !== undefined) return known
    slots.set(name, slots.size)
    return slots.size - 1
  }

  #placeOf(of: Kind): number {
    const known = this.#kinds.indexOf(of)
    return known < 0 ? this.#kinds.push(of) - 1 : known
  }

  /** The number of an event: those of which all is equal are one. */
  eventOf(given: {
    readonly of: Kind
    readonly decides: string
    readonly share: number
    readonly trial: Trial
    readonly asked: string
    readonly range?: Event["range"]
  }): number {
    const { of, decides, share, trial, asked, range } = given
    const effects = this.#effectsOf(of, trial, asked)
    const key = JSON.stringify([of, decides, share, effects.map(({ at }) => at), range])
    const known = this.#events.get(key)
    if (known !== undefined) return known.at
    const own = range === undefined ? 0 : TRIAL_DEVIATION
    const variance = effects.reduce(
      (sum, { effect }) => sum + effect.deviation ** 2,
      (this.#spread.item ?? 0) ** 2 + own ** 2,
    )
    const event: Event = {
      of,
      decides,
      intercept: interceptFor(share, Math.sqrt(variance)),
      effects: effects.map(({ at }) => at),
      kind: this.#placeOf(of),
      ...(range === undefined ? {} : { range }),
    }
    const at = this.#events.size
    this.#events.set(key, { at, event })
    return at
  }

  /** Intercepts of a trial besides its item's: of who is asked, of the pool, and of levels whose spread is assumed, `X by model` for each model apart. */
  #effectsOf(of: Kind, { cell, pool }: Trial, asked: string) {
    return Object.entries(this.#spread).flatMap(([column, deviation]) => {
      if (column === "item" || deviation === 0) return []
      const [factor = column, by] = column.split(" by ")
      const level = factor === "model" ? asked : factor === "pool" ? pool : cell.levels[factor]
      if (level === undefined) return []
      const whole = by === "model" ? `${level} by ${asked}` : level
      const key = JSON.stringify([of, column, whole])
      const known = this.#effects.get(key)
      if (known !== undefined) return [known]
      const made = { at: this.#effects.size, effect: { of, column, level: whole, deviation } }
      this.#effects.set(key, made)
      return [made]
    })
  }
}
