/** The crossings of a model, a pool and levels that rows are of, each kept once: what is worked out of one is worked out once too. */
import { cellKey } from "./design.ts"

export interface Crossing {
  readonly model: string
  readonly pool: string
  readonly levels: Readonly<Record<string, string>>
  /** `cellKey` of the three. */
  readonly key: string
}

interface Branch {
  readonly branches: Map<string | undefined, Branch>
  crossing?: Crossing
}

const branch = (): Branch => ({ branches: new Map() })

function along(from: Branch, step: string | undefined): Branch {
  const known = from.branches.get(step)
  if (known !== undefined) return known
  const made = branch()
  from.branches.set(step, made)
  return made
}

export class Crossings {
  readonly #factors: readonly string[]
  readonly #besides: Readonly<Record<string, string>>
  readonly #root = branch()

  /** `factors`: those that rows may have a level of; `besides`: levels of all. */
  constructor(factors: readonly string[], besides: Readonly<Record<string, string>> = {}) {
    this.#factors = factors
    this.#besides = besides
  }

  /** The crossing of these: the same object each time. `levels` of the factors alone. */
  of(model: string, pool: string, levels: Readonly<Record<string, string>>): Crossing {
    let at = along(along(this.#root, model), pool)
    for (const factor of this.#factors) at = along(at, levels[factor])
    if (at.crossing === undefined) {
      const all = { ...this.#besides, ...levels }
      at.crossing = { model, pool, levels: all, key: cellKey(model, pool, all) }
    }
    return at.crossing
  }
}
