/** What an experiment measures: metrics over the reads of its protocol. */
import type { ExperimentField, Metric } from "../../grammar/ast.ts"
import type { HoleIR, MeasureIR, ProtocolIR } from "../ir.ts"
import { once } from "../memo.ts"
import type { Bound, Names } from "../resolve.ts"
import { lowerExpression } from "./expression.ts"
import { wholeMetric } from "./inherit.ts"
import { type ExpressionScope, metricScope, type ReadOf, readOfHole, readsByName } from "./scope.ts"
import { originOf } from "./text.ts"

export type MeasureField = Extract<ExperimentField, { field: "measure" }>

/** The name that a measure goes by in its experiment: its own, or the metric's. */
export const measureName = ({ name, metric }: MeasureField) => name ?? metric

/** What is known of the reads of a lowered protocol, extracts and judges among them. */
export const readsIn = once(
  ({ holes, lists }: Pick<ProtocolIR, "lists"> & { readonly holes: readonly HoleIR[] }) =>
    holes.map((hole) => readOfHole(hole, lists)),
)

/** The measure that a field of an experiment asks for. */
export const lowerMeasure = (
  field: MeasureField,
  protocol: Pick<ProtocolIR, "holes" | "lists">,
  names: Names,
): MeasureIR | undefined => {
  const bound = names.find(field.metric, "metric")
  if (bound === undefined) return undefined
  const given = new Map(
    field.arguments.flatMap(({ parameter, value }) =>
      value.kind === "name" ? [[parameter.text, value.text] as const] : [],
    ),
  )
  return lowerMetric(measureName(field).text, bound, given, readsIn(protocol), names)
}

/** A metric under a name, over these reads; `given` says which of them a parameter is, where that is not what it defaults to. */
const lowerMetric = (
  name: string,
  bound: Bound<Metric>,
  given: ReadonlyMap<string, string>,
  reads: readonly ReadOf[],
  names: Names,
): MeasureIR | undefined => {
  const { statistic, given: condition, weight, interval, invalid } = wholeMetric(bound, names)
  if (statistic === undefined || interval === undefined) return undefined
  const scope = metricScope(parametersOf(bound, given, reads, names), names)
  const { node } = statistic
  return {
    name,
    doc: bound.declaration.doc,
    statistic: node.field === "quantile" ? { quantile: node.at.value } : node.field,
    value: lowerExpression(node.value, scope),
    ...("other" in node ? { other: lowerExpression(node.other, scope) } : {}),
    ...(condition === undefined ? {} : { given: lowerExpression(condition.node.condition, scope) }),
    ...(weight === undefined ? {} : { weight: lowerExpression(weight.node.value, scope) }),
    interval: {
      method: interval.node.method.text as MeasureIR["interval"]["method"],
      level: interval.node.level.value,
    },
    invalid: (invalid?.node.policy.text ?? "exclude") as MeasureIR["invalid"],
    origin: originOf(bound, bound.declaration.name.span),
  }
}

/** The read, or the list of reads, that each parameter of a metric stands for. */
const parametersOf = (
  bound: Bound<Metric>,
  given: ReadonlyMap<string, string>,
  known: readonly ReadOf[],
  names: Names,
): Pick<ExpressionScope, "reads" | "lists"> => {
  const all = readsByName(known)
  const reads = new Map<string, ReadOf>()
  const lists = new Map<string, readonly string[]>()
  for (const { node } of wholeMetric(bound, names).parameters) {
    const parameter = node.name.text
    const source = given.get(parameter) ?? (node.default.kind === "name" ? node.default.text : undefined)
    if (source === undefined) continue
    const [read, list] = [all.reads.get(source), all.lists.get(source)]
    if (read !== undefined) reads.set(parameter, read)
    if (list !== undefined) lists.set(parameter, list)
  }
  return { reads, lists }
}
