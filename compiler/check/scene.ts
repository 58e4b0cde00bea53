/** What a check of one declaration works with. */
import type { Declaration, Text } from "../../grammar/ast.ts"
import type { Span } from "../../grammar/source.ts"
import type { Code, Parameters } from "../diagnostics/catalogue.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { type Related, report } from "../diagnostics/report.ts"
import { article } from "../diagnostics/words.ts"
import { firstPlaceholder, type Module, plainText } from "../load.ts"
import { type Bound, type Names, nounFor } from "../resolve.ts"

export interface Scene {
  readonly module: Module
  readonly names: Names
  /** The declaration as a person would name it: "the framing `people`". */
  readonly called: string
  /** Whether a syntax error lies in or right after the declaration, so that a part of it may be lost. */
  readonly torn: boolean
  readonly say: <C extends Code>(
    code: C,
    parameters: Parameters<C>,
    at: { readonly span: Span },
    related?: readonly Related[],
  ) => void
}

export const sceneOf = (
  declaration: Declaration,
  module: Module,
  names: Names,
  diagnostics: Diagnostic[],
): Scene => ({
  module,
  names,
  called: `The ${nounFor(declaration)} \`${declaration.name.text}\``,
  torn: isTorn(declaration, module),
  say: (code, parameters, { span }, related = []) => {
    diagnostics.push(report(code, parameters, { source: module.source, span }, related))
  },
})

/** Whether a syntax error lies in or right after a declaration. */
export const isTorn = (declaration: Declaration, { tears, file, source }: Module): boolean => {
  if (tears.length === 0) return false
  const next = file.declarations[file.declarations.indexOf(declaration) + 1]
  const end = next?.span.start ?? source.text.length
  return tears.some(({ start }) => start >= declaration.span.start && start <= end)
}

/** "a framing", as a place where a field stands. */
export const within = (declaration: Declaration): string => article(nounFor(declaration))

/** Reports a field that a declaration must have, unless a syntax error may have swallowed it. */
export const missing = (scene: Scene, declaration: Declaration, field: string, example: string): void => {
  if (!scene.torn) scene.say("CFX2010", { field, within: scene.called, example }, declaration.name)
}

/** Reports fields that stand twice in a declaration, or in the part of one that is named. `keyOf` names a field; one without a name may stand any number of times. */
export const onlyOnce = <F extends { readonly span: Span }>(
  scene: Scene,
  place: Declaration | string,
  fields: readonly F[],
  keyOf: (field: F) => string | undefined,
): void => {
  const first = new Map<string, F>()
  for (const field of fields) {
    const key = keyOf(field)
    if (key === undefined) continue
    const before = first.get(key)
    if (before === undefined) first.set(key, field)
    else {
      const related = [{ source: scene.module.source, span: before.span, label: "first given here" }]
      const called = typeof place === "string" ? place : within(place)
      scene.say("CFX2009", { field: key, within: called }, field, related)
    }
  }
}

/** Reports names that stand twice among things of one kind. */
export const distinctNames = (
  scene: Scene,
  kind: string,
  names: readonly { readonly text: string; readonly span: Span }[],
): void => {
  const first = new Map<string, Span>()
  for (const name of names) {
    const before = first.get(name.text)
    if (before === undefined) first.set(name.text, name.span)
    else {
      const related = [{ source: scene.module.source, span: before, label: "first here" }]
      scene.say("CFX2003", { kind, name: name.text }, name, related)
    }
  }
}

/** Reports placeholders in a text that must be plain, and an empty one. Gives the characters of one that is neither. */
export const plain = (scene: Scene, text: Text, what: string): string | undefined => {
  const characters = plainText(text)
  if (characters === undefined) {
    scene.say("CFX2105", { what, placeholder: firstPlaceholder(text) }, firstPlace(text))
    return undefined
  }
  if (characters.trim() !== "") return characters
  scene.say("CFX2116", {}, text)
  return undefined
}

const firstPlace = (text: Text) => text.parts.find((part) => part.kind !== "chars") ?? text

/** Reports what is not plain in the citations of a stimulus. */
export const checkProvenance = (
  scene: Scene,
  declaration: { readonly provenance: readonly { readonly kind: string; readonly note: Text }[] },
): void => {
  for (const { kind, note } of declaration.provenance) plain(scene, note, `The note of \`${kind}\``)
}

/** Where a declaration's name stands, for a diagnostic about its use. */
export const declaredAt = ({ declaration, module }: Bound, label: string): Related => ({
  source: module.source,
  span: declaration.name.span,
  label,
})
