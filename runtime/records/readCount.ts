/** How many reads records have, and how many of them differ: rows that say the same prompt of one model and item share a read. */
import type { ExperimentIR } from "../../compiler/ir.ts"
import { Ids } from "../compact/ids.ts"
import { Pairs } from "../compact/pairs.ts"
import { promptHole } from "../measure/readColumns.ts"
import type { TrialRecord } from "../record.ts"
import { isOwnPrompt } from "./prompts.ts"
import { numbered } from "./seen.ts"

export interface CountedReads {
  readonly all: number
  readonly distinct: number
}

export class ReadCount {
  /** By read that a model was asked for: itself, and what was found in its text. */
  readonly #asked: readonly (readonly [source: string, holes: readonly string[]])[]
  readonly #models = new Map<string, number>()
  readonly #pools = new Map<string, number>()
  readonly #items = new Map<string, number>()
  /** Each of so many bytes that two that differ hardly ever count as the same (`Ids`). */
  readonly #prompts = new Ids(16)
  readonly #outer = new Pairs()
  readonly #inner = new Pairs()
  /** By read, the prompts of items. */
  readonly #shared = new Map<string, Pairs>()
  #all = 0
  #own = 0

  constructor({ protocol }: ExperimentIR) {
    const asked = new Map<string, string[]>()
    for (const hole of protocol.holes) {
      const source = promptHole(hole, protocol)
      asked.set(source, [...(asked.get(source) ?? []), hole.name])
    }
    this.#asked = [...asked]
  }

  take({ model, pool, item, readings, prompts }: TrialRecord): void {
    for (const [source, holes] of this.#asked) {
      if (!holes.some((hole) => (readings[hole]?.status ?? "skipped") !== "skipped")) continue
      this.#all += 1
      const prompt = prompts[source]
      if (prompt === undefined || isOwnPrompt(prompt)) {
        this.#own += 1
        continue
      }
      const outer = this.#outer.add(numbered(this.#models, model), numbered(this.#pools, pool))
      const inner = this.#inner.add(outer, numbered(this.#items, item))
      const shared = this.#shared.get(source) ?? new Pairs()
      this.#shared.set(source, shared)
      shared.add(inner, this.#prompts.add(prompt))
    }
  }

  get found(): CountedReads {
    const shared = [...this.#shared.values()].reduce((sum, { size }) => sum + size, 0)
    return { all: this.#all, distinct: this.#own + shared }
  }
}
