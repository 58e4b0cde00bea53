/** How the compiler reads: the one way in, so that its passes stay pure and tests need no disk. */
export interface Files {
  /** The text of a file, or why it cannot be had, in words for a person ("no such file"). Paths are absolute, with `/`. */
  readonly read: (path: string) => { readonly text: string } | { readonly problem: string }
  /** Names of the files directly in a folder, sorted; or why it cannot be listed. A path that is no folder is a problem too. */
  readonly list: (path: string) => { readonly names: readonly string[] } | { readonly problem: string }
  /** The absolute path of a file of an npm package, seen from a file that imports it; or why there is none. */
  readonly packaged: (
    name: string,
    file: string,
    from: string,
  ) => { readonly path: string } | { readonly problem: string }
  /** Absolute folder of the standard library: `std/x` is `x.cfx` in it. */
  readonly stdlib: string
  /** How a path is shown to a person: relative to where the command runs, or `std/x.cfx`. */
  readonly show: (path: string) => string
}
