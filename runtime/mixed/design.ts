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
        .map((column) => ({ ...column, term: at })),
    ),
  ]
}

/**
 * Terms that a term stands in: "framing * dose" for framing. A test of it would take out what those are made of, and come out one way or another by the
 * level that the others are compared with, so that it is not taken, as `drop1` of R does not.
 */
export const standsIn = (term: Term, terms: readonly Term[]): readonly Term[] =>
  terms.filter(
    (other) =>
      other.length > term.length &&
      term.every(({ name }) => other.some((variable) => variable.name === name)),
  )

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
  columnsOf(variable, 1).map(({ name, values }) => ({ name, values, slope }))

interface Column {
  readonly name: string
  readonly values: Float64Array
  readonly against?: string
}

function columnsOf(variable: Variable, from: number): readonly Column[] {
  const { name } = variable
  if (variable.kind === "number") return [{ name, values: variable.values, against: `${name} one lower` }]
  return variable.levels.slice(from).map((level, at) => ({
    name: `${name} = ${level}`,
    values: Float64Array.from(variable.codes, (code) => (code === at + from ? 1 : 0)),
    // A column for every level is compared with none of them.
    ...(from === 0 ? {} : { against: `${name} = ${variable.levels[0]}` }),
  }))
}

const product = (a: Column, b: Column): Column => ({
  name: `${a.name} * ${b.name}`,
  values: a.values.map((value, row) => value * b.values[row]!),
  ...(a.against === undefined && b.against === undefined
    ? {}
    : { against: [a.against, b.against].filter((one) => one !== undefined).join(", ") }),
})

const identity = (term: Term): string => JSON.stringify(term.map(({ name }) => name).sort())
