/** The concrete tree -> the syntax tree of `ast.ts`. What an error broke off is left out. */
import type { CstNode } from "chevrotain"
import type * as ast from "./ast.ts"
import { collect, has, inOrder, isNode, node, nodes, some, spanOfNode, token, tokens } from "./cst.ts"
import { type Docs, docsOf } from "./docs.ts"
import { buildExperiment } from "./experiment.ts"
import { buildExpression, expressionAt, nameAt, nameOf, numberOf, textOf, textsOf } from "./expression.ts"
import type { Comment } from "./lex.ts"
import type { Source } from "./source.ts"

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

const importOf = (each: CstNode): ast.Import => ({
  kind: "import",
  names: collect(nodes(node(each, "importedNames"), "importedName"), (imported) => ({
    name: nameAt(imported, "name"),
    ...optional("alias", imported),
    span: spanOfNode(imported),
  })),
  from: textOf(each),
  span: spanOfNode(each),
})

/** `{ [label]: name }` when there is one. */
const optional = <L extends string>(label: L, parent: CstNode): Partial<Record<L, ast.Name>> => {
  const word = tokens(parent, label)[0]
  return word === undefined ? {} : ({ [label]: nameOf(word) } as Partial<Record<L, ast.Name>>)
}

const declared = (each: CstNode, docs: Docs) => {
  const span = spanOfNode(each)
  return { name: nameAt(each, "name"), doc: docs.above(span.start), span }
}

const provenanceOf = (parent: CstNode): ast.Provenance[] =>
  collect(nodes(parent, "provenance"), (each) => ({
    kind: has(each, "Verbatim") ? "verbatim" : "reconstructed",
    note: textOf(each),
    span: spanOfNode(each),
  }))

// ---------------------------------------------------------------- models, items

const attributeValueOf = (attribute: CstNode): ast.Attribute["value"] => {
  if (has(attribute, "text")) return textOf(attribute)
  return has(attribute, "Number") ? numberOf(token(attribute, "Number")) : nameAt(attribute, "value")
}

const modelOf = (each: CstNode, docs: Docs): ast.Model => ({
  kind: "model",
  ...declared(each, docs),
  engine: nameAt(each, "engine"),
  file: textOf(each),
  attributes: collect(nodes(each, "attribute"), (attribute) => ({
    key: nameAt(attribute, "key"),
    value: attributeValueOf(attribute),
    span: spanOfNode(attribute),
  })),
})

const columnOf = (column: CstNode): ast.Expression => {
  if (has(column, "text")) return textOf(column)
  const [first = token(column, "path"), ...rest] = tokens(column, "path")
  return rest.map(nameOf).reduce<ast.Expression>(
    (object, property) => ({
      kind: "member",
      object,
      property,
      span: { start: object.span.start, end: property.span.end },
    }),
    nameOf(first),
  )
}

const fieldMappingOf = (mapping: CstNode): ast.FieldMapping => ({
  field: nameAt(mapping, "field"),
  columns: some(collect(nodes(mapping, "column"), columnOf)),
  span: spanOfNode(mapping),
})

const itemsOf = (each: CstNode, docs: Docs): ast.Items => ({
  kind: "items",
  ...declared(each, docs),
  file: textOf(each),
  fields: collect(nodes(each, "fieldMapping"), fieldMappingOf),
})

// ---------------------------------------------------------------- stimuli

const framingFieldOf = (each: CstNode): ast.FramingField => {
  const span = spanOfNode(each)
  if (has(each, "Preamble")) return { field: "preamble", text: textOf(each), span }
  if (has(each, "Speakers")) return { field: "speakers", roster: nameAt(each), span }
  return { field: "lines", texts: some(textsOf(each)), span }
}

const framingOf = (each: CstNode, docs: Docs): ast.Framing => ({
  kind: "framing",
  keyword: has(each, "Container") ? "container" : "framing",
  ...declared(each, docs),
  ...optional("parent", each),
  fields: collect(nodes(each, "framingField"), framingFieldOf),
  provenance: provenanceOf(each),
})

