/** The concrete tree -> the syntax tree of `ast.ts`. What an error broke off is left out. */
import type { CstNode } from "chevrotain"
import type * as ast from "./ast.ts"
import { experimentOf } from "./build/experiments.ts"
import { importOf, itemsOf, metricOf, modelOf } from "./build/libraries.ts"
import { judgeOf, protocolOf } from "./build/protocols.ts"
import {
  blockOf,
  doseOf,
  framingOf,
  lexiconOf,
  orderOf,
  paraphraseOf,
  rosterOf,
  structureOf,
  targetOf,
} from "./build/stimuli.ts"
import { collect, inOrder, isNode, nodes, spanOfNode } from "./cst.ts"
import { type Docs, docsOf } from "./docs.ts"
import type { Comment } from "./lex.ts"
import type { Source } from "./source.ts"

const builders: Record<string, (each: CstNode, docs: Docs) => ast.Declaration> = {
  model: modelOf,
  items: itemsOf,
  framing: framingOf,
  roster: rosterOf,
  paraphrase: paraphraseOf,
  dose: doseOf,
  block: blockOf,
  structure: structureOf,
  order: orderOf,
  target: targetOf,
  protocol: protocolOf,
  judge: judgeOf,
  lexicon: lexiconOf,
  metric: metricOf,
  experiment: experimentOf,
}

export const buildFile = (
  source: Source,
  tree: CstNode,
  comments: readonly Comment[],
  first: number,
): ast.File => {
  const top = inOrder(tree).filter(isNode)
  const declared = top.filter(({ name }) => name !== "import")
  const starts = new Set(declared.map((each) => spanOfNode(each).start))
  const docs = docsOf(source.text, comments, first, starts)
  return {
    kind: "file",
    doc: docs.file,
    imports: collect(nodes(tree, "import"), importOf),
    declarations: collect(declared, (declaration) => builders[declaration.name]!(declaration, docs)),
    span: { start: 0, end: source.text.length },
  }
}
