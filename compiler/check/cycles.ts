import type { Framing, Metric } from "../../grammar/ast.ts"
import type { Bound } from "../resolve.ts"
import type { Scene } from "./scene.ts"

/**
 * Reports a circle of `extends` at one declaration of it: the one that stands first by file and place, so that a circle of three is
 * one mistake. A declaration that leads into a circle without being part of it says nothing.
 */
export const checkCycle = (
  declaration: Framing | Metric,
  chain: readonly Bound<Framing | Metric>[],
  scene: Scene,
): void => {
  const last = chain[chain.length - 1]
  if (last?.declaration.parent?.text === undefined) return
  const returns = chain.findIndex((one) => one.declaration.name.text === last.declaration.parent?.text)
  if (returns !== 0) return
  const first = [...chain].sort((a, b) =>
    a.module.path === b.module.path
      ? a.declaration.span.start - b.declaration.span.start
      : a.module.path < b.module.path
        ? -1
        : 1,
  )[0]
  if (first?.declaration !== declaration || declaration.parent === undefined) return
  const cycle = [...chain.map((one) => one.declaration.name.text), declaration.name.text]
  scene.say("CFX2008", { kind: declaration.kind, cycle }, declaration.parent)
}
