/** Targets that the lowered grid shows to be pushed as what they are not. */
import { assertedBy } from "../../lines.ts"
import { lowerTarget, targetsOf } from "../../lower/target.ts"
import type { Check } from "./review.ts"

/** The gold answer cannot be pushed as a wrong one: which cells there are, conditions decide, so the grid is looked at. */
export const checkGold: Check = ({ experiment, declaration, names, scene }) => {
  const pushed = experiment.cells.find(
    ({ target, stimulus }) => target.kind === "gold" && assertedBy(stimulus).has("target"),
  )
  if (pushed === undefined) return
  const at = targetsOf(declaration).find((target) => lowerTarget(target, names)?.kind === "gold")
  const { target, structure = "" } = pushed.levels
  const told = { target: target ?? "gold", structure, arm: pushed.arm, alone: target === undefined }
  scene.say("CFX2458", told, at ?? declaration.name)
}
