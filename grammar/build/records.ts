/** Records made elsewhere: the concrete tree -> the syntax tree. */
import type { CstNode } from "chevrotain"
import type * as ast from "../ast.ts"
import { collect, has, inOrder, isNode, node, nodes, spanOfNode, token } from "../cst.ts"
import { grouped } from "../precedence.ts"
import { join } from "../source.ts"
import { buildExpression, buildOperations, holeTypeOf, nameAt, nameOrNumber, textOf } from "./expressions.ts"
import { columnOf } from "./libraries.ts"

const labelOf = (label: CstNode): ast.RecordedLabel =>
  has(label, "text") ? textOf(label) : nameOrNumber(label)

const partOf = (part: CstNode): ast.RecordedPart => ({
  name: nameAt(part, "part"),
  ...(has(part, "recordedLabel") ? { label: labelOf(node(part, "recordedLabel")) } : {}),
  span: spanOfNode(part),
})

/** `distinct(6)` is a level that is called with something. */
const namedIn = (level: CstNode): ast.Expression => {
  if (has(level, "text")) return textOf(level)
  const name = nameOrNumber(level, "level")
  if (!has(level, "callArguments")) return name
  const list = node(level, "callArguments")
  const span = join(name.span, spanOfNode(list))
  return { kind: "call", callee: name, arguments: collect(nodes(list, "expression"), buildExpression), span }
}

const levelOf = (level: CstNode): ast.RecordedLevel => ({
  level: namedIn(level),
  values: collect(nodes(level, "recordedLabel"), labelOf),
  span: spanOfNode(level),
})

const mappingOf = (mapping: CstNode): ast.RecordMapping => ({
  entry: "mapping",
  target: nameAt(mapping, "target"),
  ...(has(mapping, "recordedPart") ? { part: partOf(node(mapping, "recordedPart")) } : {}),
  ...(has(mapping, "holeType") ? { type: holeTypeOf(node(mapping, "holeType")) } : {}),
  column: buildOperations(grouped(node(mapping, "columns")), columnOf),
  ...(has(mapping, "recordedLevels")
    ? { levels: collect(nodes(node(mapping, "recordedLevels"), "recordedLevel"), levelOf) }
    : {}),
  span: spanOfNode(mapping),
})

const fieldOf = (each: CstNode): ast.RecordsEntry => {
  const span = spanOfNode(each)
  if (has(each, "Labels")) {
    const labels = collect(nodes(node(each, "recordedLabels"), "recordedLabel"), labelOf)
    return { entry: "labels", labels, span }
  }
  if (has(each, "Format")) return { entry: "format", format: nameAt(each), span }
  token(each, "On")
  return { entry: "on", problem: nameAt(each, "problem"), policy: nameAt(each, "policy"), span }
}

export const recordsOf = (each: CstNode): ast.RecordsField => ({
  field: "records",
  ...(has(each, "text") ? { file: textOf(each) } : {}),
  entries: collect(
    inOrder(each)
      .filter(isNode)
      .filter(({ name }) => name === "recordMapping" || name === "recordsField"),
    (entry) => (entry.name === "recordMapping" ? mappingOf(entry) : fieldOf(entry)),
  ),
  span: spanOfNode(each),
})
