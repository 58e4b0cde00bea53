/** JSON Lines: one record a line; empty lines are passed over. */
import type { Source } from "../../grammar/source.ts"
import type { Cell, Rows } from "./cell.ts"
import { parseJson } from "./json.ts"
import type { ItemProblem } from "./problem.ts"

/** A line that is no JSON is a problem of its own; the others are read on. */
export const readJsonl = ({ text }: Source): Rows => {
  const rows: Cell[] = []
  const problems: ItemProblem[] = []
  let start = text.startsWith("\uFEFF") ? 1 : 0
  while (start < text.length) {
    const newline = text.indexOf("\n", start)
    const end = newline < 0 ? text.length : newline
    if (text.slice(start, end).trim() !== "") {
      const parsed = parseJson(text, { start, end })
      if ("cell" in parsed) rows.push(parsed.cell)
      else problems.push({ kind: "unreadable", format: "JSON", why: parsed.why, span: parsed.span })
    }
    start = end + 1
  }
  return { rows, problems }
}
