/** Places to fill in a text: what stands between braces, as names and indices. */
import type { Expression, Text } from "../../grammar/ast.ts"
import { once } from "../memo.ts"

/** `past[t].gold.label`: the head `past`, the index `t`, and the rest `gold`, `label`. */
export interface Place {
  readonly head: string
  /** A number, from 1, or the variable of a repeated turn. */
  readonly index?: number | string
  readonly rest: readonly string[]
}

/** The place that a placeholder's path names; none where it is no path of names with at most one index. */
export const placeIn = (path: Expression): Place | undefined => {
  switch (path.kind) {
    case "name":
      return { head: path.text, rest: [] }
    case "index":
      return path.index.kind === "number"
        ? { head: path.object.text, index: path.index.value, rest: [] }
        : path.index.kind === "name"
          ? { head: path.object.text, index: path.index.text, rest: [] }
          : undefined
    case "member": {
      const object = placeIn(path.object)
      return object === undefined ? undefined : { ...object, rest: [...object.rest, path.property.text] }
    }
    default:
      return undefined
  }
}

/** As a person writes it, without the braces. */
export const printPlace = ({ head, index, rest }: Place): string =>
  [index === undefined ? head : `${head}[${index}]`, ...rest].join(".")

/** The places of a text that are well formed; of its holes, nothing. */
export const placesIn = once((text: Text): readonly Place[] =>
  text.parts.flatMap((part) => (part.kind === "placeholder" ? (placeIn(part.path) ?? []) : [])),
)

/** The paths of a text's placeholders, as a person writes them; empty for one that is not well formed. */
export const placeholdersOf = once((text: Text): readonly string[] =>
  text.parts.flatMap((part) => {
    if (part.kind !== "placeholder") return []
    const place = placeIn(part.path)
    return place === undefined ? "" : printPlace(place)
  }),
)
