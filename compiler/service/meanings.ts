/** What names stand for, and the table in which that is kept while the declarations of an analysis are gone through. */
import type { Name } from "../../grammar/ast.ts"
import type { Module } from "../load.ts"
import type { Bound, Names } from "../resolve.ts"
import { type PartKind, partsOf } from "./parts.ts"

export type Meaning = Spelt &
  (
    | { readonly kind: "declaration"; readonly bound: Bound }
    /** A read, a turn, a slot, a measure: something that a declaration has inside. */
    | { readonly kind: "part"; readonly what: PartKind; readonly inside: Bound }
  )

interface Spelt {
  /** The name that all others repeat: the declaration's or the part's own, or behind `as` the one that an import gives. */
  readonly name: Name
  /** The file in which it stands. */
  readonly module: Module
}

/** One spelling for each thing, in whichever analysis of the same texts it is met. `place` says where an offset stands in texts that were edited. */
export const keyOf = (
  { name, module, ...meaning }: Meaning,
  place: (path: string, offset: number) => number = (_, offset) => offset,
): string => {
  const what = meaning.kind === "part" ? meaning.what : meaning.kind
  return [module.path, place(module.path, name.span.start), what].join("\n")
}

export interface Table {
  readonly names: Names
  /**
   * What a name stands for: nothing where it is a word of the language, a column of items or a label, and several things where what uses its
   * declaration decides, such as the experiments that measure a metric of which read `a0` is.
   */
  readonly of: (name: Name) => readonly Meaning[]
  readonly tell: (name: Name, meanings: readonly Meaning[]) => void
}

export const emptyTable = (names: Names): Table => {
  const known = new Map<Name, readonly Meaning[]>()
  const of = (name: Name): readonly Meaning[] => known.get(name) ?? []
  return {
    names,
    of,
    tell: (name, meanings) => {
      const all = [...of(name), ...meanings]
      const keys = all.map((one) => keyOf(one))
      known.set(
        name,
        all.filter((_, index) => keys.indexOf(keys[index]!) === index),
      )
    },
  }
}

export const partMeaning = (what: PartKind, name: Name, inside: Bound): Meaning => ({
  kind: "part",
  what,
  name,
  module: inside.module,
  inside,
})

/** The parts of these kinds that have a name in a declaration. */
export const partsNamed = (
  bound: Bound | undefined,
  kinds: readonly PartKind[],
  text: string,
): readonly Meaning[] =>
  bound === undefined
    ? []
    : partsOf(bound.declaration).flatMap(({ what, name }) =>
        name.text === text && kinds.includes(what) ? [partMeaning(what, name, bound)] : [],
      )
