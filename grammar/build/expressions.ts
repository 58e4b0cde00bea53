/** Expressions and holes: the concrete tree -> the syntax tree. */
import type { CstNode, IToken } from "chevrotain"
import type * as ast from "../ast.ts"
import { collect, has, inOrder, isNode, node, nodes, spanOfNode, token, tokens } from "../cst.ts"
import { spanOf } from "../lex.ts"
import { join, type Span } from "../source.ts"
import { buildText } from "../text.ts"
import { NumberToken } from "../tokens.ts"

export const nameOf = (word: IToken): ast.Name => ({ kind: "name", text: word.image, span: spanOf(word) })

/** `{ [label]: name }` when there is one. */
export const optional = <L extends string>(label: L, parent: CstNode): Partial<Record<L, ast.Name>> => {
  const word = tokens(parent, label)[0]
  return word === undefined ? {} : ({ [label]: nameOf(word) } as Partial<Record<L, ast.Name>>)
}

export const nameAt = (parent: CstNode, label = "Word"): ast.Name => nameOf(token(parent, label))

export const numberOf = (number: IToken): ast.NumberLiteral => ({
  kind: "number",
  value: Number(number.image),
  span: spanOf(number),
})

export const textOf = (parent: CstNode, index = 0): ast.Text =>
  buildText(node(parent, "text", index), buildHole)

export const textsOf = (parent: CstNode): ast.Text[] =>
  nodes(parent, "text").map((text) => buildText(text, buildHole))

export const buildHole = (hole: CstNode): ast.Placeholder | ast.Hole => {
  const inside = node(hole, "inHole")
  const span = spanOfNode(hole)
  if (!has(inside, "holeType")) {
    return { kind: "placeholder", path: expressionAt(inside), span }
  }
  return {
    kind: "hole",
    name: nameAt(inside),
    ...(has(inside, "step") ? { step: nameAt(node(inside, "step")) } : {}),
    type: holeTypeOf(node(inside, "holeType")),
    span,
  }
}

const holeTypeOf = (type: CstNode): ast.HoleType =>
  has(type, "Text") ? { kind: "text", span: spanOfNode(type) } : answerTypeOf(node(type, "answerType"))

export const answerTypeOf = (type: CstNode): ast.HoleType => {
  const span = spanOfNode(type)
  if (has(type, "Option"))
    return { kind: "option", ...(has(type, "Of") ? { of: expressionAt(type) } : {}), span }
  if (has(type, "Label")) {
    const labels = collect(nodes(node(type, "labels"), "label"), nameOrNumber)
    return { kind: "label", labels, span }
  }
  const [low, high] = [token(type, "Number"), token(type, "Number", 1)]
  return { kind: "integer", low: numberOf(low), high: numberOf(high), span }
}

/** A node that is one token, a word or a number; `label` names it where the grammar does. */
export const nameOrNumber = (parent: CstNode, label?: string): ast.Name | ast.NumberLiteral => {
  const only = token(parent, label ?? (has(parent, "Number") ? "Number" : "Word"))
  return only.tokenType === NumberToken ? numberOf(only) : nameOf(only)
}

export const patternOf = (parent: CstNode): ast.Pattern => {
  const pattern = node(parent, "pattern")
  const written = tokens(pattern, "PatternCharacters").map(({ image }) => image)
  return {
    kind: "pattern",
    // Pairs are taken as pairs, so that the second backslash of `\\"` escapes nothing.
    source: written.join("").replace(/\\(.)/g, (pair, escaped) => (escaped === '"' ? escaped : pair)),
    span: spanOfNode(pattern),
  }
}

/** Signs of other languages: reported, and read as what they mean. */
const meantBy: Readonly<Record<string, ast.BinaryOperator>> = {
  "&&": "and",
  "&": "and",
  "||": "or",
  "|": "or",
  "=": "==",
}

