/** The numbers of one simulation: contrasts and expectations by the functions that a run's come from, beside what is true in it. */
import type { ContrastIR, EstimatorIR } from "../../compiler/ir.ts"
import { unadjusted } from "../measure/contrast.ts"
import { expectsOf } from "../measure/expect.ts"
import type { Result } from "../measure/result.ts"
import type { Design } from "./design.ts"
import { drawTrials, type Shift } from "./draw.ts"
import { adjusted } from "./families.ts"
import type { Sized } from "./sized.ts"
import { truthOf } from "./truth.ts"

/** A contrast taken in one way, in the order of results. */
export interface Taken {
  readonly contrast: ContrastIR
  readonly by: EstimatorIR
}

export function takenIn({ experiment }: Pick<Design, "experiment">): readonly Taken[] {
  return experiment.contrasts.flatMap((contrast) => contrast.by.map((by) => ({ contrast, by })))
}

/** What one simulation says of a contrast taken in one way; NaN stands for what it has not. */
export interface Numbers {
  readonly estimate: number
  readonly low: number
  readonly high: number
  /** Adjusted for its family where it is in one. */
  readonly p: number
  /** The value for the models, pools and levels that were drawn. */
  readonly here: number
}

export interface Simulation {
  readonly taken: readonly Numbers[]
  /** By expectation: 1 where it held, 0 where it did not, NaN where there is no telling. */
  readonly held: readonly number[]
}

/** Contrasts, then expectations. */
export function resultsOf(
  sized: Sized,
  outcomes: Parameters<typeof unadjusted>[1],
): {
  readonly contrasts: readonly Result[]
  readonly expects: readonly Result[]
} {
  // Fits are kept by the trials that they are of (`measure/fitted.ts`): those of a simulation are its own.
  const fits = takenIn(sized.design).some(({ by }) => by === "mixed_logistic")
  const trials = fits ? { ...sized.trials } : sized.trials
  const { experiment, ways } = sized.design
  const contrasts = adjusted(experiment, ways, unadjusted(trials, outcomes))
  return { contrasts, expects: expectsOf(trials, outcomes, contrasts) }
}

export function simulate(sized: Sized, seed: number, simulation: number, shift?: Shift): Simulation {
  const { design } = sized
  const { effects, outcomes } = drawTrials(sized, seed, simulation, shift)
  const { contrasts, expects } = resultsOf(sized, outcomes)
  const items = sized.pools.reduce((sum, { kinds }) => sum + kinds.length, 0)
  const here = truthOf(design, items, effects, shift)
  return {
    taken: takenIn(design).map(({ contrast, by }, at) => {
      const { estimate, low, high, p, adjusted } = contrasts[at]!
      return {
        estimate: estimate ?? Number.NaN,
        low: low ?? Number.NaN,
        high: high ?? Number.NaN,
        p: adjusted?.p ?? p ?? Number.NaN,
        here: here(contrast, by) ?? Number.NaN,
      }
    }),
    held: expects.map(({ held }) => (held === undefined ? Number.NaN : Number(held))),
  }
}
