/** Phase 1: the spec and, by its imports, every library that it needs. Each file is read and parsed once. */
import { posix } from "node:path"
import type { File, Import } from "../grammar/ast.ts"
import { type Parsed, parse } from "../grammar/parse.ts"
import type { Problem } from "../grammar/problem.ts"
import type { Source, Span } from "../grammar/source.ts"
import type { Diagnostic } from "./diagnostics/diagnostic.ts"
import { report } from "./diagnostics/report.ts"
import { suggest } from "./diagnostics/suggest.ts"
import type { Files } from "./files.ts"
import { once } from "./memo.ts"
import { standardLibraries } from "./standard.ts"

/** One `.cfx` file. */
export interface Module {
  /** Absolute, with `/`. */
  readonly path: string
  readonly source: Source
  readonly file: File
  /** Where its syntax errors are: what stands there may be lost. */
  readonly tears: readonly Span[]
  /** The module that an import brings names from; none where its file cannot be had. */
  readonly imports: ReadonlyMap<Import, Module>
}

export interface Loaded {
  /** The spec first, then libraries in the order in which imports reach them. */
  readonly modules: readonly Module[]
  readonly diagnostics: readonly Diagnostic[]
}

interface Text extends Parsed {
  readonly source: Source
}

const parsed = (name: string, text: string): Text => {
  const source: Source = { name, text }
  return { source, ...parse(source) }
}

/** Libraries by path, as they were last read: specs that are compiled from the same files have most of them in common. */
const libraries = once((_: Files) => new Map<string, Text>())

const parsedLibrary = (path: string, text: string, files: Files): Text => {
  const known = libraries(files).get(path)
  const name = files.show(path)
  if (known?.source.text === text && known.source.name === name) return known
  const fresh = parsed(name, text)
  libraries(files).set(path, fresh)
  return fresh
}

/** Reads `entry` and all that it imports. Never throws: what cannot be read or parsed is a diagnostic. */
export const load = (entry: string, files: Files): Loaded => {
  const modules = new Map<string, Module>()
  const diagnostics: Diagnostic[] = []
  /** The files that are being loaded now, from the spec down to this one. */
  const open: Module[] = []

  const visit = (path: string, { source, file, problems }: Text): Module => {
    const imports = new Map<Import, Module>()
    const module: Module = { path, source, file, tears: problems.map(({ span }) => span), imports }
    modules.set(path, module)
    for (const problem of problems) diagnostics.push(syntaxError(problem, source))
    open.push(module)
    for (const declaration of file.imports) {
      const brought = follow(declaration, module)
      if (brought !== undefined) imports.set(declaration, brought)
    }
    open.pop()
    return module
  }

  const follow = (declaration: Import, from: Module): Module | undefined => {
    const place = { source: from.source, span: declaration.from.span }
    const written = plainText(declaration.from)
    if (written === undefined) {
      diagnostics.push(
        report(
          "CFX2105",
          { what: "The path of an import", placeholder: firstPlaceholder(declaration.from) },
          place,
        ),
      )
      return undefined
    }
    const missing = (why: string): undefined => {
      const isThere = (other: string): boolean => {
        const path = libraryPath(other, from.path, files)
        return "path" in path && "text" in files.read(path.path)
      }
      const standard = standardLibraries.map((name) => `std/${name}`)
      const near = nearby(written).filter(isThere)
      const meant = suggest(`std/${written.replace(/^std\//, "")}`, standard)
      const others = written.startsWith("std/") || meant !== undefined ? standard.filter(isThere) : []
      const known = near.length > 0 ? near : others
      diagnostics.push(report("CFX2004", { path: written, why, known }, place))
    }
    const packaged = /^pkg:/.test(written) ? packagePath(written, from.path, files) : undefined
    if (packaged !== undefined && "problem" in packaged) {
      diagnostics.push(report("CFX2551", { path: written, why: packaged.problem }, place))
      return undefined
    }
    const path = packaged ?? libraryPath(written, from.path, files)
    if ("problem" in path) return missing(path.problem)
    const loaded = modules.get(path.path)
    if (loaded !== undefined) {
      const at = open.indexOf(loaded)
      if (at >= 0) {
        const cycle = [...open.slice(at), loaded].map((module) => module.source.name)
        diagnostics.push(report("CFX2005", { cycle }, place))
      }
      return loaded
    }
    const read = files.read(path.path)
    if ("problem" in read) return missing(read.problem)
    return visit(path.path, parsedLibrary(path.path, read.text, files))
  }

  const path = posix.normalize(entry)
  const read = files.read(path)
  if ("problem" in read) {
    const source: Source = { name: files.show(path), text: "" }
    const problem = report(
      "CFX2018",
      { path: source.name, why: read.problem },
      { source, span: { start: 0, end: 0 } },
    )
    return { modules: [], diagnostics: [problem] }
  }
  visit(path, parsed(files.show(path), read.text))
  return { modules: [...modules.values()], diagnostics }
}

