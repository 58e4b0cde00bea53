/** Whether the reads of a protocol are what the metrics of an experiment need. */
import type { Experiment, Protocol } from "../../grammar/ast.ts"
import { fieldsOf } from "../lower/columns.ts"
import { ancestry, wholeMetric } from "../lower/inherit.ts"
import { holesOf } from "../lower/protocol.ts"
import { demandsOf } from "./metrics.ts"
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
