/** What the ways to read a pool have in common. */
import type { Items } from "../../grammar/ast.ts"
import type { AbsentPool } from "../compiled.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import type { Place } from "../diagnostics/report.ts"
import type { Files } from "../files.ts"
import type { Item } from "../item.ts"
import type { Module } from "../load.ts"
import type { Bound, Names } from "../resolve.ts"

/** What reading one pool comes to. */
export interface ReadPool {
  readonly items?: readonly Item[]
  readonly absent?: AbsentPool
  /** Whether the data have mistakes. */
  readonly doubtful?: boolean
  readonly diagnostics: readonly Diagnostic[]
}

export interface Setting {
  readonly spec: Module
  readonly names: Names
  readonly files: Files
  /** Whether `--items` gives the data. */
  readonly replaced: boolean
}

/** Where the spec names the data: the path in it is not at fault where another one stands in for it. */
export const placeOfData = (
  { declaration, module }: Bound<Items>,
  { replaced }: Pick<Setting, "replaced">,
): Place => ({
  source: module.source,
  span: (replaced ? declaration.name : declaration.source).span,
})
