/** The values of an item file, each with its place, whatever the file's format. */
import type { Span } from "../../grammar/source.ts"
import type { ItemProblem } from "./problem.ts"

export type Cell =
  | {
      readonly kind: "scalar"
      readonly value: string | number | boolean | null
      /** As the file spells it, where it is no text: `007` stays `007`. */
      readonly text: string
      /** A cell of a format that knows only text, which may spell a JSON list or record. */
      readonly spelt?: true
      readonly span: Span
    }
  | { readonly kind: "list"; readonly items: readonly Cell[]; readonly span: Span }
  /** A `Map`, so that a key such as `__proto__` is a key like any other. */
  | { readonly kind: "map"; readonly entries: ReadonlyMap<string, Cell>; readonly span: Span }

/** A file's rows, and what could not be read of it. */
export interface Rows {
  readonly rows: readonly Cell[]
  readonly problems: readonly ItemProblem[]
}

/** Values within values deeper than this are refused: no item needs them, and a reader must not run out of stack. */
export const deepest = 100

/** A cell in words: "a text", "a list". */
export const describe = (cell: Cell): string => {
  if (cell.kind === "list") return "a list"
  if (cell.kind === "map") return "a record"
  if (cell.value === null) return "nothing"
  switch (typeof cell.value) {
    case "string":
      return "a text"
    case "number":
      return "a number"
    default:
      return "a truth value"
  }
}
