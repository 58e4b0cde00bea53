import type { Source } from "../grammar/source.ts"
import type { Diagnostic } from "./diagnostics/diagnostic.ts"
import type { Program } from "./ir.ts"
import type { Item } from "./item.ts"

/** What comes of a spec. `program` is there only when no error was found. */
export interface Compiled {
  readonly program?: Program
  /** sha256 of the program's meaning, 64 hexadecimal digits: layout, comments and the order of keys do not change it. */
  readonly hash?: string
  /** Items by pool, as read from their files. */
  readonly items: ReadonlyMap<string, readonly Item[]>
  /** Pools whose data are not at hand: on a hub, or a run that is not there. They have no entry in `items`. */
  readonly absent: ReadonlyMap<string, AbsentPool>
  /** In the order of files and places; errors of all files and of all item rows. */
  readonly diagnostics: readonly Diagnostic[]
  /** Every `.cfx` file that took part, the spec first, by absolute path: what a run keeps a copy of. */
  readonly sources: ReadonlyMap<string, Source>
}

export interface AbsentPool {
  /** In words for a person: what is not there. */
  readonly why: string
}

export interface CompileOptions {
  /** `--model NAME=FILE`: absolute path by model name; declared size and sum no longer hold. */
  readonly models?: Readonly<Record<string, string>>
  /** `--items NAME=FILE`: absolute path by pool name, read with the pool's own mapping. */
  readonly items?: Readonly<Record<string, string>>
}
