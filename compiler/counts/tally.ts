/** Adds up distinct reads: each once, whatever number of trials take it. */
import type { Chance } from "./chances.ts"
import type { Key } from "./keys.ts"

interface Read {
  readonly hole: string
  readonly asked: string
  /** Chances that one of the trials takes it, by the reads that they hang on. */
  readonly chances: Map<string, number>
  isBound: boolean
}

interface Sum {
  calls: number
  expected: number
  isBound: boolean
}

export class Tally {
  /** Reads of the items of the group at hand. */
  readonly #own = new Map<string, Read>()
  /** Reads that are the same for all items. */
  readonly #common = new Map<string, Read>()
  readonly #sums = new Map<string, Map<string, Sum>>()

  /** A trial's read. `events`: the reads that its chance hangs on; trials that hang on the same ones have one chance between them. */
  add(hole: string, key: Key & { readonly asked: string }, chance: Chance, events: () => string): void {
    const reads = key.isOfItem ? this.#own : this.#common
    const known = reads.get(key.key)
    const read = known ?? { hole, asked: key.asked, chances: new Map(), isBound: false }
    if (known === undefined) reads.set(key.key, read)
    const on = events()
    read.chances.set(on, Math.max(read.chances.get(on) ?? 0, chance.probability))
    read.isBound ||= chance.isBound
  }

  /** All trials of a group of so many items have been added. */
  close(items: number): void {
    for (const read of this.#own.values()) this.#sum(read, items)
    this.#own.clear()
  }

  /** All groups have been closed. */
  end(): void {
    for (const read of this.#common.values()) this.#sum(read, 1)
    this.#common.clear()
  }

  /** Of one hole, over all models that are asked at it. */
  of(hole: string): Readonly<Sum> {
    const total: Sum = { calls: 0, expected: 0, isBound: false }
    for (const sum of this.#sums.get(hole)?.values() ?? []) accumulate(total, sum)
    return total
  }

  /** By the model that is asked, over these holes. */
  byModel(holes: readonly string[]): Readonly<Record<string, Pick<Sum, "calls" | "expected">>> {
    const totals = new Map<string, Sum>()
    for (const hole of holes) {
      for (const [model, sum] of this.#sums.get(hole) ?? []) {
        const total = totals.get(model) ?? { calls: 0, expected: 0, isBound: false }
        accumulate(total, sum)
        totals.set(model, total)
      }
    }
    return Object.fromEntries([...totals].map(([model, { calls, expected }]) => [model, { calls, expected }]))
  }

  /** A read is taken when one of its trials takes it: trials that hang on different reads are independent. */
  #sum({ hole, asked, chances, isBound }: Read, items: number): void {
    let none = 1
    for (const chance of chances.values()) none *= 1 - chance
    const byModel = this.#sums.get(hole) ?? new Map<string, Sum>()
    this.#sums.set(hole, byModel)
    const sum = byModel.get(asked) ?? { calls: 0, expected: 0, isBound: false }
    byModel.set(asked, sum)
    accumulate(sum, { calls: items, expected: items * (1 - none), isBound })
  }
}

const accumulate = (total: Sum, { calls, expected, isBound }: Sum): void => {
  total.calls += calls
  total.expected += expected
  total.isBound ||= isBound
}
