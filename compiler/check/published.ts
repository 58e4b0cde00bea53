/** What is published of a pool against the data at hand, and the flaws of published items that were let pass. */
import type { Items } from "../../grammar/ast.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { report } from "../diagnostics/report.ts"
import type { PoolIR } from "../ir.ts"
import type { ReadItems } from "../items/read.ts"
import type { Flaw } from "../items/row.ts"
import type { Bound } from "../resolve.ts"

/** Notes of a pool whose data are at hand. Of data with mistakes only the mistakes are told. */
export const publishedNotes = (
  { name, published, where }: PoolIR,
  { items, rows, problems, flawed }: ReadItems,
  { declaration, module }: Bound<Items>,
): readonly Diagnostic[] => {
  if (problems.length > 0) return []
  const notes: Diagnostic[] = []
  const differs = (what: string, declared: number | undefined, found: number, span: Items["span"]): void => {
    if (declared === undefined || declared === found) return
    const told = { pool: name, what, published: declared, found }
    notes.push(report("CFX3101", told, { source: module.source, span }))
  }
  const [first] = flawed
  if (first !== undefined) {
    const count = (flaw: Flaw): number => flawed.filter(({ flaws }) => flaws.includes(flaw)).length
    const told = {
      pool: name,
      items: items.length,
      equal: count("equal options"),
      empty: count("empty option"),
      first: first.id,
    }
    notes.push(report("CFX3100", told, { source: module.source, span: declaration.name.span }))
  }
  for (const field of declaration.fields) {
    if (field.field === "size") differs("rows", published.size, rows, field.span)
    // A condition of the pool may leave out whole strata.
    if (field.field !== "strata" || where !== undefined) continue
    const column = field.column.text
    const values = new Set(items.map(({ columns }) => columns[column]))
    differs(`values of \`${column}\``, published.strata?.[column], values.size, field.span)
  }
  return notes
}
