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
  /** In the pool's order, like every index of an option in a record. */
  readonly labels: readonly string[]
  /** The label under which each option was shown. */
  readonly shown: readonly string[]
  /** Index of the gold option. */
  readonly gold: number
  /** The item's further columns, and the studied model's attributes. */
  readonly columns: Readonly<Record<string, string | number>>
  readonly attributes: Readonly<Record<string, string | number>>
  /** The model in each role, by name. */
  readonly roles: Readonly<Record<string, string>>
  /** The arm's lines: words and the place of the answer, means; none for a block. The place is absent where no line holds an answer. */
  readonly lines?: { readonly words: number; readonly answerIndex?: number }
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
  /** By hole, what the model wrote where it was also asked for a text; absent where it never was. */
  readonly freely?: Readonly<Record<string, FreeAnswer>>
}

export type FreeAnswer =
  /** `label`: with which it begins; absent where it begins with none. */
  | { readonly status: "text"; readonly text: string; readonly label?: string; readonly agrees: boolean }
  | { readonly status: "invalid"; readonly why: string }
  /** Not asked yet. */
  | { readonly status: "open" }
