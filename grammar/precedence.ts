/**
 * Which operators bind more strongly. The grammar has an expression as operands with operators between, since a rule for each
 * level would cost a node for each level at every operand.
 */
import type { CstElement, CstNode, IToken, TokenType } from "chevrotain"
import { inOrder, isNode } from "./cst.ts"
import * as t from "./tokens.ts"

/** The weakest first. What stands in one row groups to the left, but comparisons don't chain. */
export const precedence: readonly (readonly TokenType[])[] = [
  [t.Or],
  [t.And],
  [t.Not],
  [t.Comparison, t.Equals, t.Is, t.In],
  [t.Plus, t.Minus],
  [t.Star, t.Slash],
]

/** An operand, the state behind `is` and the levels behind `in` among them; or operators with operands. */
export type Grouped = CstElement | Negated | Chain

export interface Negated {
  readonly not: IToken
  readonly operand: Grouped
}

export interface Chain {
  readonly first: Grouped
  readonly rest: readonly { readonly operator: IToken; readonly operand: Grouped }[]
}

export const isChain = (grouped: Grouped): grouped is Chain => "rest" in grouped
export const isNegated = (grouped: Grouped): grouped is Negated => "not" in grouped

export const grouped = (expression: CstNode): Grouped => group(inOrder(expression), 0)

/** By type: its row in `precedence`. */
const rows: ReadonlyMap<TokenType, number> = new Map(
  t.vocabulary.flatMap((type) => {
    const own = [type, ...(type.CATEGORIES ?? [])]
    const row = precedence.findIndex((types) => own.some((one) => types.includes(one)))
    return row < 0 ? [] : [[type, row] as const]
  }),
)

const isIn = (row: number, element: CstElement | undefined): element is IToken =>
  element !== undefined && !isNode(element) && rows.get(element.tokenType) === row

const group = (elements: readonly CstElement[], level: number): Grouped => {
  const types = precedence[level]
  const [only] = elements
  if (types === undefined || elements.length < 2) return only!
  if (!elements.some((element) => isIn(level, element))) return group(elements, level + 1)
  if (types.includes(t.Not)) {
    const [not, ...operand] = elements
    return isIn(level, not) ? { not, operand: group(operand, level) } : group(elements, level + 1)
  }
  const all = elements.flatMap((element, index) => (isIn(level, element) ? [index] : []))
  // A state may have the name of the operator before it: `a is is`.
  const signs = types.includes(t.Is) ? all.slice(0, 1) : all
  const operands = [...signs, elements.length].map((end, index) =>
    group(elements.slice(index === 0 ? 0 : signs[index - 1]! + 1, end), level + 1),
  )
  if (signs.length === 0) return operands[0]!
  const rest = signs.map((at, index) => ({
    operator: elements[at] as IToken,
    operand: operands[index + 1]!,
  }))
  return { first: operands[0]!, rest }
}
