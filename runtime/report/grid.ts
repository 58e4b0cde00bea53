/** A table before it is laid out: what HTML, Markdown, LaTeX and the terminal each print in their own way. */
export interface Grid {
  /** Unique within its experiment; letters, digits and hyphens. */
  readonly id: string
  readonly title: string
  /** One or more sentences on how its numbers are taken. */
  readonly caption: string
  readonly heads: readonly GridHead[]
  readonly rows: readonly (readonly GridCell[])[]
  /** What a reader must know besides, a sentence each. */
  readonly notes: readonly string[]
}

export interface GridHead {
  readonly text: string
  /** `name`: what a row is about, one or more of the first columns; `code`: the language's own words. */
  readonly kind: "name" | "code" | "number" | "words"
  /** It may stand as a line below the column before it, with this in front. */
  readonly beneath?: string
}

export interface GridCell {
  /** Empty where there is nothing to say. */
  readonly text: string
  /** What it is sorted by, where that is no text. */
  readonly value?: number
  /** The measure whose definition it leads to. */
  readonly measure?: string
  /** Why it says little: it is marked, and the reason stands with the notes. */
  readonly caution?: string
}

export const blank: GridCell = { text: "" }

/** Without the columns that have nothing in any row. */
export function withoutEmpty(grid: Grid): Grid {
  const used = grid.heads.map((_, column) => grid.rows.some((row) => row[column]?.text !== ""))
  const kept = <Value>(values: readonly Value[]) => values.filter((_, column) => used[column])
  return { ...grid, heads: kept(grid.heads), rows: grid.rows.map(kept) }
}

/** "a", "b", ... "z", "aa": what refers to a note. */
export function letterAt(place: number): string {
  const last = String.fromCharCode(97 + (place % 26))
  return place < 26 ? last : `${letterAt(Math.floor(place / 26) - 1)}${last}`
}

/** Words of a grid as notes, each said once. */
export interface Lettered {
  /** By row and column, the letter of what a cell says; undefined where it says nothing, or is no note. */
  readonly letters: readonly (readonly (string | undefined)[])[]
  readonly notes: readonly { readonly letter: string; readonly text: string }[]
}

/** `columns`: which of them are notes. */
export function lettered(
  { heads, rows }: Pick<Grid, "heads" | "rows">,
  columns: readonly number[],
): Lettered {
  const texts: string[] = []
  const letters = rows.map((row) =>
    row.map(({ text }, column) => {
      if (text === "" || !columns.includes(column)) return undefined
      const note = `${heads[column]!.text}: ${text}`
      if (!texts.includes(note)) texts.push(note)
      return letterAt(texts.indexOf(note))
    }),
  )
  return { letters, notes: texts.map((text, at) => ({ letter: letterAt(at), text })) }
}

/** In place of a number that a row does not have. */
export const NONE = "–"

/** The mark of numbers that say little. */
export const MARK = "†"

/** The notes, with each reason why a number is marked. */
export function notesOf({ rows, notes }: Pick<Grid, "rows" | "notes">): readonly string[] {
  const cautions = new Set(rows.flatMap((row) => row.flatMap(({ caution }) => caution ?? [])))
  return [
    ...notes,
    ...[...cautions].map((caution) => `${MARK} ${caution.charAt(0).toUpperCase()}${caution.slice(1)}.`),
  ]
}
