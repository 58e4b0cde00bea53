/** `only when` and `except when`: conditions over the columns of a design, which carve its grid. */
import type { Experiment } from "../../grammar/ast.ts"
import { fieldsOf } from "../lower/columns.ts"
import { analysedOf, isSettled } from "./analysed.ts"
import { checkConditionColumns } from "./lacked.ts"
import { trialEnvironment } from "./named.ts"
import type { Scene } from "./scene.ts"
import { expect } from "./types.ts"

export const checkConditions = (experiment: Experiment, scene: Scene): void => {
  const fields = [...fieldsOf(experiment, "only"), ...fieldsOf(experiment, "except")]
  if (fields.length === 0) return
  const analysed = analysedOf(experiment, scene)
  if (analysed.protocol === undefined) return
  // Reads are not among what a condition may name: which trials there are is settled before any is asked.
  const environment = trialEnvironment({ ...analysed, reads: [] }, scene)
  const sound = fields.map(({ field, condition }) => {
    const what = `The condition of \`${field} when\``
    const isSound = expect(condition, "truth value", what, environment, scene) !== undefined
    if (isSound) checkConditionColumns(condition, what, analysed, scene)
    return isSound
  })
  if (!sound.every(Boolean) || scene.torn || !isSettled(analysed) || analysed.trials().length > 0) return
  const [first] = fields
  if (first !== undefined) scene.say("CFX2464", { experiment: experiment.name.text }, first)
}
