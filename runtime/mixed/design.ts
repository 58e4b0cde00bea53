/** The columns of a design from its terms, coded as R codes them (`model.matrix` with treatment contrasts). */
import { INTERCEPT } from "./effectName.ts"
import type { Effect, FixedColumn } from "./problem.ts"

/** What a term is a product of. */
export type Variable =
  | {
      readonly kind: "factor"
      readonly name: string
      /** Those that occur; the first is what the others are compared with. */
      readonly levels: readonly string[]
      /** Of each row its level. */
      readonly codes: Int32Array
    }
  | { readonly kind: "number"; readonly name: string; readonly values: Float64Array }

export type Term = readonly Variable[]

/** "framing * structure" */
export const termName = (term: Term): string => term.map(({ name }) => name).join(" * ")

/**
 * The intercept, then each term's columns. A factor of a term has a column for each level but the first where the model has the rest of the term as
 * a term of its own (the intercept is the empty one), and a column for every level where it does not. The first factor varies fastest. As in R, terms
 * of fewer variables go first, and the variables of a term in the order in which the model names them.
 */
export function fixedColumns(terms: readonly Term[], rows: number): readonly FixedColumn[] {
  const known = new Set(["[]", ...terms.map(identity)])
  return [
    { name: INTERCEPT, term: -1, values: new Float64Array(rows).fill(1) },
    ...ordered(terms).flatMap(({ term, at }) =>
      term
        .map((variable) => {
          const rest = term.filter((other) => other !== variable)
          return columnsOf(variable, known.has(identity(rest)) ? 1 : 0)
        })
        .reduce((left, right) => right.flatMap((b) => left.map((a) => product(a, b))))
        .map(({ name, values }) => ({ name, term: at, values })),
    ),
  ]
}

function ordered(terms: readonly Term[]): readonly { readonly term: Term; readonly at: number }[] {
  const names = terms.flat().map(({ name }) => name)
  return terms
    .map((term, at) => ({
      term: [...term].sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name)),
      at,
    }))
    .sort((a, b) => a.term.length - b.term.length)
}

/** The slopes over a variable: over a factor one for each level but the first. */
export const slopeEffects = (variable: Variable, slope: number): readonly Effect[] =>
  columnsOf(variable, 1).map((column) => ({ ...column, slope }))

interface Column {
  readonly name: string
  readonly values: Float64Array
}

function columnsOf(variable: Variable, from: number): readonly Column[] {
  if (variable.kind === "number") return [variable]
  return variable.levels.slice(from).map((level, at) => ({
    name: `${variable.name} = ${level}`,
    values: Float64Array.from(variable.codes, (code) => (code === at + from ? 1 : 0)),
  }))
}

const product = (a: Column, b: Column): Column => ({
  name: `${a.name} * ${b.name}`,
  values: a.values.map((value, row) => value * b.values[row]!),
})

const identity = (term: Term): string => JSON.stringify(term.map(({ name }) => name).sort())
