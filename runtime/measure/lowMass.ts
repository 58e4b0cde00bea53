/** Reads whose labels hold little of the probability: the model would rather have said something else. */
import type { HoleIR } from "../../compiler/ir.ts"

/** What labels should hold together, where a read says nothing else. */
const LEAST_MASS = 0.5

/**
 * The raw probability that the labels of a read should hold together; none for what has no distribution, and for whole texts only what is declared: a text of
 * several tokens is rarely half of what a model might say.
 */
export function leastMassOf(hole: HoleIR): number | undefined {
  switch (hole.type) {
    case "option":
      return hole.leastMass ?? (hole.score === undefined ? LEAST_MASS : undefined)
    case "label":
    case "integer":
      return hole.leastMass ?? LEAST_MASS
    default:
      return undefined
  }
}
