/** What the names of an expression stand for, for each place where one stands. `check/environment.ts` says which there may be. */
import type { Name } from "../../grammar/ast.ts"
import type { HoleIR } from "../ir.ts"
import { once } from "../memo.ts"
import type { Names } from "../resolve.ts"
import { assertionFactors, outerColumns, UNANIMITY } from "./columns.ts"
import { lexiconTerms } from "./lexicon.ts"
import type { ReadInfo } from "./reads.ts"

/** What an expression must know of a read. */
export type ReadOf = Omit<ReadInfo, "turn" | "span" | "hasProbabilities"> &
  Partial<Pick<ReadInfo, "hasProbabilities">>

export interface ExpressionScope {
  /** By the name that the expression has for it, which in a metric is a parameter. */
  readonly reads: ReadonlyMap<string, ReadOf>
  /** Reads of a repeated turn, in order, by the name that the expression has for their list. */
  readonly lists: ReadonlyMap<string, readonly string[]>
  /** Columns of the design. */
  readonly columns: ReadonlySet<string>
  /** Those of them whose levels are models. */
  readonly roles: ReadonlySet<string>
  /** Whether it is over the rows of a pool, so that a bare name is a column of an item. */
  readonly rows: boolean
  readonly terms: (lexicon: Name) => readonly string[]
}

const termsIn =
  (names: Names) =>
  (lexicon: Name): readonly string[] => {
    const bound = names.find(lexicon, "lexicon")
    return bound === undefined ? [] : lexiconTerms(bound)
  }

/** Columns of a design that are fields of an experiment, besides those of its arms and its factors. */
export const designFields = [UNANIMITY, "seed", "target", "options", "replicate"] as const

/** Reads and lists under the names that they have in the protocol. */
export const readsByName = once((reads: readonly ReadOf[]): Pick<ExpressionScope, "reads" | "lists"> => {
  const lists = new Map<string, string[]>()
  for (const { name, list } of reads) {
    if (list !== undefined) lists.set(list, [...(lists.get(list) ?? []), name])
  }
  return { reads: new Map(reads.map((read) => [read.name, read])), lists }
})

const nothing: readonly ReadOf[] = []

/** Of the `when` of a turn. */
export const gateScope = (
  reads: readonly ReadOf[],
  slots: readonly string[],
  roles: readonly string[],
  names: Names,
): ExpressionScope =>
  designScope(
    ["arm", ...assertionFactors, ...designFields, ...slots, ...roles, ...outerColumns],
    roles,
    names,
    reads,
  )

/** Of a condition of an experiment, whose columns include `model` and `pool`: `only when`, `except when`, and with reads `where`. */
export const designScope = (
  columns: Iterable<string>,
  roles: Iterable<string>,
  names: Names,
  reads: readonly ReadOf[] = nothing,
): ExpressionScope => ({
  ...readsByName(reads),
  columns: new Set(columns),
  roles: new Set(roles),
  rows: false,
  terms: termsIn(names),
})

/** Of the `where` of a pool: each bare name is a column. */
export const rowScope: ExpressionScope = {
  reads: new Map(),
  lists: new Map(),
  columns: new Set(),
  roles: new Set(),
  rows: true,
  terms: () => [],
}

/** Of a metric that is given these reads, by its parameters. */
export const metricScope = (
  given: Pick<ExpressionScope, "reads" | "lists">,
  names: Names,
): ExpressionScope => ({ ...given, columns: new Set(), roles: new Set(), rows: false, terms: termsIn(names) })

/** What is known of a lowered read. */
export const readOfHole = (hole: HoleIR, lists: Readonly<Record<string, readonly string[]>>): ReadOf => {
  const list = Object.keys(lists).find((name) => lists[name]?.includes(hole.name))
  const place = { name: hole.name, ...(list === undefined ? {} : { list }) }
  switch (hole.type) {
    case "option":
      return {
        ...place,
        kind: "option",
        hasProbabilities: true,
        ...(hole.of === undefined ? {} : { other: true }),
        ...(hole.score === "mean" ? { perToken: true } : {}),
      }
    case "integer":
      return { ...place, kind: "integer", low: hole.low, high: hole.high, hasProbabilities: true }
    case "label":
      return { ...place, ...labelled(hole), hasProbabilities: true }
    case "text":
      return { ...place, kind: "text", hasProbabilities: false }
    case "extract": {
      const { as } = hole
      const kind = as.type === "label" ? labelled(as) : { kind: as.type }
      return { ...place, ...kind, hasProbabilities: false }
    }
    case "rule":
      return { ...place, ...labelled(hole), hasProbabilities: false }
    default:
      return hole satisfies never
  }
}

const labelled = ({ labels, gold }: { readonly labels: readonly string[]; readonly gold?: string }) => ({
  kind: "label" as const,
  labels,
  ...(gold === undefined ? {} : { gold }),
})
