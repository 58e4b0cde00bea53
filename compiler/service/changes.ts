/** Whether a renaming leaves a spec what it was: the same is said of it, every name stands for what it stood for, and it means the same. */
import type { Name } from "../../grammar/ast.ts"
import type { Diagnostic } from "../diagnostics/diagnostic.ts"
import { placeOf } from "../diagnostics/place.ts"
import type { Files } from "../files.ts"
import type { Program } from "../ir.ts"
import { type Analysis, analyse } from "./analysis.ts"
import { type Edits, edited, shifted } from "./edits.ts"
import { keyOf, type Meaning } from "./meanings.ts"
import { namesIn } from "./nodes.ts"
import { tableOf } from "./symbols.ts"

/** What a renaming would do besides, for a person, with the place: "would break ..."; nothing where it changes nothing else. */
export const changeBy = (
  edits: Edits,
  before: Analysis,
  names: readonly [from: string, to: string],
  files: Files,
): string | undefined => {
  const after = analyse(before.module.path, edited(files, before.modules, edits))
  if (after === undefined) throw new Error(`internal: ${before.module.path} was read before`)
  return (
    newDiagnostic(edits, before, after) ??
    otherMeaning(edits, before, after) ??
    (isSame(before.program, after.program, names)
      ? undefined
      : `would change what ${before.module.source.name} means`)
  )
}

const at = ({ source, span }: Pick<Diagnostic, "source" | "span">): string =>
  `${source.name}:${placeOf(source, span.start).line}`

const newDiagnostic = (edits: Edits, before: Analysis, after: Analysis): string | undefined => {
  const known = new Set(
    before.diagnostics.map(({ code, source, span }) => {
      const path = before.pathOf(source)
      return `${code} ${path} ${shifted(edits, path, span.start)}`
    }),
  )
  const found = after.diagnostics.find(
    ({ code, source, span }) => !known.has(`${code} ${after.pathOf(source)} ${span.start}`),
  )
  return found && `would break ${at(found)}: ${found.message === "" ? found.label : found.message}`
}

/** A name that would stand for something else than before. */
const otherMeaning = (edits: Edits, before: Analysis, after: Analysis): string | undefined => {
  for (const [index, module] of before.modules.entries()) {
    const other = after.modules[index]
    const [own, others] = [namesIn(module.file), other === undefined ? [] : namesIn(other.file)]
    if (own.length !== others.length) return `would let ${module.source.name} be read otherwise`
    const changed = own.findIndex(
      (name, place) =>
        keysOf(name, before, (path, offset) => shifted(edits, path, offset)) !==
        keysOf(others[place]!, after, (_, offset) => offset),
    )
    if (changed >= 0) {
      const { text, span } = own[changed]!
      return `would let \`${text}\` at ${at({ source: module.source, span })} stand for something else`
    }
  }
  return undefined
}

const keysOf = (name: Name, analysis: Analysis, place: (path: string, offset: number) => number): string =>
  tableOf(analysis)
    .of(name)
    .map((meaning: Meaning) => keyOf(meaning, place))
    .sort()
    .join("\n\n")

/** Whether two meanings are the same but for a name, alone or with a number behind it as the reads of a repeated turn have it. */
const isSame = (
  before: Program | undefined,
  after: Program | undefined,
  names: readonly string[],
): boolean => {
  const longestFirst = [...names].sort((a, b) => b.length - a.length)
  const renamed = new RegExp(`\\b(?:${longestFirst.join("|")})(?=\\d*\\b)`, "g")
  const plain = (program: Program | undefined) =>
    program === undefined ? undefined : JSON.stringify(program).replace(renamed, "\u0000")
  return plain(before) === plain(after)
}
