/** How strongly what stands in an expression holds together, for whoever writes expressions out: `grammar/precedence.ts` says the same of what is read. */

const COMPARISON = 4

/** By operator: what has less stands in brackets beside one that has more. */
export const STRENGTH = {
  or: 1,
  and: 2,
  not: 3,
  "==": COMPARISON,
  "!=": COMPARISON,
  "<": COMPARISON,
  "<=": COMPARISON,
  ">": COMPARISON,
  ">=": COMPARISON,
  is: COMPARISON,
  in: COMPARISON,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
} as const

type Operator = keyof typeof STRENGTH

/** Of a sign, which stands before an operand. */
export const SIGN = 7

/** Of what a dot or an argument list stands behind. */
export const SUFFIXED = 8

/** What an operand on the left must have to stand there as it is: rows of operators group to the left, but comparisons do not chain. */
export const strengthOnLeft = (operator: Operator): number =>
  STRENGTH[operator] === COMPARISON ? COMPARISON + 1 : STRENGTH[operator]

export const strengthOnRight = (operator: Operator): number => STRENGTH[operator] + 1

/** A part of an expression of its `own` strength, in brackets where what stands `around` it asks for more. */
export const bracketed = (text: string, own: number, around: number): string =>
  own < around ? `(${text})` : text
