/** Replicates: every trial anew, which makes sense where something is drawn anew. */
import type { Experiment, Protocol } from "../../grammar/ast.ts"
import { argumentOf, armsOf, fieldsOf, MOST_REPLICATES } from "../lower/columns.ts"
import { ordersOf } from "../lower/grid.ts"
import { lowerOptionOrder } from "../lower/options.ts"
import { drawsOf } from "../lower/protocol.ts"
import { lowerOrder, lowerStructure } from "../lower/structure.ts"
import { lowerTarget, targetsOf } from "../lower/target.ts"
import type { Bound, Names } from "../resolve.ts"
import type { Scene } from "./scene.ts"

export const checkReplicates = (
  experiment: Experiment,
  protocol: Bound<Protocol> | undefined,
  scene: Scene,
): void => {
  const [field] = fieldsOf(experiment, "replicates")
  const [independent] = fieldsOf(experiment, "independent")
  if (field !== undefined) {
    const { value } = field.count
    if (!Number.isSafeInteger(value) || value < 1 || value > MOST_REPLICATES) {
      scene.say("CFX2460", { found: String(value), most: MOST_REPLICATES }, field.count)
    } else if (value > 1 && protocol !== undefined && !draws(experiment, protocol.declaration, scene.names)) {
      const why = "nothing is drawn: every replicate would ask and read the same"
      const fix = "Delete it, or sample a text: `read x { max 200 temperature 1 }`."
      scene.say("CFX2103", { what: "`replicates`", why, fix }, field)
    }
  }
  if (independent !== undefined && protocol !== undefined && !samples(protocol.declaration)) {
    const why = "no text is sampled: arms that render the same prompt read the same"
    const fix = "Delete it, or sample a text: `read x { max 200 temperature 1 }`."
    scene.say("CFX2103", { what: "`independent`", why, fix }, independent)
  }
}

/** Whether a model writes some text at a temperature. */
const samples = ({ turns }: Protocol): boolean =>
  turns.some(({ fields }) =>
    fields.some(
      (field) =>
        field.field === "read" &&
        field.settings.some((setting) => setting.setting === "temperature" && setting.value.value > 0),
    ),
  )

/** Whether some choice of a trial is drawn from a stream that its replicate is part of. */
const draws = (experiment: Experiment, protocol: Protocol, names: Names): boolean =>
  samples(protocol) ||
  drawsOf(protocol).length > 0 ||
  targetsOf(experiment).some((target) => lowerTarget(target, names)?.kind === "random_wrong") ||
  ordersOf(experiment).some((order) => lowerOptionOrder(order)?.kind === "shuffled") ||
  armsOf(experiment).some(({ stimulus }) => {
    if (stimulus.kind !== "assertion") return false
    const orders = argumentOf(stimulus, "order")?.levels ?? []
    const structures = argumentOf(stimulus, "structure")?.levels ?? []
    return (
      orders.some((order) => lowerOrder(order, names) === "shuffled") ||
      structures.some((structure) => {
        const lowered = lowerStructure(structure, names)
        if (typeof lowered !== "object") return false
        return lowered.kind === "list" ? lowered.lines.includes("other") : lowered.as === "other"
      })
    )
  })
