/** Columns of a mapping that seem to be fields which every item has, by another name. */
import type { Items, Name } from "../../grammar/ast.ts"
import { suggest } from "../diagnostics/suggest.ts"
import { isFieldOfItem, mappingsOf } from "../lower/items.ts"

const requiredFields = ["question", "options", "gold"] as const

type Required = (typeof requiredFields)[number]

/** What data sets and other tools call these. */
const otherNames: Readonly<Record<Required, readonly string[]>> = {
  question: ["prompt", "stem", "query", "problem", "input", "text"],
  options: ["choices", "answers", "alternatives", "candidates"],
  gold: ["answer", "correct", "correct_answer", "key", "solution", "truth", "label"],
}

/** A field that a mapping lacks. */
export interface Lacking {
  readonly field: Required
  /** What is mapped instead, by a misspelt or another name. */
  readonly instead: Name | undefined
}

export const lackingFields = (items: Items): readonly Lacking[] => {
  const mapped = mappingsOf(items).map(({ target }) => target)
  const others = mapped.filter(({ text }) => !isFieldOfItem(text))
  const names = others.map(({ text }) => text)
  return requiredFields
    .filter((field) => !mapped.some(({ text }) => text === field))
    .map((field) => {
      const meant = suggest(field, names) ?? names.find((name) => otherNames[field].includes(name))
      return { field, instead: others.find(({ text }) => text === meant) }
    })
}
