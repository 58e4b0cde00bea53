export type Severity = "error" | "warning" | "note"

/** One kind of diagnostic. Its words are functions of its parameters, so that a call site cannot forget one. */
export interface Entry<Parameters> {
  readonly severity: Severity
  /** Says what kind of thing is wrong, without the particulars. */
  readonly title: string
  /** Says what is wrong here, in full sentences. */
  readonly message: (parameters: Parameters) => string
  /** A few words that stand under the marked text. */
  readonly label: (parameters: Parameters) => string
  /** What to do about it. */
  readonly hint?: (parameters: Parameters) => string | undefined
}

export const error = <P>(title: string, words: Omit<Entry<P>, "severity" | "title">): Entry<P> => ({
  severity: "error",
  title,
  ...words,
})

export const warning = <P>(title: string, words: Omit<Entry<P>, "severity" | "title">): Entry<P> => ({
  severity: "warning",
  title,
  ...words,
})

export const note = <P>(title: string, words: Omit<Entry<P>, "severity" | "title">): Entry<P> => ({
  severity: "note",
  title,
  ...words,
})

/** Parameters of an entry that has none. */
export type None = Readonly<Record<never, never>>
