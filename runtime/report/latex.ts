/**
 * `cfx report --format latex`: every table of the report as a `table` of booktabs, with caption, label and notes, to be put into a paper by `\input`. Nothing but booktabs
 * is needed. Text is escaped; letters stay as they are, so that what is no Latin text asks for LuaLaTeX or XeLaTeX.
 */
import type { MeasureIR } from "../../compiler/ir.ts"
import type { Result } from "../measure/result.ts"
import { visible } from "./escape.ts"
import { excludedText, grouped, intervalText, measureText, nText } from "./format.ts"
import {
  type Grid,
  type GridCell,
  type GridHead,
  type Lettered,
  lettered,
  MARK,
  NONE,
  notesOf,
} from "./grid.ts"
import type { ReportInput } from "./input.ts"
import { type Summary, summaries } from "./summary.ts"
import { letteredReason, missingWords, tableNotes } from "./tableNotes.ts"
import type { TableView } from "./tableViews.ts"
import { unitOf, unitWords } from "./unit.ts"
import { measureWords, noticesOf, tableCaption } from "./words.ts"

export function latexReport(input: ReportInput): string {
  const all = summaries(input)
  const notices = noticesOf(input)
  const several = all.length > 1
  const tables = all.flatMap((summary) =>
    tablesOf(summary).map((table) => tableText(table, summary, notices, several)),
  )
  const head = [
    `% Tables of ${comment(input.spec.name)}, made by cfx ${comment(input.version)}.`,
    "% In the preamble: \\usepackage{booktabs}",
    ...notices.map((notice) => `% ${comment(notice)}`),
  ]
  return `${[head.join("\n"), ...tables].join("\n\n")}\n`
}

interface Table {
  readonly id: string
  readonly caption: string
  /** LaTeX. */
  readonly heads: readonly string[]
  readonly numbers: readonly boolean[]
  /** LaTeX, row by row. */
  readonly rows: readonly (readonly string[])[]
  /** How many of the first columns say what a row is about. */
  readonly names: number
  /** Plain text. */
  readonly notes: readonly string[]
  /** What letters in cells refer to; plain text. */
  readonly lettered: Lettered["notes"]
}

const tablesOf = ({ tables, contrastGrid, grids, fits, reasons }: Summary): readonly Table[] => [
  ...tables.map(measuresTable),
  ...(contrastGrid === undefined ? [] : [gridTable(contrastGrid)]),
  ...grids.map((grid) => gridTable(grid)),
  ...fits.flatMap(({ name, words, cautions, grids }) =>
    grids.map((grid, at) => {
      const table = { ...gridTable(grid, `${grid.title} of the model ${name}`), id: `${name}-${grid.title}` }
      const about = at === 0 ? [...cautions.map((caution) => `Caution: ${caution}.`), words] : []
      return { ...table, notes: [...about, ...table.notes] }
    }),
  ),
  ...(reasons === undefined ? [] : [gridTable(reasons)]),
]

function tableText(
  table: Table,
  { experiment }: Summary,
  notices: readonly string[],
  several: boolean,
): string {
  const { caption, heads, numbers, rows, names } = table
  const environment = heads.length > 7 ? "table*" : "table"
  // A little space before and behind rows that share their first name.
  const shares = (one: number, other: number): boolean =>
    names > 1 && rows[one] !== undefined && rows[one]?.[0] === rows[other]?.[0]
  const body = rows.flatMap((row, at) => {
    const above = rows[at - 1]
    const shown = row.map((cell, column) => (isAgain(row, above, column, names) ? "" : cell))
    const isApart = at > 0 && !shares(at - 1, at) && (shares(at - 2, at - 1) || shares(at, at + 1))
    return [...(isApart ? ["\\addlinespace"] : []), `${shown.join(" & ")} \\\\`]
  })
  const notes = [
    ...table.lettered.map(({ letter, text }) => `\\textsuperscript{${letter}}${escapeLatex(`${text}.`)}`),
    ...[...table.notes, ...notices].map(escapeLatex),
  ]
  const wide = heads.length > 7
  return [
    `\\begin{${environment}}`,
    "\\centering",
    wide ? "\\footnotesize\\setlength{\\tabcolsep}{4pt}" : "\\small",
    `\\caption{${escapeLatex(several ? `${experiment.name}: ${caption}` : caption)}}`,
    `\\label{tab:${label(experiment.name)}-${label(table.id)}}`,
    `\\begin{tabular}{${numbers.map((number) => (number ? "r" : "l")).join("")}}`,
    "\\toprule",
    `${heads.join(" & ")} \\\\`,
    "\\midrule",
    ...body,
    "\\bottomrule",
    "\\end{tabular}",
    ...(notes.length === 0
      ? []
      : [
          "\\par\\smallskip",
          "\\begin{minipage}{\\linewidth}\\footnotesize",
          notes.join("\\par\n"),
          "\\end{minipage}",
        ]),
    `\\end{${environment}}`,
  ].join("\n")
}

/** Whether a name is that of the row above, as are all before it; the last name is always said. */
const isAgain = (
  row: readonly string[],
  above: readonly string[] | undefined,
  column: number,
  names: number,
): boolean => column < names - 1 && row.slice(0, column + 1).every((cell, at) => cell === above?.[at])

