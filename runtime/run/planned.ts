/** A compiled spec as a run is to carry it out: its plan, the items that are used, and copies of its sources. */
import type { Compiled } from "../../compiler/compiled.ts"
import type { ModelIR, Program } from "../../compiler/ir.ts"
import type { Item } from "../../compiler/item.ts"
import {
  type Engine,
  itemsUsed,
  type Mode,
  type Plan,
  planOf,
  type Replaced,
  selectExperiment,
} from "./plan.ts"
import { type Copies, copiesOf, portable } from "./portable.ts"
import { openWarnings } from "./warnings.ts"

export interface Planned {
  readonly plan: Plan
  readonly items: ReadonlyMap<string, readonly Item[]>
  /** The spec's text. */
  readonly text: string
  readonly copies: Copies
  /** The models that take part, with their files as this machine has them. */
  readonly declared: readonly ModelIR[]
}

export interface Compilation {
  /** A spec without errors. */
  readonly compiled: Compiled & { readonly program: Program; readonly hash: string }
  /** One experiment of the spec; all where it is absent. */
  readonly experiment?: string
  /** Items of each pool. */
  readonly limit?: number
  /** Pools whose items were made up, since their data are not at hand. */
  readonly invented?: readonly string[]
  readonly replaced?: Replaced
}

export function planned(
  { compiled, experiment, limit, invented = [], replaced }: Compilation,
  { engine, mode }: { readonly engine: Engine; readonly mode: Mode },
): Planned {
  const copies = copiesOf(compiled.sources)
  const program = selectExperiment(compiled.program, experiment)
  const plan = planOf({
    program: portable(compiled.program, copies.names),
    items: compiled.items,
    spec: compiled.hash,
    copies,
    engine,
    mode,
    ...(experiment === undefined ? {} : { experiment }),
    ...(limit === undefined ? {} : { limit }),
    invented,
    ...(replaced === undefined ? {} : { replaced }),
    warnings: openWarnings(compiled.diagnostics, program),
  })
  return {
    plan,
    items: itemsUsed(program, compiled.items),
    text: copies.texts.get(copies.entry) ?? "",
    copies,
    declared: program.models,
  }
}
