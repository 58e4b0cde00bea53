/** A table of the page: in a frame that scrolls by itself, with a caption, heads with their scope, and what its rows are sorted by. */
import { escapeHtml } from "./escape.ts"
import { breakable, foldClass, inPieces, leastColumn, longest, piecesOf } from "./fold.ts"
import { printed } from "./format.ts"
import type { Grid, GridCell, GridHead } from "./grid.ts"
import { lettered, MARK, NONE, notesOf } from "./grid.ts"

/** Where definitions stand on the page. */
export interface Links {
  /** The id of the definition of a measure of the experiment. */
  readonly definition: (measure: string) => string
}

export interface TableHtml {
  /** The name of the frame, for who cannot see it. */
  readonly label: string
  /** HTML. */
  readonly caption: string
  /** `th` elements. */
  readonly heads: readonly string[]
  /** Elements `tr`, of cells that each name their column. */
  readonly rows: readonly string[]
  /** How wide each column must be, in rem. */
  readonly widths: readonly number[]
  readonly id?: string
  readonly plain?: boolean
  /** Of few rows, which need not be sorted. */
  readonly short?: boolean
}

/** Roles are said as well, since some browsers take none from a table that is laid out as something else. */
export function tableElement({ label, caption, heads, rows, widths, id, plain, short }: TableHtml): string {
  return [
    `<div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(label)}"${id === undefined ? "" : ` id="${id}"`}>`,
    `<table role="table" class="${short ? "" : "sortable "}${foldClass(widths)}${plain ? " plain" : ""}">`,
    `<caption><span>${caption}</span></caption>`,
    `<thead role="rowgroup">${tableRow(heads)}</thead>`,
    `<tbody role="rowgroup">\n${rows.join("\n")}\n</tbody>`,
    "</table></div>",
  ].join("\n")
}

export const tableRow = (cells: readonly string[]): string => `<tr role="row">${cells.join("")}</tr>`

/** `name`: the head's words; `inner`: the same as HTML; `below`: what stands on a line of its own, as HTML. */
export function headCell(name: string, number: boolean, inner = breakable(name), below = ""): string {
  return `<th scope="col" role="columnheader" data-name="${escapeHtml(name)}"${number ? ' class="number"' : ""}><span class="head">${inner}</span>${below}</th>`
}

/** What a row is about in one column. */
export interface RowName {
  /** The name of the column. */
  readonly head: string
  /** Undefined where the row has none. */
  readonly name: string | undefined
  /** What stands behind it, and on a line of its own where the row is not one more of the same; HTML. */
  readonly refs?: string
  readonly below?: string
}

/** The cells of a row that say what it is about. Where the row above begins with the same, they are paler. */
export function rowHeads(
  names: readonly RowName[],
  above: readonly RowName[] | undefined,
): readonly string[] {
  let again = above !== undefined
  return names.map(({ head, name, refs = "", below = "" }, column) => {
    again &&= name === above?.[column]?.name
    // The last tells the row from the one above, whatever it says.
    const isAgain = again && column < names.length - 1
    const more = isAgain ? "" : below
    const look = isAgain ? ' class="again"' : more === "" ? "" : ' class="broad"'
    const shown = name === undefined ? NOTHING : breakable(name)
    return `<th scope="row" role="rowheader"${look} data-name="${escapeHtml(head)}">${shown}${refs}${more}</th>`
  })
}

const NOTHING = `<span aria-hidden="true">${NONE}</span><span class="unseen">none</span>`

/** A cell of a column of numbers. `inner`: HTML, a dash where it is empty; `look`: more of its classes. */
export function numberCell(
  head: string,
  value: number | undefined,
  inner: string,
  { look = "", title = "" }: { readonly look?: string; readonly title?: string } = {},
): string {
  const about = title === "" ? "" : ` title="${escapeHtml(title)}"`
  return `<td class="number${look}"${sortAttribute(value)} role="cell" data-name="${escapeHtml(head)}"${about}>${inner === "" ? NOTHING : inner}</td>`
}

/** The attribute by which a cell with a number is sorted; empty where it has none, so that it goes last. */
const sortAttribute = (value: number | undefined): string => ` data-sort="${value ?? ""}"`

