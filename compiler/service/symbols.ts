/** What a name in a file stands for: a declaration, or something that a declaration has inside. */
import type { Declaration, Experiment, Name, Protocol } from "../../grammar/ast.ts"
import type { Span } from "../../grammar/source.ts"
import type { Module } from "../load.ts"
import type { Bound, Names } from "../resolve.ts"
import { referencesOf } from "../resolveReferences.ts"
import type { Analysis } from "./analysis.ts"
import { declarationAt, nameAt, namesIn } from "./nodes.ts"

export type Meaning =
  | { readonly kind: "declaration"; readonly at: Name; readonly bound: Bound }
  /** A read, a turn, a slot, a measure: `inside` its declaration, and known there alone. */
  | {
      readonly kind: "part"
      readonly at: Name
      readonly what: PartKind
      readonly inside: Bound
      readonly defined: Span
    }

export type PartKind =
  | "read"
  | "turn"
  | "slot"
  | "role"
  | "draw"
  | "parameter"
  | "measure"
  | "contrast"
  | "summary"
  | "family"
  | "arm"

interface Part {
  readonly what: PartKind
  readonly name: Name
}

/** What the name at an offset of the analysed file stands for. */
export const meaningAt = (analysis: Analysis, offset: number): Meaning | undefined => {
  const { module, names } = analysis
  const at = nameAt(module.file, offset)
  if (at === undefined) return undefined
  const bound = importedAt(at, module) ?? declaredAt(at, module, names)
  if (bound !== undefined) return { kind: "declaration", at, bound }
  const declaration = declarationAt(module.file, offset)
  return declaration === undefined ? undefined : partAt(at, { declaration, module }, names)
}

const importedAt = (at: Name, module: Module): Bound | undefined => {
  for (const declaration of module.file.imports) {
    const library = module.imports.get(declaration)
    const imported = declaration.names.find(({ name, alias }) => name === at || alias === at)
    if (imported === undefined || library === undefined) continue
    const found = library.file.declarations.find(({ name }) => name.text === imported.name.text)
    if (found !== undefined) return { declaration: found, module: library }
  }
  return undefined
}

const declaredAt = (at: Name, module: Module, names: Names): Bound | undefined => {
  for (const declaration of module.file.declarations) {
    if (declaration.name === at) return { declaration, module }
    const reference = referencesOf(declaration, names.lookup(module)).find(({ name }) => name === at)
    if (reference !== undefined) return names.find(at, reference.kind)
  }
  return undefined
}

const partAt = (at: Name, inside: Bound, names: Names): Meaning | undefined => {
  const scopes: readonly Bound[] = [inside, ...protocolsOf(inside.declaration, names)]
  for (const scope of scopes) {
    const part = partsOf(scope.declaration).find(({ name }) => name.text === at.text)
    if (part !== undefined)
      return { kind: "part", at, what: part.what, inside: scope, defined: part.name.span }
  }
  return undefined
}

/** The protocol that an experiment follows: its reads, slots and roles are named in the experiment. */
export const protocolsOf = (declaration: Declaration, names: Names): readonly Bound<Protocol>[] =>
  declaration.kind !== "experiment"
    ? []
    : declaration.fields.flatMap((field) =>
        field.field === "protocol" ? (names.find(field.protocol, "protocol") ?? []) : [],
      )

/** What a declaration defines inside itself. */
export const partsOf = (declaration: Declaration): readonly Part[] => {
  switch (declaration.kind) {
    case "protocol":
      return protocolParts(declaration)
    case "experiment":
      return experimentParts(declaration)
    case "metric":
      return declaration.parameters.map(({ name }) => ({ what: "parameter", name }))
    case "dose":
    case "judge":
      return declaration.parameters.map((name) => ({ what: "parameter", name }))
    default:
      return []
  }
}

