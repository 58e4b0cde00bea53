/** Protocols and judges: the concrete tree -> the syntax tree. */
import type { CstNode } from "chevrotain"
import type * as ast from "../ast.ts"
import { collect, has, inOrder, isNode, node, nodes, some, spanOfNode, token } from "../cst.ts"
import type { Docs } from "../docs.ts"
import { declared, parameterNamesOf, provenanceOf } from "./declared.ts"
import {
  answerTypeOf,
  expressionAt,
  nameAt,
  numberOf,
  optional,
  pathOf,
  patternOf,
  textOf,
  textsOf,
} from "./expressions.ts"

// ---------------------------------------------------------------- fields

const plainFieldOf = (each: CstNode): ast.ProtocolField => {
  const span = spanOfNode(each)
  if (has(each, "Slot")) return { field: "slot", slot: nameAt(each), span }
  if (has(each, "Role")) return { field: "role", role: nameAt(each), span }
  if (has(each, "Answers")) return { field: "answers", as: nameAt(each), span }
  if (has(each, "System")) return { field: "system", text: textOf(each), span }
  if (has(each, "Options")) return { field: "options", each: textOf(each), join: textOf(each, 1), span }
  const count = numberOf(token(each, "Number"))
  token(each, "Others")
  return { field: "draw", name: nameAt(each, "name"), count, ...optional("pool", each), span }
}

const extractOf = (each: CstNode): ast.ExtractField => ({
  field: "extract",
  name: nameAt(each, "name"),
  type: answerTypeOf(node(each, "answerType")),
  from: nameAt(each, "from"),
  pattern: patternOf(each),
  which: has(each, "Last") ? "last" : "first",
  span: spanOfNode(each),
})

const judgedOf = (each: CstNode): ast.JudgeField => ({
  field: "judge",
  name: nameAt(each, "name"),
  judge: nameAt(each, "judge"),
  arguments: collect(nodes(node(each, "judgedReads"), "path"), pathOf),
  ...optional("by", each),
  span: spanOfNode(each),
})

const protocolFields: Record<string, (each: CstNode) => ast.ProtocolField> = {
  protocolField: plainFieldOf,
  extract: extractOf,
  judged: judgedOf,
}

// ---------------------------------------------------------------- turns

const saidOf = (field: CstNode) => {
  const role = has(field, "System") ? "system" : has(field, "User") ? "user" : "assistant"
  return { field: role, text: textOf(field), span: spanOfNode(field) } as const
}

const numberSettings = [
  ["max", "Max"],
  ["temperature", "Temperature"],
  ["mass", "Mass"],
  ["generate", "Generate"],
] as const

const settingOf = (each: CstNode): ast.ReadSetting => {
  const span = spanOfNode(each)
  if (has(each, "Until")) return { setting: "until", texts: some(textsOf(each)), span }
  if (has(each, "Refusal")) return { setting: "refusal", texts: some(textsOf(each)), span }
  if (has(each, "Score")) return { setting: "score", by: nameAt(each), span }
  const [setting] = numberSettings.find(([, keyword]) => has(each, keyword)) ?? ["top_p"]
  return { setting, value: numberOf(token(each, "Number")), span }
}

const turnFieldOf = (field: CstNode): ast.TurnField =>
  field.name === "turnField"
    ? saidOf(field)
    : {
        field: "read",
        hole: nameAt(field, "name"),
        settings: collect(nodes(field, "readSetting"), settingOf),
        span: spanOfNode(field),
      }

const repeatOf = (turn: CstNode): Pick<ast.Turn, "repeat"> => {
  if (!has(turn, "repetition")) return {}
  const repetition = node(turn, "repetition")
  return {
    repeat: { variable: nameAt(node(repetition, "step")), times: numberOf(token(repetition, "Number")) },
  }
}

const turnOf = (each: CstNode): ast.Turn => ({
  kind: "turn",
  name: nameAt(each, "name"),
  ...repeatOf(each),
  ...optional("continues", each),
  ...optional("by", each),
  ...(has(each, "When") ? { when: expressionAt(each) } : {}),
  fields: collect(
    inOrder(each)
      .filter(isNode)
      .filter(({ name }) => name === "turnField" || name === "read"),
    turnFieldOf,
  ),
  span: spanOfNode(each),
})

export const protocolOf = (each: CstNode, docs: Docs): ast.Protocol => ({
  kind: "protocol",
  ...declared(each, docs),
  fields: collect(
    inOrder(each)
      .filter(isNode)
      .filter(({ name }) => name in protocolFields),
    (field) => protocolFields[field.name]!(field),
  ),
  turns: collect(nodes(each, "turn"), turnOf),
  provenance: provenanceOf(each),
})

// ---------------------------------------------------------------- judges

const judgePartOf = (each: CstNode): ast.JudgePart => {
  const span = spanOfNode(each)
  if (each.name === "turnField") return saidOf(each)
  if (has(each, "Matching")) return { field: "matching", pattern: patternOf(each), span }
  if (has(each, "EqualsValue")) return { field: "equals", value: expressionAt(each), span }
  if (has(each, "Gold")) return { field: "gold", label: nameAt(each, "gold"), span }
  return { field: "then", yes: nameAt(each, "yes"), no: nameAt(each, "no"), span }
}

export const judgeOf = (each: CstNode, docs: Docs): ast.Judge => ({
  kind: "judge",
  ...declared(each, docs),
  parameters: parameterNamesOf(each),
  fields: collect(
    inOrder(each)
      .filter(isNode)
      .filter(({ name }) => name === "turnField" || name === "judgeField"),
    judgePartOf,
  ),
  provenance: provenanceOf(each),
})
