/** What expectations claim, in numbers. */
import type { ExperimentField, Expression } from "../../grammar/ast.ts"
import { calculate } from "./dose.ts"

/** What an expectation says, whichever side its number is on. None where it is not a comparison of a name with a number. */
export const claimOf = (claim: Expression) => {
  if (claim.kind !== "binary") return undefined
  const operator = claim.operator
  if (operator !== "<" && operator !== "<=" && operator !== ">" && operator !== ">=") return undefined
  const turned = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const
  const boundOf = (side: Expression): number | undefined => {
    const bound = calculate(side, new Map())
    return bound !== undefined && Number.isFinite(bound) ? bound : undefined
  }
  const right = boundOf(claim.right)
  if (right !== undefined) return { subject: claim.left, operator, bound: right }
  const left = boundOf(claim.left)
  return left === undefined ? undefined : { subject: claim.right, operator: turned[operator], bound: left }
}

type Claimed<K extends ExpectField["claim"]["kind"]> = Extract<ExpectField["claim"], { kind: K }>
type ExpectField = Extract<ExperimentField, { field: "expect" }>

/** A hundredth, written as people would: 12.9 percent are 0.129. */
export const hundredth = (value: number): number => Number((value / 100).toPrecision(15))

/** A margin as a fraction of 1, or in the measure's own unit: 3 pp is 0.03. */
export const marginOf = ({ margin, points }: Claimed<"equivalent" | "published">): number =>
  points ? hundredth(margin.value) : margin.value