/** Operands and operators in turn, grouped to the left. Spans are those of the text, with the brackets around operands. */
export const leftGrouped = (parent: CstNode, build: (operand: CstNode) => ast.Expression): ast.Expression => {
  const elements = inOrder(parent)
  const operands = elements.filter(isNode)
  const operators = elements.filter((element): element is IToken => !isNode(element))
  const start = spanOfNode(operands[0]!)
  return operators.reduce<ast.Expression>(
    (left, operator, index) => ({
      kind: "binary",
      operator: meantBy[operator.image] ?? (operator.image as ast.BinaryOperator),
      left,
      right: build(operands[index + 1]!),
      span: join(start, spanOfNode(operands[index + 1]!)),
    }),
    build(operands[0]!),
  )
}

export const expressionAt = (parent: CstNode): ast.Expression => buildExpression(node(parent, "expression"))

export const buildExpression = (expression: CstNode): ast.Expression =>
  leftGrouped(expression, (operand) => leftGrouped(operand, buildNegation))

const buildNegation = (negation: CstNode): ast.Expression =>
  has(negation, "Not")
    ? {
        kind: "unary",
        operator: "not",
        operand: buildNegation(node(negation, "negation")),
        span: spanOfNode(negation),
      }
    : buildComparison(node(negation, "comparison"))

const buildComparison = (comparison: CstNode): ast.Expression => {
  const buildSum = (sum: CstNode): ast.Expression =>
    leftGrouped(sum, (product) => leftGrouped(product, buildSigned))
  const span = spanOfNode(comparison)
  if (has(comparison, "Is")) {
    const subject = buildSum(node(comparison, "sum"))
    return { kind: "is", subject, state: nameAt(comparison, "state"), span }
  }
  if (has(comparison, "In")) {
    const subject = buildSum(node(comparison, "sum"))
    return { kind: "membership", subject, levels: levelsOf(comparison), span }
  }
  return leftGrouped(comparison, buildSum)
}

/** `{ a, b }` */
export const levelsOf = (parent: CstNode): readonly ast.Expression[] =>
  collect(nodes(node(parent, "levels"), "expression"), buildExpression)

const buildSigned = (signed: CstNode): ast.Expression =>
  has(signed, "Minus")
    ? {
        kind: "unary",
        operator: "-",
        operand: buildSigned(node(signed, "signed")),
        span: spanOfNode(signed),
      }
    : buildPostfix(node(signed, "postfix"))

const buildPostfix = (postfix: CstNode): ast.Expression => {
  const primary = node(postfix, "primary")
  const start = spanOfNode(primary)
  return nodes(postfix, "suffix").reduce<ast.Expression>((left, suffix) => {
    const span: Span = join(start, spanOfNode(suffix))
    if (has(suffix, "Dot")) return { kind: "member", object: left, property: nameAt(suffix), span }
    const given = nodes(node(suffix, "callArguments"), "expression")
    return { kind: "call", callee: left, arguments: collect(given, buildExpression), span }
  }, buildPrimary(primary))
}

const buildPrimary = (primary: CstNode): ast.Expression => {
  const span = spanOfNode(primary)
  if (has(primary, "Number")) return numberOf(token(primary, "Number"))
  if (has(primary, "text")) return textOf(primary)
  if (has(primary, "expression")) return expressionAt(primary)
  if (has(primary, "elements")) {
    const elements = collect(nodes(node(primary, "elements"), "expression"), buildExpression)
    return { kind: "list", elements, span }
  }
  const word = nameAt(primary)
  if (has(primary, "index")) {
    return { kind: "index", object: word, index: expressionAt(node(primary, "index")), span }
  }
  if (has(primary, "exception")) {
    const exception = node(primary, "exception")
    return {
      kind: "except",
      structure: word,
      place: nameOrNumber(exception, "place"),
      ...(has(exception, "Equals") ? { as: nameAt(exception, "as") } : {}),
      span,
    }
  }
  if (!has(primary, "levelFilters")) return word
  const levels = collect(nodes(node(primary, "levelFilters"), "levelFilter"), levelFilterOf)
  return { kind: "restriction", measure: word, levels, span }
}

const levelFilterOf = (filter: CstNode): ast.LevelFilter => ({
  factor: nameAt(filter),
  level: expressionAt(filter),
  span: spanOfNode(filter),
})