const protocolParts = ({ fields, turns }: Protocol): readonly Part[] => [
  ...fields.flatMap((field): readonly Part[] => {
    switch (field.field) {
      case "slot":
        return [{ what: "slot", name: field.slot }]
      case "role":
        return [{ what: "role", name: field.role }]
      case "draw":
        return [{ what: "draw", name: field.name }]
      case "extract":
      case "judge":
        return [{ what: "read", name: field.name }]
      default:
        return []
    }
  }),
  ...turns.flatMap((turn): readonly Part[] => [
    { what: "turn", name: turn.name },
    ...turn.fields.flatMap((field) =>
      field.field === "read"
        ? []
        : field.text.parts.flatMap((part) =>
            part.kind === "hole" ? [{ what: "read" as const, name: part.name }] : [],
          ),
    ),
  ]),
]

const experimentParts = ({ fields }: Experiment): readonly Part[] =>
  fields.flatMap((field): readonly Part[] => {
    switch (field.field) {
      case "arms":
        return field.arms.map(({ name }) => ({ what: "arm", name }))
      case "measure":
        return [{ what: "measure", name: field.name ?? field.metric }]
      case "contrast":
      case "summary":
      case "family":
        return [{ what: field.field, name: field.name }]
      default:
        return []
    }
  })

/** A place where a declaration is named, with the file that it stands in. */
export interface Mention {
  readonly module: Module
  readonly name: Name
}

/**
 * Every place that names a declaration, its own name first. A file that imports it under another name says that name after the import; those
 * places are left out, since they would stay as they are if the declaration were renamed.
 */
export const mentionsOf = (bound: Bound, analyses: readonly Analysis[]): readonly Mention[] => {
  const found = new Map<string, Mention>()
  const add = (module: Module, name: Name) => found.set(`${module.path} ${name.span.start}`, { module, name })
  add(bound.module, bound.declaration.name)
  for (const { modules, names } of analyses) {
    for (const module of modules) {
      const imported = importOf(bound, module)
      if (imported !== undefined) add(module, imported.name)
      if (module.path !== bound.module.path && (imported === undefined || imported.alias !== undefined))
        continue
      for (const declaration of module.file.declarations) {
        for (const { name, kind } of referencesOf(declaration, names.lookup(module))) {
          if (name.text === bound.declaration.name.text && isSame(names.find(name, kind), bound))
            add(module, name)
        }
        // A measure is named by its metric where it has no name of its own.
        if (declaration.kind === "experiment" && bound.declaration.kind === "metric")
          for (const name of measureNames(declaration, bound, names)) add(module, name)
      }
    }
  }
  return [...found.values()]
}

const importOf = (bound: Bound, module: Module) =>
  module.file.imports
    .filter((declaration) => module.imports.get(declaration)?.path === bound.module.path)
    .flatMap(({ names }) => names)
    .find(({ name }) => name.text === bound.declaration.name.text)

const isSame = (found: Bound | undefined, bound: Bound): boolean =>
  found?.module.path === bound.module.path && found.declaration.name.text === bound.declaration.name.text

const measureNames = (experiment: Experiment, bound: Bound, names: Names): readonly Name[] => {
  const { text } = bound.declaration.name
  const isMeasured = experiment.fields.some(
    (field) =>
      field.field === "measure" &&
      field.name === undefined &&
      field.metric.text === text &&
      isSame(names.find(field.metric, "metric"), bound),
  )
  if (!isMeasured) return []
  return experiment.fields.flatMap((field) => {
    switch (field.field) {
      case "contrast":
        return namesIn(field.value).filter((name) => name.text === text)
      case "summary":
        return [field.measure, ...(field.against === undefined ? [] : [field.against])]
          .flatMap(namesIn)
          .filter((name) => name.text === text)
      case "expect":
        if (field.claim.kind !== "published") return []
        return namesIn(field.claim.measure).filter((name) => name.text === text)
      case "model_fit":
      case "figure":
        return [field.field === "figure" ? field.measure : field.metric].filter((name) => name.text === text)
      case "table":
        return field.columns.filter((name) => name.text === text)
      case "assume":
        return field.entries.map(({ name }) => name).filter((name) => name.text === text)
      default:
        return []
    }
  })
}
