/** What a pool says in expressions: which rows count, and by which metric a stimulus is chosen out of a finished run. */
import type { Expression, Metric, Name } from "../../grammar/ast.ts"
import type { ExprIR, HoleIR, MeasureIR } from "../ir.ts"
import type { Bound, Names } from "../resolve.ts"
import { lowerExpression } from "./expression.ts"
import { wholeMetric } from "./inherit.ts"
import { metricScope, type ReadOf, readOfHole, rowScope } from "./scope.ts"
import { originOf } from "./text.ts"

/** A condition over the columns of an item. */
export const lowerPoolCondition = (condition: Expression): ExprIR => lowerExpression(condition, rowScope)

/** The reads of a finished run, as its plan says. */
export interface RunReads {
  readonly holes: readonly HoleIR[]
  readonly lists: Readonly<Record<string, readonly string[]>>
}

/**
 * The metric by which the stimuli of a run are ranked. Its parameters stand for reads of the run. Without the run's own reads it is taken that
 * they are of options: enough to tell one metric from another, and not to be evaluated.
 */
export const lowerPoolMeasure = (metric: Name, names: Names, run?: RunReads): MeasureIR | undefined => {
  const bound = names.find(metric, "metric")
  if (bound === undefined) return undefined
  const { statistic, given, interval, invalid } = wholeMetric(bound, names)
  if (statistic?.node.field !== "rate" || interval === undefined) return undefined
  const scope = metricScope(givenReads(bound, names, run), names)
  return {
    name: metric.text,
    doc: bound.declaration.doc,
    statistic: "rate",
    value: lowerExpression(statistic.node.value, scope),
    ...(given === undefined ? {} : { given: lowerExpression(given.node.condition, scope) }),
    interval: {
      method: interval.node.method.text === "bootstrap" ? "bootstrap" : "wilson",
      level: interval.node.level.value,
    },
    invalid: policyOf(invalid?.node.policy.text),
    origin: originOf(bound, bound.declaration.name.span),
  }
}

const policyOf = (word: string | undefined): MeasureIR["invalid"] =>
  word === "wrong" || word === "error" ? word : "exclude"

/** Which read each parameter of a metric stands for where it is given none. */
export const defaultReads = (bound: Bound<Metric>, names: Names): ReadonlyMap<string, Name> =>
  new Map(
    wholeMetric(bound, names).parameters.flatMap(({ node }) =>
      node.default.kind === "name" ? [[node.name.text, node.default] as const] : [],
    ),
  )

const givenReads = (bound: Bound<Metric>, names: Names, run: RunReads | undefined) => {
  const reads = new Map<string, ReadOf>()
  const lists = new Map<string, readonly string[]>()
  for (const [parameter, { text: name }] of defaultReads(bound, names)) {
    const hole = run?.holes.find((one) => one.name === name)
    const list = run?.lists[name]
    if (run === undefined) {
      reads.set(parameter, { name, kind: "option" })
      lists.set(parameter, [name])
    } else if (hole !== undefined) reads.set(parameter, readOfHole(hole, run.lists))
    else if (list !== undefined) lists.set(parameter, list)
  }
  return { reads, lists }
}
