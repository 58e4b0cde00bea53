/** Framings, rosters, paraphrases, doses, blocks, structures, orders, targets: the concrete tree -> the syntax tree. */
import type { CstNode } from "chevrotain"
import type * as ast from "../ast.ts"
import { collect, has, inOrder, isNode, nodes, some, spanOfNode } from "../cst.ts"
import type { Docs } from "../docs.ts"
import { declared, parameterNamesOf, provenanceOf } from "./declared.ts"
import { expressionAt, nameAt, optional, textOf, textsOf } from "./expressions.ts"

const framingFieldOf = (each: CstNode): ast.FramingField => {
  const span = spanOfNode(each)
  if (each.name === "wording") {
    return { field: "wording", name: nameAt(each, "name"), fields: framingFieldsOf(each), span }
  }
  if (has(each, "Preamble")) return { field: "preamble", text: textOf(each), span }
  if (has(each, "Closing")) return { field: "closing", text: textOf(each), span }
  if (has(each, "Speakers")) return { field: "speakers", roster: nameAt(each), span }
  return { field: "lines", texts: some(textsOf(each)), span }
}

const framingFieldsOf = (parent: CstNode): ast.FramingField[] =>
  collect(
    inOrder(parent)
      .filter(isNode)
      .filter(({ name }) => name === "framingField" || name === "wording"),
    framingFieldOf,
  )

export const framingOf = (each: CstNode, docs: Docs): ast.Framing => ({
  kind: "framing",
  keyword: has(each, "Container") ? "container" : "framing",
  ...declared(each, docs),
  ...optional("parent", each),
  fields: framingFieldsOf(each),
  provenance: provenanceOf(each),
})

export const rosterOf = (each: CstNode, docs: Docs): ast.Roster => ({
  kind: "roster",
  ...declared(each, docs),
  speakers: textsOf(each),
})

export const paraphraseOf = (each: CstNode, docs: Docs): ast.Paraphrase => ({
  kind: "paraphrase",
  ...declared(each, docs),
  wordings: textsOf(each),
  provenance: provenanceOf(each),
})

export const lexiconOf = (each: CstNode, docs: Docs): ast.Lexicon => ({
  kind: "lexicon",
  ...declared(each, docs),
  terms: textsOf(each),
  provenance: provenanceOf(each),
})

export const doseOf = (each: CstNode, docs: Docs): ast.Dose => ({
  kind: "dose",
  ...declared(each, docs),
  parameters: parameterNamesOf(each),
  fields: collect(nodes(each, "doseField"), (field) => ({
    field: has(field, "Lines") ? "lines" : "speakers",
    value: expressionAt(field),
    span: spanOfNode(field),
  })),
})

const blockFieldOf = (field: CstNode): ast.BlockField =>
  has(field, "Texts")
    ? { field: "texts", texts: some(textsOf(field)), span: spanOfNode(field) }
    : { field: "text", text: textOf(field), span: spanOfNode(field) }

export const blockOf = (each: CstNode, docs: Docs): ast.Block => ({
  kind: "block",
  ...declared(each, docs),
  fields: collect(nodes(each, "blockField"), blockFieldOf),
  provenance: provenanceOf(each),
})

const valued = (each: CstNode, docs: Docs) => ({ ...declared(each, docs), value: expressionAt(each) })

export const structureOf = (each: CstNode, docs: Docs): ast.Structure => ({
  kind: "structure",
  ...valued(each, docs),
})

export const orderOf = (each: CstNode, docs: Docs): ast.Order => ({ kind: "order", ...valued(each, docs) })

export const targetOf = (each: CstNode, docs: Docs): ast.Target => ({ kind: "target", ...valued(each, docs) })
