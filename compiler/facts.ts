/** What expressions may ask of a trial, and of a place in the grid before it is one. */
import type { Facts } from "./evaluate.ts"
import type { CellIR } from "./ir.ts"
import type { Item } from "./item.ts"
import { pushedOf, type Readings, targetOf } from "./target.ts"
import type { Trial } from "./trial.ts"

/** A place in the grid. */
export interface Design {
  readonly model: string
  readonly pool: string
  readonly cell: CellIR
  /** Of the studied model; none where they are not known. */
  readonly attributes?: Readonly<Record<string, string | number>> | undefined
}

/** The name of the model in a role, the studied one where it is told to speak for itself. */
export const modelIn = (role: string, { roles }: CellIR, studied: string): string | undefined => {
  if (role === "model") return studied
  const name = roles[role]
  return name === "model" ? studied : name
}

/**
 * The design's side of the facts. A condition on an attribute where nobody gave the attributes is a mistake of the caller's: it would let everything
 * through in silence.
 */
export const designFacts = (
  { model, pool, cell, attributes }: Design,
  item: Item | undefined,
): Pick<Facts, "level" | "role" | "item" | "attribute"> => ({
  level: (factor) => (factor === "model" ? model : factor === "pool" ? pool : cell.levels[factor]),
  role: (role) => modelIn(role, cell, model),
  item,
  attribute: (name) => {
    if (attributes === undefined) throw new Error(`internal: the attributes of ${model} were not given`)
    return attributes[name]
  },
})

/** All that is known of a trial once these reads are taken. */
export const factsOf = (trial: Trial, readings: Readings): Facts => ({
  ...designFacts(trial, trial.item),
  reading: (hole) => readings[hole],
  hole: (name) => trial.experiment.protocol.holes.find((hole) => hole.name === name),
  target: () => targetOf(trial, readings),
  pushed: () => pushedOf(trial, targetOf(trial, readings)),
})