/** The libraries of the standard library that are not among these modules: what a spec could import and does not. */
export const otherLibraries = (modules: readonly Module[], files: Files): readonly Module[] =>
  standardLibraries.flatMap((name) => {
    const path = posix.join(files.stdlib, `${name}.cfx`)
    return modules.some((module) => module.path === path) ? [] : load(path, files).modules.slice(0, 1)
  })

/** The absolute path of what an import or a declaration names, seen from the file that names it. */
export const relativeTo = (file: string, path: string): string =>
  posix.isAbsolute(path) ? posix.normalize(path) : posix.normalize(posix.join(posix.dirname(file), path))

const libraryPath = (
  written: string,
  from: string,
  files: Files,
): { readonly path: string } | { readonly problem: string } => {
  if (/^std\/[\w/-]+$/.test(written)) return { path: posix.join(files.stdlib, `${written.slice(4)}.cfx`) }
  if (written.startsWith("std/"))
    return { problem: "a library of the standard library is named without its ending" }
  if (!/^\.\.?\//.test(written)) {
    return { problem: "it starts neither with `std/` nor with `pkg:`, `./` or `../`" }
  }
  if (!written.endsWith(".cfx")) return { problem: "a library file ends in `.cfx`" }
  return { path: relativeTo(from, written) }
}

/** `pkg:name/file.cfx` or `pkg:@scope/name/folder/file.cfx`: a package as npm names it, and a file in it. */
const PACKAGED = /^pkg:((?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*)\/(.+)$/

const packagePath = (
  written: string,
  from: string,
  files: Files,
): { readonly path: string } | { readonly problem: string } => {
  const [, name, file] = PACKAGED.exec(written) ?? []
  if (name === undefined || file === undefined) {
    return {
      problem:
        "a library of a package is written `pkg:NAME/FILE.cfx`, and the package is brought by `npm install NAME`",
    }
  }
  if (!file.endsWith(".cfx")) return { problem: "a library file ends in `.cfx`" }
  const inside = posix.normalize(file)
  if (inside.startsWith("../") || posix.isAbsolute(inside)) {
    return {
      problem: `it leads out of the package, and only what a package holds comes with \`npm install ${name}\``,
    }
  }
  return files.packaged(name, inside, from)
}

/** Other ways to write a path, for a hint; whether they lead to a file is tried. */
const nearby = (written: string): readonly string[] => {
  const stem = written.replace(/\.cfx$/, "")
  const library = stem.replace(/^\.?\.?\/?(std\/)?/, "")
  return [
    stem,
    `${stem}s`,
    stem.replace(/s$/, ""),
    `std/${library}`,
    `std/${library}s`,
    `./${library}.cfx`,
  ].filter((other) => other !== written)
}

type Parts = Import["from"]

/** The characters of a text without placeholders; none if it has some. */
export const plainText = (text: Parts): string | undefined => {
  let plain = ""
  for (const part of text.parts) {
    if (part.kind !== "chars") return undefined
    plain += part.text
  }
  return plain
}

/** The first placeholder or hole of a text, as a person would name it. */
export const firstPlaceholder = (text: Parts): string => {
  for (const part of text.parts) {
    if (part.kind === "hole") return part.name.text
    if (part.kind === "placeholder") return part.path.kind === "name" ? part.path.text : "..."
  }
  return ""
}

/** What is wrong with a text, with its code and words. */
export const syntaxError = (problem: Problem, source: Source): Diagnostic => {
  const place = { source, span: problem.span }
  switch (problem.kind) {
    case "stray_character":
      return report("CFX1001", problem, place)
    case "unclosed_text":
      return report("CFX1002", {}, place)
    case "unclosed_placeholder":
      return report("CFX1003", {}, place)
    case "stray_brace":
      return report("CFX1004", {}, place)
    case "bad_escape":
      return report("CFX1005", problem, place)
    case "unexpected": {
      const { opened } = problem
      const related = opened === undefined ? [] : [{ source, span: opened, label: "opened here" }]
      return report("CFX1006", problem, place, related)
    }
    case "taken_name":
      return report("CFX1009", problem, place)
    case "other_sign":
      return report("CFX1008", problem, place)
    case "unknown_keyword":
      return report("CFX1007", problem, place)
    default:
      return problem satisfies never
  }
}
