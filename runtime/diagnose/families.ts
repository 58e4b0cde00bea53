/**
 * Families of contrasts some of which are not simulated: in a run those have a p and count among the tests of their family, so that they count here with a p
 * of 1, the least that they can say. Power of the others is then no more than a run's.
 */
import type { EstimatorIR, ExperimentIR } from "../../compiler/ir.ts"
import { withFamilies } from "../measure/families.ts"
import type { Result } from "../measure/result.ts"

/** A way of taking a contrast, in the order of results. */
export interface Way {
  readonly contrast: string
  readonly by: EstimatorIR
  readonly isSimulated: boolean
}

/** A family with members that are not simulated in the way by which they enter it in a run. */
export interface LackingFamily {
  readonly family: string
  /** How many contrasts it has. */
  readonly contrasts: number
  readonly notSimulated: readonly string[]
}

/** Families that lack what a run has of them, of those with some member that is simulated. */
export const lackingIn = (
  { families }: Pick<ExperimentIR, "families">,
  ways: readonly Way[],
): readonly LackingFamily[] =>
  families.flatMap(({ name, contrasts }) => {
    const notSimulated = contrasts.filter((member) => {
      const entry = ways.find(({ contrast, by }) => contrast === member && mayHaveP(by))
      return entry !== undefined && !entry.isSimulated
    })
    return notSimulated.length === 0 ? [] : [{ family: name, contrasts: contrasts.length, notSimulated }]
  })

/** `results`: of the ways that are simulated, in their order. */
export function adjusted(
  experiment: Pick<ExperimentIR, "families">,
  ways: readonly Way[],
  results: readonly Result[],
): readonly Result[] {
  let next = 0
  const entering = ways.filter(({ by, isSimulated }) => isSimulated || mayHaveP(by))
  const all = entering.map(({ contrast, isSimulated }) =>
    isSimulated ? results[next++]! : saysNothing(contrast),
  )
  return withFamilies(experiment, all).filter((_, at) => entering[at]!.isSimulated)
}

const mayHaveP = (by: EstimatorIR): boolean => by !== "pooled"

/** Stands for what a run would have of a contrast. */
const saysNothing = (name: string): Result => ({
  experiment: "",
  kind: "contrast",
  name,
  by: {},
  n: 0,
  excluded: {},
  p: 1,
  method: "none: not simulated",
})
