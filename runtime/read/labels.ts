/**
 * Labels as forced tokens. A label is read at the place where its tokens part from the others'; where one label's tokens are the
 * beginning of another's ("1" and "10"), the literal character that follows in the template tells them apart.
 */
import type { Token } from "../backend/backend.ts"

/**
 * A place where the next token decides. Each branch leads to a label, or to a further place.
 * p(label) = product of the restricted, renormalised probabilities along its branches.
 */
export interface LabelTree {
  /** Tokens forced since the hole; empty at the root. */
  readonly forced: readonly Token[]
  readonly branches: readonly LabelBranch[]
}

export interface LabelBranch {
  readonly token: Token
  /** Index of the label that this token settles, or the place that decides further. */
  readonly then: number | LabelTree
}
