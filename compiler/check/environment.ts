/** What an expression may name, for each place where one stands. `lower/scope.ts` says what the same names mean. */
import { assertionFactors } from "../lower/columns.ts"
import { designFields, type ReadOf } from "../lower/scope.ts"
import { once } from "../memo.ts"
import type { Environment } from "./types.ts"
import type { ReadFacts } from "./uses.ts"

const types = {
  option: "option read",
  label: "label read",
  integer: "integer read",
  text: "text read",
} as const

/** Reads by name, and the lists that repeated turns make of them. */
export const readFacts = once((reads: readonly ReadOf[]): ReadonlyMap<string, ReadFacts> => {
  const facts = new Map<string, ReadFacts>()
  for (const { name, kind, other, labels, gold, low, high, hasProbabilities, perToken, list } of reads) {
    const type = other ? "read of another item" : types[kind]
    facts.set(name, {
      type,
      ...(low === undefined || high === undefined ? {} : { low, high }),
      ...(labels === undefined ? {} : { labels }),
      ...(gold === undefined ? {} : { gold }),
      ...(hasProbabilities === undefined ? {} : { hasProbabilities }),
      ...(perToken === undefined ? {} : { perToken }),
    })
    if (list !== undefined) facts.set(list, { type: "list of reads", each: type })
  }
  return facts
})

/**
 * Of the `when` of a turn: reads that came before it, and the columns that an experiment may have: those of every design, and the
 * protocol's own slots and roles. Which levels they have is the experiment's to say: there the condition is checked once more.
 */
export const gateEnvironment = (
  reads: readonly ReadOf[],
  slots: readonly string[],
  roles: readonly string[],
): Environment => {
  const columns = ["arm", ...assertionFactors, ...designFields, ...slots, ...roles, "model", "pool"]
  return {
    reads: readFacts(reads),
    columns: new Map(columns.map((name) => [name, undefined] as const)),
    roles: new Set(roles),
    items: undefined,
    attributes: undefined,
  }
}

/**
 * Of a condition of an experiment: `only when`, `except when`, and with reads the `where` of a table. `items` and `attributes` are the
 * columns of its pools' items and the attributes of its models; leave out what is not known.
 */
export const designEnvironment = (
  columns: ReadonlyMap<string, readonly string[] | undefined>,
  roles: Iterable<string>,
  known: {
    readonly reads?: readonly ReadOf[]
    readonly items?: Iterable<string>
    readonly attributes?: Iterable<string>
  } = {},
): Environment => ({
  reads: readFacts(known.reads ?? []),
  columns,
  roles: new Set(roles),
  items: known.items === undefined ? undefined : new Set(known.items),
  attributes: known.attributes === undefined ? undefined : new Set(known.attributes),
})

/** Of the `where` of a pool, in its declaration or where an experiment uses it: the columns of its rows, by their bare names. */
export const rowEnvironment = (columns: Iterable<string>): Environment => ({
  reads: new Map(),
  columns: new Map(),
  roles: new Set(),
  items: undefined,
  attributes: undefined,
  rows: new Set(columns),
})
