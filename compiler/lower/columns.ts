/** The shape of a design, read off an experiment: columns, levels and the crossings of each arm. */
import type {
  Assertion,
  AssertionArgument,
  Experiment,
  ExperimentField,
  Expression,
} from "../../grammar/ast.ts"
import type { FactorIR } from "../ir.ts"
import { once, onceFor } from "../memo.ts"
import { levelName, print } from "./print.ts"
import { recordedFactors } from "./recorded.ts"
import { builtInOrders, builtInStructures, lowerStructure } from "./structure.ts"

export { levelName, print } from "./print.ts"

/** The factors that an assertion can have; all but `wording` it must have. */
export const assertionFactors = ["framing", "wording", "structure", "order", "dose", "paraphrase"] as const

export type AssertionFactor = (typeof assertionFactors)[number]

/** Levels that are words of the language, besides those that a spec declares. */
export const fixedLevels: Readonly<Partial<Record<AssertionFactor, readonly string[]>>> = {
  structure: builtInStructures,
  order: builtInOrders,
}

/** Columns that every design has besides those of `columnsOf`. */
export const outerColumns = ["model", "pool"] as const

/** The column that follows from the structures: whether all lines of an arm assert the same. */
export const UNANIMITY = "unanimity"

/** Its levels. */
export const unanimities = ["unanimous", "split"] as const

/** The one arm of an experiment that declares none. */
export const ONLY_ARM = "all"

/** The fields of this kind; several kinds may be written in one way. */
export type FieldOf<F extends ExperimentField["field"]> = ExperimentField extends infer One
  ? One extends { readonly field: infer G }
    ? F extends G
      ? One
      : never
    : never
  : never

const fieldsByKind = once((experiment: Experiment): ReadonlyMap<string, readonly ExperimentField[]> => {
  const kinds = new Map<string, ExperimentField[]>()
  for (const field of [...experiment.fields, ...recordedFactors(experiment)]) {
    const known = kinds.get(field.field)
    if (known === undefined) kinds.set(field.field, [field])
    else known.push(field)
  }
  return kinds
})

export const fieldsOf = <F extends ExperimentField["field"]>(experiment: Experiment, field: F) =>
  (fieldsByKind(experiment).get(field) ?? []) as readonly (ExperimentField & FieldOf<F>)[]

export const armsOf = once((experiment: Experiment) =>
  fieldsOf(experiment, "arms").flatMap(({ arms }) => arms),
)

export const argumentOf = (assertion: Assertion, factor: AssertionFactor): AssertionArgument | undefined =>
  assertion.arguments.find((argument) => argument.factor.text === factor)

export const isFactor = (name: string): name is AssertionFactor =>
  (assertionFactors as readonly string[]).includes(name)

/** The models of an experiment, as written. */
export const modelsOf = once((experiment: Experiment) =>
  fieldsOf(experiment, "models").flatMap(({ models }) => models),
)

/** The pools of an experiment, as written. */
export const poolsOf = once((experiment: Experiment) =>
  fieldsOf(experiment, "items").flatMap(({ pools }) => pools),
)

/** The levels of a `factor` field: `models` stands for each model of the experiment. */
export const factorLevels = (
  { levels }: Extract<ExperimentField, { field: "factor" }>,
  experiment: Experiment,
): readonly Expression[] => (levels === "models" ? modelsOf(experiment) : levels)

/** How often every trial is run anew. */
export const replicatesOf = (experiment: Experiment): number =>
  fieldsOf(experiment, "replicates")[0]?.count.value ?? 1

/**
 * The columns of the design, in order: `arm` where arms are declared, the factors of the arms and what follows from their structures, the
 * `factor` fields, then seed, target, options and replicate where they have more than one level. Levels stand in the order written.
 * `model` and `pool` are columns too, and not among these.
 */
export const columnsOf = onceFor((experiment: Experiment, names): readonly FactorIR[] => {
  const columns = new Map<string, Set<string>>()
  const add = (name: string, levels: readonly string[]): void => {
    const known = columns.get(name) ?? new Set()
    columns.set(name, known)
    for (const level of levels) known.add(level)
  }
  if (fieldsOf(experiment, "arms").length > 0) add("arm", [])
  for (const { name, stimulus } of armsOf(experiment)) {
    add("arm", [name.text])
    if (stimulus.kind === "name") continue
    for (const { factor, levels } of stimulus.arguments) {
      if (isFactor(factor.text)) add(factor.text, levels.map(levelName))
    }
  }
  if (hasUnanimity(experiment, names)) {
    add(UNANIMITY, unanimities)
  }
  for (const field of fieldsOf(experiment, "factor")) {
    add(field.factor.text, factorLevels(field, experiment).map(levelName))
  }
  for (const name of ["seed", "target", "options"] as const) {
    const levels = fieldsOf(experiment, name).flatMap((field) => field.levels)
    if (levels.length > 1) add(name, levels.map(print))
  }
  const replicates = replicatesOf(experiment)
  if (replicates > 1) add("replicate", replicateLevels(replicates))
  return [...columns].map(([name, levels]) => ({ name, levels: [...levels] }))
})

/** More replicates than any run takes: what a slip of the hand asks for is not written out. */
export const MOST_REPLICATES = 10_000

export const replicateLevels = (count: number): readonly string[] =>
  Number.isSafeInteger(count) && count <= MOST_REPLICATES
    ? Array.from({ length: count }, (_, index) => String(index + 1))
    : []

const structuresOf = (experiment: Experiment): readonly Expression[] =>
  armsOf(experiment).flatMap(({ stimulus }) =>
    stimulus.kind === "assertion" ? (argumentOf(stimulus, "structure")?.levels ?? []) : [],
  )

/** Whether a design has the column `unanimity`: where some structure says what stands at a place. */
export const hasUnanimity = onceFor((experiment: Experiment, names): boolean =>
  structuresOf(experiment).some((level) => typeof lowerStructure(level, names) === "object"),
)

/** One choice of a level for each factor of an assertion. */
export type Crossing = ReadonlyMap<AssertionFactor, Expression>
