/** The texts of a protocol before anything is put into them, for what no prompt of the item that is compared shows. */
import type { ExperimentIR, ItemFieldIR, PieceIR, TextIR } from "../../compiler/ir.ts"

/** Of a turn: its name and the part of it. */
export interface TemplatePlace {
  readonly turn: string
  readonly part: "system" | "user" | "assistant"
}

export interface TemplateText extends TemplatePlace {
  readonly text: string
}

/** Every part of every turn with its text, in which what is filled in stands in braces. */
export const templatesOf = ({ protocol }: ExperimentIR): readonly TemplateText[] =>
  protocol.turns.flatMap(({ name, system = protocol.system ?? [], user, assistant }) =>
    Object.entries({ system, user, assistant }).map(([part, text]) => ({
      turn: name,
      part: part as TemplatePlace["part"],
      text: templateText(text),
    })),
  )

/** How options are listed. */
export const listingText = ({ protocol: { listing } }: ExperimentIR): string =>
  `${templateText(listing.each)} join ${JSON.stringify(listing.join)}`

const templateText = (text: TextIR): string =>
  text.map((piece) => (piece.kind === "text" ? piece.text : `{${placeText(piece)}}`)).join("")

function placeText(piece: Exclude<PieceIR, { readonly kind: "text" }>): string {
  switch (piece.kind) {
    case "slot":
      return piece.step === undefined ? piece.slot : `${piece.slot} ${piece.step}`
    case "item":
      return `item.${fieldText(piece.field)}`
    case "other":
      return `${piece.draw} ${piece.index}.${fieldText(piece.field)}`
    case "push":
      return `${piece.of}.${piece.field}`
    case "line":
      return piece.field
    case "option":
      return `option.${piece.field}`
    case "step":
      return "step"
    case "hole":
      return piece.hole
  }
}

const fieldText = (field: ItemFieldIR): string =>
  typeof field === "string" ? field : `columns.${field.column}`
