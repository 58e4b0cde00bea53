/** What an editor asks of a file: its tree, what its names stand for, and all that is wrong with it. */
import { compile } from "../compile.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import type { Files } from "../files.ts"
import { load, type Module, otherLibraries } from "../load.ts"
import { type Names, resolve } from "../resolve.ts"

export interface Analysis {
  readonly module: Module
  /** The file and every library that it needs. */
  readonly modules: readonly Module[]
  readonly names: Names
  /** Of all these files, as `cfx check` gives them. */
  readonly diagnostics: readonly Diagnostic[]
  /** Libraries of the standard library that the file does not import: what it could. */
  readonly others: readonly Module[]
}

/** Nothing where the file cannot be read. */
export const analyse = (path: string, files: Files): Analysis | undefined => {
  const { modules } = load(path, files)
  const [module] = modules
  if (module === undefined) return undefined
  const others = otherLibraries(modules, files)
  const { names } = resolve(modules, () => others)
  return { module, modules, names, diagnostics: compile(path, files).diagnostics, others }
}
