/**
 * How a table of LaTeX is made to fit a page, the smallest that papers commonly have: article at 10 pt, 345 pt wide and 550 high. In this order: small type where that
 * fits; footnote size; long names on several lines; columns in panels below one another, each with the names of its rows; rows in parts, each a float of its own. Notes
 * stand in the last float, or behind it where they do not fit, so that they may run over pages.
 */
import { breakable, widthOf, wordsOf } from "./latexText.ts"

/** Points. */
const PAGE = { width: 345, column: 225, height: 520 } as const

export interface Sheet {
  readonly heads: readonly string[]
  /** Beneath the heads; empty where none has one. */
  readonly units: readonly string[]
  readonly numbers: readonly boolean[]
  readonly rows: readonly (readonly string[])[]
  /** How many of the first columns say what a row is about. */
  readonly names: number
  /** How many columns after these stay together. */
  readonly together: number
  /** What stands above and below, as LaTeX. */
  readonly caption: string
  readonly notes: readonly string[]
}

export interface Layout {
  readonly environment: "table" | "table*"
  readonly size: string
  /** Each set of columns. */
  readonly panels: readonly Panel[]
  /** Numbers of rows, by part. */
  readonly parts: readonly (readonly number[])[]
  readonly notesBehind: boolean
}

export interface Panel {
  readonly columns: readonly number[]
  /** Of each column, in points, where its texts are broken. */
  readonly broken: readonly (number | undefined)[]
}

/** `em`: a point of Computer Modern at that size, which is relatively wider when small; `line`: from one to the next. */
const SIZES = [
  { command: "\\small", em: 9.25, gap: 12, line: 11 },
  { command: "\\footnotesize\\setlength{\\tabcolsep}{4pt}", em: 8.5, gap: 8, line: 9.5 },
] as const
/** Names that are longer are set on several lines where a table does not fit, as are heads of numbers; points. */
const LONG = { name: 100, head: 70 } as const

/** The share of the page that names may take before they are broken. */
const NAMES = 0.55

export function laidOut(sheet: Sheet): Layout {
  const { heads, names } = sheet
  const all = heads.map((_, column) => column)
  for (const { command, em, gap, line } of SIZES) {
    const widths = all.map((column) => em * widest(sheet, column))
    const total = sum(widths) + gap * all.length
    if (total <= PAGE.width)
      return finished(sheet, command, line, total, [{ columns: all, broken: all.map(() => undefined) }])
  }
  const { command, em, gap, line } = SIZES[1]
  const share = Math.min(LONG.name, (NAMES * PAGE.width) / Math.max(1, names) - gap)
  const ofNames = sum(all.slice(0, names).map((column) => em * widest(sheet, column) + gap))
  // Where names leave room enough they stay as they are; a word is broken only where it alone is too long.
  const limitOf = (column: number): number =>
    ofNames <= NAMES * PAGE.width
      ? LONG.name
      : Math.max(share, Math.min(LONG.name, em * widestWord(sheet, column)))
  const narrowed = all.map((column) => {
    const [natural, own] = [em * widest(sheet, column), em * widestCell(sheet, column)]
    const limit = column < names ? limitOf(column) : Math.max(own, Math.min(LONG.head, natural))
    return natural > limit ? limit : undefined
  })
  const widthAt = (column: number): number => (narrowed[column] ?? em * widest(sheet, column)) + gap
  const panels = panelsOf(sheet, widthAt)
  return finished(
    sheet,
    command,
    line,
    PAGE.width,
    panels.map((columns) => ({ columns, broken: columns.map((column) => narrowed[column]) })),
  )
}

/** Sets of columns as wide as the page lets them be, each after those with names. */
function panelsOf({ heads, names, together }: Sheet, widthAt: (column: number) => number): number[][] {
  const ofNames = heads.slice(0, names).map((_, column) => column)
  const room = PAGE.width - sum(ofNames.map(widthAt))
  const panels: number[][] = []
  let left = 0
  for (let from = names; from < heads.length; from += together) {
    const group = Array.from({ length: Math.min(together, heads.length - from) }, (_, at) => from + at)
    const wide = sum(group.map(widthAt))
    if (panels.length === 0 || wide > left) {
      panels.push([...ofNames])
      left = room
    }
    panels.at(-1)!.push(...group)
    left -= wide
  }
  return panels.length === 0 ? [ofNames] : panels
}

function finished(sheet: Sheet, size: string, line: number, total: number, panels: readonly Panel[]): Layout {
  const small = SIZES[1]
  const linesOf = (latex: string, em: number): number => Math.ceil((em * widthOf(latex)) / PAGE.width)
  const notes = sum(sheet.notes.map((note) => small.line * linesOf(note, small.em)))
  const above = 12 * linesOf(sheet.caption, 10) + 20 + panels.length * 4 * line
  const room = PAGE.height - above
  const heightOf = (row: readonly string[]): number =>
    sum(panels.map((panel) => line * linesIn(row, panel) + 1))
  const parts: number[][] = []
  let left = 0
  for (const [at, row] of sheet.rows.entries()) {
    const high = heightOf(row)
    if (parts.length === 0 || high > left) {
      parts.push([])
      left = room
    }
    parts.at(-1)!.push(at)
    left -= high
  }
  return {
    environment: total <= PAGE.column ? "table" : "table*",
    size,
    panels,
    parts: parts.length === 0 ? [[]] : parts,
    notesBehind: notes > (parts.length === 0 ? room : left),
  }
}

/** A broken text leaves a part of its lines empty. */
const linesIn = (row: readonly string[], { columns, broken }: Panel): number =>
  columns.reduce((most, column, at) => {
    const width = broken[at]
    return width === undefined
      ? most
      : Math.max(most, Math.ceil((1.15 * SIZES[1].em * widthOf(row[column]!)) / width))
  }, 1)

/** A text on several lines of so many points; `at`: which of its lines stands on that of its row. */
export function onLines(latex: string, width: number, side: "left" | "right", at: "t" | "b"): string {
  const ragged = side === "right" ? "\\raggedleft" : "\\raggedright"
  return `\\parbox[${at}]{${Math.floor(width)}pt}{${ragged} ${breakable(latex, (0.9 * width) / SIZES[1].em)}\\strut}`
}

const widest = (sheet: Sheet, column: number): number =>
  Math.max(widthOf(sheet.heads[column]!), widthOf(sheet.units[column] ?? ""), widestCell(sheet, column))

const widestWord = ({ heads, rows }: Sheet, column: number): number =>
  [heads, ...rows].reduce((most, row) => Math.max(most, ...wordsOf(row[column]!).map(widthOf)), 0)

const widestCell = ({ rows }: Sheet, column: number): number =>
  rows.reduce((most, row) => Math.max(most, widthOf(row[column]!)), 0)

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)
