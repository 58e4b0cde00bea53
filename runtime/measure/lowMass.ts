/** Reads whose labels hold little of the probability: the model would rather have said something else. */
import type { HoleIR } from "../../compiler/ir.ts"

/** What labels should hold together, where a read says nothing else. */
const LEAST_MASS = 0.5

/** The raw probability that the labels of a read should hold together; none for what has no distribution. */
export function leastMassOf(hole: HoleIR): number | undefined {
  return hole.type === "option" || hole.type === "label" || hole.type === "integer"
    ? (hole.leastMass ?? LEAST_MASS)
    : undefined
}
