/** How the compiler reads: the one way in, so that its passes stay pure and tests need no disk. */
export interface Files {
  /** The text of a file, or why it cannot be had, in words for a person ("no such file"). Paths are absolute, with `/`. */
  readonly read: (path: string) => { readonly text: string } | { readonly problem: string }
  /** Absolute folder of the standard library: `std/x` is `x.cfx` in it. */
  readonly stdlib: string
  /** How a path is shown to a person: relative to where the command runs, or `std/x.cfx`. */
  readonly show: (path: string) => string
}