const rosterOf = (each: CstNode, docs: Docs): ast.Roster => ({
  kind: "roster",
  ...declared(each, docs),
  speakers: textsOf(each),
})

const paraphraseOf = (each: CstNode, docs: Docs): ast.Paraphrase => ({
  kind: "paraphrase",
  ...declared(each, docs),
  wordings: textsOf(each),
  provenance: provenanceOf(each),
})

const doseOf = (each: CstNode, docs: Docs): ast.Dose => ({
  kind: "dose",
  ...declared(each, docs),
  parameters: nodes(each, "parameterNames").flatMap((list) =>
    collect(nodes(list, "name"), (parameter) => nameAt(parameter)),
  ),
  fields: collect(nodes(each, "doseField"), (field) => ({
    field: has(field, "Lines") ? "lines" : "speakers",
    value: expressionAt(field),
    span: spanOfNode(field),
  })),
})

const blockOf = (each: CstNode, docs: Docs): ast.Block => ({
  kind: "block",
  ...declared(each, docs),
  fields: collect(nodes(each, "blockField"), (field) => ({
    field: "text",
    text: textOf(field),
    span: spanOfNode(field),
  })),
  provenance: provenanceOf(each),
})

// ---------------------------------------------------------------- protocols, metrics

const protocolFieldOf = (each: CstNode): ast.ProtocolField => {
  const span = spanOfNode(each)
  if (has(each, "Slot")) return { field: "slot", slot: nameAt(each), span }
  if (has(each, "System")) return { field: "system", text: textOf(each), span }
  return { field: "options", each: textOf(each), join: textOf(each, 1), span }
}

const turnOf = (each: CstNode): ast.Turn => ({
  kind: "turn",
  name: nameAt(each, "name"),
  ...optional("continues", each),
  fields: collect(nodes(each, "turnField"), (field) => ({
    field: has(field, "User") ? "user" : "assistant",
    text: textOf(field),
    span: spanOfNode(field),
  })),
  span: spanOfNode(each),
})

const protocolOf = (each: CstNode, docs: Docs): ast.Protocol => ({
  kind: "protocol",
  ...declared(each, docs),
  fields: collect(nodes(each, "protocolField"), protocolFieldOf),
  turns: collect(nodes(each, "turn"), turnOf),
  provenance: provenanceOf(each),
})

const metricFieldOf = (each: CstNode): ast.MetricField => {
  const span = spanOfNode(each)
  if (has(each, "Rate")) return { field: "rate", value: expressionAt(each), span }
  if (has(each, "Mean")) return { field: "mean", value: expressionAt(each), span }
  if (has(each, "Given")) return { field: "given", condition: expressionAt(each), span }
  if (has(each, "Invalid")) return { field: "invalid", policy: nameAt(each), span }
  return { field: "interval", method: nameAt(each), level: numberOf(token(each, "Number")), span }
}

const metricOf = (each: CstNode, docs: Docs): ast.Metric => ({
  kind: "metric",
  ...declared(each, docs),
  ...optional("parent", each),
  parameters: nodes(each, "parameters").flatMap((list) =>
    collect(nodes(list, "parameter"), (parameter) => ({
      name: nameAt(parameter),
      default: buildExpression(node(parameter, "expression")),
      span: spanOfNode(parameter),
    })),
  ),
  fields: collect(nodes(each, "metricField"), metricFieldOf),
})

const builders: Record<string, (each: CstNode, docs: Docs) => ast.Declaration> = {
  model: modelOf,
  items: itemsOf,
  framing: framingOf,
  roster: rosterOf,
  paraphrase: paraphraseOf,
  dose: doseOf,
  block: blockOf,
  protocol: protocolOf,
  metric: metricOf,
  experiment: (each, docs) => ({
    kind: "experiment",
    ...declared(each, docs),
    fields: buildExperiment(each),
  }),
}
