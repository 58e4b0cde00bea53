/** Texts out of cells: what each field of an item takes as one. */
import type { Span } from "../../grammar/source.ts"
import { type Cell, describe } from "./cell.ts"
import { opened } from "./path.ts"
import type { Field, ItemProblem } from "./problem.ts"

export interface Text {
  readonly text: string
  readonly span: Span
}

type Scalar = Cell & { readonly kind: "scalar" }

interface Taken {
  readonly accept: (value: Scalar["value"]) => boolean
  readonly expected: string
}

const anything = (value: Scalar["value"]): boolean => value !== null

/** A number or a truth value goes by its spelling: a gold of 3, options `true` and `false`. */
const fields: ReadonlyMap<Field, Taken> = new Map<Field, Taken>([
  [
    "id",
    {
      accept: (value) => typeof value === "string" || typeof value === "number",
      expected: "a text or a number",
    },
  ],
  ["question", { accept: (value) => typeof value === "string", expected: "a text" }],
  ["options", { accept: anything, expected: "a list of texts" }],
  ["labels", { accept: anything, expected: "a list of texts" }],
  ["gold", { accept: anything, expected: "a label" }],
])

const column: Taken = { accept: anything, expected: "a text or a number" }

const takenBy = (field: Field): Taken => fields.get(field) ?? column

export type Tell = (problem: ItemProblem) => void

/** Names the column of a cell that shares its field with others. */
type PlaceOf = (cell: Cell) => string | undefined

export const textOf = (
  cell: Cell,
  field: Field,
  tell: Tell,
  placeOf: PlaceOf = () => undefined,
): Text | undefined => {
  const { accept, expected } = takenBy(field)
  if (cell.kind !== "scalar" || !accept(cell.value)) {
    tell({ kind: "wrong_type", field, expected, found: describe(cell), span: cell.span })
    return undefined
  }
  if (cell.text === "") {
    const place = placeOf(cell)
    tell({ kind: "empty_text", field, ...(place === undefined ? {} : { column: place }), span: cell.span })
    return undefined
  }
  return { text: cell.text, span: cell.span }
}

/** The texts of a list, or of a record's values. */
export const textsOf = (
  cell: Cell,
  field: Field,
  tell: Tell,
  placeOf?: PlaceOf,
): readonly Text[] | undefined => {
  const at = opened(cell)
  if (at.kind === "scalar") {
    tell({
      kind: "wrong_type",
      field,
      expected: takenBy(field).expected,
      found: describe(at),
      span: at.span,
    })
    return undefined
  }
  const cells = at.kind === "list" ? at.items : [...at.entries.values()]
  const read = cells.flatMap((one) => textOf(one, field, tell, placeOf) ?? [])
  return read.length === cells.length ? read : undefined
}

/** The position of the first element that equals an earlier one, with the earlier one's. Places without a text equal none. */
export const firstRepeat = (
  values: readonly (Text | undefined)[],
): { readonly first: number; readonly second: number } | undefined => {
  const seen = new Map<string, number>()
  for (const [second, value] of values.entries()) {
    if (value === undefined) continue
    const first = seen.get(value.text)
    if (first !== undefined) return { first, second }
    seen.set(value.text, second)
  }
  return undefined
}
