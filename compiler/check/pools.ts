/** Phase 4: the items of each pool, and what is wrong with their files. */
import type { Items } from "../../grammar/ast.ts"
import type { Source, Span } from "../../grammar/source.ts"
import type { CompileOptions } from "../compiled.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { type Related, report } from "../diagnostics/report.ts"
import type { Files } from "../files.ts"
import type { ItemFields } from "../ir.ts"
import type { Item } from "../item.ts"
import type { ItemProblem } from "../items/problem.ts"
import { readItems } from "../items/read.ts"
import { type Module, plainText } from "../load.ts"
import { fieldsOf } from "../lower/columns.ts"
import { lowerPool } from "../lower/lower.ts"
import { pathOf } from "../lower/text.ts"
import type { Bound, Names } from "../resolve.ts"
import { fieldsOfItem } from "./items.ts"
import { isAddress } from "./models.ts"

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
    if (!isMapped(bound.declaration)) continue
    const pool = lowerPool(name, bound, options)
    const read = files.read(pool.file)
    const place = { source: bound.module.source, span: bound.declaration.file.span }
    if ("problem" in read) {
      diagnostics.push(report("CFX3001", { path: files.show(pool.file), why: read.problem }, place))
      continue
    }
    const source: Source = { name: files.show(pool.file), text: read.text }
    const found = readItems(source, pool.fields)
    items.set(name, found.items)
    if (found.problems.length > 0) doubtful.add(name)
    for (const problem of found.problems) diagnostics.push(diagnose(problem, source, bound))
  }
  return { items, doubtful, diagnostics }
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
    ({ field, column }) => !known.includes(field.text) || pathOf(column) !== undefined,
  )
  const needed = ["question", "options", "gold"]
  return sound && needed.every((name) => items.fields.some(({ field }) => field.text === name))
}

const diagnose = (
  problem: ItemProblem,
  source: Source,
  { declaration, module }: Bound<Items>,
): Diagnostic => {
  const place = { source, span: problem.span }
  const column = (field: keyof ItemFields): { source: Source; span: Span } => {
    const mapping = declaration.fields.find((one) => one.field.text === field)
    return { source: module.source, span: (mapping?.column ?? declaration.name).span }
  }
  const mapped = (field: keyof ItemFields): readonly Related[] => [{ ...column(field), label: "mapped here" }]
  switch (problem.kind) {
    case "unknown_format":
      return report(
        "CFX3002",
        { path: source.name, known: problem.known },
        { source: module.source, span: declaration.file.span },
      )
    case "unreadable":
      return report("CFX3003", problem, place)
    case "empty_pool":
      return report("CFX3004", { path: source.name }, { source: module.source, span: declaration.file.span })
    case "not_a_row":
      return report("CFX3019", problem, place)
    case "missing_column":
      return report("CFX3008", { ...problem, file: source.name }, column(problem.field), [
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
