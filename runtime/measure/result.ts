/** One number of a report: a line of `results.json`. */
export interface Result {
  readonly experiment: string
  readonly kind: "measure" | "summary" | "contrast" | "fit" | "decomposition" | "expect"
  readonly name: string
  /** The levels that the trials share, of every factor that varies, and of those that only some trials have where it takes these; for a contrast, empty. */
  readonly by: Readonly<Record<string, string>>
  /** What tells its trials from others of the same `by`, in the language's words: a table's condition, or the arms that lack its factor. */
  readonly where?: string
  /** For a measure in a table that averages over cells: `macro(model, pool)`. */
  readonly average?: string
  /** For a contrast and its expectations: by pairs of trials of one item, over all trials of each side, within cells, by a model. */
  readonly taken?: "paired" | "permutation" | "pooled" | "two_sample" | "cells" | "signs" | "mixed_logistic"
  /** Of `cells` and `signs`: the columns whose crossings they are. */
  readonly columns?: readonly string[]
  /** Trials that entered (for a paired contrast: pairs); of trials that are one observation, one. */
  readonly n: number
  /** For a rate: how many were true. For an AUROC: how many came about. */
  readonly k?: number
  /** Trials that did not enter, by reason, such as "given", "invalid a1", "not asked yet", "same prompt as another trial". Reasons without trials are absent. */
  readonly excluded: Readonly<Record<string, number>>
  /** Absent when nothing entered. Rates and probabilities are fractions of 1. */
  readonly estimate?: number
  readonly low?: number
  readonly high?: number
  /** Of the interval, in percent. */
  readonly level?: number
  /** The estimator in words: "Wilson", "cluster bootstrap by item, 2000 draws"; where there is no interval or no p, why. */
  readonly method: string
  readonly p?: number
  /** Of a contrast in a family: its p adjusted for the others. */
  readonly adjusted?: {
    readonly family: string
    readonly method: "holm" | "benjamini_hochberg"
    readonly p: number
  }
  /**
   * Of a test of signs: cells above, below and at 0 (which the test leaves out), and the one-sided p of "above 0", on whichever side the estimate lies: a
   * side that the data choose would halve the two-sided p.
   */
  readonly signs?: {
    readonly above: number
    readonly below: number
    readonly ties: number
    readonly pAbove: number
  }
  /**
   * For a fit, one result for each of its numbers. `fixed`: a coefficient of the design, `estimate` in logits; `spread`: the standard deviation of an
   * intercept or slope; `correlation`: of two of them; `test`: of a term or a spread, by the model without it; `model`: the fit itself, `estimate` its
   * log-likelihood. For a decomposition: which share of the variance it is.
   */
  readonly part?: "fixed" | "spread" | "correlation" | "test" | "model" | "rows" | "columns" | "residual"
  /** Of `fixed`: the coefficient, such as "framing = experts"; of `spread` and `correlation`: what varies by what, such as "item" or "experts by model". */
  readonly term?: string
  /** Of `fixed`: what the coefficient compares with, such as "framing = no_source", or "dose one lower" where dose is a number. */
  readonly against?: string
  /** Of `fixed`, and of a contrast by a model: exp of the estimate and of the ends of its interval. */
  readonly odds?: { readonly estimate: number; readonly low?: number; readonly high?: number }
  readonly standardError?: number
  /** What `p` is the tail of: Wald's z of a coefficient; of a test by two models, twice the difference of their log-likelihoods. */
  readonly statistic?: {
    readonly name: "z" | "chi_squared"
    readonly value: number
    readonly freedom?: number
  }
  /** What a reader must know before a number, such as "singular: the standard deviation of pool is 0". */
  readonly cautions?: readonly string[]
  /** For a published number: what was published, and how far off it may be. */
  readonly published?: { readonly value: number; readonly within: number }
  /** Where cells are averaged over: how many have a number, of how many that the design has. */
  readonly cells?: { readonly entered: number; readonly of: number }
  /** For a contrast of two measures: the two sides' estimates over what entered, and for paired rates how many pairs were true on one side only. */
  readonly sides?: { readonly left: number; readonly right: number }
  readonly discordant?: { readonly left: number; readonly right: number }
  /** For a contrast of more measures: the estimate of each over what entered, in the order written, without its sign. */
  readonly terms?: readonly number[]
  /** For an equivalence: the interval that is compared with the margin, at the level of two one-sided tests at 5 %. */
  readonly equivalence?: { readonly low: number; readonly high: number; readonly level: number }
  /** For an expect: whether it held; absent when its contrast has no estimate. */
  readonly held?: boolean
}
