/** Whether the reads of a protocol are what the metrics of an experiment need. */
import type { Binary, Experiment, Expression, Hole, Metric, Name, Protocol } from "../../grammar/ast.ts"
import { fieldsOf } from "../lower/columns.ts"
import { ancestry, wholeMetric } from "../lower/inherit.ts"
import { holesOf } from "../lower/protocol.ts"
import type { Bound } from "../resolve.ts"
import { demandsOf } from "./metrics.ts"
import { type Range, settledBy } from "./ranges.ts"
import { declaredAt, distinctNames, type Scene } from "./scene.ts"

export const checkMeasures = (experiment: Experiment, protocol: Protocol | undefined, scene: Scene): void => {
  const fields = fieldsOf(experiment, "measure")
  distinctNames(
    scene,
    "measure",
    fields.map(({ metric }) => metric),
  )
  if (protocol === undefined) return
  const holes = new Map(holesOf(protocol).map(({ hole }) => [hole.name.text, hole]))
  // Of two reads with one name, one may be the read that seems to be missing.
  const twice = holes.size < holesOf(protocol).length
  for (const { metric } of fields) {
    const bound = scene.names.find(metric, "metric")
    if (bound === undefined || ancestry(bound, scene.names).cyclic) continue
    const silent: Scene = { ...scene, say: () => undefined }
    const demands = demandsOf(bound, silent)
    checkValues(bound, metric, holes, scene)
    for (const { node, from } of wholeMetric(bound, scene.names).parameters) {
      if (node.default.kind !== "name") continue
      const parameter = node.name.text
      const hole = holes.get(node.default.text)
      if (hole === undefined) {
        if (twice) continue
        const parameters = {
          hole: node.default.text,
          metric: metric.text,
          parameter,
          protocol: protocol.name.text,
          known: [...holes.keys()],
        }
        scene.say("CFX2312", parameters, metric, [
          { source: from.module.source, span: node.span, label: "taken from this read" },
        ])
        continue
      }
      const found = `${hole.type.kind} read`
      const demand = demands.find((one) => one.parameter === parameter)
      if (demand === undefined || demand.as === found) continue
      const what = `\`${parameter}\` of \`${metric.text}\`, the read \`${hole.name.text}\``
      scene.say("CFX2301", { what: `${what},`, expected: demand.as, found }, metric, [
        { ...demand.at, label: `used as an ${demand.as} here` },
        declaredAt(bound, "declared here"),
      ])
    }
  }
}

/** Reports comparisons of an integer that this protocol's range of it settles. Those of probabilities are the metric's own mistake. */
const checkValues = (
  bound: Bound<Metric>,
  used: Name,
  holes: ReadonlyMap<string, Hole>,
  scene: Scene,
): void => {
  const { parameters, statistic, given } = wholeMetric(bound, scene.names)
  const valuesOf = (read: string): Range | undefined => {
    const source = parameters.find(({ node }) => node.name.text === read)?.node.default
    const type = source?.kind === "name" ? holes.get(source.text)?.type : undefined
    return type?.kind === "integer" ? { low: type.low.value, high: type.high.value } : undefined
  }
  const fields = [
    { from: statistic?.from, expression: statistic?.node.value },
    { from: given?.from, expression: given?.node.condition },
  ]
  for (const { from, expression } of fields) {
    for (const binary of binariesIn(expression)) {
      const settled = settledBy(binary, valuesOf)
      if (from === undefined || settled === undefined || settledBy(binary, () => undefined)) continue
      const related = [{ source: from.module.source, span: binary.span, label: "compared here" }]
      scene.say("CFX2316", { ...settled, of: "fraction" }, used, related)
    }
  }
}

const binariesIn = (expression: Expression | undefined): readonly Binary[] => {
  if (expression?.kind === "unary") return binariesIn(expression.operand)
  return expression?.kind === "binary"
    ? [expression, ...binariesIn(expression.left), ...binariesIn(expression.right)]
    : []
}
