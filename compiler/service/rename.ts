import type { Name } from "../../grammar/ast.ts"
import { placeOf } from "../diagnostics/place.ts"
import type { Files } from "../files.ts"
import type { Module } from "../load.ts"
import { nounFor } from "../resolve.ts"
import type { Analysis } from "./analysis.ts"
import { changeBy } from "./changes.ts"
import type { Location } from "./definition.ts"
import { keyOf, type Meaning } from "./meanings.ts"
import { nameAt, namesIn } from "./nodes.ts"
import { tableOf } from "./symbols.ts"

const reserved = ["and", "or", "not", "in", "is"]

export type Renaming = { readonly edits: readonly Location[] } | { readonly problem: string }

/** What a renaming may reach besides the file that it is asked for in. */
export interface Reach {
  readonly files: Files
  /** Analyses of the other specs that take part in a file, by its path: their names of what it declares change too. */
  readonly importersOf: (path: string) => readonly Analysis[]
}

/**
 * The places to change when what stands at an offset of the analysed file gets another name. They are tried before they are given: a renaming that
 * would do more than rename is refused, with the first place that it would change.
 */
export const renameAt = (analysis: Analysis, offset: number, name: string, reach: Reach): Renaming => {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return { problem: `\`${name}\` is no name` }
  if (reserved.includes(name)) return { problem: `\`${name}\` is a word of the language` }
  const at = nameAt(analysis.module.file, offset)
  const [renamed, other] = at === undefined ? [] : spellingsOf(at, analysis)
  if (at === undefined || renamed === undefined)
    return { problem: "there is no name here that could be changed" }
  if (other !== undefined) return { problem: `\`${at.text}\` stands for ${said(renamed)} and ${said(other)}` }
  const own = renamed.name.text
  if (own !== at.text)
    return { problem: `\`${at.text}\` is one of the reads \`${own}\` of a repeated turn: rename \`${own}\`` }
  const fixed = whyFixed(renamed)
  if (fixed !== undefined) return { problem: fixed }
  const analyses = [analysis, ...reach.importersOf(renamed.module.path)]
  const torn = analyses.flatMap(({ modules }) => modules).find(({ tears }) => tears.length > 0)
  if (torn !== undefined) {
    const { line } = placeOf(torn.source, torn.tears[0]!.start)
    return {
      problem: `${torn.source.name}:${line} has a syntax error: names that stand there would be missed`,
    }
  }
  const places = new Map<string, Location>()
  for (const one of analyses) {
    for (const mention of mentionsOf(renamed, one)) {
      const problem = whyKept(mention, renamed)
      if (problem !== undefined) return { problem }
      const { start } = mention.name.span
      const path = mention.module.path
      places.set(`${start} ${path}`, { path, span: { start, end: start + own.length } })
    }
  }
  const edits = { places: [...places.values()], text: name }
  for (const one of analyses) {
    const change = changeBy(edits, one, [own, name], reach.files)
    if (change !== undefined) return { problem: `renaming \`${own}\` to \`${name}\` ${change}` }
  }
  return { edits: edits.places }
}

/** A place that repeats a name, and whatever else is spelt there. */
interface Mention {
  readonly module: Module
  readonly name: Name
  readonly others: readonly Meaning[]
}

/** What gives a name its spelling: of a measure without a name of its own, its metric. */
const spellingsOf = (name: Name, analysis: Analysis): readonly Meaning[] =>
  tableOf(analysis)
    .of(name)
    .flatMap((meaning) =>
      meaning.kind === "part" && meaning.what === "measure" ? tableOf(analysis).of(meaning.name) : [meaning],
    )

const mentionsOf = (renamed: Meaning, analysis: Analysis): readonly Mention[] => {
  const key = keyOf(renamed)
  return analysis.modules.flatMap((module) =>
    namesIn(module.file).flatMap((name) => {
      const spellings = spellingsOf(name, analysis)
      const others = spellings.filter((meaning) => keyOf(meaning) !== key)
      return others.length < spellings.length ? [{ module, name, others }] : []
    }),
  )
}

/** Whether it is what a pool takes from a finished run. */
const isOfRun = (meaning: Meaning): boolean =>
  meaning.kind === "part" && meaning.inside.declaration.kind === "items"

/** Why something cannot get another name. */
const whyFixed = (renamed: Meaning): string | undefined => {
  const { text } = renamed.name
  if (isOfRun(renamed)) return `\`${text}\` is a read of a finished run, which has given it its name`
  return isForeign(renamed.module) ? `\`${text}\` belongs to ${ownerOf(renamed.module)}` : undefined
}

/** Why a place cannot be changed although it repeats the name. */
const whyKept = ({ module, name, others: [other] }: Mention, renamed: Meaning): string | undefined => {
  const place = `${module.source.name}:${placeOf(module.source, name.span.start).line}`
  if (isForeign(module))
    return `\`${name.text}\` is named at ${place} too, and that belongs to ${ownerOf(module)}`
  return other && `\`${name.text}\` at ${place} stands for ${said(renamed)} and ${said(other)}`
}

const isStandard = ({ source }: Module): boolean => source.name.startsWith("std/")
const isPackaged = ({ path }: Module): boolean => path.includes("/node_modules/")
const isForeign = (module: Module): boolean => isStandard(module) || isPackaged(module)
const ownerOf = (module: Module): string =>
  isStandard(module) ? "the standard library" : `a package (${module.source.name})`

/** What something is, and where it belongs. */
const said = (meaning: Meaning): string => {
  if (meaning.kind === "declaration")
    return `the ${nounFor(meaning.bound.declaration)} \`${meaning.name.text}\``
  if (isOfRun(meaning)) return "a read of a finished run"
  const { declaration } = meaning.inside
  return `the ${meaning.what} \`${meaning.name.text}\` of the ${nounFor(declaration)} \`${declaration.name.text}\``
}
