import type { Closed } from "./trial.ts"

/** All that a model has been told when a read is taken: turns that are over, and the one whose assistant text stops at the hole. */
export interface Conversation {
  readonly system?: Closed
  /** Oldest first. The last one's `assistant` ends where the read is taken. */
  readonly turns: readonly { readonly user: Closed; readonly assistant: Closed }[]
}

/** What is read at the end of a conversation. */
export type Ask =
  /** `kind: "label"` reads declared words instead of an item's labels. */
  | {
      readonly kind: "option" | "label"
      readonly labels: readonly string[]
      readonly follow: string
      /** Labels besides, whose raw probability is recorded: a placebo label that is pushed. */
      readonly also?: readonly string[]
      /** `labels` are whole option texts: by the raw probability of all their tokens, or by its geometric mean. */
      readonly score?: "sum" | "mean"
    }
  /** `follow` is the literal text after the hole, up to the next hole: what tells "1" from "10". */
  | { readonly kind: "integer"; readonly low: number; readonly high: number; readonly follow: string }
  /** A text that the model writes. `draw` is 0 at temperature 0; else it tells draws apart that share all else. */
  | {
      readonly kind: "text"
      readonly max: number
      readonly until: readonly string[]
      readonly temperature: number
      readonly topP: number
      readonly draw: string
    }
