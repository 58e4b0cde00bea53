/** One row to one item, or to all that is wrong with it. */
import type { Source } from "../../grammar/source.ts"
import type { ColumnIR, ItemFields } from "../ir.ts"
import type { Item } from "../item.ts"
import { type Cell, describe } from "./cell.ts"
import { printColumn } from "./column.ts"
import { type Found, findColumn, type Row } from "./find.ts"
import { readGold } from "./gold.ts"
import { elementsOf, emptyPlaces, leavesEmptyOut, wholeList, without } from "./options.ts"
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

/** The label of each option where the row names none: the keys of a record, else letters so far as they reach. */
const givenLabels = (cell: Cell): readonly string[] => {
  const at = opened(cell)
  return at.kind === "map" ? [...at.entries.keys()] : [...letters.slice(0, elementsOf(at).length)]
}

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
      const labels = givenLabels(cell)
      if (labels.length === options.length) return labels
      tell({ kind: "no_label_left", options: options.length, span: cell.span })
      return undefined
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
    const empty = whole !== undefined && leavesEmptyOut(published, fields) ? emptyPlaces(whole) : []
    const cell = whole && without(whole, empty)
    const options = cell && textsOf(cell, "options", tell, (one) => named(places.get(one)))
    if (cell !== undefined && options !== undefined && options.length < 2) {
      tell({ kind: "too_few_options", options: options.length, span: cell.span })
    }
    const labels = readLabels(options, cell)
    const right = find("gold", fields.gold)
    // Whether by label, by text or by place: gold means what it means in the row as published, with its empty options.
    const all = options && asPublished(options, empty)
    const allLabels = whole === undefined || empty.length === 0 ? labels : labels && givenLabels(whole)
    const gold = right && readGold(right, allLabels, all, tell)
    const needed = whole && gold && empty.includes(gold.index) ? elementsOf(whole)[gold.index] : undefined
    // An empty option that is the gold one is not left out: that it is empty is told here.
    if (needed !== undefined) textOf(needed, "options", tell, (one) => named(places.get(one)))
    const equal = all && equalOptions(all)
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
      gold: gold.index - empty.filter((place) => place < gold.index).length,
      columns,
    }
    return { item, problems, flaws }
  }
}

const named = (column: ColumnIR | undefined): string | undefined =>
  column === undefined ? undefined : printColumn(column)

/** The options as published: nothing stands at the places of those that are left out. */
const asPublished = (options: readonly Text[], empty: readonly number[]): readonly (Text | undefined)[] => {
  const left = [...options]
  const all = options.length + empty.length
  return Array.from({ length: all }, (_, place) => (empty.includes(place) ? undefined : left.shift()))
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

const equalOptions = (options: readonly (Text | undefined)[]): ItemProblem | undefined => {
  const repeat = firstRepeat(options)
  if (repeat === undefined) return undefined
  const { text: option, span } = options[repeat.second] as Text
  return { kind: "equal_options", option, first: repeat.first + 1, second: repeat.second + 1, span }
}
