/** How a stimulus reads, with stand-ins for what an item and a design would fill in. */
import type { Block, Expression, Framing, Paraphrase, Text } from "../../grammar/ast.ts"
import { wholeFraming } from "../lower/inherit.ts"
import type { Bound, Names } from "../resolve.ts"

/** So many lines are shown of a framing. */
const SHOWN = 2

type Fill = (place: string) => string | undefined

/** The text of a framing with its first lines, of a block, or of a paraphrase; nothing for other declarations. */
export const sampleOf = (bound: Bound, names: Names): string | undefined => {
  switch (bound.declaration.kind) {
    case "framing":
      return framing(bound as Bound<Framing>, names)
    case "block":
      return block(bound.declaration)
    case "paraphrase":
      return paraphrase(bound.declaration)
    case "roster":
      return bound.declaration.speakers.map((speaker) => written(speaker, () => undefined)).join(", ")
    default:
      return undefined
  }
}

const framing = (bound: Bound<Framing>, names: Names): string => {
  const { preamble, lines, speakers, closing } = wholeFraming(bound, names)
  const roster = speakers === undefined ? undefined : names.find(speakers.node, "roster")
  const seats = roster?.declaration.speakers ?? []
  const templates = lines?.node ?? []
  const shown = Array.from({ length: templates.length === 0 ? 0 : SHOWN }, (_, index) => {
    const speaker = seats[index % Math.max(1, seats.length)]
    const fill: Fill = (place) => {
      if (place === "assertion") return "The answer is B."
      if (place === "answer") return "B"
      if (place === "i") return String(index + 1)
      return place === "speaker" && speaker !== undefined ? written(speaker, () => undefined) : undefined
    }
    return written(templates[index % templates.length]!, fill)
  })
  return [
    ...(preamble === undefined ? [] : [written(preamble.node, () => undefined)]),
    ...shown,
    ...(shown.length === 0 ? [] : ["…"]),
    ...(closing === undefined ? [] : [written(closing.node, () => undefined)]),
  ].join("\n")
}

const block = ({ fields }: Block): string =>
  fields
    .flatMap((field) => (field.field === "text" ? [field.text] : field.texts))
    .map((text) => written(text, () => undefined))
    .join("\n")

const paraphrase = ({ wordings }: Paraphrase): string =>
  wordings.map((text) => written(text, (place) => (place === "answer" ? "B" : undefined))).join("\n")

/** A text with its places filled; one that nothing fills stands as it is written. */
const written = ({ parts }: Text, fill: Fill): string =>
  parts
    .map((part) => {
      if (part.kind === "chars") return part.text
      const place = part.kind === "hole" ? part.name.text : placeName(part.path)
      return fill(place) ?? `{${place}}`
    })
    .join("")

const placeName = (path: Expression): string => {
  if (path.kind === "name") return path.text
  if (path.kind === "member") return `${placeName(path.object)}.${path.property.text}`
  return path.kind === "index"
    ? `${path.object.text}[${placeName(path.index)}]`
    : path.kind === "number"
      ? String(path.value)
      : "…"
}
