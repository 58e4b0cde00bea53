/** One row to one item, or to all that is wrong with it. */
import type { Span } from "../../grammar/source.ts"
import type { ItemFields } from "../ir.ts"
import type { Item } from "../item.ts"
import { type Cell, describe } from "./cell.ts"
import { lookup, opened } from "./path.ts"
import type { Field, ItemProblem } from "./problem.ts"

export interface ReadRow {
  readonly item?: Item
  readonly problems: readonly ItemProblem[]
}

interface Text {
  readonly text: string
  readonly span: Span
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

type Scalar = Cell & { readonly kind: "scalar" }
type Accept = (value: Scalar["value"]) => boolean

/** What a field takes as text. A number or a truth value goes by its spelling: a gold of 3, options `true` and `false`. */
const texts: Readonly<Record<Field, { readonly accept: Accept; readonly expected: string }>> = {
  id: {
    accept: (value) => typeof value === "string" || typeof value === "number",
    expected: "a text or a number",
  },
  question: { accept: (value) => typeof value === "string", expected: "a text" },
  options: { accept: (value) => value !== null, expected: "a list of texts" },
  labels: { accept: (value) => value !== null, expected: "a list of texts" },
  gold: { accept: (value) => value !== null, expected: "a label" },
}

/** The position of the first element that equals an earlier one, with the earlier one's. */
const firstRepeat = (values: readonly string[]): { first: number; second: number } | undefined => {
  const seen = new Map<string, number>()
  for (const [second, value] of values.entries()) {
    const first = seen.get(value)
    if (first !== undefined) return { first, second }
    seen.set(value, second)
  }
  return undefined
}

/** Reads rows one after another, so that it knows an id that was there before. `absent`: fields that no row has, reported already. */
export const rowReader = (fields: ItemFields, absent: ReadonlySet<Field>) => {
  const ids = new Map<string, Span>()

  return (row: Cell, index: number): ReadRow => {
    if (row.kind !== "map") {
      return { problems: [{ kind: "not_a_row", found: describe(row), span: row.span }] }
    }
    const problems: ItemProblem[] = []
    /** The columns of cells that share a field with others. */
    const columns = new Map<Cell, string>()

    const find = (field: Field): Cell | undefined => {
      const path = fields[field]
      if (path === undefined || absent.has(field)) return undefined
      return "each" in path ? gather(field, path.each) : findAt(field, path)
    }

    /** The list of what stands at several paths. */
    const gather = (field: Field, paths: readonly (readonly string[])[]): Cell | undefined => {
      const items = paths.flatMap((path) => {
        const cell = findAt(field, path)
        if (cell === undefined) return []
        columns.set(cell, path.join("."))
        return [cell]
      })
      return items.length === paths.length ? { kind: "list", items, span: row.span } : undefined
    }

    const findAt = (field: Field, path: readonly string[]): Cell | undefined => {
      const found = lookup(row, path)
      if ("cell" in found) return found.cell
      problems.push({ kind: "missing_field", field, column: path.join("."), span: found.missing })
      return undefined
    }

    const text = (cell: Cell, field: Field): Text | undefined => {
      const { accept, expected } = texts[field]
      if (cell.kind !== "scalar" || !accept(cell.value)) {
        problems.push({ kind: "wrong_type", field, expected, found: describe(cell), span: cell.span })
        return undefined
      }
      if (cell.text === "") {
        const column = columns.get(cell)
        const place = column === undefined ? {} : { column }
        problems.push({ kind: "empty_text", field, ...place, span: cell.span })
        return undefined
      }
      return { text: cell.text, span: cell.span }
    }

    const single = (field: Field): Text | undefined => {
      const cell = find(field)
      return cell === undefined ? undefined : text(cell, field)
    }

    const list = (cell: Cell, field: Field): readonly Text[] | undefined => {
      const at = opened(cell)
      if (at.kind === "scalar") {
        problems.push({
          kind: "wrong_type",
          field,
          expected: texts[field].expected,
          found: describe(at),
          span: at.span,
        })
        return undefined
      }
      const cells = at.kind === "list" ? at.items : [...at.entries.values()]
      const read = cells.flatMap((one) => text(one, field) ?? [])
      return read.length === cells.length ? read : undefined
    }

    const readOptions = (cell: Cell | undefined): readonly Text[] | undefined => {
      const options = cell === undefined ? undefined : list(cell, "options")
      if (cell === undefined || options === undefined) return undefined
      if (options.length < 2) {
        problems.push({ kind: "too_few_options", options: options.length, span: cell.span })
      }
      const repeat = firstRepeat(options.map((option) => option.text))
      if (repeat !== undefined) {
        const { text: option, span } = options[repeat.second] as Text
        problems.push({
          kind: "equal_options",
          option,
          first: repeat.first + 1,
          second: repeat.second + 1,
          span,
        })
      }
      return options
    }

    /** The declared labels; else the keys of a record of options; else A, B, C and so on. */
    const readLabels = (
      options: readonly Text[] | undefined,
      cell: Cell | undefined,
    ): readonly string[] | undefined => {
      if (fields.labels !== undefined) {
        const declared = find("labels")
        const labels = declared === undefined ? undefined : list(declared, "labels")
        if (declared === undefined || labels === undefined) return undefined
        const repeat = firstRepeat(labels.map((label) => label.text))
        if (repeat !== undefined) {
          const { text: label, span } = labels[repeat.second] as Text
          problems.push({ kind: "duplicate_label", label, span })
        }
        if (options !== undefined && labels.length !== options.length) {
          const counts = { labels: labels.length, options: options.length }
          problems.push({ kind: "label_count", ...counts, span: declared.span })
        }
        return labels.map((label) => label.text)
      }
      if (options === undefined || cell === undefined) return undefined
      const at = opened(cell)
      if (at.kind === "map") return [...at.entries.keys()]
      if (options.length > letters.length) {
        problems.push({ kind: "no_label_left", options: options.length, span: cell.span })
        return undefined
      }
      return [...letters.slice(0, options.length)]
    }

    const readGold = (
      labels: readonly string[] | undefined,
      options: readonly Text[] | undefined,
    ): number => {
      const gold = single("gold")
      if (gold === undefined || labels === undefined || options === undefined) return -1
      const byLabel = labels.indexOf(gold.text)
      const index = byLabel >= 0 ? byLabel : options.findIndex((option) => option.text === gold.text)
      if (index < 0) problems.push({ kind: "gold_not_a_label", gold: gold.text, labels, span: gold.span })
      return index
    }

    const readId = (): string | undefined => {
      if (fields.id === undefined) return String(index + 1)
      const id = single("id")
      if (id === undefined) return undefined
      const first = ids.get(id.text)
      if (first !== undefined) problems.push({ kind: "duplicate_id", id: id.text, first, span: id.span })
      else ids.set(id.text, id.span)
      return id.text
    }

    const id = readId()
    const question = single("question")
    const cell = find("options")
    const options = readOptions(cell)
    const labels = readLabels(options, cell)
    const gold = readGold(labels, options)
    const whole = id !== undefined && question !== undefined && options !== undefined && labels !== undefined
    if (!whole || absent.size > 0 || problems.length > 0) return { problems }
    const item = { id, question: question.text, options: options.map((option) => option.text), labels, gold }
    return { item, problems }
  }
}
