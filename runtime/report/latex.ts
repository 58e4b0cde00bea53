/**
 * `cfx report --format latex`: every table of the report as a `table` of booktabs, with caption, label and notes, to be put into a paper by `\input`. Nothing but booktabs
 * is needed, whichever engine sets it. `latexLayout.ts` says how a table comes to fit a page, `latexText.ts` what becomes of its texts.
 */
import type { MeasureIR } from "../../compiler/ir.ts"
import type { Result } from "../measure/result.ts"
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
import { type Layout, laidOut, onLines, type Panel, type Sheet } from "./latexLayout.ts"
import { comment, escapeLatex, label, paragraph, UNICODE } from "./latexText.ts"
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
    tablesOf(summary).flatMap((table) => floatsOf(table, summary, notices, several)),
  )
  const head = [
    `% Tables of ${comment(input.spec.name)}, made by cfx ${comment(input.version)}.`,
    "% In the preamble: \\usepackage{booktabs}",
    ...notices.map((notice) => `% ${comment(notice)}`),
    UNICODE,
  ]
  return `${[head.join("\n"), ...tables].join("\n\n")}\n`
}

interface Table {
  /** Unlike that of every other table of its experiment: the spec's own go by their names, in which no hyphen is. */
  readonly id: string
  readonly caption: string
  /** LaTeX. */
  readonly heads: readonly string[]
  /** LaTeX, beneath the heads; empty where none has a unit. */
  readonly units: readonly string[]
  readonly numbers: readonly boolean[]
  /** LaTeX, row by row. */
  readonly rows: readonly (readonly string[])[]
  /** How many of the first columns say what a row is about, and how many of the others stay together. */
  readonly names: number
  readonly together: number
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
      const table = {
        ...gridTable(grid, `${grid.title} of the model ${name}`),
        id: `fit-${name}-${grid.title}`,
      }
      const about = at === 0 ? [...cautions.map((caution) => `Caution: ${caution}.`), words] : []
      return { ...table, notes: [...about, ...table.notes] }
    }),
  ),
  ...(reasons === undefined ? [] : [gridTable(reasons)]),
]

/** The floats of a table, one for each part of its rows, and its notes behind them where they are long. */
function floatsOf(
  table: Table,
  { experiment }: Summary,
  notices: readonly string[],
  several: boolean,
): readonly string[] {
  const caption = paragraph(escapeLatex(several ? `${experiment.name}: ${table.caption}` : table.caption))
  const notes = [
    ...table.lettered.map(({ letter, text }) => `\\textsuperscript{${letter}}${escapeLatex(`${text}.`)}`),
    ...[...table.notes, ...notices].map(escapeLatex),
  ].map(paragraph)
  const sheet: Sheet = { ...table, caption, notes }
  const layout = laidOut(sheet)
  const { parts, notesBehind } = layout
  const name = `tab:${label(experiment.name)}:${label(table.id)}`
  const floats = parts.map((part, at) => {
    const words = parts.length === 1 ? "" : ` Part ${at + 1} of ${parts.length}.`
    const isLast = at === parts.length - 1
    return floatText(sheet, layout, part, {
      caption: `${caption}${words}`,
      name: at === 0 ? name : `${name}:${at + 1}`,
      notes: isLast ? (notesBehind ? ["Notes stand behind this table."] : notes) : [],
    })
  })
  if (!notesBehind) return floats
  const said = [`Notes to Table~\\ref{${name}}.`, ...notes].join("\\par\n")
  return [...floats, `\\begingroup\\footnotesize\\raggedright\\noindent\n${said}\\par\n\\endgroup`]
}

interface FloatWords {
  readonly caption: string
  readonly name: string
  readonly notes: readonly string[]
}

/** `part`: numbers of rows. */
function floatText(
  sheet: Sheet,
  { environment, size, panels }: Layout,
  part: readonly number[],
  { caption, name, notes }: FloatWords,
): string {
  return [
    `\\begin{${environment}}`,
    "\\centering",
    size,
    `\\caption{${caption}}`,
    `\\label{${name}}`,
    "\\smallskip",
    panels.map((panel) => panelText(sheet, panel, part)).join("\n\\par\\medskip\n"),
    ...(notes.length === 0
      ? []
      : [
          "\\par\\smallskip",
          "\\begin{minipage}{\\linewidth}\\footnotesize\\raggedright",
          notes.join("\\par\n"),
          "\\end{minipage}",
        ]),
    `\\end{${environment}}`,
  ].join("\n")
}

function panelText(sheet: Sheet, { columns, broken }: Panel, part: readonly number[]): string {
  const { heads, units, numbers, rows, names } = sheet
  const cells = (row: readonly string[], place: "t" | "b"): string =>
    columns
      .map((column, at) => {
        const width = broken[at]
        const text = row[column]!
        const isBroken = width !== undefined && text !== "" && (column < names || place === "b")
        return isBroken ? onLines(text, width, numbers[column] ? "right" : "left", place) : text
      })
      .join(" & ")
  // A little space before and behind rows that share their first name.
  const shares = (one: number, other: number): boolean =>
    names > 1 && rows[one] !== undefined && rows[one]?.[0] === rows[other]?.[0]
  const body = part.flatMap((at) => {
    // The first row of a part stands below no other.
    const above = at === part[0] ? undefined : rows[at - 1]
    const shown = rows[at]!.map((cell, column) => (isAgain(rows[at]!, above, column, names) ? "" : cell))
    const isApart =
      above !== undefined && !shares(at - 1, at) && (shares(at - 2, at - 1) || shares(at, at + 1))
    return [...(isApart ? ["\\addlinespace"] : []), `${cells(shown, "t")} \\\\`]
  })
  return [
    `\\begin{tabular}{${columns.map((column) => (numbers[column] ? "r" : "l")).join("")}}`,
    "\\toprule",
    `${cells(heads, "b")} \\\\`,
    ...(columns.some((column) => (units[column] ?? "") !== "") ? [`${cells(units, "b")} \\\\`] : []),
    "\\midrule",
    ...body,
    "\\bottomrule",
    "\\end{tabular}",
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
    heads: [...factors.map(escapeLatex), ...measures.flatMap(({ name }) => [escapeLatex(name), "$n$"])],
    units: [
      ...factors.map(() => ""),
      ...measures.flatMap((measure) => {
        const unit = unitWords(measure)
        return [unit === undefined ? "" : escapeLatex(`(${unit})`), ""]
      }),
    ],
    numbers: [...factors.map(() => false), ...measures.flatMap(() => [true, true])],
    names: factors.length,
    together: 2,
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
  const shown = measureText(result.estimate, measure, result).replace(/%$| pp$/, "")
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
    id: `grid-${grid.id}`,
    caption: `${title}. ${grid.caption}`,
    heads: shown.map((at) => escapeLatex(heads[at]!.text)),
    units: shown.map(() => ""),
    numbers: shown.map((at) => !isName(at)),
    together: 1,
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

/** The numbers of a cell with their thousands apart. */
const apart = (text: string): string =>
  text.replace(/(?<![\w.,])\d{4,}(?=\.\d|(?![\w.]))/g, (digits) => grouped(Number(digits)))
