/** Phase 2: what each name stands for. One namespace per file: its own declarations and what it imports. */
import { posix } from "node:path"
import type { Declaration, DeclarationKind, ImportedName, Name } from "../grammar/ast.ts"
import type { Diagnostic } from "./diagnostics/diagnostic.ts"
import { type Related, report } from "./diagnostics/report.ts"
import { suggest } from "./diagnostics/suggest.ts"
import { article } from "./diagnostics/words.ts"
import type { Module } from "./load.ts"
import { type Lookup, mentionsOf, type Reference, referencesOf, wordsFor } from "./resolveReferences.ts"

/** A declaration and the file that it stands in. */
export interface Bound<D extends Declaration = Declaration> {
  readonly declaration: D
  readonly module: Module
}

export type DeclarationOf<K extends DeclarationKind> = Extract<Declaration, { kind: K }>

/** What names mean. `find` gives nothing for a name that resolving has reported, or that a syntax error has swallowed. */
export interface Names {
  readonly find: <K extends DeclarationKind>(name: Name, kind: K) => Bound<DeclarationOf<K>> | undefined
  /** The declarations that the names of a file stand for, whatever their kind. */
  readonly lookup: (module: Module) => Lookup
  /** Whether a name of a file is declared or imported there as this kind. */
  readonly has: (module: Module, name: string, kind: DeclarationKind) => boolean
  /** What a file would import a declaration of this name and kind from; none where no file that is known declares one. */
  readonly importable: (module: Module, name: string, kind: DeclarationKind) => string | undefined
}

export interface Resolved {
  readonly names: Names
  readonly diagnostics: readonly Diagnostic[]
}

interface Entry {
  /** None where the import that should bring it has failed: it is known, and nothing more is said about it. */
  readonly bound: Bound | undefined
  readonly imported?: { readonly name: Name; used: boolean }
  readonly at: Name
}

type Scope = Map<string, Entry>

/** A name that is declared nowhere: where it is met first, and where again. It is one mistake. */
interface Unknown {
  readonly user: Declaration
  readonly reference: Reference
  readonly again: Name[]
}

/** Of the places where an unknown name is met again, so many are shown. */
const PLACES = 4

/** What a person calls a declaration of this kind. */
const nounOf = (kind: DeclarationKind): string => (kind === "items" ? "pool of items" : kind)

/** What a person calls this declaration: a container is a framing by another name. */
export const nounFor = (declaration: Declaration): string =>
  declaration.kind === "framing" ? declaration.keyword : nounOf(declaration.kind)

/** `libraries` gives the rest of the standard library: it is asked only where a name is not known, for a hint. */
export const resolve = (modules: readonly Module[], libraries: () => readonly Module[]): Resolved => {
  let rest: readonly Module[] | undefined
  const everything = (): readonly Module[] => {
    rest ??= libraries()
    return [...modules, ...rest]
  }
  const diagnostics: Diagnostic[] = []
  const scopes = new Map<Module, Scope>()
  const bindings = new Map<Name, Bound>()

  for (const module of modules) {
    const scope: Scope = new Map()
    scopes.set(module, scope)
    for (const declaration of module.file.imports) {
      const library = module.imports.get(declaration)
      for (const imported of declaration.names) {
        const bound = library === undefined ? undefined : exported(library, imported)
        if (library !== undefined && bound === undefined && !swallowed(imported.name.text, library)) {
          diagnostics.push(notExported(module, library, imported, everything()))
        }
        const name = imported.alias ?? imported.name
        declare(scope, module, name, "name", { bound, at: name, imported: { name, used: false } })
      }
    }
    for (const declaration of module.file.declarations) {
      const entry = { bound: { declaration, module }, at: declaration.name }
      declare(scope, module, declaration.name, nounFor(declaration), entry)
    }
  }

  for (const module of modules) {
    const scope = scopes.get(module)!
    const unknown = new Map<string, Unknown>()
    for (const declaration of module.file.declarations) {
      for (const reference of referencesOf(declaration, lookup(module))) {
        const entry = scope.get(reference.name.text)
        if (entry === undefined) {
          if (swallowed(reference.name.text, module) || isMisimported(reference.name.text, scope)) continue
          const key = `${reference.kind} ${reference.name.text}`
          const known = unknown.get(key)
          if (known === undefined) unknown.set(key, { user: declaration, reference, again: [] })
          else known.again.push(reference.name)
          continue
        }
        if (entry.imported !== undefined) entry.imported.used = true
        if (entry.bound === undefined) continue
        if (entry.bound.declaration.kind === reference.kind) bindings.set(reference.name, entry.bound)
        else diagnostics.push(wrongKind(module, scope, declaration, reference, entry.bound))
      }
      for (const mention of mentionsOf(declaration)) {
        const imported = scope.get(mention)?.imported
        if (imported !== undefined) imported.used = true
      }
    }
    for (const one of unknown.values()) diagnostics.push(notDeclared(module, scope, one))
    // Where another name went wrong, it may be the one that an import is for.
    if (module.tears.length > 0 || diagnostics.some(({ source }) => source === module.source)) continue
    for (const { imported } of scope.values()) {
      if (imported !== undefined && !imported.used) {
        diagnostics.push(
          report("CFX2007", { name: imported.name.text }, { ...module, span: imported.name.span }),
        )
      }
    }
  }

  return { names: { find, lookup, has, importable }, diagnostics }

  function declare(scope: Scope, module: Module, name: Name, kind: string, entry: Entry): void {
    const before = scope.get(name.text)
    if (before === undefined) {
      scope.set(name.text, entry)
      return
    }
    const first = { source: module.source, span: before.at.span, label: "first declared here" }
    diagnostics.push(
      report("CFX2003", { kind, name: name.text }, { source: module.source, span: name.span }, [first]),
    )
  }

  function find<K extends DeclarationKind>(name: Name, kind: K): Bound<DeclarationOf<K>> | undefined {
    const bound = bindings.get(name)
    return bound !== undefined && isKind(bound, kind) ? bound : undefined
  }

  function lookup(module: Module): Lookup {
    return (name) => scopes.get(module)?.get(name)?.bound?.declaration
  }

  function has(module: Module, name: string, kind: DeclarationKind): boolean {
    return scopes.get(module)?.get(name)?.bound?.declaration.kind === kind
  }

  function importable(module: Module, name: string, kind: DeclarationKind): string | undefined {
    const library = everything().find(
      (other) => other !== module && declares(other, (d) => d.kind === kind && d.name.text === name),
    )
    return library === undefined ? undefined : importPath(library, module)
  }

  function notDeclared(module: Module, scope: Scope, { user, reference, again }: Unknown): Diagnostic {
    const { name, kind } = reference
    const parameters = {
      kind: nounOf(kind),
      name: name.text,
      known: namesOf(scope, kind, user),
      importable: importableNames(module, kind),
    }
    const related = again.slice(0, PLACES).map(({ span }, index) => {
      const rest = index === PLACES - 1 ? again.length - PLACES : 0
      return {
        source: module.source,
        span,
        label: rest > 0 ? `here too, and ${rest} times more` : "here too",
      }
    })
    return report("CFX2001", parameters, { source: module.source, span: name.span }, related)
  }

  /** Names of this kind in other files, each with what it is imported from; the first file that declares one counts. */
  function importableNames(module: Module, kind: DeclarationKind): ReadonlyMap<string, string> {
    const found = new Map<string, string>()
    for (const library of everything()) {
      if (library === module) continue
      for (const declaration of library.file.declarations) {
        const { text } = declaration.name
        if (declaration.kind === kind && !found.has(text)) found.set(text, importPath(library, module))
      }
    }
    return found
  }
}

