/** What a kappa is taken of: the pairs of two codings, as numbers. */
import { pairCode } from "../statistics/kappa.ts"
import { type Column, Numbers } from "./column.ts"

/** Pairs of categories, each as a number, of texts that `cfx_pair` made; null where a trial has none. Equal categories of either side are one. */
export function pairCodes(pairs: Column): Column {
  const known = new Map<string, number>()
  const codeOf = (category: string): number => {
    const code = known.get(category) ?? known.size
    known.set(category, code)
    return code
  }
  const codes = new Numbers()
  for (let row = 0; row < pairs.length; row++) {
    const pair = pairs.at(row)
    if (pair === null) codes.push(null)
    else {
      const [left, right] = JSON.parse(pair as string) as [string, string]
      codes.push(pairCode(codeOf(left), codeOf(right)))
    }
  }
  return codes
}
