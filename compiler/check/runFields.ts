/** The fields of a pool whose items come out of a finished run. */
import type { Items } from "../../grammar/ast.ts"
import { wholeMetric } from "../lower/inherit.ts"
import { fieldOf, fieldsOfItem, otherFields, runFields } from "../lower/items.ts"
import { declaredAt, distinctNames, missing, type Scene } from "./scene.ts"

export const checkRunFields = (items: Items, scene: Scene): void => {
  const known = [...runFields, ...otherFields]
  for (const field of items.fields) {
    if (field.field !== "mapping" && field.field !== "records") continue
    const name = field.field === "mapping" ? field.target : field
    const called = field.field === "mapping" ? field.target.text : "records"
    const of = (fieldsOfItem as readonly string[]).includes(called)
      ? "read from files or a hub"
      : "read from files"
    scene.say("CFX3107", { field: called, of, pool: items.name.text, known }, name)
  }
  if (fieldOf(items, "experiment") === undefined) missing(scene, items, "experiment", "experiment first")
  const keep = fieldOf(items, "keep")
  if (keep === undefined) missing(scene, items, "keep", "keep argument")
  else distinctNames(scene, "read", keep.reads)
  checkRank(items, scene)
}

/** Stimuli are ranked by how often something is true of their trials. */
const checkRank = (items: Items, scene: Scene): void => {
  const one = fieldOf(items, "one")
  const bound = one && scene.names.find(one.metric, "metric")
  if (one === undefined || bound === undefined) return
  const { statistic } = wholeMetric(bound, scene.names)
  if (statistic === undefined || statistic.node.field === "rate") return
  const found = `a ${statistic.node.field}`
  scene.say("CFX3110", { metric: one.metric.text, found }, one.metric, [declaredAt(bound, "declared here")])
}
