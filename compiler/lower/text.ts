/** Texts of a declaration with their places named. */
import type { Declaration, Expression, Text } from "../../grammar/ast.ts"
import type { Span } from "../../grammar/source.ts"
import { placeOf } from "../diagnostics/place.ts"
import type { Origin, PieceIR, ProvenanceIR, TextIR } from "../ir.ts"
import type { Bound } from "../resolve.ts"

/** Where a part of a declaration stands. */
export const originOf = ({ declaration, module }: Bound, span: Span): Origin => ({
  declaration: declaration.name.text,
  file: module.source.name,
  line: placeOf(module.source, span.start).line,
})

/** `item.question` of a placeholder's path; none where it is no path of names. */
export const pathOf = (expression: Expression): readonly string[] | undefined => {
  if (expression.kind === "name") return [expression.text]
  if (expression.kind !== "member") return undefined
  const object = pathOf(expression.object)
  return object === undefined ? undefined : [...object, expression.property.text]
}

/** The path of a column in a mapping: names with dots between them, or a name in quotes, in which a dot is no dot. */
export const columnPath = (column: Expression): readonly string[] | undefined =>
  column.kind === "text" ? [lowerPlain(column)] : pathOf(column)

/** What fills a placeholder, by its path with dots. */
export type Fill = (path: string, origin: Origin) => PieceIR | undefined

/**
 * A text in pieces. Neighbouring characters are one piece, so that how they were escaped does not show.
 * @throws on a placeholder that `fill` does not know: the checks let none through
 */
export const lowerText = (text: Text, bound: Bound, fill: Fill): TextIR => {
  const pieces: PieceIR[] = []
  for (const part of text.parts) {
    const origin = originOf(bound, part.span)
    if (part.kind === "chars") {
      const last = pieces[pieces.length - 1]
      if (last?.kind === "text") pieces[pieces.length - 1] = { ...last, text: last.text + part.text }
      else if (part.text !== "") pieces.push({ kind: "text", text: part.text, origin })
    } else if (part.kind === "hole") {
      pieces.push({ kind: "hole", hole: part.name.text, origin })
    } else {
      const path = pathOf(part.path)?.join(".")
      const piece = path === undefined ? undefined : fill(path, origin)
      if (piece === undefined)
        throw new Error(`internal: nothing fills {${path}} at ${origin.file}:${origin.line}`)
      pieces.push(piece)
    }
  }
  return pieces
}

/** The text of a part that the checks have found to be plain. */
export const lowerPlain = (text: Text): string =>
  text.parts.map((part) => (part.kind === "chars" ? part.text : "")).join("")

type Sourced = Extract<Declaration, { readonly provenance: readonly unknown[] }>

export const lowerProvenance = (bound: Bound<Sourced>): readonly ProvenanceIR[] =>
  bound.declaration.provenance.map((one) => ({
    kind: one.kind,
    note: lowerPlain(one.note),
    origin: originOf(bound, one.span),
  }))

export const lineFields = ["assertion", "answer", "i", "speaker"] as const
export type LineField = (typeof lineFields)[number]
export const wordingFields = ["answer"] as const
export const itemFields = ["item.question", "item.options"] as const
export const optionFields = ["label", "text"] as const

const among = <F extends string>(fields: readonly F[], name: string): F | undefined =>
  fields.find((field) => field === name)

/** Fills a line of a framing or a wording. */
export const lineFill: Fill = (path, origin) => {
  const field = among(lineFields, path)
  return field === undefined ? undefined : { kind: "line", field, origin }
}

export const optionFill: Fill = (path, origin) => {
  const field = among(optionFields, path)
  return field === undefined ? undefined : { kind: "option", field, origin }
}

export const itemFill: Fill = (path, origin) => {
  if (path === "item.question") return { kind: "item", field: "question", origin }
  return path === "item.options" ? { kind: "item", field: "options", origin } : undefined
}

/** The paths of a text's placeholders, with dots; of its holes, nothing. */
export const placeholdersOf = (text: Text): readonly string[] =>
  text.parts.flatMap((part) => (part.kind === "placeholder" ? [pathOf(part.path)?.join(".") ?? ""] : []))
