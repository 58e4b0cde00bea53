/** What fills the placeholders of each kind of text: one table, which the checks look up too. */
import type { ItemFieldIR, PieceIR } from "../ir.ts"
import type { Place } from "./place.ts"
import type { Fill } from "./text.ts"

export const lineFields = ["assertion", "answer", "answer.label", "answer.text", "i", "speaker"] as const
export type LineField = (typeof lineFields)[number]
/** Line fields in which a line says an answer. */
export const assertingFields = ["assertion", "answer", "answer.label", "answer.text"] as const
export const wordingFields = ["answer", "answer.label", "answer.text"] as const
export const itemFields = ["item.question", "item.options", "item.gold.label", "item.gold.text"] as const
export const pushFields = ["pushed.label", "pushed.text", "target.label", "target.text"] as const
export const optionFields = ["label", "text"] as const

/** The variable of the step in a stimulus: it does not know what the turn that it will stand in calls its own. */
export const STEP = "t"

const among = <F extends string>(fields: readonly F[], name: string): F | undefined =>
  fields.find((field) => field === name)

const pathOf = ({ head, index, rest }: Place): string | undefined =>
  index === undefined ? [head, ...rest].join(".") : undefined

const fixedItemFields = ["question", "options", "gold.label", "gold.text"] as const
const otherItemFields = [...fixedItemFields, "wrong.label", "wrong.text"] as const
/** Names of an item that are no columns of its own: a text says which part of them it means. */
const parts = ["gold", "wrong", "labels"]

/** A field of an item: one that every item has, or a column of its own. */
const fieldOf = (rest: readonly string[], fixed: readonly ItemFieldIR[]): ItemFieldIR | undefined => {
  const path = rest.join(".")
  const field = fixed.find((one) => one === path)
  if (field !== undefined) return field
  const [column] = rest
  return rest.length === 1 && column !== undefined && !parts.includes(column) ? { column } : undefined
}

/** The trial's own item. */
export const itemFill: Fill = (place, origin) => {
  if (place.head !== "item" || place.index !== undefined) return undefined
  const field = fieldOf(place.rest, fixedItemFields)
  return field === undefined ? undefined : { kind: "item", field, origin }
}

/** The option that the trial is about, and the one that is pushed. */
export const pushFill: Fill = (place, origin) => {
  const path = among(pushFields, pathOf(place) ?? "")
  if (path === undefined) return undefined
  const [of, field] = path.split(".") as ["pushed" | "target", "label" | "text"]
  return { kind: "push", of, field, origin }
}

/** Another item: `{past[2].question}`; without an index the first. `at` says what a variable between the brackets comes to. */
export const otherFill =
  (at: (variable: string) => number | "step" | undefined): Fill =>
  ({ head, index = 1, rest }, origin) => {
    const field = fieldOf(rest, otherItemFields)
    const place = typeof index === "number" ? index : at(index)
    if (field === undefined || place === undefined) return undefined
    return { kind: "other", draw: head, index: place, field, origin }
  }

const first =
  (...fills: readonly Fill[]): Fill =>
  (place, origin) => {
    for (const fill of fills) {
      const piece = fill(place, origin)
      if (piece !== undefined) return piece
    }
    return undefined
  }

const stepFill: Fill = ({ head, index, rest }, origin) =>
  head === STEP && index === undefined && rest.length === 0 ? { kind: "step", origin } : undefined

/** Heads of placeholders that name no draw. */
const ownHeads = new Set(["item", "pushed", "target", "answer", "assertion", "i", "speaker", STEP])

/** Whether a place of a stimulus is a field of a drawn item. */
export const isDrawn = ({ head, rest }: Place): boolean => !ownHeads.has(head) && rest.length > 0

const drawnFill: Fill = (place, origin) =>
  isDrawn(place)
    ? otherFill((variable) => (variable === STEP ? "step" : undefined))(place, origin)
    : undefined

/** A block, and the preamble and the closing of a framing: draws are whatever the protocol of a using experiment provides. */
export const stimulusFill: Fill = first(itemFill, pushFill, stepFill, drawnFill)

const ofLine =
  (fields: readonly LineField[]): Fill =>
  (place, origin): PieceIR | undefined => {
    const field = among(fields, pathOf(place) ?? "")
    return field === undefined ? undefined : { kind: "line", field, origin }
  }

/** A line of a framing. */
export const lineFill: Fill = first(ofLine(lineFields), stimulusFill)

/** A wording of a paraphrase: it stands in a line, and says no more of it than the answer. */
export const wordingFill: Fill = first(ofLine(wordingFields), stimulusFill)

/** How an option is listed. */
export const optionFill: Fill = (place, origin) => {
  const field = among(optionFields, pathOf(place) ?? "")
  return field === undefined ? undefined : { kind: "option", field, origin }
}
