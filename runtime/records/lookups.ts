/** The columns of a mapping, each looked up in the fast way that it allows: most are a name, which stands at the same place of every row. */
import type { ColumnIR, LookupIR, RecordsIR } from "../../compiler/ir.ts"
import type { Cell } from "../../compiler/items/cell.ts"
import { printColumn } from "../../compiler/items/column.ts"
import { cellOfField, type Field, type RecordRow } from "./rows.ts"
import { detached, EMPTY, type MappedRow, type Value, wholeValue } from "./values.ts"

/** Different texts of a column of which each is kept once. */
const KEPT = 4096

/** A column, what it says to whoever reads the mapping, and whether it holds numbers that hardly come again. */
export interface MappedColumn {
  readonly target: string
  readonly column: ColumnIR
  readonly isNumber?: true
}

/** All that a mapping looks at. */
export function mappedColumns({
  columns,
  items,
  attributes,
  labels,
  reads,
}: RecordsIR): readonly MappedColumn[] {
  const all = (prefix: string, of: Readonly<Record<string, ColumnIR>>): readonly MappedColumn[] =>
    Object.entries(of).map(([name, column]) => ({ target: `${prefix}${name}`, column }))
  const found = [
    ...all("", columns),
    ...all("item.", items),
    ...all("model.", attributes),
    ...(labels !== undefined && "list" in labels ? [{ target: "labels", column: labels.list }] : []),
    ...reads.flatMap(({ hole, answer, probabilities, ...parts }): readonly MappedColumn[] => [
      ...(answer === undefined ? [] : [{ target: hole, column: answer }]),
      ...(probabilities === undefined
        ? []
        : "list" in probabilities
          ? [{ target: `${hole}.p`, column: probabilities.list }]
          : Object.entries(probabilities.by).map(([label, column]) => ({
              target: `${hole}.p(${label})`,
              column,
              isNumber: true as const,
            }))),
      ...Object.entries(parts).map(([part, column]) => ({
        target: `${hole}.${part}`,
        column,
        ...(part === "mass" || part === "tokens" ? { isNumber: true as const } : {}),
      })),
    ]),
  ]
  return found.filter(({ column }) => column.length > 0)
}

type Find = (fields: readonly Field[]) => Value

export class Lookups {
  /** Columns of the file that the mapping looks at. */
  readonly names: readonly string[]
  readonly #slots: ReadonlyMap<string, number>
  readonly #finds = new Map<ColumnIR, Find>()
  readonly #row: MappedRow & { place: number }
  readonly #file: string
  #fields: readonly Field[] = []
  /** The row as a cell, for columns that are more than a name; made when one is looked at. */
  #whole: Cell | undefined

  /** `file`: its name without folders and ending, for the function that asks for it. */
  constructor(columns: readonly MappedColumn[], file: string) {
    this.names = [...new Set(columns.flatMap(({ column }) => column.flatMap(namesOf)))]
    this.#slots = new Map(this.names.map((name, slot) => [name, slot]))
    this.#file = file
    for (const { column, isNumber } of columns)
      if (!this.#finds.has(column)) this.#finds.set(column, this.#findOf(column, isNumber === true))
    this.#row = { place: 0, value: (column) => this.#value(column) }
  }

  /** The row as a mapping sees it: one object, which is this row until the next is asked for. */
  row({ fields, place }: RecordRow): MappedRow {
    this.#fields = fields
    this.#whole = undefined
    this.#row.place = place
    return this.#row
  }

  #value(column: ColumnIR): Value {
    const find = this.#finds.get(column)
    return find === undefined ? this.#valueOf(column) : find(this.#fields)
  }

  #findOf(column: ColumnIR, isNumber: boolean): Find {
    const slots = column.map((one) =>
      one.kind === "path" && one.path.length === 1 ? this.#slots.get(one.path[0] ?? "") : undefined,
    )
    if (slots.includes(undefined)) return () => this.#valueOf(column, isNumber)
    const absent: Value = { kind: "absent", column: printColumn(column) }
    const valued = isNumber ? (text: string): Value => ({ kind: "text", text }) : kept()
    return (fields) => {
      let isThere = false
      for (let at = 0; at < slots.length; at++) {
        const field = fields[slots[at] as number]
        if (field === undefined) continue
        if (typeof field === "string") return field === "" ? EMPTY : valued(field)
        if (field.kind !== "scalar") return { kind: field.kind, cell: field }
        if (field.value !== null && (isNumber || !Number.isNaN(field.value)))
          return field.text === "" ? EMPTY : valued(field.text)
        isThere = true
      }
      return isThere ? EMPTY : absent
    }
  }

  #valueOf(column: ColumnIR, isNumber = false): Value {
    if (this.#whole === undefined) {
      const entries = new Map<string, Cell>()
      for (const [slot, name] of this.names.entries()) {
        const field = this.#fields[slot]
        if (field !== undefined) entries.set(name, cellOfField(field))
      }
      this.#whole = { kind: "map", entries, span: { start: 0, end: 0 } }
    }
    return wholeValue({ cell: this.#whole, file: this.#file, place: this.#row.place }, column, isNumber)
  }
}

/** Names in a row that a lookup looks at: a path as it is spelt, and where it begins. */
function namesOf(one: LookupIR): readonly string[] {
  if (one.kind === "before") return namesOf(one.of)
  if (!("path" in one)) return []
  return [one.path.join("."), ...one.path.slice(0, 1)]
}

/** Texts come again: one that did is the same value, whose text is known to whatever it was put into. */
function kept(): (text: string) => Value {
  const known = new Map<string, Value>()
  let last: Value & { readonly kind: "text" } = { kind: "text", text: "" }
  return (text) => {
    if (text === last.text) return last
    const before = known.get(text)
    if (before?.kind === "text") {
      last = before
      return before
    }
    const own = detached(text)
    last = { kind: "text", text: own }
    if (known.size < KEPT) known.set(own, last)
    return last
  }
}
