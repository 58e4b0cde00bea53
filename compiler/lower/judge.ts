/** Judges: what reads a text and puts it into a category. */
import type { Hole, Judge, JudgePart, Text } from "../../grammar/ast.ts"
import type { HoleTypeIR, Origin, PieceIR, TextIR } from "../ir.ts"
import type { Bound } from "../resolve.ts"
import { itemFill, pushFill } from "./placeholders.ts"
import { labelText } from "./print.ts"
import { type Fill, lowerText } from "./text.ts"

type Said = "system" | "user" | "assistant"

export const judgePart = <F extends Exclude<JudgePart["field"], Said>>(
  judge: Judge,
  field: F,
): Extract<JudgePart, { field: F }> | undefined =>
  judge.fields.find((one): one is Extract<JudgePart, { field: F }> => one.field === field)

export const judgeText = (judge: Judge, field: Said): Text | undefined =>
  judge.fields.find((one): one is Extract<JudgePart, { field: Said }> => one.field === field)?.text

/** Whether no model is asked: the judge goes by a pattern or by equality. */
export const isRule = (judge: Judge): boolean =>
  judge.fields.some(({ field }) => field === "matching" || field === "equals")

/** The hole that a judge's model fills: the first of its assistant text. */
const verdictOf = (judge: Judge): Hole | undefined =>
  judgeText(judge, "assistant")?.parts.find((part): part is Hole => part.kind === "hole")

/** The categories of a judge, in the order written. */
export const categoriesOf = (judge: Judge): readonly string[] => {
  if (isRule(judge)) {
    const rule = judgePart(judge, "then")
    return rule === undefined ? [] : [rule.yes.text, rule.no.text]
  }
  const type = verdictOf(judge)?.type
  return type?.kind === "label" ? type.labels.map(labelText) : []
}

/** The category that counts as the gold answer. */
export const goldOf = (judge: Judge): string | undefined => judgePart(judge, "gold")?.label.text

/** What `equals` compares a text with; none where it is not a part of the gold answer. */
export const equalsOf = (judge: Judge): "gold.label" | "gold.text" | undefined => {
  const value = judgePart(judge, "equals")?.value
  if (value?.kind !== "member" || value.object.kind !== "member") return undefined
  const { object, property } = value.object
  if (object.kind !== "name" || object.text !== "item" || property.text !== "gold") return undefined
  const part = value.property.text
  return part === "label" || part === "text" ? `gold.${part}` : undefined
}

/** The read of a judge that goes by a rule, over the text of this name. */
export const lowerRule = (judge: Judge, from: string): Extract<HoleTypeIR, { type: "rule" }> | undefined => {
  const [yes, no] = categoriesOf(judge)
  const equals = equalsOf(judge)
  const pattern = judgePart(judge, "matching")?.pattern.source
  if (yes === undefined || no === undefined) return undefined
  const gold = goldOf(judge)
  const rest = { type: "rule", from, labels: [yes, no], ...(gold === undefined ? {} : { gold }) } as const
  if (pattern !== undefined) return { ...rest, test: { pattern } }
  return equals === undefined ? undefined : { ...rest, test: { equals } }
}

/** A text that a judge is given: a read, or what the item has. */
const givenFill = (text: string, origin: Origin): PieceIR | undefined => {
  const [head = "", ...rest] = text.split(".")
  return rest.length === 0 ? { kind: "hole", hole: text, origin } : itemFill({ head, rest }, origin)
}

/** What a judge's model is told and asked: its parameters are the texts that it is given, its hole is the read `name`. */
export const lowerJudgeTurn = (
  bound: Bound<Judge>,
  name: string,
  given: readonly string[],
): { readonly system: TextIR; readonly user: TextIR; readonly assistant: TextIR } => {
  const judge = bound.declaration
  const fill: Fill = (place, origin) => {
    const index = judge.parameters.findIndex(({ text }) => text === place.head)
    const text = place.rest.length === 0 && place.index === undefined ? given[index] : undefined
    if (text !== undefined) return givenFill(text, origin)
    return itemFill(place, origin) ?? pushFill(place, origin)
  }
  const text = (field: Said): TextIR => {
    const written = judgeText(judge, field)
    return written === undefined ? [] : lowerText(written, bound, fill, () => name)
  }
  return { system: text("system"), user: text("user"), assistant: text("assistant") }
}
