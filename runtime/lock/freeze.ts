/** Writes the sums of imports into a spec, at their places: all else of its text stays as it is. */
import type { PinnedImport } from "../../compiler/libraries.ts"

export interface Frozen {
  readonly text: string
  /** Imports whose sum was written or changed. */
  readonly changed: number
}

/** `text` is the spec's, as its spans count. An import whose names cannot be had keeps what it says. */
export function freeze(text: string, imports: readonly PinnedImport[]): Frozen {
  const edits = imports.flatMap(({ declaration: { from, sum }, meaning }) => {
    if (meaning === undefined || sum?.digits.toLowerCase() === meaning) return []
    const pinned = `sha256:${meaning}`
    return sum === undefined
      ? [{ start: from.span.end, end: from.span.end, text: ` ${pinned}` }]
      : [{ ...sum.span, text: pinned }]
  })
  // From the end, so that what is still to be edited keeps its place.
  const backwards = edits.toSorted((a, b) => b.start - a.start)
  return {
    text: backwards.reduce(
      (whole, edit) => whole.slice(0, edit.start) + edit.text + whole.slice(edit.end),
      text,
    ),
    changed: edits.length,
  }
}
