/** Expressions and holes: the concrete tree -> the syntax tree. */
import type { CstNode, IToken } from "chevrotain"
import type * as ast from "../ast.ts"
import { collect, has, inOrder, isNode, maybeToken, node, nodes, spanOfNode, token, tokens } from "../cst.ts"
import { spanOf } from "../lex.ts"
import { type Grouped, grouped, isChain, isNegated } from "../precedence.ts"
import { join, type Span } from "../source.ts"
import { buildText } from "../text.ts"
import { In, Is, NumberToken } from "../tokens.ts"

export const nameOf = (word: IToken): ast.Name => ({ kind: "name", text: word.image, span: spanOf(word) })

/** `{ [label]: name }` when there is one. */
export const optional = <L extends string>(label: L, parent: CstNode): Partial<Record<L, ast.Name>> => {
  const word = maybeToken(parent, label)
  return word === undefined ? {} : ({ [label]: nameOf(word) } as Partial<Record<L, ast.Name>>)
}

export const nameAt = (parent: CstNode, label = "Word"): ast.Name => nameOf(token(parent, label))

/** `answer.key`: a name, or names with dots between. */
export const pathOf = (path: CstNode): ast.Name | ast.Member => {
  const [first = token(path, "Word"), ...rest] = tokens(path, "Word")
  return rest
    .map(nameOf)
    .reduce<ast.Name | ast.Member>(
      (object, property) => ({ kind: "member", object, property, span: join(object.span, property.span) }),
      nameOf(first),
    )
}

export const numberOf = (number: IToken): ast.NumberLiteral => ({
  kind: "number",
  value: Number(number.image),
  written: number.image,
  span: spanOf(number),
})

export const textOf = (parent: CstNode, index = 0): ast.Text =>
  buildText(node(parent, "text", index), buildHole)

export const textsOf = (parent: CstNode): ast.Text[] =>
  nodes(parent, "text").map((text) => buildText(text, buildHole))

const buildHole = (hole: CstNode): ast.Placeholder | ast.Hole => {
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

export const holeTypeOf = (type: CstNode): ast.HoleType =>
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

const spanOfGrouped = (part: Grouped): Span => {
  if (isChain(part)) return join(spanOfGrouped(part.first), spanOfGrouped(part.rest.at(-1)!.operand))
  if (isNegated(part)) return join(spanOf(part.not), spanOfGrouped(part.operand))
  return isNode(part) ? spanOfNode(part) : spanOf(part)
}

/** Operators with operands; the spans are those of the text, with the brackets around operands. */
export const buildOperations = (
  part: Grouped,
  buildOperand: (operand: CstNode) => ast.Expression,
): ast.Expression => {
  if (isNegated(part)) {
    const operand = buildOperations(part.operand, buildOperand)
    return { kind: "unary", operator: "not", operand, span: spanOfGrouped(part) }
  }
  if (!isChain(part)) return isNode(part) ? buildOperand(part) : nameOf(part)
  const { start } = spanOfGrouped(part.first)
  return part.rest.reduce<ast.Expression>(
    (left, { operator, operand }) => {
      const span = { start, end: spanOfGrouped(operand).end }
      if (operator.tokenType === Is)
        return { kind: "is", subject: left, state: nameOf(operand as IToken), span }
      if (operator.tokenType === In) {
        return { kind: "membership", subject: left, levels: expressionsIn(operand as CstNode), span }
      }
      const right = buildOperations(operand, buildOperand)
      const written = operator.image as ast.BinaryOperator
      return { kind: "binary", operator: meantBy[operator.image] ?? written, left, right, span }
    },
    buildOperations(part.first, buildOperand),
  )
}

const expressionsIn = (list: CstNode): ast.Expression[] => collect(nodes(list, "expression"), buildExpression)

/** `{ a, b }` */
export const levelsOf = (parent: CstNode, label = "levels"): readonly ast.Expression[] =>
  expressionsIn(node(parent, label))

export const expressionAt = (parent: CstNode): ast.Expression => buildExpression(node(parent, "expression"))

export const buildExpression = (expression: CstNode): ast.Expression =>
  buildOperations(grouped(expression), buildOperand)

/** `-first.p(pushed)`: suffixes bind more strongly than the sign. */
const buildOperand = (operand: CstNode): ast.Expression => {
  const plain = buildPrimary(operand)
  const { Minus: signs, property, callArguments } = operand.children
  if (signs === undefined && property === undefined && callArguments === undefined) return plain
  // Brackets around an expression are no part of it, but of what is called or signed.
  const start = maybeToken(operand, "LParen")?.startOffset ?? plain.span.start
  let end = maybeToken(operand, "RParen")?.startOffset
  end = end === undefined ? plain.span.end : end + 1
  let value = plain
  for (const part of inOrder(operand)) {
    if (callArguments?.includes(part) && isNode(part)) {
      end = spanOfNode(part).end
      value = { kind: "call", callee: value, arguments: expressionsIn(part), span: { start, end } }
    } else if (property?.includes(part) && !isNode(part)) {
      end = spanOf(part).end
      value = { kind: "member", object: value, property: nameOf(part), span: { start, end } }
    }
  }
  return tokens(operand, "Minus").reduceRight<ast.Expression>(
    (inner, sign) => ({
      kind: "unary",
      operator: "-",
      operand: inner,
      span: { start: sign.startOffset, end },
    }),
    value,
  )
}

const buildPrimary = (operand: CstNode): ast.Expression => {
  const named = maybeToken(operand, "name")
  if (named !== undefined) return buildNamed(operand, nameOf(named))
  if (has(operand, "Number")) return numberOf(token(operand, "Number"))
  if (has(operand, "text")) return textOf(operand)
  if (has(operand, "expression")) return expressionAt(operand)
  const elements = node(operand, "elements")
  return { kind: "list", elements: expressionsIn(elements), span: spanOfNode(elements) }
}

/** A name, with what stands in brackets behind it. */
const buildNamed = (operand: CstNode, name: ast.Name): ast.Expression => {
  const { index, levelFilters, exception } = operand.children
  const behind = (index ?? levelFilters ?? exception)?.[0]
  if (behind === undefined || !isNode(behind)) return name
  const span = join(name.span, spanOfNode(behind))
  if (behind.name === "index") return { kind: "index", object: name, index: expressionAt(behind), span }
  if (behind.name === "levelFilters") {
    const filters = nodes(behind, "levelFilter")
    const isEqual = (filter: CstNode): boolean => !has(filter, "Comparison") && !has(filter, "In")
    const levels = collect(filters.filter(isEqual), levelFilterOf)
    const conditions = collect(
      filters.filter((filter) => !isEqual(filter)),
      conditionOf,
    )
    return { kind: "restriction", measure: name, levels, conditions, span }
  }
  return {
    kind: "except",
    structure: name,
    place: nameOrNumber(behind, "place"),
    ...(has(behind, "Equals") ? { as: nameAt(behind, "as") } : {}),
    span,
  }
}

/** `source != model`, `framing in { people, experts }` */
const conditionOf = (filter: CstNode): ast.Binary | ast.Membership => {
  const [subject, span] = [nameAt(filter), spanOfNode(filter)]
  if (has(filter, "In")) return { kind: "membership", subject, levels: levelsOf(filter), span }
  return { kind: "binary", operator: "!=", left: subject, right: expressionAt(filter), span }
}

const levelFilterOf = (filter: CstNode): ast.LevelFilter => ({
  factor: nameAt(filter),
  level: expressionAt(filter),
  span: spanOfNode(filter),
})
