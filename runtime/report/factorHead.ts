/** Names of factors as headings of tables. */

/** Headings that tables of measures and summaries have of their own. */
const own: ReadonlySet<string> = new Set(["n", "summary", "of", "estimate", "how", "interval"])

/** A factor's name, behind `level:` where it would stand beside another column of that name, as in `trials.csv`. */
export const factorHead = (factor: string): string => (own.has(factor) ? `level:${factor}` : factor)
