/** A pool under the name that it has in the spec: where its rows are, and where a row has what. */
import type { Expression, FieldMapping, Items, ItemsField } from "../../grammar/ast.ts"
import type { CompileOptions } from "../compiled.ts"
import type { ColumnIR, ItemFields, LookupIR, PoolIR, PoolSourceIR } from "../ir.ts"
import { plainText, relativeTo } from "../load.ts"
import type { Bound, Names } from "../resolve.ts"
import { replacementOf } from "./models.ts"
import { lowerPoolCondition, lowerPoolMeasure } from "./poolExpressions.ts"
import { lowerPlain, originOf, pathOf } from "./text.ts"

/** Fields of an item; any other name in a mapping is a column of the item. */
export const fieldsOfItem = ["id", "question", "options", "labels", "gold"] as const

export type FieldOfItem = (typeof fieldsOfItem)[number]

export const isFieldOfItem = (name: string): name is FieldOfItem =>
  (fieldsOfItem as readonly string[]).includes(name)

/** What any pool can say besides its mapping, and what only one out of a finished run can. */
export const otherFields = ["where", "shuffle", "size", "choices", "strata"] as const
export const runFields = ["experiment", "keep", "one"] as const

/** Functions of a mapping that take a path, and where they can stand; those without a list can stand anywhere. */
export const pathFunctions: ReadonlyMap<string, readonly FieldOfItem[] | undefined> = new Map([
  ["keys", ["options", "labels"]],
  ["lettered", ["options"]],
  ["marked", ["gold"]],
  ["index", ["gold"]],
  ["position", ["gold"]],
  ["letter", undefined],
])

/** `hf://datasets/org/name@revision#config/split` */
export const isHubAddress = (source: string): boolean => source.startsWith("hf://")

export const mappingsOf = (items: Items): readonly FieldMapping[] =>
  items.fields.filter((field): field is FieldMapping => field.field === "mapping")

type OtherField<F extends ItemsField["field"]> = Extract<ItemsField, { readonly field: F }>

export const fieldOf = <F extends "records" | "where" | "shuffle" | "strata" | "experiment" | "keep" | "one">(
  items: Items,
  field: F,
): OtherField<F> | undefined => items.fields.find((one): one is OtherField<F> => one.field === field)

const countOf = (items: Items, field: "size" | "choices"): number | undefined => {
  for (const one of items.fields) if (one.field === field) return one.count.value
  return undefined
}

/** The columns that items of a pool have besides their fields, in the order written: what `item.NAME` can name. */
export const itemColumnsOf = (items: Items): readonly string[] => [
  ...new Set([
    ...mappingsOf(items).flatMap(({ target }) => (isFieldOfItem(target.text) ? [] : [target.text])),
    ...(fieldOf(items, "keep")?.reads.map(({ text }) => text) ?? []),
  ]),
]

/** A pool under the name that it has in the spec, its data as replaced by `--items`. */
export const lowerPool = (
  name: string,
  bound: Bound<Items>,
  names: Names,
  options: CompileOptions,
): PoolIR => {
  const { declaration } = bound
  const condition = fieldOf(declaration, "where")?.condition
  const size = countOf(declaration, "size")
  const choices = countOf(declaration, "choices")
  const strata = declaration.fields.flatMap((field) =>
    field.field === "strata" ? [[field.column.text, field.count.value] as const] : [],
  )
  return {
    name,
    source: lowerSource(name, bound, names, options),
    fields: lowerFields(declaration),
    ...(condition === undefined ? {} : { where: lowerPoolCondition(condition) }),
    shuffle: fieldOf(declaration, "shuffle") !== undefined,
    published: {
      ...(size === undefined ? {} : { size }),
      ...(choices === undefined ? {} : { choices }),
      ...(strata.length === 0 ? {} : { strata: Object.fromEntries(strata) }),
    },
    doc: declaration.doc,
    origin: originOf(bound, declaration.name.span),
  }
}

