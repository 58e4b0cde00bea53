/** One row to one item, or to all that is wrong with it. */
import type { Source } from "../../grammar/source.ts"
import type { ColumnIR, ItemFields } from "../ir.ts"
import type { Item } from "../item.ts"
import { type Cell, describe } from "./cell.ts"
import { printColumn } from "./column.ts"
import { type Found, findColumn, type Row } from "./find.ts"
import { readGold } from "./gold.ts"
import { opened } from "./path.ts"
import type { Field, ItemProblem, Placed } from "./problem.ts"
import { firstRepeat, type Text, textOf, textsOf } from "./texts.ts"

export interface SourceRow extends Row {
  readonly source: Source
}

export interface ReadRow {
  readonly item?: Item
  readonly problems: readonly ItemProblem[]
  /** What is wrong with a published item and was let pass. */
  readonly flaws: readonly Flaw[]
}

export type Flaw = "equal options" | "empty option"

export interface RowOptions {
  /** Fields that no row has, reported already. */
  readonly absent: ReadonlySet<Field>
  /** Whether an id without a column names the file too. */
  readonly several: boolean
  /**
   * Published data are as they are: an empty option is left out, and two equal options are let pass where the gold answer is not known by
   * its text.
   */
  readonly published: boolean
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

type Present = Extract<Found, { readonly cell: Cell }>

/** Reads rows one after another, so that it knows an id that was there before. */
export const rowReader = (fields: ItemFields, { absent, several, published }: RowOptions) => {
  const ids = new Map<string, Placed>()

  return (row: SourceRow, columns: Item["columns"]): ReadRow => {
    const problems: ItemProblem[] = []
    const tell = (problem: ItemProblem): void => {
      problems.push(problem)
    }
    /** The columns of cells that share a field with others. */
    const places = new Map<Cell, ColumnIR>()

    const find = (field: Field, column: ColumnIR | undefined): Present | undefined => {
      if (column === undefined || absent.has(field)) return undefined
      const found = findColumn(row, column)
      if ("cell" in found) return found
      tell(absence(found, field, column))
      return undefined
    }

    /** The list of what several columns hold; a list in the first of them is all options at once. */
    const gather = (each: readonly ColumnIR[]): Cell | undefined => {
      const [first] = each
      const whole = first === undefined ? undefined : wholeList(row, first)
      if (whole !== undefined) return whole
      const items = each.flatMap((column) => {
        const found = find("options", column)
        if (found === undefined) return []
        places.set(found.cell, column)
        return [found.cell]
      })
      return items.length === each.length ? { kind: "list", items, span: row.cell.span } : undefined
    }

    const readLabels = (
      options: readonly Text[] | undefined,
      cell: Cell | undefined,
    ): readonly string[] | undefined => {
      if (fields.labels !== undefined) {
        const declared = find("labels", fields.labels)?.cell
        const labels = declared === undefined ? undefined : textsOf(declared, "labels", tell)
        if (declared === undefined || labels === undefined) return undefined
        const repeat = firstRepeat(labels)
        if (repeat !== undefined) {
          const { text: label, span } = labels[repeat.second] as Text
          tell({ kind: "duplicate_label", label, span })
        }
        if (options !== undefined && labels.length !== options.length) {
          const counts = { labels: labels.length, options: options.length }
          tell({ kind: "label_count", ...counts, span: declared.span })
        }
        return labels.map((label) => label.text)
      }
      if (options === undefined || cell === undefined) return undefined
      const at = opened(cell)
      if (at.kind === "map") return [...at.entries.keys()]
      if (options.length > letters.length) {
        tell({ kind: "no_label_left", options: options.length, span: cell.span })
        return undefined
      }
      return [...letters.slice(0, options.length)]
    }

    const readId = (): string | undefined => {
      const found = fields.id === undefined ? undefined : find("id", fields.id)
      const id = found && textOf(found.cell, "id", tell)
      if (fields.id !== undefined) return id && known(id)
      const text = several ? `${row.file}:${row.place}` : String(row.place)
      return known({ text, span: row.cell.span })
    }

    const known = ({ text: id, span }: Text): string => {
      const first = ids.get(id)
      if (first !== undefined) tell({ kind: "duplicate_id", id, first, span })
      else ids.set(id, { source: row.source, span })
      return id
    }

    const id = readId()
    const found = find("question", fields.question)
    const question = found && textOf(found.cell, "question", tell)
    const whole =
      "each" in fields.options ? gather(fields.options.each) : find("options", fields.options.list)?.cell
    const empty = published && fields.labels === undefined && whole !== undefined ? emptyPlaces(whole) : []
    const cell = whole && without(whole, empty)
    const options = cell && textsOf(cell, "options", tell, (one) => named(places.get(one)))
    if (cell !== undefined && options !== undefined && options.length < 2) {
      tell({ kind: "too_few_options", options: options.length, span: cell.span })
    }
    const labels = readLabels(options, cell)
    const right = find("gold", fields.gold)
    const gold = right && readGold(moved(right, empty), labels, options, tell)
    const equal = options && equalOptions(options)
    const passes = published && gold !== undefined && !gold.byText
    if (equal !== undefined && !passes) tell(equal)
    const flaws: readonly Flaw[] = [
      ...(equal !== undefined && passes ? (["equal options"] as const) : []),
      ...(empty.length > 0 ? (["empty option"] as const) : []),
    ]
    if (id === undefined || question === undefined || options === undefined || labels === undefined)
      return { problems, flaws }
    if (gold === undefined || absent.size > 0 || problems.length > 0) return { problems, flaws }
    const item = {
      id,
      question: question.text,
      options: options.map((option) => option.text),
      labels,
      gold: gold.index,
      columns,
    }
    return { item, problems, flaws }
  }
}

const named = (column: ColumnIR | undefined): string | undefined =>
  column === undefined ? undefined : printColumn(column)

/** The places of options without a character, from 0. */
const emptyPlaces = (cell: Cell): readonly number[] => {
  const at = opened(cell)
  if (at.kind === "scalar") return []
  const cells = at.kind === "list" ? at.items : [...at.entries.values()]
  return cells.flatMap((one, index) => (one.kind === "scalar" && one.text === "" ? [index] : []))
}

const without = (cell: Cell, places: readonly number[]): Cell => {
  if (places.length === 0) return cell
  const at = opened(cell)
  if (at.kind === "list") return { ...at, items: at.items.filter((_, index) => !places.includes(index)) }
  if (at.kind === "scalar") return at
  return { ...at, entries: new Map([...at.entries].filter((_, index) => !places.includes(index))) }
}

/** A gold that is known by its place, once the empty options are left out. One that is empty itself is past the end. */
const moved = (gold: Present, empty: readonly number[]): Present => {
  const { option } = gold
  if (option === undefined || empty.length === 0) return gold
  if (empty.includes(option)) return { ...gold, option: Number.POSITIVE_INFINITY }
  return { ...gold, option: option - empty.filter((place) => place < option).length }
}

/** What a column holds where that is all options at once. */
export const wholeList = (row: Row, column: ColumnIR): Cell | undefined => {
  const found = findColumn(row, column)
  return "cell" in found && found.cell.kind !== "scalar" ? found.cell : undefined
}

/** What to say of a column that is not there, or not as it must be. */
export const absence = (
  found: Exclude<Found, { readonly cell: Cell }>,
  field: Field,
  column: ColumnIR,
): ItemProblem =>
  "unfit" in found
    ? { kind: "wrong_type", field, ...found.unfit, span: found.span }
    : { kind: "missing_field", field, column: printColumn(column), span: found.missing }

export const notARow = (cell: Cell): ItemProblem => ({
  kind: "not_a_row",
  found: describe(cell),
  span: cell.span,
})

const equalOptions = (options: readonly Text[]): ItemProblem | undefined => {
  const repeat = firstRepeat(options)
  if (repeat === undefined) return undefined
  const { text: option, span } = options[repeat.second] as Text
  return { kind: "equal_options", option, first: repeat.first + 1, second: repeat.second + 1, span }
}
