/** Columns of mappings in the language's own words, so that two that are read otherwise never look alike. */
import type { ColumnIR, LookupIR } from "../../compiler/ir.ts"

export const columnText = (column: ColumnIR): string => column.map(lookupText).join(" or ")

/** `doc.answer`; a name of other characters than a word's in quotes, since a dot in it parts nothing. */
export const pathText = (path: readonly string[]): string =>
  path.map((part) => (/^[\w-]+$/.test(part) ? part : JSON.stringify(part))).join(".")

const lookupText = (lookup: LookupIR): string => {
  switch (lookup.kind) {
    case "path":
      return pathText(lookup.path)
    case "column":
      return `column(${lookup.place})`
    case "before":
      return `before(${lookupText(lookup.of)}, ${JSON.stringify(lookup.marker)})`
    case "file":
    case "row":
    case "first":
      return `${lookup.kind}()`
    default:
      return `${lookup.kind}(${pathText(lookup.path)})`
  }
}
