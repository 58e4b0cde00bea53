/** A grid for a terminal: as a table where it fits, else each row as lines of its own. */
import { terminalLine } from "./escape.ts"
import { type Grid, type GridCell, MARK, NONE, notesOf } from "./grid.ts"
import { type Line, type Paint, padded, wrapped } from "./layout.ts"

const GAP = "  "
/** Columns of words are as wide as the terminal leaves them, but not narrower. */
const WORDS = 16

export function gridLines(grid: Grid, width: number, look: Paint): readonly Line[] {
  const { title, caption } = grid
  const shown = grid.rows.map((row) => row.map(cellText))
  const dashed = shown.map((row) =>
    row.map((cell, column) => (cell === "" && grid.heads[column]!.kind === "number" ? NONE : cell)),
  )
  const body = tableLines(grid, dashed, width, look) ?? recordLines(grid, shown, width)
  return [
    look.bold(terminalLine(title)),
    ...wrapped(caption, width).map(look.faint),
    ...body,
    ...notesOf(grid).flatMap((note) => wrapped(note, width)),
  ]
}

const cellText = ({ text, caution }: GridCell): string =>
  terminalLine(`${text}${caution === undefined ? "" : MARK}`)

/** Undefined where the columns have no room. */
function tableLines(
  { heads }: Grid,
  rows: readonly (readonly string[])[],
  width: number,
  look: Paint,
): readonly Line[] | undefined {
  const natural = heads.map(({ text }, column) =>
    Math.max(text.length, ...rows.map((row) => row[column]!.length)),
  )
  const least = natural.map((wide, column) =>
    heads[column]!.kind === "number" ? wide : Math.min(wide, Math.max(WORDS, heads[column]!.text.length)),
  )
  const gaps = GAP.length * (heads.length - 1)
  const room = width - gaps - least.reduce((sum, wide) => sum + wide, 0)
  if (room < 0) return undefined
  const widths = [...least]
  let spare = room
  // The first columns take what they need first: names before remarks.
  for (const [column, wide] of natural.entries()) {
    const more = Math.min(spare, wide - widths[column]!)
    widths[column]! += more
    spare -= more
  }
  const lineOf = (cells: readonly string[]): readonly Line[] => {
    const broken = cells.map((cell, column) =>
      cell.length <= widths[column]!
        ? [cell]
        : wrapped(cell, widths[column]!).map((line) => line.replace(/^ {2}/, "")),
    )
    const tall = Math.max(...broken.map(({ length }) => length))
    return Array.from({ length: tall }, (_, at) =>
      broken
        .map((lines, column) =>
          padded(lines[at] ?? "", widths[column]!, heads[column]!.kind === "number" ? "right" : "left"),
        )
        .join(GAP)
        .trimEnd(),
    )
  }
  return [...lineOf(heads.map(({ text }) => text)).map(look.faint), ...rows.flatMap(lineOf)]
}

/** "authority, paired by item" and below it, indented, what is known: "estimate +47.1 pp; n 99 pairs". */
function recordLines({ heads }: Grid, rows: readonly (readonly string[])[], width: number): readonly Line[] {
  return rows.flatMap((row) => {
    const named = row.filter((cell, column) => heads[column]!.kind === "name" && cell !== "").join(", ")
    const rest = row.flatMap((cell, column) => {
      const { kind, text } = heads[column]!
      return kind === "name" || cell === "" ? [] : [`${text} ${cell}`]
    })
    return [...wrapped(named, width), ...wrapped(rest.join("; "), width, GAP)]
  })
}
