/** Which option is right: by label, by text or by place. */
import type { Found } from "./find.ts"
import type { ItemProblem } from "./problem.ts"
import { type Tell, type Text, textOf } from "./texts.ts"

export interface Gold {
  /** Index of the option, from 0. */
  readonly index: number
  /** Whether the option's own text says so, which two equal options would leave open. */
  readonly byText: boolean
}

/**
 * None where it was told what is wrong, here or about the labels or the options. A label goes before the text of an option, but where the text
 * is meant. Of an option without a text there may be the label and the place only.
 */
export const readGold = (
  found: Extract<Found, { readonly cell: unknown }>,
  labels: readonly string[] | undefined,
  options: readonly (Text | undefined)[] | undefined,
  tell: Tell,
): Gold | undefined => {
  const text = found.option === undefined ? textOf(found.cell, "gold", tell) : undefined
  if (labels === undefined || options === undefined) return undefined
  if (found.option !== undefined) {
    if (found.option < options.length) return { index: found.option, byText: false }
    tell(outOfRange(found.option + 1, options.length, found.cell.span))
    return undefined
  }
  if (text === undefined) return undefined
  const byLabel = labels.indexOf(text.text)
  const byText = options.findIndex((option) => option?.text === text.text)
  const isText = byText >= 0 && (found.means === "text" || byLabel < 0)
  const index = isText ? byText : byLabel
  if (index >= 0) return { index, byText: isText }
  tell({ kind: "gold_not_a_label", gold: text.text, labels, span: text.span })
  return undefined
}

const outOfRange = (place: number, options: number, span: ItemProblem["span"]): ItemProblem => ({
  kind: "gold_out_of_range",
  place,
  options,
  span,
})
