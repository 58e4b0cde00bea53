/**
 * Families of contrasts: p values that are adjusted for one another. A contrast that is taken in several ways enters once, with the first of them that
 * has a p, and that result alone has the adjusted one; a contrast without any p does not count among the tests of its family.
 */
import type { ExperimentIR } from "../../compiler/ir.ts"
import { benjaminiHochberg, holm } from "../statistics/families.ts"
import type { Result } from "./result.ts"
import { wayText } from "./way.ts"

const WAYS = {
  holm: { adjust: holm, words: "Holm" },
  benjamini_hochberg: { adjust: benjaminiHochberg, words: "Benjamini and Hochberg" },
} as const

export function withFamilies(
  { families }: Pick<ExperimentIR, "families">,
  contrasts: readonly Result[],
): readonly Result[] {
  return families.reduce((results, { name, contrasts: members, adjust: method }) => {
    const { adjust, words } = WAYS[method]
    const entered = members.flatMap((member) => {
      const at = results.findIndex((result) => result.name === member && result.p !== undefined)
      return at === -1 ? [] : [at]
    })
    const adjusted = adjust(entered.map((at) => results[at]!.p!))
    const tests = `${entered.length} test${entered.length === 1 ? "" : "s"}`
    const lacking = members.length - entered.length
    const without = lacking === 0 ? "" : `, ${lacking} of its contrasts without a p`
    return results.map((result, at) => {
      const place = entered.indexOf(at)
      if (place === -1 || result.adjusted !== undefined) return result
      return {
        ...result,
        method: `${result.method}; p adjusted by ${words} over the ${tests} of ${name}${without}${passedOver(results, at)}`,
        adjusted: { family: name, method, p: adjusted[place]! },
      }
    })
  }, contrasts)
}

/** ", which it enters by paired(item), since mixed_logistic has no p": that ways before it were passed over. */
function passedOver(results: readonly Result[], at: number): string {
  const entered = results[at]!
  const before = results.slice(0, at).filter(({ name }) => name === entered.name)
  if (before.length === 0) return ""
  const ways = before.map(wayText).join(" and ")
  return `, which it enters by ${wayText(entered)}, since ${ways} ${before.length === 1 ? "has" : "have"} no p`
}
