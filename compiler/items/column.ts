/** A column of a mapping as a person writes it. */
import type { ColumnIR, LookupIR } from "../ir.ts"

export const printColumn = (column: ColumnIR): string => column.map(printLookup).join(" or ")

const printLookup = (one: LookupIR): string => {
  switch (one.kind) {
    case "path":
      return one.path.join(".")
    case "column":
      return `column(${one.place})`
    case "file":
    case "row":
    case "first":
      return `${one.kind}()`
    case "before":
      return `before(${printLookup(one.of)}, ${JSON.stringify(one.marker)})`
    default:
      return `${one.kind}(${one.path.join(".")})`
  }
}
