/** Texts of a declaration with their places named. */
import type { Declaration, Expression, Hole, Text } from "../../grammar/ast.ts"
import type { Span } from "../../grammar/source.ts"
import { placeOf } from "../diagnostics/place.ts"
import type { Origin, PieceIR, ProvenanceIR, TextIR } from "../ir.ts"
import { once } from "../memo.ts"
import type { Bound } from "../resolve.ts"
import { type Place, placeIn, printPlace } from "./place.ts"

export { placeholdersOf } from "./place.ts"
export type { LineField } from "./placeholders.ts"

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

/** What fills a placeholder. */
export type Fill = (place: Place, origin: Origin) => PieceIR | undefined

const nameOf = ({ name }: Hole): string => name.text

/** A text is lowered once for each way to fill it: many stimuli, and many cells, have it in common. */
const lowered = once((_: Fill) => new WeakMap<Text, TextIR>())

/**
 * A text in pieces. Neighbouring characters are one piece, so that how they were escaped does not show. `read` names the read of a hole.
 * @throws on a placeholder that `fill` does not know: the checks let none through
 */
export const lowerText = (
  text: Text,
  bound: Bound,
  fill: Fill,
  read: (hole: Hole) => string = nameOf,
): TextIR => {
  if (read !== nameOf) return piecesOf(text, bound, fill, read)
  const known = lowered(fill)
  const pieces = known.get(text) ?? piecesOf(text, bound, fill, read)
  known.set(text, pieces)
  return pieces
}

const piecesOf = (text: Text, bound: Bound, fill: Fill, read: (hole: Hole) => string): TextIR => {
  const pieces: PieceIR[] = []
  const push = (piece: PieceIR): void => {
    const last = pieces[pieces.length - 1]
    if (piece.kind !== "text") pieces.push(piece)
    else if (last?.kind === "text") pieces[pieces.length - 1] = { ...last, text: last.text + piece.text }
    else if (piece.text !== "") pieces.push(piece)
  }
  for (const part of text.parts) {
    const origin = originOf(bound, part.span)
    if (part.kind === "chars") push({ kind: "text", text: part.text, origin })
    else if (part.kind === "hole") push({ kind: "hole", hole: read(part), origin })
    else {
      const place = placeIn(part.path)
      const piece = place === undefined ? undefined : fill(place, origin)
      if (piece === undefined)
        throw new Error(
          `internal: nothing fills {${place === undefined ? "" : printPlace(place)}} at ${origin.file}:${origin.line}`,
        )
      push(piece)
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
