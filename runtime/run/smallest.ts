/** A sample that hangs on what it is drawn from and on nothing else: neither on an order nor on where a run was stopped. */

/** Keeps the few of all that have the smallest ranks, each rank once, with what was found of it first. */
export class Smallest<Found> {
  readonly #size: number
  /** By rank. */
  readonly #kept: { readonly rank: string; readonly found: Found }[] = []

  constructor(size: number) {
    this.#size = size
  }

  /** `find` is called where the rank is among the smallest so far. */
  offer(rank: string, find: () => Found): void {
    const last = this.#kept.at(-1)
    if (this.#kept.length >= this.#size && (last === undefined || rank >= last.rank)) return
    const at = this.#kept.findIndex((one) => one.rank >= rank)
    if (at >= 0 && this.#kept[at]?.rank === rank) return
    this.#kept.splice(at < 0 ? this.#kept.length : at, 0, { rank, found: find() })
    if (this.#kept.length > this.#size) this.#kept.pop()
  }

  /** By rank. */
  all(): readonly Found[] {
    return this.#kept.map(({ found }) => found)
  }
}
