/** What every declaration has. */
import type { CstNode } from "chevrotain"
import type * as ast from "../ast.ts"
import { collect, has, nodes, spanOfNode } from "../cst.ts"
import type { Docs } from "../docs.ts"
import { nameAt, textOf } from "./expressions.ts"

export const declared = (each: CstNode, docs: Docs) => {
  const span = spanOfNode(each)
  return { name: nameAt(each, "name"), doc: docs.above(span.start), span }
}

export const provenanceOf = (parent: CstNode): ast.Provenance[] =>
  collect(nodes(parent, "provenance"), (each) => ({
    kind: has(each, "Verbatim") ? "verbatim" : "reconstructed",
    note: textOf(each),
    span: spanOfNode(each),
  }))

export const parameterNamesOf = (each: CstNode): ast.Name[] =>
  nodes(each, "parameterNames").flatMap((list) =>
    collect(nodes(list, "name"), (parameter) => nameAt(parameter)),
  )
