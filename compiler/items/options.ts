/** The cells that hold a row's options, before they are read as texts. */
import type { ColumnIR, ItemFields } from "../ir.ts"
import type { Cell } from "./cell.ts"
import { findColumn, type Row } from "./find.ts"
import { opened } from "./path.ts"

/** What a column holds where that is all options at once. */
export const wholeList = (row: Row, column: ColumnIR): Cell | undefined => {
  const found = findColumn(row, column)
  return "cell" in found && found.cell.kind !== "scalar" ? found.cell : undefined
}

/** The elements of a list, or the values of a record; none of anything else. */
export const elementsOf = (cell: Cell): readonly Cell[] => {
  const at = opened(cell)
  if (at.kind === "scalar") return []
  return at.kind === "list" ? at.items : [...at.entries.values()]
}

/** The places of options without a character, from 0. */
export const emptyPlaces = (cell: Cell): readonly number[] =>
  elementsOf(cell).flatMap((one, index) => (isEmpty(one) ? [index] : []))

const isEmpty = (cell: Cell): boolean => cell.kind === "scalar" && cell.text === ""

/** The options but those at some places. */
export const without = (cell: Cell, places: readonly number[]): Cell => {
  if (places.length === 0) return cell
  const at = opened(cell)
  if (at.kind === "list") return { ...at, items: at.items.filter((_, index) => !places.includes(index)) }
  if (at.kind === "scalar") return at
  return { ...at, entries: new Map([...at.entries].filter((_, index) => !places.includes(index))) }
}

/** Whether the empty options of a row are left out: published data are as they are, but labels of their own are for all options. */
export const leavesEmptyOut = (published: boolean, { labels }: ItemFields): boolean =>
  published && labels === undefined

/** How many options the item of a row has; undefined where the row has none that can be read. Tells nothing of what is wrong. */
export const choicesIn = (row: Row, fields: ItemFields, published: boolean): number | undefined => {
  const cells = optionsIn(row, fields.options)
  return leavesEmptyOut(published, fields) ? cells?.filter((cell) => !isEmpty(cell)).length : cells?.length
}

const optionsIn = (row: Row, options: ItemFields["options"]): readonly Cell[] | undefined => {
  if ("list" in options) {
    const found = findColumn(row, options.list)
    return "cell" in found && opened(found.cell).kind !== "scalar" ? elementsOf(found.cell) : undefined
  }
  const { each } = options
  const whole = each[0] && wholeList(row, each[0])
  if (whole !== undefined) return elementsOf(whole)
  const cells = each.flatMap((column) => {
    const found = findColumn(row, column)
    return "cell" in found ? [found.cell] : []
  })
  return cells.length === each.length ? cells : undefined
}