/** A grid with its notes. Columns that may stand beneath others do. */
export function gridHtml(grid: Grid, links: Links, suffix = ""): string {
  const { heads, rows, caption, title } = grid
  // The column that each stands in, and those that are below it.
  // Methods are long and the same in many rows: they are notes.
  const noted = heads.flatMap(({ kind, beneath }, column) =>
    kind === "words" && beneath === "" ? [column] : [],
  )
  const { letters, notes } = lettered(grid, noted)
  const noteId = (letter: string): string => `${grid.id}-note-${letter}${suffix}`
  const own = heads.flatMap(({ beneath }, column) => (beneath === undefined ? [column] : []))
  const namesAt = own.filter((column) => heads[column]!.kind === "name")
  const otherAt = own.filter((column) => heads[column]!.kind !== "name")
  const refsOf = (row: number, column: number): string => {
    const own: string[] = []
    for (let at = column + 1; heads[at]?.beneath !== undefined; at++) own.push(letters[row]![at] ?? "")
    const links = own
      .filter((letter) => letter !== "")
      .map((letter) => `<a href="#${noteId(letter)}">${letter}</a>`)
    return links.length === 0 ? "" : `<sup class="note">${links.join(",")}</sup>`
  }
  const belowOf = (row: readonly GridCell[], column: number): string => {
    let shown = ""
    for (let at = column + 1; heads[at]?.beneath !== undefined; at++) {
      if (row[at]!.text !== "" && !noted.includes(at))
        shown += `<span class="below">${heads[at]!.beneath}${inner(row[at]!, heads[at]!, links)}</span>`
    }
    return shown
  }
  const namesOf = (at: number): readonly RowName[] | undefined =>
    rows[at] &&
    namesAt.map((column) => ({
      head: heads[column]!.text,
      name: rows[at]![column]!.text,
      refs: refsOf(at, column),
      below: belowOf(rows[at]!, column),
    }))
  const headWords = (column: number): string => {
    const below = heads.slice(column + 1).findIndex(({ beneath }) => beneath === undefined)
    const end = below === -1 ? heads.length : column + 1 + below
    return heads
      .slice(column, end)
      .filter((_, at) => !noted.includes(column + at))
      .map(({ text }) => text)
      .join(", ")
  }
  const table = tableElement({
    id: `${grid.id}-table${suffix}`,
    label: title,
    caption: escapeHtml(caption),
    heads: [...namesAt, ...otherAt].map((column) => {
      const { text, kind } = heads[column]!
      const more = headWords(column).slice(text.length)
      const unseen = more === "" ? "" : `<span class="unseen">${escapeHtml(more)}</span>`
      return headCell(text, kind === "number", `${escapeHtml(text)}${unseen}`)
    }),
    rows: rows.map((row, at) => {
      const cells = otherAt.map((column) =>
        gridCell(row[column]!, heads[column]!, refsOf(at, column), belowOf(row, column), links),
      )
      return tableRow([...rowHeads(namesOf(at)!, namesOf(at - 1)), ...cells])
    }),
    widths: [...namesAt, ...otherAt].map((column) => leastOf(grid, column, noted)),
    plain: true,
  })
  const said = notes.map(
    ({ letter, text }) =>
      `<li id="${noteId(letter)}"><span class="letter">${letter}</span> ${escapeHtml(printed(text))}</li>`,
  )
  const list = said.length === 0 ? "" : `\n<ul class="lettered notes">${said.join("")}</ul>`
  return `${table}${list}${notesHtml(notesOf(grid))}`
}

/** In rem. */
function leastOf({ heads, rows }: Grid, column: number, noted: readonly number[]): number {
  const { kind, text: head } = heads[column]!
  const own = rows.flatMap((row) => {
    const { text } = row[column]!
    // A note's letter takes as much as two more.
    if (kind === "number") return piecesOf(text).map((piece) => [`${piece}xx`, "name"] as const)
    return [[longest(text), "name"] as const]
  })
  const isUsed = (at: number): boolean => !noted.includes(at) && rows.some((row) => row[at]!.text !== "")
  let least = kind === "words" ? WORDS : kind === "code" ? CODE : 0
  for (let at = column + 1; heads[at]?.beneath !== undefined; at++)
    if (isUsed(at)) least = Math.max(least, heads[at]!.kind === "code" ? CODE : BELOW)
  return Math.max(leastColumn(head, own), least + 1)
}

/** How narrow columns of words and of code may be, and what stands below a number, in rem, as the style sheet has it. */
const [WORDS, CODE, BELOW] = [12, 9, 7]

/** `refs`, `below`: HTML, behind the cell's own words and on lines of their own. */
function gridCell(cell: GridCell, head: GridHead, refs: string, below: string, links: Links): string {
  const own = inner(cell, head, links)
  if (head.kind === "number") {
    const shown = own === "" ? NOTHING : own
    return numberCell(
      head.text,
      cell.value,
      `${refs === "" ? shown : `<span class="piece">${shown}${refs}</span>`}${below}`,
    )
  }
  const look = head.kind === "words" ? ' class="words broad"' : ' class="broad"'
  return `<td${look} role="cell" data-name="${escapeHtml(head.text)}">${own}${refs}${below}</td>`
}

function inner({ text, measure, caution }: GridCell, { kind }: GridHead, links: Links): string {
  const mark = caution === undefined ? "" : markHtml(caution)
  if (text === "") return ""
  if (kind === "number") return `${inPieces(piecesOf(printed(text)).map(escapeHtml))}${mark}`
  if (kind !== "code") return `${escapeHtml(printed(text))}${mark}`
  const code = `<code>${escapeHtml(text)}</code>`
  return measure === undefined ? code : `<a href="#${links.definition(measure)}">${code}</a>`
}

/** The mark of a number that says little, with why. */
export const markHtml = (caution: string): string =>
  `<abbr class="mark" title="${escapeHtml(caution)}">${MARK}</abbr>`

export const notesHtml = (notes: readonly string[]): string =>
  notes.length === 0
    ? ""
    : `\n<ul class="plain notes">${notes.map((note) => `<li>${escapeHtml(printed(note))}</li>`).join("")}</ul>`
