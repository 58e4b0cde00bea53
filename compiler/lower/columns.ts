/** The shape of a design, read off its arms: columns, levels and the crossings of each arm. */
import type { Assertion, AssertionArgument, Experiment, Expression } from "../../grammar/ast.ts"
import type { FactorIR } from "../ir.ts"

/** The factors that every assertion has. */
export const assertionFactors = ["framing", "structure", "order", "dose", "paraphrase"] as const

export type AssertionFactor = (typeof assertionFactors)[number]

/** Levels of the factors whose levels are words of the language; those of the others are declarations. */
export const fixedLevels: Readonly<Partial<Record<AssertionFactor, readonly string[]>>> = {
  structure: ["all_wrong", "all_correct", "mixed"],
  order: ["identity", "reversed", "interleaved"],
}

/** Columns that every design has besides `arm` and its factors. */
export const outerColumns = ["model", "pool"] as const

/** A level or a claim as a person writes it, in one way only: `distinct(6)`. */
export const print = (expression: Expression): string => {
  switch (expression.kind) {
    case "name":
      return expression.text
    case "number":
      return String(expression.value)
    case "text":
      return JSON.stringify(
        expression.parts.map((part) => (part.kind === "chars" ? part.text : "{}")).join(""),
      )
    case "member":
      return `${print(expression.object)}.${expression.property.text}`
    case "call":
      return `${print(expression.callee)}(${expression.arguments.map(print).join(", ")})`
    case "unary":
      return expression.operator === "not"
        ? `not ${print(expression.operand)}`
        : `-${print(expression.operand)}`
    case "binary":
      return `${operand(expression.left)} ${expression.operator} ${operand(expression.right)}`
    case "restriction":
      return `${expression.measure.text}[${expression.levels
        .map(({ factor, level }) => `${factor.text} = ${print(level)}`)
        .join(", ")}]`
    default:
      return expression satisfies never
  }
}

const operand = (expression: Expression): string =>
  expression.kind === "binary" ? `(${print(expression)})` : print(expression)

export const fieldsOf = <F extends Experiment["fields"][number]["field"]>(experiment: Experiment, field: F) =>
  experiment.fields.filter(
    (one): one is Extract<Experiment["fields"][number], { field: F }> => one.field === field,
  )

export const armsOf = (experiment: Experiment) => fieldsOf(experiment, "arms").flatMap(({ arms }) => arms)

export const argumentOf = (assertion: Assertion, factor: AssertionFactor): AssertionArgument | undefined =>
  assertion.arguments.find((argument) => argument.factor.text === factor)

/** `arm`, then each factor where it is first written; levels likewise. `model` and `pool` are columns too, and not among these. */
export const columnsOf = (experiment: Experiment): readonly FactorIR[] => {
  const columns = new Map<string, Set<string>>([["arm", new Set()]])
  for (const { name, stimulus } of armsOf(experiment)) {
    columns.get("arm")!.add(name.text)
    if (stimulus.kind === "name") continue
    for (const { factor, levels } of stimulus.arguments) {
      if (!isFactor(factor.text)) continue
      if (!columns.has(factor.text)) columns.set(factor.text, new Set())
      for (const level of levels) columns.get(factor.text)!.add(print(level))
    }
  }
  return [...columns].map(([name, levels]) => ({ name, levels: [...levels] }))
}

export const isFactor = (name: string): name is AssertionFactor =>
  (assertionFactors as readonly string[]).includes(name)

/** One choice of a level for each factor. */
export type Crossing = ReadonlyMap<AssertionFactor, Expression>

/** All crossings of an assertion's levels; the factor that is written last changes first. */
export const crossingsOf = (assertion: Assertion): readonly Crossing[] => {
  let crossings: readonly Crossing[] = [new Map()]
  for (const { factor, levels } of assertion.arguments) {
    const { text } = factor
    if (!isFactor(text)) continue
    crossings = crossings.flatMap((crossing) => levels.map((level) => new Map([...crossing, [text, level]])))
  }
  return crossings
}
