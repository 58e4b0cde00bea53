/** What may stand between the braces of a text. */
import type { Placeholder, Text } from "../../grammar/ast.ts"
import { pathOf } from "../lower/text.ts"
import type { Scene } from "./scene.ts"

export interface Places {
  /** The text, as a person would name it: "a line of a framing". */
  readonly where: string
  /** What can be filled here, by its path with dots. */
  readonly known: readonly string[]
  /** Whether reads may stand here. */
  readonly holes?: boolean
}

/** Reports placeholders that nothing fills and holes where nothing is read; gives the placeholders that are filled. */
export const checkPlaces = (
  scene: Scene,
  text: Text,
  { where, known, holes = false }: Places,
): readonly Placeholder[] =>
  text.parts.flatMap((part) => {
    if (part.kind === "chars") return []
    if (part.kind === "hole") {
      if (!holes) scene.say("CFX2106", { hole: part.name.text, where }, part)
      return []
    }
    const path = pathOf(part.path)?.join(".")
    if (path !== undefined && known.includes(path)) return [part]
    const placeholder = path ?? scene.module.source.text.slice(part.path.span.start, part.path.span.end)
    scene.say("CFX2101", { placeholder, where, known }, part)
    return []
  })

/** Reports a text in which nothing stands. */
export const notEmpty = (scene: Scene, text: Text): void => {
  if (text.parts.every((part) => part.kind === "chars" && part.text.trim() === ""))
    scene.say("CFX2116", {}, text)
}
