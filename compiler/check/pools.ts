/** Phase 4: the items of each pool, and what is wrong with their files. */
import type { Expression, Items } from "../../grammar/ast.ts"
import type { Source, Span } from "../../grammar/source.ts"
import type { CompileOptions } from "../compiled.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { type Place, type Related, repeated, report } from "../diagnostics/report.ts"
import type { Files } from "../files.ts"
import type { ItemFields } from "../ir.ts"
import type { Item } from "../item.ts"
import type { ItemProblem } from "../items/problem.ts"
import { type ReadItems, readItems } from "../items/read.ts"
import { type Module, plainText } from "../load.ts"
import { fieldsOf } from "../lower/columns.ts"
import { lowerPool } from "../lower/lower.ts"
import { columnPath } from "../lower/text.ts"
import type { Bound, Names } from "../resolve.ts"
import { fieldsOfItem } from "./items.ts"
import { isAddress } from "./models.ts"
import { isTorn } from "./scene.ts"

export interface Pools {
  /** By the name that a pool has in the spec. */
  readonly items: ReadonlyMap<string, readonly Item[]>
  /** Pools whose files have mistakes: more items may be meant than were read. */
  readonly doubtful: ReadonlySet<string>
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads the pools that the spec declares and those that its experiments use. A pool without a sound mapping is passed over. */
export const readPools = (spec: Module, names: Names, files: Files, options: CompileOptions): Pools => {
  const items = new Map<string, readonly Item[]>()
  const doubtful = new Set<string>()
  const diagnostics: Diagnostic[] = []
  for (const [name, bound] of poolsOf(spec, names)) {
    if (!isMapped(bound.declaration) || isTorn(bound.declaration, bound.module)) continue
    const pool = lowerPool(name, bound, options)
    const read = files.read(pool.file)
    const replaced = options.items !== undefined && Object.hasOwn(options.items, name)
    // The path in the spec is not at fault where another one stands in for it.
    const { file, name: declared } = bound.declaration
    const place = { source: bound.module.source, span: (replaced ? declared : file).span }
    if ("problem" in read) {
      const path = files.show(pool.file)
      diagnostics.push(report("CFX3001", { path, why: read.problem, pool: name, replaced }, place))
      continue
    }
    const source: Source = { name: files.show(pool.file), text: read.text }
    const found = readItems(source, pool.fields)
    items.set(name, found.items)
    if (found.problems.length > 0) doubtful.add(name)
    for (const { problem, times } of gathered(found)) {
      const diagnostic = diagnose(problem, source, bound, place)
      diagnostics.push(times === 1 ? diagnostic : repeated(diagnostic, times, found.rows))
    }
  }
  return { items, doubtful, diagnostics }
}

/** From so many rows on, what is wrong with most of a file is one mistake, in the mapping or in how the file was made. */
const SYSTEMATIC = 4

/** The problems of a file, and how often each stands in it: of one that most rows have, the first only. */
const gathered = ({ problems, rows }: ReadItems): readonly { problem: ItemProblem; times: number }[] => {
  const kindOf = (problem: ItemProblem): string =>
    `${problem.kind} ${"field" in problem ? problem.field : ""} ${"found" in problem ? problem.found : ""}`
  const times = new Map<string, number>()
  for (const problem of problems) times.set(kindOf(problem), (times.get(kindOf(problem)) ?? 0) + 1)
  const told = new Set<string>()
  return problems.flatMap((problem) => {
    const kind = kindOf(problem)
    const all = times.get(kind) ?? 1
    if (all < SYSTEMATIC || all * 2 <= rows) return [{ problem, times: 1 }]
    if (told.has(kind)) return []
    told.add(kind)
    return [{ problem, times: all }]
  })
}

const poolsOf = (spec: Module, names: Names): ReadonlyMap<string, Bound<Items>> => {
  const pools = new Map<string, Bound<Items>>()
  for (const declaration of spec.file.declarations) {
    if (declaration.kind === "items") pools.set(declaration.name.text, { declaration, module: spec })
    if (declaration.kind !== "experiment") continue
    for (const { pool } of fieldsOf(declaration, "items").flatMap((field) => field.pools)) {
      const bound = names.find(pool, "items")
      if (bound !== undefined && !pools.has(pool.text)) pools.set(pool.text, bound)
    }
  }
  return pools
}

/** Whether a pool says where its file and its fields are. Where it does not, that was reported. */
const isMapped = (items: Items): boolean => {
  const file = plainText(items.file)
  if (file === undefined || file.trim() === "" || isAddress(file)) return false
  const known: readonly string[] = fieldsOfItem
  const sound = items.fields.every(
    ({ field, columns }) =>
      !known.includes(field.text) ||
      (columns.every((column) => isColumn(column)) && (columns.length === 1 || field.text === "options")),
  )
  const needed = ["question", "options", "gold"]
  return sound && needed.every((name) => items.fields.some(({ field }) => field.text === name))
}

const isColumn = (column: Expression): boolean =>
  column.kind === "text" ? (plainText(column) ?? "").trim() !== "" : columnPath(column) !== undefined

const diagnose = (
  problem: ItemProblem,
  source: Source,
  { declaration, module }: Bound<Items>,
  file: Place,
): Diagnostic => {
  const place = { source, span: problem.span }
  const column = (field: keyof ItemFields, name?: string): { source: Source; span: Span } => {
    const columns = declaration.fields.find((one) => one.field.text === field)?.columns ?? []
    const meant = columns.find((one) => columnPath(one)?.join(".") === name) ?? columns[0]
    const last = columns.at(-1)
    // All columns of a field are meant where none is named.
    const all = meant && last && { start: meant.span.start, end: last.span.end }
    return { source: module.source, span: (name === undefined ? all : meant?.span) ?? declaration.name.span }
  }
  const mapped = (field: keyof ItemFields): readonly Related[] => [{ ...column(field), label: "mapped here" }]
  switch (problem.kind) {
    case "unknown_format":
      return report("CFX3002", { path: source.name, known: problem.known }, file)
    case "unreadable":
      return report("CFX3003", problem, place)
    case "empty_pool":
      return report("CFX3004", { path: source.name }, file)
    case "not_a_row":
      return report("CFX3019", problem, place)
    case "missing_column":
      return report("CFX3008", { ...problem, file: source.name }, column(problem.field, problem.column), [
        { ...place, label: "the first row" },
      ])
    case "missing_field":
      return report("CFX3009", problem, place)
    case "wrong_type":
      return report("CFX3010", problem, place, mapped(problem.field))
    case "empty_text":
      return report("CFX3018", problem, place)
    case "duplicate_id":
      return report("CFX3012", problem, place, [{ source, span: problem.first, label: "first here" }])
    case "gold_not_a_label":
      return report("CFX3011", problem, place)
    case "equal_options":
      return report("CFX3013", problem, place)
    case "too_few_options":
      return report("CFX3014", problem, place)
    case "label_count":
      return report("CFX3015", problem, place)
    case "duplicate_label":
      return report("CFX3016", problem, place)
    case "no_label_left":
      return report("CFX3020", problem, place)
    default:
      return problem satisfies never
  }
}

/** Reports samples that ask for more items than their pool has. */
export const checkSamples = (spec: Module, { items, doubtful }: Pools): readonly Diagnostic[] =>
  spec.file.declarations.flatMap((declaration) => {
    if (declaration.kind !== "experiment") return []
    return fieldsOf(declaration, "items").flatMap(({ pools }) =>
      pools.flatMap(({ pool, sample }) => {
        const found = items.get(pool.text)
        if (
          doubtful.has(pool.text) ||
          sample === undefined ||
          found === undefined ||
          sample.value <= found.length
        )
          return []
        const parameters = { pool: pool.text, sample: sample.value, items: found.length }
        return [report("CFX3017", parameters, { source: spec.source, span: sample.span })]
      }),
    )
  })