const lowerSource = (
  name: string,
  { declaration, module }: Bound<Items>,
  names: Names,
  options: CompileOptions,
): PoolSourceIR => {
  const { source } = declaration
  const replaced = replacementOf(name, options.items)
  if (source.kind === "run") {
    const one = fieldOf(declaration, "one")
    const by = one === undefined ? undefined : lowerPoolMeasure(one.metric, names)
    return {
      kind: "run",
      folder: replaced ?? relativeTo(module.path, lowerPlain(source.folder)),
      experiment: fieldOf(declaration, "experiment")?.experiment.text ?? "",
      keep: fieldOf(declaration, "keep")?.reads.map(({ text }) => text) ?? [],
      ...(by === undefined ? {} : { by }),
      exceptStudied: one?.except ?? false,
    }
  }
  if (replaced !== undefined) return { kind: "files", files: [replaced] }
  const files = source.files.map(lowerPlain)
  const [address] = files
  if (address !== undefined && isHubAddress(address)) return { kind: "hub", address }
  return { kind: "files", files: files.map((file) => relativeTo(module.path, file)) }
}

/** Where a row has each field. What a mapping lacks, or says in a way that cannot be, is an empty column: it was reported. */
const lowerFields = (items: Items): ItemFields => {
  const mappings = mappingsOf(items)
  const columns = (field: string): readonly Expression[] =>
    mappings.find(({ target }) => target.text === field)?.columns ?? []
  const column = (field: string): ColumnIR => {
    const [first] = columns(field)
    return first === undefined ? [] : (lowerColumn(first) ?? [])
  }
  const options = columns("options")
  const records = fieldOf(items, "records")
  const path = records && columnPath(records.path)
  return {
    ...(columns("id").length === 0 ? {} : { id: column("id") }),
    question: column("question"),
    options:
      options.length > 1
        ? { each: options.map((one) => lowerColumn(one) ?? []) }
        : { list: column("options") },
    ...(columns("labels").length === 0 ? {} : { labels: column("labels") }),
    gold: column("gold"),
    columns: Object.fromEntries(
      mappings.flatMap(({ target: { text } }) =>
        isFieldOfItem(text) ? [] : [[text, column(text)] as const],
      ),
    ),
    ...(path === undefined ? {} : { records: path }),
  }
}

/** The path of a column in a mapping: names with dots between them, or a name in quotes, in which a dot is no dot. */
export const columnPath = (column: Expression): readonly string[] | undefined => {
  if (column.kind !== "text") return pathOf(column)
  const text = plainText(column)
  return text === undefined || text.trim() === "" ? undefined : [text]
}

/** The alternatives of a column, in the order written; none where one of them is nothing that can stand in a mapping. */
export const lowerColumn = (column: Expression): ColumnIR | undefined => {
  if (column.kind === "binary" && column.operator === "or") {
    const left = lowerColumn(column.left)
    const right = lowerColumn(column.right)
    return left === undefined || right === undefined ? undefined : [...left, ...right]
  }
  const lookup = lowerLookup(column)
  return lookup === undefined ? undefined : [lookup]
}

const lowerLookup = (column: Expression): LookupIR | undefined => {
  if (column.kind !== "call") {
    const path = columnPath(column)
    return path === undefined ? undefined : { kind: "path", path }
  }
  if (column.callee.kind !== "name") return undefined
  const name = column.callee.text
  const [first, second] = column.arguments
  const given = column.arguments.length
  switch (name) {
    case "file":
    case "row":
    case "first":
      return given === 0 ? { kind: name } : undefined
    case "column":
      return given === 1 && first !== undefined && first.kind === "number" && isPlace(first.value)
        ? { kind: "column", place: first.value }
        : undefined
    case "before": {
      const of = first === undefined ? undefined : lowerLookup(first)
      const marker = second?.kind === "text" ? plainText(second) : undefined
      return given === 2 && of !== undefined && marker !== undefined && marker !== ""
        ? { kind: "before", of, marker }
        : undefined
    }
    case "keys":
    case "marked":
    case "index":
    case "position":
    case "lettered":
    case "letter": {
      const path = first === undefined ? undefined : columnPath(first)
      return given === 1 && path !== undefined ? { kind: name, path } : undefined
    }
    default:
      return undefined
  }
}

const isPlace = (place: number): boolean => Number.isSafeInteger(place) && place >= 1
