import type { ItemFields } from "../../compiler/ir.ts"
import { readItems } from "../../compiler/items/read.ts"

export const plain: ItemFields = {
  id: ["id"],
  question: ["question"],
  options: ["options"],
  gold: ["gold"],
}

export const read = (name: string, text: string, fields: ItemFields = plain) =>
  readItems({ name, text }, fields)

/** Each problem as its kind and the text at its span: what a person would see underlined. */
export const seen = (name: string, text: string, fields: ItemFields = plain): readonly string[] =>
  read(name, text, fields).problems.map(({ kind, span }) => `${kind}: ${text.slice(span.start, span.end)}`)
