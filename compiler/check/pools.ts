/** Phase 4: the items of each pool, and what is wrong with their data. Pools whose data are not at hand are absent, which is no mistake. */
import type { Items } from "../../grammar/ast.ts"
import type { Source } from "../../grammar/source.ts"
import type { AbsentPool, CompileOptions } from "../compiled.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { type Place, report } from "../diagnostics/report.ts"
import type { Files } from "../files.ts"
import type { PoolIR } from "../ir.ts"
import type { Item } from "../item.ts"
import { endings } from "../items/formats.ts"
import { type ReadItems, readItems } from "../items/read.ts"
import { openSources } from "../items/sources.ts"
import type { Module } from "../load.ts"
import { fieldsOf } from "../lower/columns.ts"
import { fieldOf, lowerPool } from "../lower/items.ts"
import type { Bound, Names } from "../resolve.ts"
import { shuffleOptions } from "../shown.ts"
import { comparedOtherwise } from "./columnTypes.ts"
import { diagnoseItems } from "./itemProblems.ts"
import { checkItems } from "./items.ts"
import { publishedNotes } from "./published.ts"
import { placeOfData, type ReadPool, type Setting } from "./readPool.ts"
import { readRunPool } from "./runPools.ts"
import { checkUses } from "./samples.ts"
import { isTorn, sceneOf } from "./scene.ts"

export { checkSamples } from "./samples.ts"

export interface Pools {
  /** By the name that a pool has in the spec. */
  readonly items: ReadonlyMap<string, readonly Item[]>
  /** Pools whose data are not at hand. */
  readonly absent: ReadonlyMap<string, AbsentPool>
  /** Pools whose data have mistakes: more items may be meant than were read. */
  readonly doubtful: ReadonlySet<string>
  /** The declaration of each pool. */
  readonly declared: ReadonlyMap<string, Bound<Items>>
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads the pools that the spec declares and those that its experiments use. A pool without a sound mapping is passed over. */
export const readPools = (spec: Module, names: Names, files: Files, options: CompileOptions): Pools => {
  const items = new Map<string, readonly Item[]>()
  const absent = new Map<string, AbsentPool>()
  const doubtful = new Set<string>()
  const diagnostics: Diagnostic[] = []
  const declared = poolsOf(spec, names)
  for (const [name, bound] of declared) {
    if (isTorn(bound.declaration, bound.module) || !isSound(bound, names)) continue
    const pool = lowerPool(name, bound, names, options)
    const replaced = options.items !== undefined && Object.hasOwn(options.items, name)
    const read = readPool(pool, bound, { spec, names, files, replaced })
    if (read.items !== undefined) {
      items.set(name, pool.shuffle ? read.items.map((item) => shuffleOptions(name, item)) : read.items)
    }
    if (read.absent !== undefined) absent.set(name, read.absent)
    if (read.doubtful === true) doubtful.add(name)
    diagnostics.push(...read.diagnostics)
  }
  diagnostics.push(...checkUses(spec, names, declared))
  return { items, absent, doubtful, declared, diagnostics }
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

/** Whether a declaration has no mistake, so that what is wrong with its data is none of it. What it has was reported. */
const isSound = ({ declaration, module }: Bound<Items>, names: Names): boolean => {
  const found: Diagnostic[] = []
  checkItems(declaration, sceneOf(declaration, module, names, found))
  const one = fieldOf(declaration, "one")
  return (
    !found.some(({ severity }) => severity === "error") &&
    (one === undefined || names.find(one.metric, "metric") !== undefined)
  )
}

const readPool = (pool: PoolIR, bound: Bound<Items>, setting: Setting): ReadPool => {
  const { source } = pool
  switch (source.kind) {
    case "hub":
      return { absent: { why: `its data are on a hub (${source.address})` }, diagnostics: [] }
    case "run":
      return readRunPool(pool, source, bound, setting)
    case "files":
      return readFiles(pool, source.files, bound, setting)
  }
}

const readFiles = (
  pool: PoolIR,
  paths: readonly string[],
  bound: Bound<Items>,
  setting: Setting,
): ReadPool => {
  const { files, replaced } = setting
  const diagnostics: Diagnostic[] = []
  const sources: Source[] = []
  const { source: written } = bound.declaration
  const places = new Map<Source, Place>()
  for (const [index, path] of paths.entries()) {
    const own = written.kind === "files" && !replaced ? written.files[index]?.span : undefined
    const place = own === undefined ? placeOfData(bound, setting) : { source: bound.module.source, span: own }
    for (const opened of openSources([path], files)) {
      if ("source" in opened) {
        sources.push(opened.source)
        places.set(opened.source, place)
      } else if ("empty" in opened) {
        diagnostics.push(report("CFX3105", { path: opened.empty, known: endings }, place))
      } else {
        const { path, problem: why } = opened
        diagnostics.push(report("CFX3001", { path, why, pool: pool.name, replaced }, place))
      }
    }
  }
  if (sources.length === 0) return { diagnostics }
  const published = pool.published.size !== undefined
  const found = readItems(sources, { ...pool, published })
  diagnostics.push(
    ...diagnoseItems(found, bound, (source) => places.get(source) ?? placeOfData(bound, setting)),
    ...condition(pool, found, bound),
    ...publishedNotes(pool, found, bound),
  )
  const doubtful = diagnostics.some(({ severity }) => severity === "error")
  return { items: found.items, doubtful, diagnostics }
}

/** What is wrong with a pool's own condition, once it is seen what its columns hold. */
const condition = (
  { name, where }: PoolIR,
  { items, rows, problems, kinds }: ReadItems,
  { declaration, module }: Bound<Items>,
): readonly Diagnostic[] => {
  const written = fieldOf(declaration, "where")?.condition
  if (where === undefined || written === undefined) return []
  const place = { source: module.source, span: written.span }
  const mistyped = comparedOtherwise(where, name, kinds, place)
  if (mistyped.length > 0 || items.length > 0 || rows === 0 || problems.length > 0) return mistyped
  return [report("CFX3120", { pool: name, rows }, place)]
}
