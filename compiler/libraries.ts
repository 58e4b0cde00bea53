/** What a spec imports, and what that means: for `cfx.lock`, and for sums in imports. */
import { posix } from "node:path"
import type { Import } from "../grammar/ast.ts"
import type { Source } from "../grammar/source.ts"
import type { Files } from "./files.ts"
import { load, type Module, plainText } from "./load.ts"
import { importMeaning, meaningOf } from "./meaning.ts"
import { resolve } from "./resolve.ts"

/** A library that a spec, or a library of its, imports from. */
export interface Library {
  /** `std/framings`, `pkg:name/file.cfx`, or its path seen from the spec: the same on every machine. */
  readonly name: string
  /** Absolute. */
  readonly path: string
  /** Hash of the meaning, by the name of each declaration that is imported. */
  readonly meanings: Readonly<Record<string, string>>
}

/** An import of the spec itself. */
export interface PinnedImport {
  readonly declaration: Import
  /** What its names mean; none where they cannot be had. */
  readonly meaning: string | undefined
}

export interface Imported {
  /** Sorted by name. */
  readonly libraries: readonly Library[]
  readonly imports: readonly PinnedImport[]
  readonly source: Source | undefined
}

/** Reads the spec at this absolute path and all that it imports. What is wrong with them is left out, and is the compiler's to report. */
export const importedBy = (entry: string, files: Files): Imported => {
  const { modules } = load(entry, files)
  const [spec] = modules
  if (spec === undefined) return { libraries: [], imports: [], source: undefined }
  const { names } = resolve(modules, () => [])
  const used = new Map<Module, Map<string, string>>()
  for (const module of modules) {
    for (const declaration of module.file.imports) {
      const library = module.imports.get(declaration)
      if (library === undefined) continue
      const meanings = used.get(library) ?? new Map<string, string>()
      used.set(library, meanings)
      for (const { name } of declaration.names) {
        const found = library.file.declarations.find((other) => other.name.text === name.text)
        if (found !== undefined)
          meanings.set(name.text, meaningOf({ declaration: found, module: library }, names))
      }
    }
  }
  const packages = packagesOf(modules)
  const libraries = [...used].map(([{ path }, meanings]) => ({
    name: nameOf(path, spec.path, files, packages),
    path,
    meanings: Object.fromEntries([...meanings].sort(([a], [b]) => (a < b ? -1 : 1))),
  }))
  return {
    libraries: libraries.sort((a, b) => (a.name < b.name ? -1 : 1)),
    imports: spec.file.imports.map((declaration) => ({
      declaration,
      meaning: importMeaning(declaration, spec, names),
    })),
    source: spec.source,
  }
}

/** The folder of each package that a library was found in, and the package's name. */
const packagesOf = (modules: readonly Module[]): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const module of modules) {
    for (const [declaration, { path }] of module.imports) {
      const written = plainText(declaration.from) ?? ""
      const [, name, file] = /^pkg:((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(written) ?? []
      if (name === undefined || file === undefined) continue
      const inside = `/${posix.normalize(file)}`
      if (path.endsWith(inside)) found.set(path.slice(0, -inside.length), name)
    }
  }
  return found
}

const nameOf = (path: string, spec: string, files: Files, packages: ReadonlyMap<string, string>): string => {
  for (const [folder, name] of packages) {
    if (path.startsWith(`${folder}/`)) return `pkg:${name}${path.slice(folder.length)}`
  }
  if (path.startsWith(`${files.stdlib}/`))
    return `std${path.slice(files.stdlib.length).replace(/\.cfx$/, "")}`
  return posix.relative(posix.dirname(spec), path)
}