const declares = ({ file }: Module, isMeant: (declaration: Declaration) => boolean): boolean =>
  file.declarations.some(isMeant)

const isKind = <K extends DeclarationKind>(bound: Bound, kind: K): bound is Bound<DeclarationOf<K>> =>
  bound.declaration.kind === kind

const exported = (library: Module, { name }: ImportedName): Bound | undefined => {
  const declaration = library.file.declarations.find((other) => other.name.text === name.text)
  return declaration === undefined ? undefined : { declaration, module: library }
}

const notExported = (
  module: Module,
  library: Module,
  { name }: ImportedName,
  everything: readonly Module[],
): Diagnostic => {
  const known = library.file.declarations.map((declaration) => declaration.name.text)
  const place = { source: module.source, span: name.span }
  const other = everything.find((one) => one !== module && declares(one, (d) => d.name.text === name.text))
  const importable = other === undefined ? undefined : importPath(other, module)
  return report("CFX2006", { name: name.text, file: library.source.name, known, importable }, place)
}

const wrongKind = (
  module: Module,
  scope: Scope,
  user: Declaration,
  { name, kind }: Reference,
  bound: Bound,
): Diagnostic => {
  const found = bound.declaration
  const related: Related = {
    source: bound.module.source,
    span: found.name.span,
    label: `declared here as ${article(nounFor(found))}`,
  }
  const parameters = {
    name: name.text,
    expected: nounOf(kind),
    found: nounFor(found),
    known: namesOf(scope, kind, user),
  }
  return report("CFX2002", parameters, { source: module.source, span: name.span }, [related])
}

/** Names of this kind that the declaration could use, words of the language first: not its own, nor that of one that extends it, which would be a circle. */
const namesOf = (scope: Scope, kind: DeclarationKind, user: Declaration): readonly string[] => [
  ...wordsFor(kind),
  ...[...scope].flatMap(([name, { bound }]) =>
    bound?.declaration.kind === kind && !descends(bound.declaration, user, scope) ? [name] : [],
  ),
]

const descends = (declaration: Declaration, from: Declaration, scope: Scope): boolean => {
  const met = new Set<Declaration>()
  let next: Declaration | undefined = declaration
  while (next !== undefined && !met.has(next)) {
    if (next === from) return true
    met.add(next)
    const parent: Name | undefined =
      next.kind === "framing" || next.kind === "metric" ? next.parent : undefined
    next = parent === undefined ? undefined : scope.get(parent.text)?.bound?.declaration
  }
  return false
}

/** How one file imports another. */
const importPath = (library: Module, from: Module): string => {
  if (library.source.name.startsWith("std/")) return library.source.name.replace(/\.cfx$/, "")
  const path = posix.relative(posix.dirname(from.path), library.path)
  return path.startsWith(".") ? path : `./${path}`
}

/** Whether a name seems to be one that an import should bring and misspells: the import was reported. */
const isMisimported = (name: string, scope: Scope): boolean =>
  [...scope.values()].some(
    ({ bound, imported }) =>
      bound === undefined && imported !== undefined && suggest(imported.name.text, [name]) !== undefined,
  )

const keywords =
  "model|items|framing|container|roster|paraphrase|dose|block|structure|order|target|protocol|judge|lexicon|metric|experiment"

/**
 * Whether a file with syntax errors seems to declare or import a name all the same: then the parser has dropped its declaration,
 * and to call the name unknown would report one mistake twice.
 */
const swallowed = (name: string, module: Module): boolean =>
  module.tears.length > 0 &&
  /^\w+$/.test(name) &&
  new RegExp(`\\b(?:${keywords})\\s+${name}\\b|\\bimport\\b[^"]*\\b${name}\\b`).test(module.source.text)
