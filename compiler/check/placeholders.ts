/** What may stand between the braces of a text. */
import type { Expression, Placeholder, Text } from "../../grammar/ast.ts"
import { suggest } from "../diagnostics/suggest.ts"
import type { Origin } from "../ir.ts"
import type { Module } from "../load.ts"
import { itemColumnsOf } from "../lower/items.ts"
import { type Place, placeIn, printPlace } from "../lower/place.ts"
import type { Fill } from "../lower/text.ts"
import type { Scene } from "./scene.ts"

export interface Places {
  /** The text, as a person would name it: "a line of a framing". */
  readonly where: string
  /** What can be filled here, as a person writes it, for a hint: there may be columns and draws besides. */
  readonly known: readonly string[]
  /** What fills a place; nothing does where there is none. */
  readonly fill?: Fill
  /** Whether reads may stand here. */
  readonly holes?: boolean
  /** Reports a place in words of its own, and says whether it did. */
  readonly skip?: (place: Place, at: Placeholder) => boolean
}

/** Whether a fill fills a place is asked without there being a text. */
const nowhere: Origin = { declaration: "", file: "", line: 0 }

/** Reports placeholders that nothing fills and holes where nothing is read; gives the placeholders that are filled. */
export const checkPlaces = (
  scene: Scene,
  text: Text,
  { where, known, fill = () => undefined, holes = false, skip = () => false }: Places,
): readonly Placeholder[] =>
  text.parts.flatMap((part) => {
    if (part.kind === "chars") return []
    if (part.kind === "hole") {
      if (!holes) scene.say("CFX2106", { hole: part.name.text, where }, part)
      return []
    }
    const place = placeIn(part.path)
    if (place !== undefined && skip(place, part)) return []
    if (place !== undefined && !isSlip(place, scene.module) && fill(place, nowhere) !== undefined)
      return [part]
    const placeholder = place === undefined ? written(part.path, scene.module) : printPlace(place)
    scene.say("CFX2101", { placeholder, where, known }, part)
    return []
  })

const written = ({ span }: Expression, { source }: Module): string => source.text.slice(span.start, span.end)

const heads = ["item", "pushed", "target"]
const fields = ["question", "options"]

/**
 * Whether a place is rather a slip of the hand than what it seems to be: `{items.question}` a draw, `{item.questions}` a column. Which
 * draws and columns there are only an experiment says; a column that a pool of the same file has is no slip.
 */
export const isSlip = ({ head, index, rest }: Place, { file }: Module): boolean => {
  const [field] = rest
  if (index !== undefined || field === undefined) return false
  if (head !== "item") return suggest(head, heads) !== undefined && !heads.includes(head)
  if (rest.length > 1 || fields.includes(field) || suggest(field, fields) === undefined) return false
  return !file.declarations.some(
    (declaration) => declaration.kind === "items" && itemColumnsOf(declaration).includes(field),
  )
}

/** Reports a text in which nothing stands. */
export const notEmpty = (scene: Scene, text: Text): void => {
  if (text.parts.every((part) => part.kind === "chars" && part.text.trim() === ""))
    scene.say("CFX2116", {}, text)
}