function measuresTable(table: TableView): Table {
  const { factors, measures } = table
  return {
    id: table.name,
    caption: tableCaption(table),
    heads: [
      ...factors.map(escapeLatex),
      ...measures.flatMap((measure) => {
        const unit = unitWords(measure)
        return [escapeLatex(unit === undefined ? measure.name : `${measure.name} (${unit})`), "$n$"]
      }),
    ],
    numbers: [...factors.map(() => false), ...measures.flatMap(() => [true, true])],
    names: factors.length,
    rows: table.rows.map(({ levels, results, cautions }) => [
      ...levels.map((level) => escapeLatex(level ?? NONE)),
      ...results.flatMap((result, column) => [
        measureCell(table, result, measures[column]!, cautions[column]),
        escapeLatex(nText(result, measures[column]!.statistic)),
      ]),
    ]),
    lettered: [],
    notes: [
      ...measures.map((measure) => `${measureWords(measure)}${leftOut(table, measure)}`),
      ...missingWords(table),
      ...tableNotes(table),
    ],
  }
}

/** The head says in what a number is, so that percent stands there once. */
function measureCell(
  table: TableView,
  result: Result,
  measure: MeasureIR,
  caution: string | undefined,
): string {
  if (result.estimate === undefined) return `no value (${letteredReason(table, result)})`
  const shown = measureText(result.estimate, measure).replace(/%$| pp$/, "")
  const mark = caution === undefined ? "" : MARK
  return escapeLatex(apart(`${shown}${mark} ${intervalText(result, unitOf(measure))}`.trim()))
}

/** " Not counted, from row to row: 99 condition unmet; 20 condition unmet." */
function leftOut({ rows, measures }: TableView, measure: MeasureIR): string {
  const column = measures.indexOf(measure)
  const reasons = [...new Set(rows.map(({ results }) => excludedText(results[column]!.excluded)))].filter(
    (reason) => reason !== "",
  )
  return reasons.length === 0 ? "" : ` Not counted, by row: ${reasons.join("; ")}.`
}

/** Names and numbers are columns; what is said in words stands with the notes, row by row. */
function gridTable(grid: Grid, title = grid.title): Table {
  const { heads } = grid
  const shown = heads.flatMap(({ kind }, at) => (kind === "name" || kind === "number" ? [at] : []))
  const said = heads.flatMap((_, at) => (shown.includes(at) ? [] : [at]))
  const isName = (at: number): boolean => heads[at]!.kind !== "number"
  const { letters, notes } = lettered(grid, said)
  const lastName = shown.filter(isName).at(-1)
  return {
    id: grid.id,
    caption: `${title}. ${grid.caption}`,
    heads: shown.map((at) => escapeLatex(heads[at]!.text)),
    numbers: shown.map((at) => !isName(at)),
    names: shown.filter(isName).length,
    rows: grid.rows.map((row, which) =>
      shown.map((at) => {
        const own = at === lastName ? said.flatMap((column) => letters[which]![column] ?? []) : []
        return `${cellText(row[at]!, heads[at]!)}${own.length === 0 ? "" : `\\textsuperscript{${own.join(",")}}`}`
      }),
    ),
    lettered: notes,
    notes: notesOf(grid),
  }
}

const cellText = ({ text, caution }: GridCell, { kind }: GridHead): string =>
  escapeLatex(
    `${kind === "number" ? apart(text === "" ? NONE : text) : text}${caution === undefined ? "" : MARK}`,
  )

const SIGNS: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "{": "\\{",
  "}": "\\}",
  $: "\\$",
  "&": "\\&",
  "#": "\\#",
  "%": "\\%",
  _: "\\_",
  "^": "\\textasciicircum{}",
  "~": "\\textasciitilde{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  '"': "''",
  "`": "\\textasciigrave{}",
  [MARK]: "\\textdagger{}",
  "⟨": "\\textless{}",
  "⟩": "\\textgreater{}",
  "…": "\\ldots{}",
  "–": "--",
}

/** Text on one line, every sign of LaTeX taken literally; a hyphen before a digit that stands for a minus is one. */
export function escapeLatex(text: string): string {
  return (
    visible(text)
      .replace(/\s+/g, " ")
      .replace(/[\\{}$&#%_^~<>|"`†⟨⟩…–]/g, (sign) => SIGNS[sign]!)
      .replace(/(?<![\w.])(-?)(\d+(?:\.\d+)?)e([+-])(\d+)(?!\w)/g, scientific)
      .replace(/−|(?<![\w.}{$])-(?=[\d.])/g, "$-$")
      // Ligatures would join these, and a bracket behind a line's end would be taken for an argument.
      .replace(/--(?=-)/g, "-{}-{}")
      .replace(/^\[/, "{[}")
  )
}

/** "2.6e-5" as $2.6\times10^{-5}$. */
const scientific = (_: string, minus: string, digits: string, sign: string, power: string): string =>
  `$${minus}${digits}\\times10^{${sign === "-" ? "-" : ""}${Number(power)}}$`

/** The numbers of a cell with their thousands apart. */
const apart = (text: string): string =>
  text.replace(/(?<![\w.,])\d{4,}(?=\.\d|(?![\w.]))/g, (digits) => grouped(Number(digits)))

/** A comment ends with its line. */
const comment = (text: string): string => visible(text).replace(/\s+/g, " ")

const label = (name: string): string => name.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "") || "table"
