/** A table of the page: in a frame that scrolls by itself, with a caption, heads with their scope, and what its rows are sorted by. */
import { escapeHtml } from "./escape.ts"
import { printed } from "./format.ts"
import type { Grid, GridCell, GridHead } from "./grid.ts"
import { lettered, MARK, notesOf } from "./grid.ts"

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
  /** `th` and `td` elements. */
  readonly heads: readonly string[]
  readonly rows: readonly string[]
  readonly id?: string
  readonly plain?: boolean
}

export function tableElement({ label, caption, heads, rows, id, plain }: TableHtml): string {
  return [
    `<div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(label)}"${id === undefined ? "" : ` id="${id}"`}>`,
    `<table class="sortable${plain ? " plain" : ""}">`,
    `<caption><span>${caption}</span></caption>`,
    `<thead><tr>${heads.join("")}</tr></thead>`,
    `<tbody>\n${rows.join("\n")}\n</tbody>`,
    "</table></div>",
  ].join("\n")
}

/** `name`: the head's words; `inner`: the same as HTML; `below`: what stands on a line of its own, as HTML. */
export function headCell(name: string, number: boolean, inner = escapeHtml(name), below = ""): string {
  return `<th scope="col" data-name="${escapeHtml(name)}"${number ? ' class="number"' : ""}><span class="head">${inner}</span>${below}</th>`
}

/** The cells of a row that say what it is about. Where the row above begins with the same, they are paler. `below`, `refs`: HTML, by name; refs stand behind every name. */
export function rowHeads(
  names: readonly (string | undefined)[],
  above: readonly (string | undefined)[] | undefined,
  below: readonly string[] = [],
  refs: readonly string[] = [],
): readonly string[] {
  let again = above !== undefined
  return names.map((name, column) => {
    again &&= name === above?.[column]
    // The last tells the row from the one above, whatever it says.
    const isAgain = again && column < names.length - 1
    const look = isAgain ? ' class="again"' : ""
    const shown =
      name === undefined
        ? `<span aria-hidden="true">–</span><span class="unseen">none</span>`
        : escapeHtml(name)
    return `<th scope="row"${look}>${shown}${refs[column] ?? ""}${isAgain ? "" : (below[column] ?? "")}</th>`
  })
}

/** The attribute by which a cell with a number is sorted; empty where it has none, so that it goes last. */
export const sortAttribute = (value: number | undefined): string => ` data-sort="${value ?? ""}"`

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
  const namesOf = (row: readonly GridCell[] | undefined) => row && namesAt.map((column) => row[column]!.text)
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
      const names = rowHeads(
        namesOf(row)!,
        namesOf(rows[at - 1]),
        namesAt.map((column) => belowOf(row, column)),
        namesAt.map((column) => refsOf(at, column)),
      )
      const cells = otherAt.map((column) =>
        gridCell(row[column]!, heads[column]!, `${refsOf(at, column)}${belowOf(row, column)}`, links),
      )
      return `<tr>${names.join("")}${cells.join("")}</tr>`
    }),
    plain: true,
  })
  const said = notes.map(
    ({ letter, text }) =>
      `<li id="${noteId(letter)}"><span class="letter">${letter}</span> ${escapeHtml(printed(text))}</li>`,
  )
  const list = said.length === 0 ? "" : `\n<ul class="lettered notes">${said.join("")}</ul>`
  return `${table}${list}${notesHtml(notesOf(grid))}`
}

function gridCell(cell: GridCell, head: GridHead, below: string, links: Links): string {
  const shown = `${inner(cell, head, links)}${below}`
  if (head.kind !== "number") return `<td${head.kind === "words" ? ' class="words"' : ""}>${shown}</td>`
  return `<td class="number"${sortAttribute(cell.value)}>${shown}</td>`
}

function inner({ text, measure, caution }: GridCell, { kind }: GridHead, links: Links): string {
  if (kind !== "code" || text === "") {
    const mark = caution === undefined ? "" : markHtml(caution)
    return `${escapeHtml(printed(text))}${mark}`
  }
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
