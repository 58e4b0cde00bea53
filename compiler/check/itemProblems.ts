/** What is wrong with the data of a pool, in the words of the catalogue: in the item file, or at the mapping. */

import type { Items } from "../../grammar/ast.ts"
import type { Source, Span } from "../../grammar/source.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { type Place, type Related, repeated, report } from "../diagnostics/report.ts"
import { printColumn } from "../items/column.ts"
import type { Field, FoundProblem } from "../items/problem.ts"
import type { ReadItems } from "../items/read.ts"
import { fieldOf, lowerColumn, mappingsOf } from "../lower/items.ts"
import type { Bound } from "../resolve.ts"

/** From so many rows on, what is wrong with most of a file is one mistake, in the mapping or in how the file was made. */
const SYSTEMATIC = 4

/** All problems of a pool's data. `placeOf` is where the spec, or an option, names a file. */
export const diagnoseItems = (
  found: ReadItems,
  bound: Bound<Items>,
  placeOf: (source: Source) => Place,
): readonly Diagnostic[] =>
  gathered(found).map(({ problem, times }) => {
    const diagnostic = diagnose(problem, bound, placeOf(problem.source))
    return times === 1 ? diagnostic : repeated(diagnostic, times, found.rows)
  })

/** The problems of a pool, and how often each stands in it: of one that most rows have, the first only. */
const gathered = ({
  problems,
  rows,
}: ReadItems): readonly { readonly problem: FoundProblem; readonly times: number }[] => {
  const kindOf = (problem: FoundProblem): string =>
    `${problem.kind} ${"field" in problem ? problem.field : ""} ${"found" in problem ? problem.found : ""}`
  const times = new Map<string, number>()
  for (const problem of problems) times.set(kindOf(problem), (times.get(kindOf(problem)) ?? 0) + 1)
  const told = new Set<string>()
  return problems.flatMap((problem) => {
    const kind = kindOf(problem)
    const all = times.get(kind) ?? 1
    if (all < SYSTEMATIC || all * 2 <= rows) return [{ problem, times: 1 }]
    if (told.has(kind)) return []
    told.add(kind)
    return [{ problem, times: all }]
  })
}

const diagnose = (problem: FoundProblem, { declaration, module }: Bound<Items>, file: Place): Diagnostic => {
  const place = { source: problem.source, span: problem.span }
  const column = (field: Field, name?: string): { source: Source; span: Span } => {
    const columns = mappingsOf(declaration).find(({ target }) => target.text === field)?.columns ?? []
    const meant = columns.find((one) => printColumn(lowerColumn(one) ?? []) === name) ?? columns[0]
    const last = columns.at(-1)
    // All columns of a field are meant where none is named.
    const all = meant && last && { start: meant.span.start, end: last.span.end }
    return { source: module.source, span: (name === undefined ? all : meant?.span) ?? declaration.name.span }
  }
  const mapped = (field: Field): readonly Related[] => [{ ...column(field), label: "mapped here" }]
  const { name } = problem.source
  switch (problem.kind) {
    case "unknown_format":
      return report("CFX3002", { path: name, known: problem.known }, file)
    case "unreadable":
      return report("CFX3003", problem, place)
    case "empty_pool":
      return report("CFX3004", { path: name }, file)
    case "no_rows":
      return report("CFX3106", { file: name, found: problem.found, lists: problem.lists }, file)
    case "no_records": {
      const records = fieldOf(declaration, "records")
      const at = records === undefined ? file : { source: module.source, span: records.path.span }
      return report("CFX3106", { ...problem, file: name }, at)
    }
    case "not_a_row":
      return report("CFX3019", problem, place)
    case "missing_column":
      return report("CFX3008", { ...problem, file: name }, column(problem.field, problem.column), [
        { ...place, label: "the first row" },
      ])
    case "missing_field":
      return report("CFX3009", problem, place)
    case "wrong_type":
      return report("CFX3010", problem, place, mapped(problem.field))
    case "empty_text":
      return report("CFX3018", problem, place)
    case "duplicate_id":
      return report("CFX3012", problem, place, [{ ...problem.first, label: "first here" }])
    case "gold_not_a_label":
      return report("CFX3011", problem, place)
    case "gold_out_of_range":
      return report("CFX3119", problem, place, mapped("gold"))
    case "equal_options":
      return report("CFX3013", problem, place)
    case "too_few_options":
      return report("CFX3014", problem, place)
    case "label_count":
      return report("CFX3015", problem, place)
    case "duplicate_label":
      return report("CFX3016", problem, place)
    case "no_label_left":
      return report("CFX3020", problem, place)
    default:
      return problem satisfies never
  }
}
