/** One row of the trial table: what measures, `trials.csv` and the report are made from. */
import type { Reading, Target } from "../compiler/trial.ts"

export interface TrialRecord {
  readonly trial: string
  readonly experiment: string
  readonly model: string
  readonly pool: string
  readonly item: string
  /** Level by factor; a factor that the arm lacks is absent. */
  readonly levels: Readonly<Record<string, string>>
  readonly labels: readonly string[]
  /** Index of the gold option. */
  readonly gold: number
  readonly target: Target
  /** What the lines assert: gold under all-correct, else the target (for a baseline, the would-be target). */
  readonly pushed: Target
  /** By hole, in the protocol's order. */
  readonly readings: Readonly<Record<string, Reading>>
  /**
   * By hole, the identity of what the model read and was asked (`promptId`); absent where nothing was put together. Trials of one model
   * and item with the same identity share one read, so for a measure that looks at no other they are one observation.
   */
  readonly prompts: Readonly<Record<string, string>>
}
