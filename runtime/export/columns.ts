/** The columns of `trials.csv` with their types, for files that keep types. */
import type { ExperimentIR, HoleIR, Program } from "../../compiler/ir.ts"
import type { Cell, Column } from "../measure/column.ts"
import { LINE_ANSWER, LINE_WORDS, type Tables } from "../measure/table.ts"
import type { ReportInput } from "../report/input.ts"
import { allTrials } from "../report/trialsCsv.ts"

export type Kind = "text" | "integer" | "number" | "truth"

/** One column over the trials of all experiments. A value is a text for `text`, true or false for `truth`, else a number; or null where there is none. */
export interface ExportedColumn {
  readonly name: string
  readonly kind: Kind
  readonly rows: number
  readonly at: (row: number) => Cell
}

/** In the order of `trials.csv`: rows of one experiment behind those of the one before. */
export function exportedColumns(
  program: Program,
  tables: Tables,
  floors: ReportInput["floors"] = [],
): readonly ExportedColumn[] {
  const { names, parts } = allTrials(program, tables, floors)
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  return names.map((name) => {
    const own = parts.map(({ columns, rows: length }) => ({ column: columns.get(name), length }))
    const at = (row: number): Cell => {
      let left = row
      for (const { column, length } of own) {
        if (left < length) return column?.at(left) ?? null
        left -= length
      }
      return null
    }
    const kind = kindOf(
      name,
      parts.map(({ experiment }) => experiment),
      own.flatMap(({ column }) => (column === undefined ? [] : [column])),
    )
    return { name, kind, rows, at: (row) => typed(kind, at(row)) }
  })
}

/** Answers are kept as texts, those of integers too. */
function typed(kind: Kind, value: Cell): Cell {
  if (value === null) return null
  if (kind === "text") return String(value)
  return kind === "integer" && typeof value === "string" ? Number(value) : value
}

/** What a read's columns hold, by the ends of their names; probabilities are `p0`, `p1`, ... and `p.LABEL`. */
const ofReads: Readonly<Record<string, Kind>> = {
  status: "text",
  why: "text",
  text: "text",
  stop: "text",
  unlisted: "text",
  prompt: "integer",
  tokens: "integer",
  option: "integer",
  confidence: "number",
  mass: "number",
  placebo: "number",
  near_tie: "truth",
  low_mass: "truth",
}

const ofTrials: Readonly<Record<string, Kind>> = {
  "gold.option": "integer",
  "target.option": "integer",
  "pushed.option": "integer",
  [LINE_WORDS]: "number",
  [LINE_ANSWER]: "number",
}

/** A type that the values of one run do not decide, wherever the design says what a column holds. */
function kindOf(name: string, experiments: readonly ExperimentIR[], columns: readonly Column[]): Kind {
  const known = ofTrials[name]
  if (known !== undefined) return known
  const holes = experiments.flatMap(({ protocol }) =>
    protocol.holes.filter((one) => name.startsWith(`${one.name}.`)),
  )
  const [hole] = holes
  if (hole === undefined) return /^(item|model)\./.test(name) ? kindOfValues(columns) : "text"
  const end = name.slice(hole.name.length + 1)
  if (/^p(\d|\.)/.test(end)) return "number"
  // What is left is the answer: an integer where all experiments read one, else a label.
  return ofReads[end] ?? (holes.every(isOfIntegers) ? "integer" : "text")
}

const isOfIntegers = (hole: HoleIR): boolean =>
  hole.type === "integer" || (hole.type === "extract" && hole.as.type === "integer")

/** Of columns of items and models: text unless all values are of one other type. */
function kindOfValues(columns: readonly Column[]): Kind {
  const types = new Set<Kind>()
  for (const column of columns) {
    for (let row = 0; row < column.length; row++) {
      const value = column.at(row)
      if (value === null) continue
      if (typeof value === "string") return "text"
      types.add(typeof value === "boolean" ? "truth" : Number.isSafeInteger(value) ? "integer" : "number")
    }
  }
  if (types.size === 1) return [...types][0]!
  return types.size === 0 || types.has("truth") ? "text" : "number"
}
