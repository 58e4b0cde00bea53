/**
 * A program without the paths of the machine that compiled it: places are given in the copies under `spec/`, files by their last name.
 * What a run keeps and what a report shows is made from this, so that it is the same wherever the run was made.
 */
import { basename, dirname, join, relative } from "node:path/posix"
import { isAddress } from "../../compiler/address.ts"
import type { PoolSourceIR, Program } from "../../compiler/ir.ts"
import type { Source } from "../../grammar/source.ts"

/** The sources of a program under the names that they have in a run's `spec/`. */
export interface Copies {
  /** The spec itself. */
  readonly entry: string
  /** Text by name; names have `/` and stay within `spec/`. */
  readonly texts: ReadonlyMap<string, string>
  /** Where each was read, absolute, by name. */
  readonly paths: ReadonlyMap<string, string>
  /** Name by the name that a person was shown. */
  readonly names: ReadonlyMap<string, string>
}

/** Names the copies: the standard library's under `std/`, the others by their place below the folder that they have in common. */
export function copiesOf(sources: ReadonlyMap<string, Source>): Copies {
  const isStandard = (source: Source): boolean => source.name.startsWith("std/")
  const own = [...sources].filter(([, source]) => !isStandard(source)).map(([path]) => dirname(path))
  const common = own.reduce(commonFolder, own[0] ?? "/")
  const texts = new Map<string, string>()
  const paths = new Map<string, string>()
  const names = new Map<string, string>()
  let entry: string | undefined
  for (const [path, source] of sources) {
    const wanted = isStandard(source) ? source.name : relative(common, path)
    let name = wanted
    for (let n = 2; texts.has(name); n++) name = join(dirname(wanted), `${n}-${basename(wanted)}`)
    entry ??= name
    texts.set(name, source.text)
    paths.set(name, path)
    names.set(source.name, name)
  }
  if (entry === undefined) throw new Error("a program has no source")
  return { entry, texts, paths, names }
}

function commonFolder(one: string, other: string): string {
  let folder = one
  while (other !== folder && !other.startsWith(folder === "/" ? "/" : `${folder}/`)) folder = dirname(folder)
  return folder
}

/** The program with every place and file renamed. Its meaning is the same. */
export function portable(program: Program, names: ReadonlyMap<string, string>): Program {
  const moved = relocate(program, names)
  return {
    ...moved,
    models: moved.models.map((model) => ({ ...model, file: lastName(model.file) })),
    pools: moved.pools.map((pool) => ({ ...pool, source: portableSource(pool.source) })),
    experiments: moved.experiments.map((experiment) => {
      const { records } = experiment
      if (records?.file === undefined) return experiment
      return { ...experiment, records: { ...records, file: basename(records.file) } }
    }),
  }
}

/** An address is the same on every machine. */
const lastName = (file: string): string => (isAddress(file) ? file : basename(file))

function portableSource(source: PoolSourceIR): PoolSourceIR {
  switch (source.kind) {
    case "files":
      return { ...source, files: source.files.map(lastName) }
    case "hub":
      return source
    case "run":
      return { ...source, folder: basename(source.folder) }
  }
}

function relocate<T>(value: T, names: ReadonlyMap<string, string>): T {
  if (Array.isArray(value)) return value.map((one) => relocate(one, names)) as T
  if (typeof value !== "object" || value === null) return value
  const moved = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, relocate(one, names)]))
  if (isOrigin(moved)) return { ...moved, file: names.get(moved.file) ?? basename(moved.file) } as T
  return moved as T
}

const isOrigin = (
  value: Record<string, unknown>,
): value is { declaration: string; file: string; line: number } =>
  typeof value.declaration === "string" && typeof value.file === "string" && typeof value.line === "number"
