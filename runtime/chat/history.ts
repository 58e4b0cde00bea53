/**
 * Whether a longer conversation goes on from the tokens of the shorter one. With most chat templates it does, and an engine evaluates only what is
 * new; some write an answer that is over otherwise than one that is open, or take out of the history what was there before.
 */
import type { Layout, LayoutPiece } from "./layout.ts"

/** `longer` has one turn more. False where all of the last answer, or more, is evaluated again. */
export function goesOn(shorter: Layout, longer: Layout): boolean {
  const last = shorter.pieces.length - 1
  return shorter.pieces.every((piece, index) => {
    const other = longer.pieces[index]
    if (other === undefined || other.kind !== piece.kind) return false
    if (piece.kind === "control") return other.kind === "control" && other.token === piece.token
    return other.kind === "plain" && (index === last ? beginsWith(other, piece) : isSame(other, piece))
  })
}

type Plain = LayoutPiece & { readonly kind: "plain" }

const isSame = (left: Plain, right: Plain): boolean =>
  left.parts.length === right.parts.length && left.parts.every((part, index) => part === right.parts[index])

/** The open answer follows where `shorter` ends: the longer one has the answer's content there, and no other text. */
const beginsWith = (longer: Plain, shorter: Plain): boolean =>
  shorter.parts.every((part, index) => part === longer.parts[index]) &&
  typeof longer.parts[shorter.parts.length] === "number"
