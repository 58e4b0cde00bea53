/** What an editor shows beside a name: what it is, its documentation, and how a stimulus reads. Markdown. */
import type { Declaration, TextPart } from "../../grammar/ast.ts"
import type { Span } from "../../grammar/source.ts"
import { nounFor } from "../resolve.ts"
import type { Analysis } from "./analysis.ts"
import type { PartKind } from "./parts.ts"
import { sampleOf } from "./sample.ts"
import { meaningAt } from "./symbols.ts"

export interface Hover {
  readonly markdown: string
  readonly span: Span
}

export const hoverAt = (analysis: Analysis, offset: number): Hover | undefined => {
  const found = meaningAt(analysis, offset)
  if (found === undefined) return undefined
  const { at, meaning } = found
  if (meaning.kind === "part") {
    const { what, inside } = meaning
    const of = `${nounFor(inside.declaration)} \`${inside.declaration.name.text}\``
    return { markdown: `${partNoun(what)} \`${at.text}\` of the ${of}`, span: at.span }
  }
  const { declaration, module } = meaning.bound
  const sample = sampleOf(meaning.bound, analysis.names)
  const parts = [
    `**${nounFor(declaration)}** \`${declaration.name.text}\` (${module.source.name})`,
    ...(declaration.doc === "" ? [] : [declaration.doc]),
    ...provenanceOf(declaration),
    ...(sample === undefined ? [] : [fenced(sample)]),
  ]
  return { markdown: parts.join("\n\n"), span: at.span }
}

const partNoun = (what: PartKind): string => what[0]!.toUpperCase() + what.slice(1)

const provenanceOf = (declaration: Declaration): readonly string[] =>
  "provenance" in declaration
    ? declaration.provenance.map(({ kind, note }) => {
        const text = note.parts.map((part: TextPart) => (part.kind === "chars" ? part.text : "")).join("")
        return `*${kind}*: ${text}`
      })
    : []

/** A fence that is longer than any run of backticks in the text. */
const fenced = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}
